//! Tests what the commands print, for people and for programs, when they are used correctly.

use serde_json::{Value, json};

use super::run::fracas;
use super::scratch::Scratch;

#[track_caller]
fn keys(value: &Value) -> Vec<&str> {
    value
        .as_object()
        .unwrap_or_else(|| panic!("no object: {value}"))
        .keys()
        .map(String::as_str)
        .collect()
}

#[test]
fn list_tells_all_systems_and_all_of_one() {
    let scratch = Scratch::with_duel();
    let here = scratch.path();
    let json = fracas("list --json").inside(here).run().succeeds().says_nothing().json();
    let duel = json["systems"].as_array().unwrap().iter().find(|s| s["name"] == "duel").unwrap();
    let expected = json!({
        "name": "duel", "title": "duel", "path": "rules/duel",
        "scenarios": 3, "campaigns": 0, "house": 2, "agents": 2, "cases": 1, "parameters": 2,
    });
    assert_eq!(*duel, expected);

    let json = fracas("list duel --json").inside(here).run().succeeds().json();
    let wanted = [
        "name",
        "title",
        "path",
        "clauses",
        "scenarios",
        "campaigns",
        "parameters",
        "house",
        "agents",
        "functions",
        "cases",
    ];
    assert_eq!(keys(&json), wanted);
    assert_eq!(json["scenarios"][0], json!({ "name": "duel/one_round", "title": "One round" }));
    assert_eq!(json["agents"][1], json!({ "name": "middle", "title": "Middle" }));
    let highest = json!({
        "name": "highest", "default": 3, "allowed": "a whole number from 1 to 20",
        "meaning": "the highest card in each hand", "clause": "N1",
    });
    assert_eq!(json["parameters"][0], highest);
    let setup = &json["functions"][0];
    assert_eq!(
        (&setup["signature"], &setup["file"]),
        (&json!("setup(scenario)"), &json!("rules/duel/rules.rhai"))
    );
    assert!(setup["comment"].as_str().unwrap().starts_with("N1."));
}

#[test]
fn what_does_not_load_is_listed_with_its_error() {
    let scratch = Scratch::with_duel();
    scratch.write("rules/broken/rules.rhai", "//! # Broken\nfn setup(scenario) {");
    scratch.write("rules/duel/scenarios/torn.toml", "system = ");
    scratch.write("rules/duel/agents/torn.rhai", "fn decide(");
    let here = scratch.path();
    // The error is below the table, which its place would make too wide.
    let listed = fracas("list").inside(here).run().succeeds();
    let listed = listed.prints(" system").prints("Broken (error)").prints("broken: error:");
    let listed = listed.prints("duel").stdout;
    assert!(listed.contains("rules/broken/rules.rhai:2:"), "{listed}");
    let json = fracas("list --json").inside(here).run().succeeds().json();
    let systems = json["systems"].as_array().unwrap();
    let broken = systems.iter().find(|system| system["name"] == "broken").unwrap();
    assert_eq!((&broken["name"], &broken["title"]), (&json!("broken"), &json!("Broken")));
    assert_eq!(broken["error"]["file"], "rules/broken/rules.rhai");
    fracas("list broken").inside(here).run().succeeds().prints("error:");
    let json = fracas("list duel --json").inside(here).run().succeeds().json();
    let torn = |kind: &str, name: &str| {
        let all = json[kind].as_array().unwrap();
        all.iter().find(|item| item["name"] == name).unwrap()["error"]["line"].clone()
    };
    assert_eq!((torn("scenarios", "duel/torn"), torn("agents", "torn")), (json!(1), json!(1)));
}

#[test]
fn tables_keep_to_the_width() {
    let scratch = Scratch::with_duel();
    for (line, columns) in [("list", 60), ("list", 30), ("doc", 30), ("list duel", 40)] {
        let ran =
            fracas(line).inside(scratch.path()).where_is("COLUMNS", &columns.to_string()).run();
        for row in ran.succeeds().stdout.lines().filter(|row| row.starts_with([' ', '─'])) {
            assert!(row.chars().count() <= columns, "{line} at {columns}: {row}");
        }
    }
    for columns in ["0", "1", "-5", "wide", "99999999999"] {
        fracas("list duel").inside(scratch.path()).where_is("COLUMNS", columns).run().succeeds();
    }
    let plain = fracas("list --plain").inside(scratch.path()).run().succeeds().stdout;
    assert!(!plain.contains('─'), "{plain}");
}

