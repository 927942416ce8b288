//! Tests that a house rule becomes a part of the rules with the same effect, and what is refused.

use super::run::fracas;
use super::scratch::Scratch;

fn odds(scratch: &Scratch, words: &str) -> serde_json::Value {
    let agents = "--seat red=random --seat blue=random";
    let words = format!("odds war_die/ford {agents} {words} --json");
    fracas(&words).inside(scratch.path()).run().succeeds().json()
}

fn session(scratch: &Scratch, lines: &str) -> super::run::Ran {
    let lines = format!(":open war_die/ford\n{lines}\n");
    fracas("").inside(scratch.path()).typing(&lines)
}

#[test]
fn a_promoted_house_rule_has_the_odds_that_it_had_before() {
    // One sets a parameter, one calls `super` in two functions, one replaces a function and sets parameters.
    for house in ["cheap_mana", "hungry_envoys", "as_written"] {
        let scratch = Scratch::empty();
        fracas("init rules").inside(scratch.path()).run().succeeds();
        let before = odds(&scratch, "");
        let under = odds(&scratch, &format!("--house {house}"));
        session(&scratch, &format!(":house promote {house}"))
            .succeeds()
            .says("nothing is written yet");
        assert_eq!(odds(&scratch, ""), before, "{house}");
        session(&scratch, &format!(":house {house}\n:house promote {house} write")).succeeds();
        assert_eq!(odds(&scratch, ""), under, "{house}");
        assert!(!scratch.file(&format!("rules/war_die/house/{house}.rhai")).exists());
        let cases = scratch.read("rules/war_die/cases/house_rules.toml")
            + scratch.read("rules/war_die/cases/readings.toml").as_str();
        assert!(!cases.contains(&format!("\"{house}\"]")), "{house}");
    }
}

#[test]
fn what_differs_from_the_shipped_rules_is_listed_by_function() {
    let scratch = Scratch::empty();
    fracas("init rules").inside(scratch.path()).run().succeeds();
    session(&scratch, ":diff --shipped").succeeds().prints("the rules are as they were shipped");
    session(&scratch, ":house promote hungry_envoys write\n:house promote cheap_mana write")
        .succeeds();
    session(&scratch, ":diff --shipped")
        .succeeds()
        .prints("`sides_of_die` is changed")
        .prints("`sides_of_die_without_hungry_envoys` is new")
        .prints("`mana_value` is 1, was 2")
        .prints("house/hungry_envoys.rhai   removed");
}

#[test]
fn functions_of_one_name_are_compared_by_the_number_of_their_parameters() {
    let scratch = Scratch::empty();
    fracas("init rules").inside(scratch.path()).run().succeeds();
    let rules = scratch.read("rules/war_die/rules.rhai");
    scratch.write(
        "rules/war_die/rules.rhai",
        format!("{rules}\n/// W1. Another.\nfn fighters(a, b) {{\n    a + b\n}}\n"),
    );
    let ran = session(&scratch, ":diff --shipped").succeeds();
    assert!(!ran.prints("`fighters` of 2 parameters is new").stdout.contains("is changed"));
}

#[test]
fn a_house_rule_that_calls_super_changes_a_function_and_does_not_replace_it() {
    let ran = fracas("doc duel --house harder").inside(with_harder().path()).run().succeeds();
    ran.prints("house rule `harder` changes `beats`");
}

