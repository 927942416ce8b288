//! Questions in a player's words at the prompt: what is shown, what goes wrong, and what stays hidden.

use fracas::catalog::Catalog;
use fracas::repl::{Guide, Reply, Said, Session, SessionOptions};

use super::{says, text};

/// Red and blue each hold a card that the other may not see, and say whether they play it, red first.
const RULES: &str = r#"//! # Cards
//! Both hold a card.
fn setup(scenario) { #{ cards: #{ red: "ten", blue: "king" }, said: #{}, turn: "red" } }
fn step() {
    this.said[this.turn] = this.choose(this.turn, "play", [true, false]);
    this.turn = "blue";
}
fn view(player) {
    let seen = this;
    for other in ["red", "blue"] { if other != player { seen.cards[other] = "?"; } }
    seen
}
fn picture() { `red ${this.cards.red}, blue ${this.cards.blue}` }
fn outcome() { if this.said.len() == 2 { #{ result: "over", utility: #{ red: 1, blue: 0 } } } }
"#;

const WORDING: &str = r#"
fn wording(player, question, options) {
    #{
        text: `You hold the ${this.cards[player]} against ${this.cards}. Do you play it?`,
        help: "Each plays or keeps a card.",
        options: #{ yes: #{ text: "lay it down", help: "It is gone then." }, no: "keep it" },
    }
}
"#;

struct Cards(tempfile::TempDir);

impl Cards {
    fn new(wording: &str) -> Cards {
        let cards = Cards(tempfile::tempdir().unwrap());
        let write = |path: &str, text: &str| {
            let path = cards.0.path().join("cards").join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("rules.rhai", &format!("{RULES}{wording}"));
        write("scenarios/two.toml", "system = \"cards\"\n[setup]\n");
        write("house/rude.rhai", RUDE);
        cards
    }

    fn session(&self) -> Session {
        let catalog = Catalog::new(&[self.0.path().to_owned()]).unwrap();
        Session::new(catalog, SessionOptions { plain: true, ..SessionOptions::default() })
    }
}

const RUDE: &str = "//! # Rude\nfn wording(player, question, options) { let worded = this.super(player, question, options); worded.text = \"Well?\"; worded }\n";

const ONE: &str = ":open cards/two --seat red=human --seat blue=first";

#[test]
fn a_question_is_asked_in_words_and_answered_by_names() {
    let cards = Cards::new(WORDING);
    let mut session = cards.session();
    let opened = says(&mut session, ONE);
    // Of blue's card red's view has a question mark.
    let asked = "red: You hold the ten against #{\"blue\": \"?\", \"red\": \"ten\"}. Do you play it?\n  \
                 1  yes  lay it down\n  2  no   keep it";
    assert!(opened.ends_with(asked), "{opened}");
    assert_eq!(
        says(&mut session, ":options"),
        "  1  yes  lay it down\n      It is gone then.\n  2  no   keep it"
    );
    assert_eq!(says(&mut session, ":options keep"), "  2  no  keep it");
    let noted = Guide::default().complete(&session, "", 0).candidates;
    let noted: Vec<(&str, &str)> =
        noted.iter().map(|one| (one.text.as_str(), one.note.as_str())).collect();
    assert_eq!(noted, [("yes", "It is gone then."), ("no", "keep it")]);
    let reply = session.explain("yes");
    assert!(text(&reply).starts_with("yes: lay it down. It is gone then."), "{}", text(&reply));
    let reply = session.explain("");
    assert!(text(&reply).starts_with("Each plays or keeps a card."), "{}", text(&reply));
    says(&mut session, "y");
    assert!(says(&mut session, ":history").contains("red play yes"));
}

#[test]
fn json_keeps_the_names_and_has_the_words_beside_them() {
    let cards = Cards::new(WORDING);
    let mut session = cards.session();
    session.options.json = true;
    says(&mut session, ONE);
    let json: serde_json::Value = serde_json::from_str(&says(&mut session, ":options no")).unwrap();
    assert_eq!(json["options"], serde_json::json!([false]));
    let own = serde_json::json!([{ "text": "keep it", "help": null }]);
    assert_eq!(json["wording"]["options"], own);
}

#[test]
fn a_house_rule_words_a_question_anew() {
    let cards = Cards::new(WORDING);
    let mut session = cards.session();
    let opened = says(&mut session, &format!("{ONE} --house rude"));
    assert!(opened.contains("red: Well?\n  1  yes  lay it down"), "{opened}");
}

#[test]
fn a_mistake_is_noted_once_with_its_place_and_the_plain_question_is_asked() {
    let plain = "red, play?\n  1  yes\n  2  no";
    for (body, says_it) in [
        ("loop { }", "limit"),
        ("throw \"no words\"", "no words"),
        ("this.choose(player, \"why\", [1, 2])", "`why` cannot be asked in wording"),
        ("this.roll(player, \"why\", uniform([1, 2]))", "`why` cannot be asked in wording"),
        ("#{ text: 3 }", "`text` must be a text, got a whole number"),
        ("#{ options: [] }", "`options` must be a map, got a list"),
        ("[]", "must return a map, got a list"),
        ("#{ txt: \"a\" }", "no key `txt`; did you mean `text`?"),
    ] {
        let cards = Cards::new(&format!("\nfn wording(player, question, options) {{ {body} }}\n"));
        let mut session = cards.session();
        let opened = says(&mut session, ONE);
        assert!(
            opened.contains("no words for the question") && opened.contains(says_it),
            "{opened}"
        );
        assert!(opened.contains("rules.rhai:"), "{opened}");
        assert!(opened.ends_with(plain), "{opened}");
        says(&mut session, "yes");
        let undone = says(&mut session, ":undo");
        assert!(!undone.contains("no words") && undone.ends_with(plain), "{undone}");
    }
}

#[test]
fn hostile_words_are_bounded_and_change_nothing() {
    let cards = Cards::new(
        r#"
fn wording(player, question, options) {
    this.cards.red = "ace";
    let long = "x";
    for i in 0..16 { long += long; }
    #{ text: "\x1b[2J" + long, help: long, options: #{ yes: long + "\n", "paper": "none" } }
}
"#,
    );
    let mut session = cards.session();
    let opened = says(&mut session, ONE);
    assert!(!opened.contains('\u{1b}') && opened.contains('…'), "{opened}");
    assert!(opened.chars().count() < 1_200, "{}", opened.chars().count());
    assert!(opened.contains("red ten"), "{opened}");
    assert!(says(&mut session, ":view red").contains("red: \"ten\""));
}

#[test]
fn the_screen_is_cleared_before_the_next_person_is_asked() {
    let cards = Cards::new(WORDING);
    let mut session = cards.session();
    session.screen.is_shared = true;
    let reply = session.line(":open cards/two --seat red=human --seat blue=human");
    let cleared = |reply: &Reply| reply.said.iter().any(|said| matches!(said, Said::Clear));
    let told =
        |reply: &Reply| reply.said.iter().filter_map(Said::text).collect::<Vec<_>>().join("\n");
    // Nobody has seen anything, so there is nothing to clear; but who looks is not known yet.
    assert!(!cleared(&reply) && !told(&reply).contains("ten"), "{reply:?}");
    assert_eq!(session.prompt(), "it is red's turn: press Enter ");
    // What may show something of red's is not run, no option is completed, and nothing is explained.
    let first = "press Enter first: ";
    assert_eq!(
        says(&mut session, ":view red"),
        format!("{first}`:view` may show what is for red alone")
    );
    assert_eq!(
        says(&mut session, "yes"),
        format!("{first}nothing that is typed before is an answer")
    );
    // What everybody may see is.
    assert!(says(&mut session, ":help view").starts_with(":view PLAYER"));
    assert!(says(&mut session, ":seat red nobody").contains("unknown agent `nobody`"));
    assert!(
        Guide::default().complete(&session, "", 0).candidates.iter().all(|one| one.text != "yes")
    );
    let explained = session.explain("yes");
    assert!(text(&explained).starts_with(first), "{}", text(&explained));
    // What is typed too early is not in the history of lines either.
    assert!(session.is_secret("yes") && session.is_secret("1"));
    let reply = session.line("");
    assert!(told(&reply).contains("red ten, blue ?") && told(&reply).contains("You hold the ten"));
    assert_eq!(session.prompt(), "red, play? ");
    // Blue is next: the screen is cleared, and shows nothing of blue's.
    let reply = session.line("yes");
    assert!(cleared(&reply) && !told(&reply).contains("king"), "{reply:?}");
    assert_eq!(session.prompt(), "it is blue's turn: press Enter ");
    // Who takes an answer back is to sit down again, as it may be anybody.
    session.line(":undo");
    assert_eq!(session.prompt(), "it is red's turn: press Enter ");
    session.line("");
    session.line("yes");
    // An agent in the seat of the one who is awaited waits for nobody.
    assert_eq!(says(&mut session, ":seat blue first"), "blue is seated: first\n`:play` continues");
    assert_eq!(says(&mut session, ":seat blue human").trim_end(), "blue is seated: human");
    assert_eq!(session.prompt(), "it is blue's turn: press Enter ");
    let reply = session.line("");
    assert!(told(&reply).contains("red ?, blue king"), "{reply:?}");
    let reply = session.line("no");
    assert!(!cleared(&reply) && told(&reply).contains("over"), "{reply:?}");
    // Back to red: cleared again.
    assert!(cleared(&session.line(":undo 2")));
    assert_eq!(session.prompt(), "it is red's turn: press Enter ");
}

#[test]
fn one_person_or_a_pipe_waits_for_nobody() {
    let cards = Cards::new(WORDING);
    let mut session = cards.session();
    session.screen.is_shared = true;
    assert!(says(&mut session, ONE).contains("You hold the ten"));
    let mut session = cards.session();
    let opened = says(&mut session, ":open cards/two --seat red=human --seat blue=human");
    assert!(opened.contains("You hold the ten"), "{opened}");
    assert!(says(&mut session, "yes").contains("You hold the king"));
}

/// Nothing is hidden but what ann and bob bid at the same time; then bob says something in front of both.
const BIDS: &str = r#"//! # Cards
//! Both bid, twice.
fn setup(scenario) { #{ rounds: 0, loud: false } }
fn step() {
    let bids = this.choose_secretly("bid", #{ ann: ["low", "high"], bob: ["low", "high"] });
    this.emit(`ann has bid ${bids.ann}, bob ${bids.bob}`);
    this.rounds += 1;
    this.loud = this.choose("bob", "loud", [true, false]);
}
fn outcome() { if this.rounds == 2 { #{ result: "over", utility: #{ ann: 1, bob: 0 } } } }
"#;

#[test]
fn what_several_people_decide_together_each_answers_alone_at_the_screen() {
    let cards = Cards::new("");
    std::fs::write(cards.0.path().join("cards/rules.rhai"), BIDS).unwrap();
    let mut session = cards.session();
    session.screen.is_shared = true;
    let cleared = |reply: &Reply| reply.said.iter().any(|said| matches!(said, Said::Clear));
    let reply = session.line(":open cards/two --seat ann=human --seat bob=human");
    // Nothing secret is on the screen yet.
    assert!(!cleared(&reply) && text(&reply).ends_with("ann, bid?\n  1  low\n  2  high"));
    let reply = session.line("high");
    assert!(cleared(&reply) && !text(&reply).contains("high"), "{reply:?}");
    assert_eq!(session.prompt(), "it is bob's turn: press Enter ");
    assert!(says(&mut session, "low").starts_with("press Enter first"));
    let asked = says(&mut session, "");
    assert!(asked.ends_with("bob, bid?\n  1  low\n  2  high"), "{asked}");
    assert!(!says(&mut session, ":history").contains("high"));
    // All have answered: what was bid is for everybody, and so is what bob is asked next.
    let reply = session.line("low");
    assert!(!cleared(&reply) && text(&reply).contains("ann has bid high, bob low"), "{reply:?}");
    assert_eq!(session.prompt(), "bob, loud? ");
    assert!(says(&mut session, ":history").contains("ann bid \"high\" & bob bid \"low\""));
    // What is known to all stays on the screen until one of them has answered.
    assert!(!cleared(&session.line("yes")));
    assert_eq!(session.prompt(), "ann, bid? ");
    assert!(says(&mut session, ":history").contains("bob loud yes"), "what is known stays so");
    assert!(cleared(&session.line("low")));
    session.line("");
    session.line("low");
    assert!(says(&mut session, "no").contains("result: over"));
    session.line(":undo 2");
    assert_eq!(session.prompt(), "ann, bid? ");
    // Whoever sees all waits for nobody, nor does who plays alone.
    says(&mut session, ":reveal");
    assert_eq!(session.prompt(), "ann, bid (sees all)? ");
    session.line("low");
    assert_eq!(session.prompt(), "bob, bid (sees all)? ");
    let mut session = cards.session();
    session.screen.is_shared = true;
    session.line(":open cards/two --seat ann=human --seat bob=first");
    assert_eq!(session.prompt(), "ann, bid? ");
}

#[test]
fn what_follows_a_joint_decision_is_announced_to_all_before_the_next_one() {
    let cards = Cards::new("");
    let asks = "    this.loud = this.choose(\"bob\", \"loud\", [true, false]);\n";
    std::fs::write(cards.0.path().join("cards/rules.rhai"), BIDS.replace(asks, "")).unwrap();
    let mut session = cards.session();
    session.screen.is_shared = true;
    session.line(":open cards/two --seat ann=human --seat bob=human");
    session.line("high");
    session.line("");
    let reply = session.line("low");
    let is_cleared = reply.said.iter().any(|said| matches!(said, Said::Clear));
    assert!(!is_cleared && text(&reply).contains("ann has bid high, bob low"), "{reply:?}");
    assert_eq!(session.prompt(), "ann, bid? ");
}

#[test]
fn what_was_announced_while_another_person_looked_is_shown_to_whoever_sits_down() {
    let cards = Cards::new(WORDING);
    let rules = RULES.replace(
        "this.said[this.turn] = this.choose(this.turn, \"play\", [true, false]);",
        "this.said[this.turn] = this.choose(this.turn, \"play\", [true, false]);\n    this.emit(`${this.said.len()} said`);",
    );
    assert_ne!(rules, RULES);
    let twice = rules.replace(
        "    this.said[this.turn] = this.choose",
        "    this.emit(`${this.turn} thinks`);\n    this.choose(this.turn, \"think\", [true, false]);\n    this.emit(`${this.turn} has thought`);\n    this.said[this.turn] = this.choose",
    );
    std::fs::write(cards.0.path().join("cards/rules.rhai"), twice).unwrap();
    let mut session = cards.session();
    session.screen.is_shared = true;
    session.line(":open cards/two --seat red=human --seat blue=human");
    assert!(says(&mut session, "").contains("red thinks"));
    let seen = says(&mut session, "yes");
    assert!(seen.contains("red has thought") && !seen.contains("red thinks"), "{seen}");
    session.line("yes");
    // Blue has seen none of it, and was not asked before.
    let seen = says(&mut session, "");
    for text in ["red thinks", "red has thought", "1 said", "blue thinks"] {
        assert_eq!(seen.matches(text).count(), 1, "{text}: {seen}");
    }
    session.line(":undo 2");
    let seen = says(&mut session, "");
    assert!(!seen.contains("red thinks"), "red has seen it: {seen}");
}

#[test]
fn answers_in_secret_are_asked_again_under_other_rules_and_it_is_said() {
    let cards = Cards::new("");
    std::fs::write(cards.0.path().join("cards/rules.rhai"), BIDS).unwrap();
    let mut session = cards.session();
    session.line(":open cards/two --seat ann=human --seat bob=human");
    let again = "what was answered in secret is asked again";
    assert!(!says(&mut session, ":reload").contains(again));
    session.line("high");
    assert_eq!(session.prompt(), "bob, bid? ");
    let said = says(&mut session, ":reload");
    assert!(said.contains(again), "{said}");
    assert_eq!(session.prompt(), "ann, bid? ");
}

#[test]
fn a_first_answer_to_a_joint_decision_is_made_again_after_it_was_taken_back() {
    let cards = Cards::new("");
    std::fs::write(cards.0.path().join("cards/rules.rhai"), BIDS).unwrap();
    let mut session = cards.session();
    says(&mut session, ":open cards/two --seat ann=human --seat bob=human");
    for answer in ["low", "low", "yes", "high"] {
        says(&mut session, answer);
    }
    for (line, prompt) in [
        (":undo", "ann, bid? "),
        (":redo", "bob, bid? "),
        (":undo 2", "bob, loud? "),
        (":redo", "ann, bid? "),
        (":redo", "bob, bid? "),
        (":undo 3", "ann, bid? "),
        (":redo 3", "bob, bid? "),
    ] {
        says(&mut session, line);
        assert_eq!(session.prompt(), prompt, "{line}");
    }
    assert!(says(&mut session, ":redo").contains("there is nothing to make again"));
    says(&mut session, "low");
    assert!(says(&mut session, ":history").contains("ann bid \"high\" & bob bid \"low\""));
    // Another answer stands in the place of the one that was taken back.
    for line in [":undo 2", ":redo", "low", ":undo"] {
        says(&mut session, line);
    }
    says(&mut session, ":redo");
    says(&mut session, "high");
    assert!(says(&mut session, ":history").contains("ann bid \"low\" & bob bid \"high\""));
    // What followed another first answer is not made again in its place.
    says(&mut session, ":undo");
    assert_eq!(session.prompt(), "ann, bid? ");
    says(&mut session, "high");
    assert!(says(&mut session, ":redo").contains("there is nothing to make again"));
    says(&mut session, "high");
    assert!(says(&mut session, ":history").contains("ann bid \"high\" & bob bid \"high\""));
}

/// One seat answers for ann and bob, who bid at the same time.
const TEAM: &str = r#"//! # Cards
//! Two of a team bid.
fn setup(scenario) { #{ bids: #{} } }
fn step() { this.bids = this.choose_secretly("bid", #{ ann: ["low", "high"], bob: ["low", "high"] }); }
fn sides() { #{ team: ["ann", "bob"] } }
fn outcome() { if !this.bids.is_empty() { #{ result: "over", utility: #{ ann: 1, bob: 0 } } } }
"#;

#[test]
fn what_was_picked_of_a_joint_decision_is_said_to_who_answers_for_several() {
    let cards = Cards::new("");
    std::fs::write(cards.0.path().join("cards/rules.rhai"), TEAM).unwrap();
    let mut session = cards.session();
    let opened = says(&mut session, ":open cards/two --seat team=human");
    assert!(opened.ends_with("ann, bid?\n  1  low\n  2  high"), "{opened}");
    let asked = says(&mut session, "high");
    assert!(asked.ends_with("bob, bid?\n  so far: high for ann\n  1  low\n  2  high"), "{asked}");
    // Two people know nothing of each other's.
    let mut session = cards.session();
    says(&mut session, ":open cards/two --seat ann=human --seat bob=human");
    let asked = says(&mut session, "high");
    assert!(asked.ends_with("bob, bid?\n  1  low\n  2  high"), "{asked}");
}