#[test]
fn colours_are_there_only_where_they_are_asked_for() {
    let scratch = Scratch::with_duel();
    let escape = '\u{1b}';
    let run = |line: &str| fracas(line).inside(scratch.path()).run();
    assert!(!run("play duel/gone").stderr.contains(escape));
    assert!(run("play duel/gone --color always").stderr.contains(escape));
    let never = fracas("play duel/gone --color never").where_is("NO_COLOR", "").run();
    assert!(!never.stderr.contains(escape));
}

#[test]
fn play_is_the_same_under_the_same_seed_and_replays() {
    let scratch = Scratch::with_duel();
    let here = scratch.path();
    let play = "play duel/strength --seed 5 --json --quiet --save saved.txt";
    let first = fracas(play).inside(here).run().succeeds().says_nothing().json();
    assert_eq!(fracas(play).inside(here).run().json(), first);
    assert_eq!(keys(&first), ["system", "scenario", "seed", "outcome", "history", "events"]);
    assert_eq!((&first["system"], &first["seed"]), (&json!("duel"), &json!(5)));
    // Five rounds of two cards each; the last round leaves three cards, so all are decisions.
    assert_eq!(first["history"].as_array().unwrap().len(), 10);
    assert_eq!(keys(&first["history"][0]), ["player", "name", "action"]);

    let again = fracas("replay saved.txt --json").inside(here).run().succeeds().json();
    assert_eq!(again, first);
    let some = fracas("replay saved.txt --to 2 --json").inside(here).run().succeeds().json();
    assert_eq!((&some["outcome"], some["history"].as_array().unwrap().len()), (&Value::Null, 4));
    let verified = fracas("replay saved.txt --verify --json").inside(here).run().succeeds().json();
    assert_eq!((&verified["same"], &verified["outcome"]), (&json!(true), &first["outcome"]));
    fracas("replay saved.txt --verify")
        .inside(here)
        .run()
        .succeeds()
        .prints("the same: 5 entries\n");
}

#[test]
fn a_history_under_changed_rules_is_refused_unless_forced() {
    let scratch = Scratch::with_duel();
    let here = scratch.path();
    fracas("play duel/strength --seed 5 --save saved.txt").inside(here).run().succeeds();
    scratch.edit("rules/duel/rules.rhai", "card > other", "other < card");
    fracas("replay saved.txt").inside(here).run().exits(1).says("`rules.rhai` has changed");
    let forced = fracas("replay saved.txt --force --verify").inside(here).run().succeeds();
    forced.says("changed: `rules.rhai` has changed").prints("the same");
    scratch.edit("rules/duel/rules.rhai", "other < card", "card < other");
    let other =
        fracas("replay saved.txt --force --verify --json").inside(here).run().exits(1).json();
    assert_eq!(other["same"], false);
    scratch.edit("rules/duel/rules.rhai", "\"show\"", "\"reveal\"");
    let json = fracas("replay saved.txt --force --json").inside(here).run().exits(1).json();
    assert_eq!((&json["error"]["kind"], &json["history"]), (&json!("diverged"), &json!([])));
}

#[test]
fn a_person_plays_by_number_or_by_option_and_takes_back() {
    let scratch = Scratch::with_duel();
    // Cards 1 to 3: red shows 2, takes it back, and shows 3 against the highest, which shows 3.
    fracas("play duel/one_round --seat red=human --seat blue=highest --quiet")
        .inside(scratch.path())
        .typing("9\n3\n")
        .succeeds()
        .says_nothing()
        .prints("result: draw");
    let ran = fracas("play duel/three_rounds --seat red=human --seat blue=highest")
        .inside(scratch.path())
        .typing("nine\n1\n:undo\n3\n1\n");
    ran.succeeds().says("`nine` is not an answer").prints("points:");
}

