//! Tests `--time`: work that is cut tells what is known by then, that it is not complete, and ends well.

use serde_json::Value;

use super::run::fracas;
use super::scratch::Scratch;

/// Sixty coins fall; red wins where more of them show heads than `more` says. There are far too many ways
/// to see them all, and each is short.
const COINS: &str = "//! # Coins\n//! Sixty coins fall.\n\
    fn setup(s) { #{ fallen: [], heads: 0 } }\n\
    fn step() {\n\
        let side = this.roll(\"coin\", \"side\", uniform([0, 1]));\n\
        this.fallen.push(side);\n\
        this.heads += side;\n\
    }\n\
    fn outcome() {\n\
        if this.fallen.len < 60 { return; }\n\
        let won = this.heads > 30 + params.more;\n\
        #{ result: if won { \"won\" } else { \"lost\" }, utility: #{ red: if won { 1 } else { 0 } } }\n\
    }\n";

fn coins() -> Scratch {
    let scratch = Scratch::empty();
    scratch.write("rules/coins/rules.rhai", COINS);
    scratch.write(
        "rules/coins/params.toml",
        "[more]\ndefault = 0\nmin = 0\nmax = 9\nmeaning = \"More.\"\n",
    );
    scratch.write("rules/coins/scenarios/sixty.toml", "system = \"coins\"\n[setup]\n");
    scratch
}

/// What a command prints that is cut by `--time`, with as many seconds as this machine takes to have something by
/// then: `enough` judges it.
fn cut(line: &str, scratch: &Scratch, enough: impl Fn(&Value) -> bool) -> Value {
    for seconds in [2, 8, 32, 128] {
        let line = format!("{line} --time {seconds} --seed 1 --json");
        let ran = fracas(&line).inside(scratch.path()).run();
        let says = format!("the time limit of {seconds} s was reached");
        let json = ran.json();
        // Where a slow machine knows nothing by then, that is an error.
        if ran.code == Some(1) {
            let error = json["error"]["message"].as_str().unwrap();
            assert!(error.contains(&says), "{line}: {error}");
            continue;
        }
        let told = json["reason"].as_str().unwrap_or(&ran.stderr);
        assert!(told.contains(&says), "{line}: {told}");
        if enough(&json) {
            assert_eq!(ran.code, Some(0), "{line}");
            assert_eq!(json["complete"], false, "{line}");
            return json;
        }
    }
    panic!("{line}: nothing is known after two minutes");
}

#[test]
fn what_is_known_when_the_time_is_over_is_told() {
    let scratch = coins();
    for line in [
        "estimate coins/sixty -n 100000000000",
        "compare coins/sixty --param more=1 -n 100000000000",
        "sweep coins/sixty more=0..5 -n 100000000000",
    ] {
        cut(line, &scratch, |json| {
            let sampled = if line.starts_with("sweep") { &json["points"][0] } else { json };
            sampled["n"].as_u64().is_some_and(|n| n > 0)
        });
    }
}

#[test]
fn a_tuning_that_takes_longer_gives_each_its_part() {
    let scratch = coins();
    let line = "tune coins/sixty --vary more=0..5 --want 'result.won >= 0.4' -n 100000000000";
    // Each has its part of the time: nobody waits for the first to be measured to its end.
    cut(line, &scratch, |json| {
        json["measured"].as_u64().is_some_and(|measured| measured > 1)
            && json["best"][0]["n"].as_u64().is_some_and(|n| n > 0)
    });
}

#[test]
fn odds_that_take_longer_say_so() {
    // Odds that are not all known are not known at all.
    let scratch = coins();
    let ran = fracas("odds coins/sixty --time 2 --json").inside(scratch.path()).run().exits(1);
    let json = ran.json();
    assert_eq!((&json["exact"], &json["complete"]), (&false.into(), &false.into()));
    let reason = json["reason"].as_str().unwrap();
    assert!(reason.starts_with("the time limit of 2 s was reached"), "{json}");
}

#[test]
fn whoever_knows_nothing_when_the_time_is_over_fails() {
    let scratch = coins();
    for command in [
        "odds coins/sixty",
        "estimate coins/sixty",
        "portrait coins/sixty",
        "tune coins/sixty --vary more=0..5 --want 'result.won >= 0.4'",
    ] {
        let line = format!("{command} --time 1e-6");
        let ran = fracas(&line).inside(scratch.path()).run().exits(1);
        let said = format!("{}{}", ran.stdout, ran.stderr);
        assert!(said.contains("the time limit of 0.000001 s was reached"), "{line}: {said}");
    }
}

