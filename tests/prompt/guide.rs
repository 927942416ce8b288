//! Tests completion, hints, signatures and colours of the prompt, without a terminal.

use fracas::agents::HUMAN;
use fracas::catalog::FileKind;
use fracas::repl::guide::{Completion, Hint, Suggestion, TypingSpace};
use fracas::repl::{Guide, Session, SessionOptions};

use crate::support::catalog;

fn session(lines: &[&str]) -> Session {
    let mut session =
        Session::new(catalog(), SessionOptions { plain: true, ..SessionOptions::default() });
    for line in lines {
        let reply = session.line(line);
        assert!(reply.error().is_none(), "{line}: {:?}", reply.error());
    }
    session
}

fn completed(session: &Session, line: &str) -> Completion {
    Guide::default().complete(session, line, line.len())
}

/// The line for each candidate that its last word may become.
fn lines(session: &Session, line: &str) -> Vec<String> {
    let found = completed(session, line);
    let whole = |one: &Suggestion| format!("{}{}", &line[..found.start], one.text);
    found.candidates.iter().map(whole).collect()
}

const WIDE: TypingSpace = TypingSpace { columns: 80, rows: 30, room: 60, coloured: true };

fn hinted(session: &Session, line: &str, place: TypingSpace) -> Option<Hint> {
    let history = |begins: &str| {
        let before = ["1 + 41", "fn f(n) {\n    n\n}", ":open kuhn_poker/one_hand"];
        before.into_iter().find(|line| line.starts_with(begins)).map(str::to_owned)
    };
    Guide::default().hint(session, line, line.len(), place, &history)
}

fn hint(session: &Session, line: &str) -> String {
    hinted(session, line, WIDE).map(|hint| hint.shown).unwrap_or_default()
}

#[test]
fn words_of_commands_become_what_the_command_says() {
    let session = session(&[]);
    for (line, become_) in [
        (":ope", vec![":open "]),
        ("  :ope", vec!["  :open "]),
        (":stat", vec![":state"]),
        (":open kuhn_poker/o", vec![":open kuhn_poker/one_hand"]),
        (":o kuhn_poker/o", vec![":o kuhn_poker/one_hand"]),
        (
            ":open kuhn_poker/one_hand --",
            vec![
                ":open kuhn_poker/one_hand --seat ",
                ":open kuhn_poker/one_hand --house ",
                ":open kuhn_poker/one_hand --param ",
                ":open kuhn_poker/one_hand --set ",
                ":open kuhn_poker/one_hand --seed ",
            ],
        ),
        (
            ":open war_die/ford --param tie=",
            vec![
                ":open war_die/ford --param tie=defender",
                ":open war_die/ford --param tie=attacker",
                ":open war_die/ford --param tie=both_lose",
            ],
        ),
        (":open war_die/ford --param=ti", vec![":open war_die/ford --param=tie="]),
        (":open kuhn_poker/one_hand --seat b", vec![":open kuhn_poker/one_hand --seat bob="]),
        (
            ":open kuhn_poker/one_hand --seat bob=gr",
            vec![":open kuhn_poker/one_hand --seat bob=greedy"],
        ),
        (":help und", vec![":help undo"]),
        (":list kuhn", vec![":list kuhn_poker"]),
        (":doc fewest_f", vec![":doc fewest_first"]),
        (":load Cargo.t", vec![":load Cargo.toml"]),
        (":load tests/pro", vec![":load tests/prompt/", ":load tests/properties.rs"]),
        (":load a --f", vec![":load a --force "]),
        (":test rock_p", vec![":test rock_paper_scissors"]),
        (":test Cargo.t", vec![":test Cargo.toml"]),
        (":test -", vec![":test --bless "]),
        (":check rock_p", vec![":check rock_paper_scissors"]),
        (":portrait --measure length.d", vec![":portrait --measure length.decisions"]),
        (":help conf", vec![":help config"]),
        (":hint hum", vec![]),
        (":seat x hum", vec![":seat x human"]),
        (":save scenario x --s", vec![]),
        (":save x --s", vec![":save x --session "]),
        (":save x --session --s", vec![]),
        (
            ":open war_die/ford --set players.red.o",
            vec![":open war_die/ford --set players.red.ore="],
        ),
        (":watch o", vec![":watch on", ":watch off"]),
        (
            ":odds -",
            vec![":odds -n ", ":odds --time ", ":odds --float ", ":odds --whole ", ":odds --html "],
        ),
        (":odds -n 5 --t", vec![":odds -n 5 --time "]),
        (":goto ", vec![]),
        (":nothing a", vec![]),
        (":view ", vec![]),
    ] {
        assert_eq!(lines(&session, line), become_, "{line}");
    }
}