#[test]
fn a_seat_of_a_side_answers_for_its_players() {
    let scratch = Scratch::empty();
    scratch.write(
        "rules/packs/rules.rhai",
        "//! # Packs\nfn setup(s) { #{ turn: 0, picked: #{} } }\n\
         fn step() { let who = [\"ayla\", \"bren\", \"cato\"][this.turn]; this.turn += 1;\n\
         this.picked[who] = this.choose(who, \"pick\", [\"low\", \"high\"]); }\n\
         fn outcome() { if this.turn < 3 { return; }\n\
         #{ result: \"over\", utility: #{ ayla: 0, bren: 0, cato: 0 }, picked: this.picked } }\n\
         fn sides() { #{ wolves: [\"ayla\", \"bren\"], shadows: [\"cato\"] } }\n",
    );
    scratch.write("rules/packs/agents/high.rhai", "fn decide(view, decision) { \"high\" }");
    scratch.write("rules/packs/scenarios/one.toml", "system = \"packs\"\n");
    let play = "play packs/one --seed 1 --seat wolves=high --seat shadows=first --json";
    let json = fracas(play).inside(scratch.path()).run().succeeds().json();
    let picked = json!({ "ayla": "high", "bren": "high", "cato": "low" });
    assert_eq!(json["outcome"]["picked"], picked);
    let play = "play packs/one --seed 1 --seat wolves=high --seat bren=first --json";
    let json = fracas(play).inside(scratch.path()).run().succeeds().json();
    assert_eq!(json["outcome"]["picked"]["bren"], "low");
    fracas("play packs/one --seat wolf=high")
        .inside(scratch.path())
        .run()
        .exits(2)
        .says("unknown player `wolf`");
}

#[test]
fn cases_that_fail_are_told_with_their_place() {
    let scratch = Scratch::with_duel();
    let here = scratch.path();
    let cases = "rules/duel/cases/rounds.toml";
    scratch.edit(cases, "result = \"red\"", "result = \"blue\"");
    scratch.edit(
        cases,
        "blue = { show = [2] }\n[case.expect]\nresult = \"draw\"",
        "blue = { show = [2, 2] }\n[case.expect]\nresult = \"draw\"",
    );
    let ran = fracas("test duel").inside(here).run().exits(1).prints("4 passed, 2 failed\n");
    let ran = ran.says("rules/duel/cases/rounds.toml:4: the higher card wins the round");
    // The answer that is left over stands in line 25.
    ran.says("expected \"blue\", got \"red\"").says("rules/duel/cases/rounds.toml:25:");
    let json = fracas("test duel --json").inside(here).run().exits(1).json();
    assert_eq!((&json["passed"], &json["failed"]), (&json!(4), &json!(2)));
    assert_eq!(keys(&json["failures"][0]), ["file", "title", "message"]);
    scratch.edit(cases, "rounds = 1", "ruonds = 1");
    fracas("test duel")
        .inside(here)
        .run()
        .exits(1)
        .says("setup.rounds: is missing: if `ruonds` is meant to be it, write `rounds` (rules/duel/cases/rounds.toml:9:");
}

#[test]
fn new_and_init_write_all_or_nothing() {
    let scratch = Scratch::empty();
    let here = scratch.path();
    let json = fracas("new duel --json").inside(here).run().succeeds().json();
    assert_eq!(json["files"][0], "rules/duel/rules.rhai");
    assert!(!scratch.read("rules/duel/cases/rounds.toml").contains("NEW_SYSTEM"));

    fracas("init mine").inside(here).run().succeeds().prints("mine/");
    let before = scratch.names();
    std::fs::remove_dir_all(scratch.file("mine/territory/agents")).unwrap();
    let before_again = scratch.names();
    assert!(before_again.len() < before.len());
    fracas("init mine").inside(here).run().exits(2).says("there already");
    assert_eq!(scratch.names(), before_again);
    fracas("--rules mine list").inside(here).run().succeeds().prints("territory");
}