#[test]
fn what_is_promoted_keeps_the_comments_and_leaves_the_rest_of_the_file_as_it_is() {
    let scratch = Scratch::with_duel();
    scratch.write(
        "rules/duel/house/harder.rhai",
        "//! # Harder\n//! A tie goes on.\n\n// By how much.\nconst MARGIN = 1;\n\n// Needed by `beats`.\n\n\
         fn params() { #{ tie: \"first\" } }\n\n\
         fn beats(card, other) {\n    // More than one higher.\n    super(card - MARGIN, other)\n}\n",
    );
    let before = scratch.read("rules/duel/rules.rhai");
    let lines = ":open duel/one_round\n:house promote harder write\n";
    fracas("").inside(scratch.path()).typing(lines).succeeds();
    let now = scratch.read("rules/duel/rules.rhai");
    let beats = "/// N3. Whether a card beats another.\nfn beats(card, other) {\n";
    let whole = format!(
        "{beats}    // More than one higher.\n    beats_without_harder(card - MARGIN, other)\n}}\n\n\
         /// `beats` as it was before `harder`.\nfn beats_without_harder(card, other) {{\n"
    );
    let end = "\n// Needed by `beats`.\n\n// By how much.\nconst MARGIN = 1;\n";
    let (prose, rules) = before.split_once("\n\n").unwrap();
    let expected = format!(
        "{prose}\n//!\n//! ## Harder\n//! A tie goes on.\n\n{}{end}",
        rules.replacen(beats, &whole, 1)
    );
    assert_eq!(now, expected);
    assert!(scratch.read("rules/duel/params.toml").contains("default = \"first\""));
}

#[test]
fn a_house_rule_that_cannot_be_promoted_is_refused_and_nothing_is_written() {
    let inside = Scratch::empty();
    session(&inside, ":house promote half_price write")
        .exits(2)
        .says("`:edit war_die` writes them to `rules/war_die`, `fracas init rules` all there are");
    let scratch = Scratch::with_duel();
    let refused = |text: &str, code: i32, says: &str| {
        scratch.write("rules/duel/house/odd.rhai", text);
        let before = scratch.read("rules/duel/rules.rhai");
        let lines = ":open duel/one_round\n:house promote odd write\n";
        fracas("").inside(scratch.path()).typing(lines).exits(code).says(says);
        assert_eq!(scratch.read("rules/duel/rules.rhai"), before);
        assert!(scratch.file("rules/duel/house/odd.rhai").exists());
    };
    refused("fn beats(card, other) { nobody() }\n", 1, "nobody");
    let rules = scratch.read("rules/duel/rules.rhai");
    let (prose, rest) = rules.split_once("\n\n").unwrap();
    scratch.write(
        "rules/duel/rules.rhai",
        format!("{prose}\n\nconst A = 1;\nconst B = A + 1;\n\n{rest}"),
    );
    refused("const A = 5;\n", 2, "it changes the constant `A` and leaves `B` as it is");
    let lines = ":open duel/one_round\n:house low_wins odd\n:house promote odd\n";
    fracas("").inside(scratch.path()).typing(lines).exits(2).says("`low_wins` is below `odd`");
}

/// The template with a house rule that calls what it overrides.
fn with_harder() -> Scratch {
    let scratch = Scratch::with_duel();
    scratch.write("rules/duel/house/harder.rhai", HARDER);
    scratch
}

const HARDER: &str = "//! # Harder\n//! A tie goes on.\n\n/// N3.\nfn beats(card, other) {\n    super(card - 1, other)\n}\n";

fn promote(scratch: &Scratch, name: &str) -> super::run::Ran {
    let lines = format!(":open duel/one_round\n:house promote {name} write\n");
    fracas("").inside(scratch.path()).typing(&lines)
}

#[test]
fn campaigns_lose_the_promoted_rule_in_chapters_of_its_system_alone() {
    let scratch = with_harder();
    fracas("new other").inside(scratch.path()).run().succeeds();
    scratch.write("rules/other/house/harder.rhai", HARDER);
    let chapter = |system: &str, house: &str| {
        format!(
            "[[conflict]]\nname = \"{system}\"\nscenario = \"{system}/one_round\"\nhouse = [{house}]\n"
        )
    };
    let (named, both) = ("\"harder\"", ["duel", "other"]);
    let before = format!("title = \"t\"\n{}", both.map(|system| chapter(system, named)).concat());
    let files = both.map(|system| format!("rules/{system}/campaigns/two.toml"));
    files.iter().for_each(|file| scratch.write(file, &before));
    promote(&scratch, "harder").succeeds();
    let after = format!("title = \"t\"\n{}{}", chapter("duel", ""), chapter("other", named));
    assert_eq!(files.map(|file| scratch.read(&file)), [after.clone(), after]);
}