#[test]
fn nothing_rewrites_files_before_it_is_asked_for_and_quotes_are_kept_whole() {
    let folder = tempfile::tempdir_in("target").unwrap();
    let path = folder.path().display().to_string();
    let of = |line: &str| lines(&session(&[]), line);
    assert!(of(":test ").iter().all(|line| !line.contains("--bless")), "{:?}", of(":test "));
    for (name, written) in [("it's", "\"it's/\""), ("a \"b", "'a \"b/'")] {
        std::fs::create_dir(folder.path().join(name)).unwrap();
        let (mark, rest) = written.split_at(1);
        let line = format!(":load {path}/{}", &name[..1]);
        assert_eq!(of(&line), [format!(":load {mark}{path}/{rest}")]);
    }
}

#[test]
fn options_and_their_values_are_completed_with_what_they_mean() {
    let session = session(&[]);
    let note = |line: &str| completed(&session, line).candidates[0].note.clone();
    assert_eq!(note(":solve --ex"), "Compute in fractions, joint decisions too");
    assert_eq!(note(":diff --house x --p"), "A changed parameter (repeatable)");
    assert_eq!(note(":watch on"), "From now on");
}

#[test]
fn names_of_a_scenario_are_those_of_its_system() {
    let session = session(&[":open kuhn_poker/one_hand"]);
    let house = |system: &str| {
        let folder = session.catalog.folder(system).unwrap();
        folder.names(FileKind::House)
    };
    for system in ["war_die", "territory"] {
        let scenario = session.catalog.folder(system).unwrap().names(FileKind::Scenario)[0].clone();
        let line = format!(":open {system}/{scenario} --house ");
        let expected: Vec<String> =
            house(system).iter().map(|name| format!("{line}{name}")).collect();
        assert!(!expected.is_empty());
        assert_eq!(lines(&session, &line), expected);
    }
    // Without a scenario in the line it is the open conflict.
    assert_eq!(lines(&session, ":view a"), [":view ann"]);
    assert_eq!(lines(&session, ":seat bob ran"), [":seat bob random"]);
    assert_eq!(lines(&session, ":fork ma"), [":fork main"]);
    assert_eq!(lines(&session, ":rules de"), [":rules deal"]);
    assert_eq!(lines(&session, ":diff ma"), [":diff main"]);
}

#[test]
fn what_is_varied_and_wanted_is_completed() {
    let session = session(&[":open war_die/ford --seed 1"]);
    for (line, become_) in [
        (":tune --vary mana_v", vec![":tune --vary mana_value="]),
        (":tune --vary tie=att", vec![":tune --vary tie=attacker"]),
        (":tune --vary-house half_price,san", vec![":tune --vary-house half_price,sanctuary"]),
        (":tune --vary-house sanctuary,san", vec![]),
        (":tune --want length.d", vec![":tune --want length.decisions"]),
        (":tune --want fairn", vec![":tune --want fairness", ":tune --want fairness.first_seat"]),
    ] {
        assert_eq!(lines(&session, line), become_, "{line}");
    }
}