#[test]
fn doc_tells_of_everything_that_scripts_call() {
    let scratch = Scratch::with_duel();
    let run = |line: &str| fracas(line).inside(scratch.path()).run().succeeds();
    run("doc")
        .prints("fn setup(scenario)")
        .prints("this.choose")
        .prints("number_in")
        .prints("dice(")
        .prints("match_stacks(");
    run("doc match_stacks").prints("match_stacks(a: list, b: list)").prints("` is `");
    run("doc stacks").prints("match_stacks").prints("add_token");
    run("doc duel").prints("round_winner(first,").prints("N1  Each player holds");
    run("doc duel.beats")
        .prints("N3. Whether a card beats another.")
        .prints("rules/duel/rules.rhai:");
    scratch.write(
        "rules/duel/house/misere.rhai",
        "//! # Misère\n//! All is turned round. It is quick.\n\n\
         /// N3. The lower card wins.\n\
         fn beats(card, other) { card < other }\n\n\
         fn outcome() { this.super() }\n\n\
         fn params() { #{ tie: \"first\" } }\n",
    );
    let doc = "doc duel --house misere";
    run(doc)
        .prints("Now house rule `misere` replaces `beats`: The lower card wins.")
        .prints("Now house rule `misere` changes `outcome`: All is turned round.")
        .prints("Now `tie` is first, by default")
        .prints("House rule `misere`, over these rules:\nAll is turned round. It is quick.");
    let all = run(doc);
    assert!(!all.stdout.contains("round_winner"), "for a table, without functions: {all:?}");
    let one = run(&format!("{doc} N3 --json")).json();
    assert_eq!(one["clauses"].as_array().unwrap().len(), 1);
    assert_eq!(
        one["clauses"][0]["changed"],
        serde_json::json!([
            "house rule `misere` replaces `beats`: The lower card wins",
            "`tie` is first, by default nobody",
        ])
    );
    fracas("doc duel --house miser").inside(scratch.path()).run().exits(2).says("`misere`");
    let json = run("doc choose --json").json();
    assert_eq!(keys(&json["functions"][0]), ["family", "name", "signature", "text", "example"]);
    let all = run("doc --json").json();
    for called in ["scenario.seat", "this.choose"] {
        run(&format!("doc {called}")).prints(&format!("{called}("));
    }
    assert!(all["functions"].as_array().unwrap().len() > 50);
}

#[test]
fn completions_are_there_for_every_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        fracas(&format!("completions {shell}")).run().succeeds().prints("fracas").says_nothing();
    }
}

#[test]
fn shells_complete_names_that_are_there() {
    let scratch = Scratch::with_duel();
    let found = |words: &[&str]| {
        let line = words.iter().fold(fracas("complete --"), |line, word| line.with(word));
        let ran = line.inside(scratch.path()).run().succeeds();
        let first = |line: &str| line.split('\t').next().unwrap_or_default().to_owned();
        ran.stdout.lines().map(first).collect::<Vec<_>>()
    };
    assert_eq!(found(&["odds", "duel/one"]), ["duel/one_round"]);
    assert_eq!(found(&["odds", "duel/one_round", "--house", "five"]), ["five_cards"]);
    assert_eq!(found(&["odds", "duel/one_round", "--house=five"]), ["--house=five_cards"]);
    assert_eq!(found(&["--seed", "1", "odds", "duel/one_round", "--param", "hi"]), ["highest="]);
    assert!(
        found(&["play", "duel/one_round", "--seat", "red=gr"]).contains(&"red=greedy".to_owned())
    );
    assert!(found(&["odds", "duel/one_round", "--fl"]).is_empty() && found(&[]).is_empty());
}

#[test]
#[cfg(unix)]
fn bash_replaces_what_is_behind_the_equals_sign() {
    let scratch = Scratch::with_duel();
    let script = fracas("completions bash").run().succeeds().stdout;
    scratch.write("completions", &script);
    let program = env!("CARGO_BIN_EXE_fracas");
    let replies = |line: &str| {
        let line = format!("{program} {line}");
        let run = format!(
            "source ./completions; COMP_LINE='{line}'; COMP_POINT={}; _fracas_names; echo \"${{COMPREPLY[@]}}\"",
            line.len()
        );
        let mut bash = std::process::Command::new("bash");
        let ran = bash.args(["--norc", "-c", &run]).current_dir(scratch.path()).output().unwrap();
        String::from_utf8(ran.stdout).unwrap().trim().to_owned()
    };
    assert_eq!(replies("odds duel/one"), "duel/one_round");
    assert_eq!(replies("play duel/one_round --seat red=greed"), "greedy");
    assert_eq!(replies("odds duel/one_round --house five"), "five_cards");
}

#[test]
fn the_manual_has_a_page_for_each_command() {
    let scratch = Scratch::with_duel();
    fracas("man").run().succeeds().prints(".TH fracas 1").prints("tournament").says_nothing();
    fracas("man sweep").run().succeeds().prints(".TH fracas-sweep 1").prints("balance");
    let written = fracas("man --dir pages").inside(scratch.path()).run().succeeds();
    for name in ["fracas.1", "fracas-odds.1", "fracas-man.1"] {
        assert!(written.stdout.contains(name), "{written:?}");
        assert!(scratch.path().join("pages").join(name).is_file());
    }
    fracas("man swep").run().exits(2).says("did you mean `sweep`?");
}