#[test]
fn a_house_rule_that_lies_over_another_somewhere_is_not_promoted() {
    let scratch = with_harder();
    let scenario = scratch.read("rules/duel/scenarios/one_round.toml");
    let list = "house = [\n  \"low_wins\",\n  \"harder\",\n]\n";
    scratch.write("rules/duel/scenarios/both.toml", format!("{list}{scenario}"));
    let before = scratch.read("rules/duel/rules.rhai");
    promote(&scratch, "harder").exits(2).says(
        "rules/duel/scenarios/both.toml:3:3 lays it over `low_wins`, which would change places with it",
    );
    assert_eq!(scratch.read("rules/duel/rules.rhai"), before);
}

#[test]
fn prose_texts_and_ends_of_lines_survive_a_promotion() {
    let scratch = Scratch::with_duel();
    let house = "\n// A note.\n//! # Harder\n//! A tie goes on.\n\n/// N3.\nfn beats(card, other) {\n    \
                 let text = `super\n\n\n${super(card, other)}`;\n    super(card - 1, other)\n}\n";
    scratch.write("rules/duel/house/much-harder.rhai", house);
    let rules = scratch.read("rules/duel/rules.rhai").replace('\n', "\r\n");
    scratch.write("rules/duel/rules.rhai", rules);
    promote(&scratch, "much-harder").succeeds();
    let now = scratch.read("rules/duel/rules.rhai");
    assert!(!now.replace("\r\n", "").contains('\n'), "{now:?}");
    let now = now.replace("\r\n", "\n");
    let kept = "beats_without_much_harder";
    let text = format!(
        "    let text = `super\n\n\n${{{kept}(card, other)}}`;\n    {kept}(card - 1, other)\n}}\n\n/// N3. Whether a \
         card beats another.\nfn {kept}(card, other) {{\n"
    );
    for part in ["//!\n//! ## Harder\n//! A tie goes on.\n", "\n// A note.\n", &text] {
        assert!(now.contains(part), "{part}: {now}");
    }
}

#[test]
fn two_functions_on_one_line_are_refused_with_their_place() {
    let scratch = Scratch::with_duel();
    let line = "fn beats(card, other) { more() } fn more() { true }\n";
    scratch.write("rules/duel/house/odd.rhai", line);
    promote(&scratch, "odd").exits(2).says(
        "`beats` and `more` share a line, rules/duel/house/odd.rhai:1; give each lines of its own",
    );
}

#[test]
fn what_is_said_of_parameters_is_kept_and_a_parameter_of_a_scenario_is_not_outranked() {
    let scratch = Scratch::empty();
    fracas("init rules").inside(scratch.path()).run().succeeds();
    let house = "rules/war_die/house/cheap_mana.rhai";
    let text = scratch
        .read(house)
        .replace("fn params() {\n", "/// Mana was too good.\nfn params() {\n    // As ore.\n");
    scratch.write(house, text);
    // Under the house rule a mana is worth 1 there; under rules that have its default it would be worth 3.
    let own = scratch.read("rules/war_die/scenarios/ford.toml");
    let (top, rest) = own.split_once("[setup").unwrap();
    let own = format!("{top}house = [\"cheap_mana\"]\n[params]\nmana_value = 3\n[setup{rest}");
    scratch.write("rules/war_die/scenarios/own.toml", own);
    session(&scratch, ":house promote cheap_mana write").says("own.toml:").says("`mana_value`");
    assert!(scratch.file(house).exists());
    std::fs::remove_file(scratch.file("rules/war_die/scenarios/own.toml")).unwrap();
    session(&scratch, ":house promote cheap_mana write").succeeds();
    assert!(!scratch.file(house).exists());
    let rules = scratch.read("rules/war_die/rules.rhai");
    assert!(rules.contains("// Mana was too good.\n// As ore.\n"), "{rules}");
}