#[test]
fn words_of_code_become_variables_functions_and_keys() {
    let session = session(&[
        "let board = #{ width: 3, inner: #{ deep: #{ down: 1 } } };",
        "fn double_it(n) { n * 2 }",
    ]);
    for (line, become_) in [
        ("boar", vec!["board"]),
        ("1 + boar", vec!["1 + board"]),
        ("double_", vec!["double_it("]),
        ("board.inn", vec!["board.inner"]),
        ("board.inner.dee", vec!["board.inner.deep"]),
        ("board.inner.deep.dow", vec!["board.inner.deep.down"]),
        ("fewest_f", vec!["fewest_first("]),
        ("[1].index_o", vec!["[1].index_of("]),
        ("contin", vec!["continue"]),
        ("f(\"kuhn_poker/o", vec![]),
        ("scenario(\"kuhn_poker/o", vec!["scenario(\"kuhn_poker/one_hand"]),
        (
            "scenario(\"war_die/ford\").with(#{ mana_v",
            vec!["scenario(\"war_die/ford\").with(#{ mana_value: "],
        ),
        (
            "scenario(\"war_die/ford\").sweep(\"ore",
            vec!["scenario(\"war_die/ford\").sweep(\"ore_value"],
        ),
        ("x.seat(\"a\", \"gre", vec!["x.seat(\"a\", \"greedy"]),
        ("save_csv(\"Cargo.t", vec!["save_csv(\"Cargo.toml"]),
        ("12", vec![]),
        ("\"boar", vec![]),
        ("// boar", vec![]),
        ("/* boar", vec![]),
    ] {
        assert_eq!(lines(&session, line), become_, "{line}");
    }
    let line = "boar + 1";
    let within = Guide::default().complete(&session, line, 4);
    assert_eq!((within.start, within.candidates.len()), (0, 1));
}

#[test]
fn options_of_the_open_decision_come_first_and_nothing_hidden_does() {
    let open = ":open kuhn_poker/one_hand --seat ann=human --seat bob=human";
    let mut session = session(&[open]);
    assert_eq!(lines(&session, ""), ["pass", "bet"]);
    assert_eq!(lines(&session, "P"), ["pass"]);
    assert_eq!(lines(&session, "fewest_f"), ["fewest_first("]);
    // What ann answers is not bob's to read, nor that there was an answer.
    assert!(session.is_secret("bet"));
    assert!(!session.is_secret("1 + 1"));
    assert!(!session.is_secret(":undo"));
    session.line("bet");
    assert_eq!(session.play.as_ref().unwrap().asked().unwrap().who, "bob");
    assert_eq!(lines(&session, ""), ["pass", "bet"]);
    // Of two who answer at once, the second may not read what the first did.
    let together = ":open rock_paper_scissors/once --seat ann=human --seat bob=human";
    session.line(together);
    assert!(session.is_secret("rock"));
    let alone = ":open rock_paper_scissors/once --seat ann=human";
    session.line(alone);
    assert!(!session.is_secret("rock"));
    assert_eq!(session.play.as_ref().unwrap().conflict.seats["ann"], HUMAN);
}

#[test]
fn what_candidates_have_in_common_is_written_at_once() {
    let session = session(&[]);
    let common = |line: &str| {
        let found = completed(&session, line);
        found.common(&line[found.start..])
    };
    assert_eq!(common(":open kuhn"), "kuhn_poker/one_hand");
    assert_eq!(common(":re"), "re");
    assert_eq!(common(":no_such"), "no_such");
    let of = |texts: &[&str]| Completion::new(0, texts.iter().map(|text| Suggestion::plain(*text)));
    assert_eq!(of(&["größe", "größer"]).common("gr"), "größe");
    assert_eq!(of(&["grün", "größe"]).common("g"), "gr");
    assert_eq!(of(&["Advance", "Advocate"]).common("adv"), "adv");
    assert_eq!(of(&["Advance"]).common("adv"), "Advance");
}