#[test]
fn editors_get_a_file_for_each_kind_of_script_and_for_each_system() {
    let scratch = Scratch::with_duel();
    fracas("doc --definitions defs").inside(scratch.path()).run().succeeds();
    let text =
        |name: &str| std::fs::read_to_string(scratch.path().join("defs").join(name)).unwrap();
    assert!(text("rules.d.rhai").contains("\nfn roll(state: Map, "));
    assert!(text("agents.d.rhai").contains("\nfn weighted(pairs: Array) -> Distribution;\n"));
    assert!(text("lab.d.rhai").contains("\nfn dice(text: String) -> Distribution;\n"));
    assert!(
        text("duel.d.rhai").contains("\nfn round_winner(first: ?, second: ?, shown: ?) -> ?;\n")
    );
    // What stood there is written anew.
    fracas("doc --definitions defs").inside(scratch.path()).run().succeeds();
}

#[test]
fn what_a_person_wants_every_time_is_read_and_the_command_line_goes_before_it() {
    let scratch = Scratch::with_duel();
    let folder = scratch.path().join("mine");
    std::fs::create_dir(&folder).unwrap();
    let run = |line: &str| {
        let folder = folder.display().to_string();
        fracas(line).inside(scratch.path()).where_is("FRACAS_CONFIG", &folder).run()
    };
    run("doc").succeeds();
    std::fs::write(folder.join("config.toml"), "color = \"always\"\nrules = [\"more\"]\n").unwrap();
    run("list").exits(2).says("more");
    std::fs::create_dir(folder.join("more")).unwrap();
    run("play nothing").exits(2).says("\u{1b}[");
    let plain = run("play nothing --color never").exits(2);
    assert!(!plain.stderr.contains('\u{1b}'), "{plain:?}");
    std::fs::write(folder.join("config.toml"), "colour = \"always\"\n").unwrap();
    run("list").exits(2).says("config.toml:1:1").says("unknown key `colour`").says("`color`");
}

#[test]
fn where_a_locale_has_ascii_alone_all_but_the_words_of_rules_is_ascii() {
    let scratch = Scratch::empty();
    scratch.write(
        "rules/cafe/rules.rhai",
        "//! # Café\n//! The player Zoé picks.\nfn setup(s) { #{ n: 0, turn: 0 } }\n\
         fn step() { this.n += this.choose(\"Zoé\", \"pick\", [0, 1, 2]) * params.more; this.turn += 1; }\n\
         fn outcome() { if this.turn == 2 { #{ result: if this.n > 2 { \"Zoé\" } else { \"nobody\" }, \
         utility: #{ \"Zoé\": this.n } } } }\n",
    );
    scratch.write(
        "rules/cafe/params.toml",
        "[more]\ndefault = 1\nmin = 1\nmax = 5\nmeaning = \"How much a pick is worth.\"\n",
    );
    scratch.write("rules/cafe/scenarios/one.toml", "system = \"cafe\"\n[setup]\n");
    let mut drawn = 0;
    for line in [
        "odds cafe/one",
        "estimate cafe/one -n 50 --seed 1",
        "portrait cafe/one --seed 1",
        "sweep cafe/one more=1..5",
        "check cafe --seed 1",
        "estimate cafe/one -n 50 --seed 1 --seat Zoé=gredy",
        "compare cafe/one --param more=2 --seed 1",
        "help sweep",
        "--help",
    ] {
        let run = |names: &[(&str, &str)]| {
            let command = fracas(line).inside(scratch.path());
            let ran =
                names.iter().fold(command, |it, (name, value)| it.where_is(name, value)).run();
            format!("{}{}", ran.stdout, ran.stderr)
        };
        let strange = |text: &str| text.chars().find(|letter| !letter.is_ascii() && *letter != 'é');
        for names in [&[("LC_ALL", "C")][..], &[("LC_ALL", ""), ("LANG", "en_US.ISO-8859-1")]] {
            let plain = run(names);
            assert_eq!(strange(&plain), None, "{line}, {names:?}: {plain}");
        }
        let text = run(&[("LC_ALL", "C"), ("LC_ALL", "en_US.UTF-8")]);
        drawn += u32::from(strange(&text).is_some());
        assert_eq!(text.contains("Zoé"), run(&[("LC_ALL", "C")]).contains("Zoé"), "{line}");
    }
    // Otherwise there would be nothing to replace.
    assert!(drawn >= 4, "{drawn}");
}