/// Each sees a card and goes to one of three places: nine strategies each, and tens of thousands of sets of options
/// that mixed equilibria may use.
const PLACES: &str = "//! # Places\n//! Each sees a card and goes to a place.\n\
    fn setup(s) { #{ ann: 0, bob: 0, went: \"\", came: \"\", turn: 0 } }\n\
    fn step() {\n\
        if this.turn == 0 {\n\
            this.ann = this.roll(\"ann\", \"card\", uniform([1, 2]));\n\
            this.bob = this.roll(\"bob\", \"card\", uniform([1, 2]));\n\
        } else if this.turn == 1 {\n\
            this.went = this.choose(\"ann\", \"go\", [\"opera\", \"fight\", \"home\"]);\n\
        } else {\n\
            this.came = this.choose(\"bob\", \"come\", [\"opera\", \"fight\", \"home\"]);\n\
        }\n\
        this.turn += 1;\n\
    }\n\
    fn outcome() {\n\
        if this.turn < 3 { return; }\n\
        let pays = #{ opera: [1 + this.ann, this.ann], fight: [this.bob, 1 + this.bob], home: [2, 2] };\n\
        let has = if this.went == this.came { pays[this.went] } else { [0, 0] };\n\
        #{ result: this.went, utility: #{ ann: has[0], bob: has[1] } }\n\
    }\n\
    fn view(player) { #{ own: this[player], turn: this.turn } }\n";

#[test]
fn equilibria_that_are_found_when_the_time_is_over_are_all_there() {
    let scratch = Scratch::empty();
    scratch.write("rules/places/rules.rhai", PLACES);
    scratch.write("rules/places/scenarios/cards.toml", "system = \"places\"\n[setup]\n");
    for seconds in ["0.3", "1", "4", "16", "64"] {
        let line = format!("solve places/cards --json --time {seconds}");
        let json = fracas(&line).inside(scratch.path()).run().json();
        // Whoever has too little time to find one says so.
        if json["reason"].is_string() {
            continue;
        }
        let further = json["further"].as_array().cloned().unwrap_or_default();
        let notes = json["notes"].to_string();
        let count = further.len() + 1;
        let listed = [format!("\"{count} extreme"), format!("differs in {count} of them")];
        assert!(listed.iter().any(|one| notes.contains(one)), "{count} are there, but {notes}");
        if count < 3 {
            continue;
        }
        // Pure ones come first: both meet at a place whatever they see. A card is 3/2 on average.
        let worth = |one: &Value| ["ann", "bob"].map(|side| one["value"][side].to_string());
        let worths: Vec<[String; 2]> = further.iter().chain([&json]).map(worth).collect();
        for meet in [["5/2", "3/2"], ["3/2", "5/2"], ["2", "2"]] {
            assert!(worths.contains(&meet.map(|one| format!("\"{one}\""))), "{meet:?}: {worths:?}");
        }
        return;
    }
    panic!("two minutes are not enough");
}

#[test]
fn a_long_portrait_says_how_long_it_may_take_while_it_is_made() {
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_fracas"))
        .args(["portrait", "last_stand/chase", "-n", "60", "--plain"])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let lines = std::io::BufRead::lines(std::io::BufReader::new(child.stderr.take().unwrap()));
    // It ends with the portrait, or where this does not wait for it.
    let said = lines.map_while(Result::ok).find(|line| line.contains("the portrait may take "));
    child.kill().unwrap();
    child.wait().unwrap();
    let said = said.expect("the portrait was made without a word of how long it takes");
    let what = "it plays, then plays on from each question: the portrait may take ";
    assert!(said.starts_with(what), "{said}");
    // What is soon seen whole takes no playouts.
    let rules = crate::support::path("tests/fixtures/rules").display().to_string();
    let ran = fracas("portrait kuhn_poker/one_hand --plain -n 100000 --rules").with(&rules).run();
    assert!(!ran.succeeds().stderr.contains("the portrait may take "));
    // Who has set a time knows.
    let ran = fracas("portrait last_stand/chase -n 60 --plain --time 1").run();
    assert!(!ran.stderr.contains("the portrait may take "), "{}", ran.stderr);
}
