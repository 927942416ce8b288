//! Tests the drawings of rules as SVG files: what they show, whom they show it to, and what is refused.

use std::fs;
use std::path::Path;

use super::run::fracas;
use super::scratch::Scratch;
use crate::support::{path, same_as_file};

fn drawn(folder: &Path, line: &str) -> String {
    fracas(line).inside(folder).run().succeeds();
    fs::read_to_string(folder.join("one.svg")).unwrap()
}

#[test]
fn a_player_sees_the_tokens_of_others_face_down_until_the_conflict_is_over() {
    let folder = tempfile::tempdir().unwrap();
    let play = "play territory/three_tokens --seed 3 --seat white=random --seat black=random";
    fracas(&format!("{play} --save one.fracas")).inside(folder.path()).run().succeeds();
    let at =
        |options: &str| drawn(folder.path(), &format!("replay one.fracas {options} --svg one.svg"));
    // White has made three tokens and black one.
    let (all, own) = (at("--at 4"), at("--at 4 --for black"));
    let count = |svg: &str, word: &str| svg.matches(&format!(">{word}</text>")).count();
    assert_eq!((count(&all, "face down"), count(&all, "not made yet")), (0, 2));
    assert_eq!((count(&own, "face down"), count(&own, "not made yet")), (3, 2));
    assert_eq!(count(&at("--for black"), "face down"), 0);
    // What is read aloud is the picture, one territory after the other.
    let (_, words) = own.split_once("<desc id=\"words\">").unwrap();
    let words = words.split_once("</desc>").unwrap().0;
    let lines: Vec<&str> = words.lines().map(str::trim).collect();
    assert_eq!(
        (lines[0], lines[2], lines[5]),
        ("white's territory", "(face down)", "black's territory")
    );
}

#[test]
fn the_prompt_writes_what_the_one_who_is_asked_may_see() {
    let folder = tempfile::tempdir().unwrap();
    let typed = ":open territory/three_tokens --seat white=random --seat black=human\n:play\n:picture --svg one.svg\n";
    let ran = fracas("--plain --seed 1").inside(folder.path()).typing(typed);
    assert!(ran.stdout.contains("wrote `one.svg`") || ran.stderr.contains("wrote `one.svg`"));
    let svg = fs::read_to_string(folder.path().join("one.svg")).unwrap();
    assert_eq!(svg.matches(">face down</text>").count(), 3, "{svg}");
}