/// A case of territory in line 3 of `case.toml`, with this setup of white, and these lines of what is expected.
fn territory_case(white: &str, expect: &str) -> Scratch {
    let scratch = Scratch::empty();
    scratch.write(
        "case.toml",
        format!(
            "system = \"territory\"\n\n[[case]]\ntitle = \"an aggressor goes over\"\n[case.setup]\n\
             white = {{ {white} }}\nblack = {{ stack = [\"aggressor\"] }}\n[case.expect]\n{expect}\n"
        ),
    );
    scratch
}

#[test]
fn a_case_expects_events_in_their_order_and_what_is_asked() {
    // T5: the aggressor goes over to white's isolationist and takes its colour; black's territory is empty (T12).
    let (moves, white, black) = (
        "white moves into black's territory",
        "white's territory: 2 white, 0 black, owned by white",
        "black's territory: 0 white, 0 black, owned by black",
    );
    let made = "stack = [\"isolationist\"]";
    let events = |events: &[&str]| format!("events = {events:?}");
    let test = |white: &str, expect: &str| {
        fracas("test case.toml").inside(territory_case(white, expect).path()).run()
    };
    test(made, &events(&[moves, white, black])).succeeds();
    test(made, &format!("{}\nresult = \"each\"", events(&[white]))).succeeds();
    let ran = test(made, &events(&[white, moves])).exits(1);
    ran.says(&format!("the event `{moves}` was not announced after `{white}`"))
        .says("; it was announced only before that (case.toml:9:");
    test(made, &events(&["white moves into blacks territory"]))
        .exits(1)
        .says(&format!("was not announced; the nearest that was is `{moves}` (case.toml:9:"));
    // A misspelled key is none of the outcome.
    let ran = test(made, "event = [\"a\"]").exits(1);
    ran.says("did you mean `expect.events`?");

    let asked = |rest: &str| format!("question = {{ who = \"white\", name = \"ability\"{rest} }}");
    let all = ", options = [\"isolationist\", \"aggressor\", \"advocate\"]";
    test("tokens = 1", &asked(all)).succeeds();
    test("tokens = 1", &asked("")).succeeds();
    // Nobody could see from what is asked instead that the key is misspelt.
    test("tokens = 1", &asked("").replace("question", "questoin"))
        .exits(1)
        .says("did you mean `expect.question`?");
    test("tokens = 1", &asked(", options = [\"advocate\"]")).exits(1).says(
        "`ability` of `white`: expected the options [\"advocate\"], got [\"isolationist\",\"aggressor\",\"advocate\"] (case.toml:9:",
    );
    test("tokens = 1", "question = { who = \"black\", name = \"ability\" }")
        .exits(1)
        .says("expected that `black` is asked `ability`, got a decision of `white`, `ability` (isolationist,");
    test(made, &asked(""))
        .exits(1)
        .says("expected that `white` is asked `ability`, but it ended with `each`");
}

#[test]
fn one_case_is_blessed_in_its_file_and_its_comments_stay() {
    let expect = "result = \"each\" # T12\nutility = { white = 1, black = 0 } # one came over\nevents = [\"a\"]";
    let scratch = territory_case("stack = [\"isolationist\"]", expect);
    let bless =
        |title: &str| fracas("test case.toml --bless").with(title).inside(scratch.path()).run();
    bless("an agressor goes over").exits(2).says("did you mean `an aggressor goes over`?");
    let ran = bless("aggressor goes").succeeds();
    // One token more has white's colour, and one less has black's.
    ran.prints("- expect.utility.black = 0\n+ expect.utility.black = -1\n");
    let text = scratch.read("case.toml");
    assert!(
        text.contains(
            "result = \"each\" # T12\nutility = { white = 1, black = -1 } # one came over\n"
        ),
        "{text}"
    );
    assert!(text.contains("events = [\"white moves into black's territory\", "), "{text}");
    fracas("test case.toml").inside(scratch.path()).run().succeeds();
    bless("aggressor").succeeds().says("it passes: nothing is written");
    // A second case with such a title: neither is written.
    let two = format!(
        "{text}\n[[case]]\ntitle = \"an aggressor stays\"\n[case.expect]\nresult = \"split\"\n"
    );
    scratch.write("case.toml", &two);
    bless("aggressor").exits(2).says("is in the titles of 2 cases");
    bless("an aggressor stays").exits(2).says("only values that a case expects are written");
    assert_eq!(scratch.read("case.toml"), two);
}