#[test]
fn a_call_is_told_its_signature_and_a_line_its_past() {
    let mut session = session(&["fn double_it(n) { n * 2 }"]);
    assert_eq!(hint(&session, "double_it("), "  double_it(n)");
    let one = "  fewest_first(counts: map) -> list (1 more form)";
    assert_eq!(hint(&session, "fewest_first("), one);
    // With a second argument it is the form that takes two.
    let two = hint(&session, "[fewest_first(#{ a: 1 }, ");
    assert_eq!(two, "  fewest_first(counts: map, order: list) -> list (1 more f…");
    assert_eq!(hint(&session, "1 + 4"), "1");
    assert_eq!(hint(&session, "fn f"), "(n) { …");
    assert_eq!(hint(&session, "2"), "");
    assert_eq!(hint(&session, ""), "");
    assert_eq!(hint(&session, ":goto "), "  N");
    assert!(hint(&session, ":goto").starts_with("  :goto N: Go to the question after N"));
    let taken = hinted(&session, "fn f", WIDE).unwrap();
    assert_eq!(taken.completes.as_deref(), Some("(n) {\n    n\n}"), "the whole entry comes back");
    session.line(":open kuhn_poker/one_hand --seat ann=human");
    assert_eq!(hint(&session, "p"), "ass");
    assert_eq!(hint(&session, "pass"), "");
    assert_eq!(hint(&session, "2"), "  bet");
    assert_eq!(hint(&session, "1 + 4"), "1");
}

#[test]
fn hints_keep_within_the_window_and_need_no_colours() {
    let mut session = session(&[":open territory/three_tokens --seat white=human"]);
    let check = |session: &Session, line: &str, place: TypingSpace| {
        let Some(hint) = hinted(session, line, place) else { return };
        let mut rows = hint.shown.split('\n');
        let first = rows.next().unwrap_or_default();
        assert!(first.chars().count() < place.room.max(1), "{line} {place:?}: {first}");
        for row in rows {
            assert!(row.chars().count() < place.columns.max(2), "{line} {place:?}: {row}");
        }
        assert!(hint.shown.lines().count() < place.rows.max(3));
    };
    for line in ["a", "ag", "1", "fewest_first(", ":open ", ":op", "1 +", "fn f"] {
        for columns in [1, 2, 20, 40, 80] {
            for room in [1, 2, 5, columns] {
                for coloured in [true, false] {
                    check(&session, line, TypingSpace { columns, rows: 8, room, coloured });
                }
            }
        }
    }
    let plainly = TypingSpace { coloured: false, ..WIDE };
    assert_eq!(hinted(&session, "1 + 4", plainly), None, "nobody could tell it from the line");
    let below = hinted(&session, "adv", plainly).unwrap();
    assert_eq!((below.shown.as_str(), below.completes), ("\nadvocate", None));
    let noted = "\naggressor  Wins an advocate that it meets, and is won by an isolationist (T5 t…\nadvocate   An \
                 aggressor that it meets wins it (T4, T6).";
    assert_eq!(hint(&session, "a"), noted);
    session.line("adv");
    assert_eq!(hint(&session, "a"), noted);
}

#[test]
fn a_painted_line_is_the_same_line() {
    let session = session(&[":open kuhn_poker/one_hand --seat ann=human"]);
    let guide = Guide::default();
    let painted = |line: &str, cursor: Option<usize>| guide.paint(&session, line, cursor);
    for line in [
        "let x = trim(\" a \"); // told",
        "fn f(n) {\n    `a ${n} b`\n}",
        ":opne a \"b c\" --seat x=y ",
        "  :open",
        "pass",
        "größe[1] + 'x' /* open",
        "",
        "\"open",
    ] {
        for cursor in (0..=line.len()).filter(|at| line.is_char_boundary(*at)) {
            assert_eq!(
                anstream::adapter::strip_str(&painted(line, Some(cursor))).to_string(),
                line
            );
        }
    }
    assert!(painted(":opne", None).starts_with("\u{1b}[31m:opne"), "unknown commands are red");
    assert!(painted(":open", None).contains("\u{1b}[36m:open"));
    assert_eq!(painted(":re", None), ":re", "it may become one of several");
    assert!(painted("pass", None).contains("\u{1b}[32mpass"), "an answer");
    assert!(painted("let a = \"b\"", None).contains("\u{1b}[35mlet\u{1b}[0m"));
    assert!(painted("trim(a)", None).contains("\u{1b}[34mtrim"));
    assert!(!painted("tirm(a)", None).contains("\u{1b}[34m"));
    let pair = painted("f([1])", Some(1));
    assert_eq!(pair.matches("\u{1b}[4m").count(), 2, "{pair:?}");
    assert_eq!(painted("f([1])", None).matches("\u{1b}[4m").count(), 0);
}