#[test]
fn a_picture_of_two_columns_has_one_below_the_other_where_a_terminal_is_narrow() {
    let folder = tempfile::tempdir().unwrap();
    let typed = ":open territory/three_tokens\n:picture\n";
    let wide = |columns: &str| {
        let prompt = fracas("--plain --seed 1 --quiet").where_is("COLUMNS", columns);
        let shown = prompt.inside(folder.path()).typing(typed).stdout;
        shown
            .lines()
            .filter(|line| line.contains("territory"))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(wide("40"), ["white's territory", "black's territory"]);
    assert_eq!(wide("80"), ["white's territory                    | black's territory"]);
}

/// Rules whose drawing is this.
fn rules(drawing: &str) -> Scratch {
    let folder = Scratch::empty();
    let rules = format!(
        "fn setup(scenario) {{ #{{ done: false }} }}\nfn step() {{ this.choose(\"red\", \"go\", [1, 2]); this.done = true; }}\n\
         fn outcome() {{ if this.done {{ #{{ result: \"over\", utility: #{{ red: 1 }} }} }} }}\nfn drawing() {{ {drawing} }}\n"
    );
    folder.write("rules/own/rules.rhai", rules);
    folder.write(
        "rules/own/scenarios/one.toml",
        "system = \"own\"\n[setup]\n[seats]\nred = \"random\"\n",
    );
    fracas("play own/one --seed 1 --save one.fracas").inside(folder.path()).run().succeeds();
    folder
}

#[test]
fn a_mistake_in_a_drawing_names_its_place_its_word_and_the_nearest_one() {
    for (drawing, message) in [
        (
            "[#{ rect: [0, 0, 1, 1], fill: \"rde\" }]",
            "shape 1: `fill` has no `rde`; did you mean `red`?",
        ),
        ("7", "must return a list of shapes, got a whole number"),
        (
            "let all = []; all.pad(1001, #{ rect: [0, 0, 1, 1] }); all",
            "returns 1001 shapes; 1000 are the most",
        ),
        ("loop {}", "more than 5000000 operations"),
    ] {
        let folder = rules(drawing);
        let ran = fracas("replay one.fracas --svg one.svg").inside(folder.path()).run();
        assert_eq!(ran.code, Some(1), "{}", ran.stderr);
        assert!(
            ran.stderr.contains(message) && ran.stderr.contains("rules.rhai:4"),
            "{}",
            ran.stderr
        );
        assert!(!folder.file("one.svg").exists());
        // A page is worth having without it, and says why.
        fracas("replay one.fracas --html one.html").inside(folder.path()).run().succeeds();
        let page = std::fs::read_to_string(folder.file("one.html")).unwrap();
        assert!(page.contains("Some frames have no drawing: "), "{page}");
        let checked = fracas("check own").inside(folder.path()).run();
        assert!(
            format!("{}{}", checked.stdout, checked.stderr).contains(message),
            "{}",
            checked.stdout
        );
    }
}

#[test]
fn rules_without_a_drawing_say_so_and_write_nothing() {
    let folder = rules("[]");
    let ran = fracas("replay one.fracas --svg one.svg").inside(folder.path()).run();
    assert!(ran.stderr.contains("make no drawing here") && !folder.file("one.svg").exists());
}

#[test]
fn of_what_is_too_much_for_a_drawing_only_the_number_is_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let tokens = "--set white.tokens=400 --set black.tokens=30";
    let play = format!("play territory/three_tokens {tokens} --seed 1 --save one.fracas");
    let play = format!("{play} --seat white=random --seat black=random");
    fracas(&play).inside(folder.path()).run().succeeds();
    fracas("replay one.fracas --at 0 --svg one.svg").inside(folder.path()).run().succeeds();
    let drawn = std::fs::read_to_string(folder.path().join("one.svg")).unwrap();
    // 24 of each are drawn.
    for text in ["and 376 more below", "and 6 more below"] {
        assert_eq!(drawn.matches(text).count(), 1, "{text}");
    }
}

#[test]
fn every_system_draws_itself_with_a_text_for_who_cannot_see_it() {
    let folder = tempfile::tempdir().unwrap();
    // What is in each: a face of a token, a region and a die, an area and its limit, a point, morale.
    for (scenario, shown) in [
        ("territory/three_tokens", "owned by"),
        ("war_die/border", "marsh"),
        ("attrition/delta_and_siege", "feeds 2"),
        ("battle_tiles/trial_of_strength", "piercer"),
        ("last_stand/bridge", "morale"),
    ] {
        let play = format!("play {scenario} --seed 2 --save one.fracas");
        fracas(&play).inside(folder.path()).run().succeeds();
        let svg = drawn(folder.path(), "replay one.fracas --at 1 --svg one.svg");
        let (_, rest) = svg.split_once("<desc id=\"words\">").unwrap();
        let (words, shapes) = rest.split_once("</desc>").unwrap();
        assert!(words.lines().count() > 1 && shapes.contains(shown), "{scenario}: {svg}");
        assert!(svg.len() < 20_000, "{scenario}: {} bytes", svg.len());
    }
}

#[test]
fn the_drawing_of_the_readme_is_what_its_commands_write() {
    let folder = tempfile::tempdir().unwrap();
    fracas("play war_die/border --seed 3 --save game.fracas")
        .inside(folder.path())
        .run()
        .succeeds();
    let svg = drawn(folder.path(), "replay game.fracas --at 6 --svg one.svg");
    same_as_file(&path("scripts/border.svg"), &svg);
}