/// Whoever pays 2 of the prize: the label of the cost names it.
const PAYS: &str = r#"fn setup(scenario) { #{ prize: scenario.integer("prize"), cost: scenario.integer("cost"), over: false } }
fn step() { this.over = true; }
fn outcome() {
    if !this.over { return; }
    let red = #{ prize: this.prize };
    if this.cost > 0 { red[`${this.cost} paid`] = -this.cost; }
    if this.cost > 2 { red.refund = 1; }
    let parts = #{ red: red };
    #{ result: "over", parts: parts, utility: totals(parts) }
}
"#;

#[test]
fn labels_of_parts_come_and_go_with_a_blessed_case() {
    let blessed = |cost: i64, expect: &str| {
        let scratch = Scratch::empty();
        scratch.write("rules/pays/rules.rhai", PAYS);
        let setup = format!("[case.setup]\nprize = 5\ncost = {cost}\n");
        let file = "rules/pays/cases/one.toml";
        let case = "system = \"pays\"\n\n[[case]]\ntitle = \"red pays\"\n";
        scratch.write(file, format!("{case}{setup}[case.expect]\n{expect}\n"));
        let ran = fracas("test rules/pays --bless").with("red pays").inside(scratch.path()).run();
        let ran = ran.succeeds();
        fracas("test rules/pays").inside(scratch.path()).run().succeeds();
        let (_, now) = scratch
            .read(file)
            .split_once("[case.expect]\n")
            .map(|(a, b)| (a.to_owned(), b.to_owned()))
            .unwrap();
        (ran.stdout, now.trim_end().to_owned())
    };
    // 5 - 3: the label takes the place of the other.
    let (shown, now) =
        blessed(1, "utility.red = 2 # all\nparts.red = { prize = 5, \"3 paid\" = -3 } # W5");
    assert!(
        shown.contains("- expect.parts.red.3 paid = -3\n+ expect.parts.red.1 paid = -1"),
        "{shown}"
    );
    assert_eq!(now, "utility.red = 4 # all\nparts.red = { prize = 5, \"1 paid\" = -1 } # W5");
    // 5: the label goes.
    for (was, is) in
        [("prize = 5, \"3 paid\" = -3", "prize = 5"), ("\"3 paid\" = -3, prize = 5", "prize = 5")]
    {
        let (shown, now) = blessed(0, &format!("parts.red = {{ {was} }}"));
        assert!(
            shown.contains("- expect.parts.red.3 paid = -3\n") && !shown.contains("+ "),
            "{shown}"
        );
        assert_eq!(now.replace("{  ", "{ "), format!("parts.red = {{ {is} }}"));
    }
    // 5 - 3 + 1: a label comes, on a line of its own where each has one.
    let (shown, now) = blessed(
        3,
        "utility.red = 3\n[case.expect.parts.red]\nprize = 6 # of now\n\"3 paid\" = -3 # W5\n",
    );
    assert!(
        shown.contains("- expect.parts.red.prize = 6\n+ expect.parts.red.prize = 5"),
        "{shown}"
    );
    assert_eq!(
        now,
        "utility.red = 3\n[case.expect.parts.red]\nprize = 5 # of now\n\"3 paid\" = -3 # W5\nrefund = 1"
    );
    let (_, now) =
        blessed(3, "utility.red = 2\nparts.red.prize = 5\nparts.red.\"3 paid\" = -3 # W5");
    assert_eq!(
        now,
        "utility.red = 3\nparts.red.prize = 5\nparts.red.\"3 paid\" = -3 # W5\nparts.red.refund = 1"
    );
    let (_, now) = blessed(0, "parts.red.prize = 5\nparts.red.\"3 paid\" = -3 # W5");
    assert_eq!(now, "parts.red.prize = 5");
    // Whoever cut the parts to some of them gets no others.
    let (_, now) = blessed(3, "utility.red = 2\nparts.red = { prize = 6 }");
    assert_eq!(now, "utility.red = 3\nparts.red = { prize = 5 }");
}

