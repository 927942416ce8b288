//! What a person at the prompt may not see is in nothing that they are shown: the same is said whatever
//! is hidden.

use fracas::catalog::Catalog;
use fracas::repl::{Session, SessionOptions};

use super::{says, text};

/// Blue draws a card, and hides as often as the setup says before red is asked for the first time.
const RULES: &str = r#"//! # Den
//! Blue hides, red seeks.
fn setup(scenario) { #{ waits: scenario.number("waits", 0), hides: scenario.number("hides", 1), hidden: [], sought: 0 } }
fn step() {
    if this.waits > 0 { this.waits -= 1; this.choose("red", "wait", [1, 2]); return; }
    if this.hidden.is_empty() { this.card = this.roll("blue", "card", uniform(["king", "ten"])); }
    if this.hidden.len() < this.hides { this.hidden.push(this.choose("blue", "hide", [1, 2, 3])); return; }
    this.sought_for();
    this.sought = this.choose("red", "seek", [1, 2, 3]);
}
fn sought_for() { }
fn view(player) { if player == "blue" { this } else { #{ waits: this.waits, hides: 0, hidden: [], sought: this.sought } } }
fn outcome() { if this.sought != 0 { #{ result: "over", utility: #{ red: 1, blue: 0 } } } }
"#;

/// Fails where blue has the king.
const PROBE: &str =
    "//! # Probe\nfn sought_for() { if this.card == \"king\" { throw \"a king\"; } }\n";

struct Den(tempfile::TempDir);

impl Den {
    fn new() -> Den {
        let den = Den(tempfile::tempdir().unwrap());
        den.write("rules.rhai", RULES);
        den.write("house/probe.rhai", PROBE);
        den.write("scenarios/waits.toml", "system = \"den\"\n[setup]\nhides = 4\nwaits = 1\n");
        for hides in [1, 4] {
            let text = format!("system = \"den\"\n[setup]\nhides = {hides}\n");
            den.write(&format!("scenarios/hides_{hides}.toml"), &text);
        }
        den
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.0.path().join("den").join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn session(&self) -> Session {
        let catalog = Catalog::new(&[self.0.path().to_owned()]).unwrap();
        Session::new(catalog, SessionOptions { plain: true, ..SessionOptions::default() })
    }

    /// A session in which red is asked, after blue has hidden so often under a seed.
    fn asked(&self, hides: u32, seed: u64) -> Session {
        let mut session = self.session();
        let line =
            format!(":open den/hides_{hides} --seat red=human --seat blue=random --seed {seed}");
        let told = says(&mut session, &line);
        assert!(told.contains("red, seek?"), "{told}");
        session
    }

    /// A seed under which blue has this card.
    fn seed(&self, card: &str) -> u64 {
        let has = |seed: &u64| {
            let mut session = self.asked(1, *seed);
            says(&mut session, ":reveal");
            says(&mut session, ":history").contains(card)
        };
        (0..64).find(has).unwrap()
    }
}

#[test]
fn undo_before_the_first_question_tells_nothing_of_what_others_did() {
    let den = Den::new();
    for (hides, undo) in [(1, ":undo"), (1, ":undo 9"), (4, ":undo"), (4, ":undo 9")] {
        let mut session = den.asked(hides, 1);
        assert_eq!(says(&mut session, undo), "error: there is nothing to take back");
        assert!(session.prompt().starts_with("red, seek"), "{}", session.prompt());
    }
    // After it there is one decision of red's, however often blue hid.
    for hides in [1, 4] {
        let mut session = den.asked(hides, 1);
        says(&mut session, "2");
        let told = says(&mut session, ":undo 9");
        assert!(told.starts_with("took back 1; there was no more to take back"), "{told}");
    }
    // Where nobody plays in person, all entries are taken back: the card, and four times hidden.
    let mut session = den.session();
    says(&mut session, ":open den/hides_4 --seed 1");
    says(&mut session, ":play");
    let told = says(&mut session, ":undo 9");
    assert!(told.starts_with("took back 6; there was no more to take back"), "{told}");
}

#[test]
fn other_rules_are_not_played_over_what_is_hidden() {
    let den = Den::new();
    let refused = "the old rules stay in place\nerror: what other rules lead to may show what is \
                   hidden from you; `:reveal` first";
    for seed in [den.seed("king"), den.seed("ten")] {
        let mut session = den.asked(1, seed);
        for line in [":house probe", ":reload"] {
            assert_eq!(says(&mut session, line), refused, "{line}");
        }
        assert!(!says(&mut session, ":diff --house probe").contains("king"));
        assert!(says(&mut session, "1").contains("result: over"), "the old rules are played");
    }
    // A new house rule is written all the same, and what is said at once is how to lay it.
    let mut session = den.asked(1, den.seed("king"));
    let written = says(&mut session, ":house new other sought_for").replace('\n', " ");
    let how = "`:open den/hides_1 --house other` begins a new conflict with it, `:reveal` and then `:house other` \
               apply it to this one";
    assert!(written.contains("may show what is hidden from you here"), "{written}");
    assert!(written.ends_with(how), "{written}");
    let told = text(&session.edited()).replace('\n', " ");
    let compiles = format!("the rules of `den` compile with the house rule `other`; {how}");
    assert!(told.starts_with(&compiles), "{told}");
    // What is named there works.
    let mut other = den.session();
    let told = says(&mut other, ":open den/hides_1 --house other");
    assert!(told.contains("house rules: other"), "{told}");
    says(&mut session, ":reveal");
    assert!(says(&mut session, ":house other").contains("same up to here"));
    // Nor does anything begin where it stands for which that would have to be known.
    let mut session = den.asked(1, den.seed("king"));
    for line in [":solve --here", ":exploit --here", ":compare --here --house probe"] {
        let told = says(&mut session, line);
        assert!(
            !told.contains("king") && told.contains("error: these rules hide something"),
            "{line}: {told}"
        );
    }
    // Whoever has seen it all may.
    let mut session = den.asked(1, den.seed("king"));
    says(&mut session, ":reveal");
    let told = says(&mut session, ":house probe");
    assert!(told.starts_with("the old rules stay in place\nerror: a king"), "{told}");
    let mut session = den.asked(1, den.seed("ten"));
    says(&mut session, ":reveal");
    let told = says(&mut session, ":house probe");
    assert!(told.contains("same up to here"), "{told}");
}

/// What the house rule hides would show where the rules without it part from the history.
#[test]
fn nothing_begins_here_under_rules_without_the_house_rule_that_hides() {
    let den = Den::new();
    let (views, open): (Vec<&str>, Vec<&str>) =
        RULES.lines().partition(|line| line.starts_with("fn view"));
    let open = open.join("\n").replace("\"hide\", [1, 2, 3]", "\"hide\", places()");
    den.write("rules.rhai", &format!("{open}\nfn places() {{ [1, 2, 3] }}\n"));
    let veil = format!("//! # Veil\n//! Elsewhere.\nfn places() {{ [4, 5] }}\n{}\n", views[0]);
    den.write("house/veil.rhai", &veil);
    for seed in 0..4 {
        let mut session = den.session();
        let seats = "--seat red=human --seat blue=random";
        says(&mut session, &format!(":open den/hides_1 --house veil {seats} --seed {seed}"));
        let told = says(&mut session, ":compare --here");
        assert!(told.contains("these rules hide something from players"), "{told}");
        assert!(!told.contains("diverge") && !told.contains("part from"), "{told}");
    }
}

#[test]
fn what_was_taken_back_and_other_lines_are_not_played_under_other_rules_either() {
    let den = Den::new();
    let mut session = den.session();
    says(&mut session, ":open den/waits --seat red=human --seat blue=random --seed 1");
    says(&mut session, "1");
    // Red's decision is followed by the card and four more entries of blue that red does not see.
    says(&mut session, ":undo");
    let eager = "//! # Eager\nfn setup(s) { let state = super(s); state.waits = 0; state }\n";
    den.write("house/eager.rhai", eager);
    let refused = "`:reveal` first";
    let told = says(&mut session, ":house eager");
    assert!(told.contains("what was taken back contains something that is hidden"), "{told}");
    assert!(told.contains(refused), "{told}");
    says(&mut session, ":open den/waits --seat red=human --seat blue=random --seed 1");
    says(&mut session, ":fork other");
    says(&mut session, "1");
    // On the first line nothing was decided yet, on the one beside it the same as before.
    says(&mut session, ":fork main");
    assert!(says(&mut session, ":house eager").contains(refused));
    says(&mut session, ":reveal");
    let told = says(&mut session, ":house eager");
    assert!(told.contains("cut: 6 entries of the line `other`"), "{told}");
}

#[test]
fn what_is_cut_of_a_line_is_counted_by_what_was_seen() {
    let den = Den::new();
    let mut session = den.session();
    says(&mut session, ":open den/waits --seat red=human --seat blue=random --seed 1");
    says(&mut session, "1");
    says(&mut session, ":fork other");
    // Red's first decision is seen on both lines, and the five entries of blue behind it are not.
    says(&mut session, ":undo");
    let file = den.0.path().join("a.history").display().to_string();
    says(&mut session, &format!(":save {file}"));
    den.write(
        "rules.rhai",
        &RULES.replace(
            "waits: scenario.number(\"waits\", 0)",
            "waits: 0 * scenario.number(\"waits\", 0)",
        ),
    );
    let told = says(&mut session, &format!(":load {file} --force"));
    assert!(told.contains("cut: 1 entry of the line `main`"), "{told}");
    assert!(told.contains("cut: 1 entry of the line `other`"), "{told}");
}

#[test]
fn mistakes_are_veiled_until_they_are_revealed() {
    let den = Den::new();
    let line = format!(
        ":open den/hides_1 --seat red=human --seat blue=random --house probe --seed {}",
        den.seed("king")
    );
    let mut session = den.session();
    let told = says(&mut session, &line);
    // The file is named, and neither the line nor what it says.
    assert!(told.contains("the rules fail in `") && told.contains("house/probe.rhai`; "), "{told}");
    assert!(told.contains("the details may show what is hidden from you"), "{told}");
    assert!(!told.contains("king"), "{told}");
    says(&mut session, &format!(":open den/hides_1 --seed {}", den.seed("ten")));
    says(&mut session, ":reveal");
    let told = says(&mut session, &line);
    assert!(told.contains("error: a king"), "{told}");
    // A saved history is the same: it is taken up under rules that fail.
    says(&mut session, ":open den/hides_1 --seat red=human --seat blue=random --seed 1");
    let file = den.0.path().join("a.history").display().to_string();
    says(&mut session, &format!(":save {file}"));
    den.write(
        "rules.rhai",
        &RULES.replace("fn sought_for() { }", "fn sought_for() { throw this.card; }"),
    );
    let card = |told: &str| told.contains("error: king") || told.contains("error: ten");
    let told = says(&mut session, &format!(":load {file} --force"));
    assert!(card(&told), "{told}");
    says(&mut session, ":reveal");
    let told = says(&mut session, &format!(":load {file} --force"));
    assert!(!card(&told) && told.contains("the rules fail"), "{told}");
}

#[test]
fn a_comparison_of_lines_counts_what_was_seen() {
    let den = Den::new();
    for hides in [1, 4] {
        let mut session = den.asked(hides, 1);
        says(&mut session, ":fork other");
        session.options.json = true;
        let told: serde_json::Value =
            serde_json::from_str(&says(&mut session, ":diff main")).unwrap();
        assert_eq!((&told["left"]["entries"], &told["right"]["entries"]), (&0.into(), &0.into()));
        assert!(told["parting"].is_null(), "{told}");
    }
}

#[test]
fn who_is_asked_sees_what_the_view_returns_where_nothing_is_drawn() {
    let den = Den::new();
    for card in ["king", "ten"] {
        let (seed, mut session) = (den.seed(card), den.session());
        let line = format!(":open den/hides_1 --seat red=human --seat blue=random --seed {seed}");
        let told = says(&mut session, &line);
        let shown = "{ hidden: [], hides: 0, sought: 0, waits: 0 }\nred, seek?";
        assert!(told.contains(shown) && !told.contains(card), "{told}");
    }
}

/// Four rolls after red's call make the graph too large to explore.
const NOISE: &str = r#"fn setup(scenario) { #{ coin: 0, called: 0, noise: [] } }
fn step() {
    if this.coin == 0 { this.coin = this.roll("blue", "coin", uniform([1, 2])); }
    if this.called == 0 { this.called = this.choose("red", "call", [1, 2]); return; }
    this.noise.push(this.roll("sky", "noise", dice("1d100")));
}
fn view(player) { if player == "blue" { this } else { #{ called: this.called, noise: this.noise } } }
fn outcome() {
    if this.noise.len() < 4 { return; }
    let gain = if this.coin == this.called { 1 } else { -1 };
    #{ result: "over", utility: #{ red: gain, blue: -gain } }
}
"#;

#[test]
fn places_that_look_alike_are_counted_once_however_often_they_were_found() {
    let den = Den::new();
    den.write("rules.rhai", NOISE);
    den.write("scenarios/noise.toml", "system = \"den\"\n");
    let mut session = den.session();
    says(&mut session, ":open den/noise --seat red=human --seat blue=random --seed 3");
    let told = says(&mut session, ":odds random -n 50");
    // The coin shows 1 or 2.
    assert!(
        told.contains("drawn from 2 places that look alike, found 50 times by drawing"),
        "{told}"
    );
}