#[test]
fn the_word_to_be_explained_is_the_one_at_the_cursor() {
    let (guide, session) = (Guide::default(), session(&[]));
    assert_eq!(guide.word(&session, "x + trim(", 6).as_deref(), Some("trim"));
    assert_eq!(guide.word(&session, ":open a", 3).as_deref(), Some(":open"));
}

#[test]
fn what_a_new_house_rule_overrides_and_clauses_are_completed() {
    let (guide, session) = (Guide::default(), session(&[":open war_die/ford"]));
    let texts = |line: &str| {
        let found = guide.complete(&session, line, line.len()).candidates;
        found.into_iter().map(|one| one.text).collect::<Vec<_>>()
    };
    assert_eq!(texts(":house new mine compare_"), ["compare_dice"]);
    assert_eq!(texts(":house new mine FL"), ["FLAG"], "constants too");
    assert_eq!(texts(":sweep fac"), ["faces="]);
    assert_eq!(texts(":sweep tie=att"), ["tie=attacker"]);
    assert_eq!(texts(":sweep faces=4 --of re"), ["red"]);
    assert_eq!(texts(":sweep faces=4 --balance bl"), ["blue"]);
    assert_eq!(texts(":compare --variant half_price,att"), ["half_price,attacker_wins_ties"]);
    assert_eq!(texts(":compare --variant half_price,fac"), ["half_price,faces="]);
    // Of the system that is named, and not of the one that is open.
    assert_eq!(texts(":check last_stand --house crip"), ["crippling_conditions"]);
    assert_eq!(texts(":doc last_stand --house half"), [""; 0]);
    assert_eq!(texts(":rulebook W1"), ["W1", "W10"]);
    assert_eq!(texts(":rulebook all"), ["alliance"]);
}

#[test]
fn behind_a_dot_stands_what_the_value_can_do() {
    let lines = [
        "let words = [\"b\", \"a\"]",
        "let m = #{ a: 1, l: [2] }",
        "let s = scenario(\"war_die/ford\")",
    ];
    let (guide, session) = (Guide::default(), session(&lines));
    let texts = |line: &str| {
        let found = guide.complete(&session, line, line.len()).candidates;
        found.into_iter().map(|one| one.text).collect::<Vec<_>>()
    };
    let of_list = texts("words.");
    let at = |name: &str| of_list.iter().position(|one| one == name);
    assert!(at("count_of(").is_some() && at("pop(").is_some(), "{of_list:?}");
    assert_eq!((at("trim("), at("odds("), at("PI(")), (None, None, None), "nothing of other kinds");
    // `number` takes any value: it stands behind what only lists can do.
    assert!(at("count_of(") < at("number("), "{of_list:?}");
    assert_eq!(texts("m.")[..2], ["a", "l"], "keys come first");
    assert!(texts("m.l.").contains(&"pop(".to_owned()));
    assert!(
        texts("s.od").contains(&"odds(".to_owned())
            && !texts("words.od").contains(&"odds(".to_owned())
    );
}

#[test]
fn the_handle_of_the_open_conflict_is_completed_before_a_line_has_named_it() {
    let texts = |session: &Session, line: &str| {
        let found = completed(session, line).candidates;
        found.into_iter().map(|one| one.text).collect::<Vec<_>>()
    };
    let none = session(&[]);
    assert_eq!(texts(&none, "confl"), [""; 0]);
    let open = session(&[":open kuhn_poker/one_hand"]);
    assert_eq!(texts(&open, "confl"), ["conflict"]);
    let of_it = texts(&open, "conflict.");
    assert!(
        of_it.contains(&"odds(".to_owned()) && !of_it.contains(&"trim(".to_owned()),
        "{of_it:?}"
    );
    // A variable of one's own goes before.
    let own = session(&["let conflict = \"mine\";", ":open kuhn_poker/one_hand"]);
    assert!(texts(&own, "conflict.").contains(&"trim(".to_owned()));
}