#[test]
fn a_case_that_would_still_fail_with_what_is_blessed_is_not_written() {
    // At the first question nothing was announced yet, and an empty list of events would match any.
    let asked = "question = { who = \"black\", name = \"ability\" }\nevents = [\"a\"]";
    let scratch = territory_case("tokens = 1", asked);
    let before = scratch.read("case.toml");
    let ran = fracas("test case.toml --bless aggressor").inside(scratch.path()).run().exits(2);
    ran.prints("").says(
        "only values that a case expects are written: with those of now it would still fail: \
         `case.0.expect.events` is empty, so any events would match (case.toml:10:10)",
    );
    assert_eq!(scratch.read("case.toml"), before);
}

#[test]
fn of_those_who_decide_together_a_case_may_expect_each() {
    let scratch = Scratch::empty();
    let here = |line: &str| fracas(line).inside(scratch.path());
    // The rules ask blue first, and the person is red.
    here("").typing(":open war_die/ford --seat red=human --seed 3\n:case asked\n").succeeds();
    let text = scratch.read("asked.toml");
    assert!(text.contains("question = { who = \"red\", name = \"bid\""), "{text}");
    here("test asked.toml").run().succeeds().prints("1 passed, 0 failed");
    scratch.write(
        "asked.toml",
        text.replace("\"red\", name", "\"blue\", name").replace("3, 4, 5]", "3]"),
    );
    here("test asked.toml").run().succeeds().prints("1 passed, 0 failed");
    // Who has an answer left is not asked in place of who has none.
    let red = "[case.answers]\nred = { bid = [3] }\n\n[case.expect]";
    scratch.write("asked.toml", text.replace("[case.expect]", red));
    here("test asked.toml").run().exits(1).says("the answers of `red`, `bid`, is left over");
    scratch.write(
        "asked.toml",
        text.replace("\"red\", name", "\"blue\", name").replace("3, 4, 5]", "3]"),
    );
    // Blue has answered, so only red is asked.
    let answered = "[case.answers]\nblue = { bid = [1] }\n\n[case.expect]";
    scratch.edit("asked.toml", "[case.expect]", answered);
    here("test asked.toml")
        .run()
        .exits(1)
        .says("expected that `blue` is asked `bid`, got a decision of `red`");
    scratch.write("asked.toml", text.replace("[case.expect]", answered));
    here("test asked.toml").run().succeeds();
}

#[test]
fn the_examples_in_the_help_of_a_command_run() {
    let folder = tempfile::tempdir().unwrap();
    // They have no examples, or run for as long as somebody is connected or answers, or cases that have a test of their own.
    const NONE: [&str; 2] = ["help", "test"];
    const WAIT: [&str; 2] = ["--listen", "territory/three_tokens"];
    let help = fracas("help").run().succeeds().stdout;
    let (listed, _) = help.split_once("\nOptions:").unwrap();
    let named: Vec<&str> = listed
        .lines()
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|name| !name.is_empty() && !NONE.contains(name))
        .collect();
    assert!(named.len() >= 25, "{named:?}");
    // A script of the lab, about the scenario that is named, if one is.
    let odds = "let name = if args.len() > 0 { args[0] } else { \"war_die/ford\" };\nprint(scenario(name).odds());\n";
    std::fs::write(folder.path().join("odds.rhai"), odds).unwrap();
    let cup = "scenarios = [\"war_die/ford\"]\nagents = [\"first\", \"random\"]\nformat = \"round_robin\"\ngames = 2\n";
    std::fs::write(folder.path().join("cup.toml"), cup).unwrap();
    for name in named {
        let help = fracas(&format!("help {name}")).inside(folder.path()).run().succeeds().stdout;
        let examples = help.split_once("Examples:").unwrap_or_else(|| panic!("{help}")).1;
        let lines: Vec<&str> =
            examples.lines().filter_map(|line| line.strip_prefix("  fracas ")).collect();
        assert_eq!(lines.len(), 2, "{help}");
        for line in lines.into_iter().filter(|line| !WAIT.iter().any(|word| line.contains(word))) {
            if let Some(line) = line.strip_suffix(" < odds.rhai") {
                fracas(line).inside(folder.path()).typing(odds).succeeds();
                continue;
            }
            // What survives is found with 1, and a second is enough to see that it begins.
            if name == "mutate" {
                let line = line.replace("--time 10", "--time 1");
                let ran = fracas(&line).inside(folder.path()).run();
                assert!(ran.code.is_some_and(|code| code < 2), "{line}: {ran:?}");
                continue;
            }
            fracas(line).inside(folder.path()).run().succeeds();
        }
    }
}
