//! Tests `fracas mutate`: it names the changes of rules that no case notices, and only those.

use super::run::{Ran, fracas};
use super::scratch::Scratch;

/// The survivors of a run, as `function: line before -> line after`, and whether each is the same game.
fn survivors(ran: &Ran) -> Vec<(String, Option<bool>)> {
    let json = ran.json();
    let of = |one: &serde_json::Value| {
        let text = |key: &str| one[key].as_str().unwrap().to_owned();
        let words = format!("{}: {} -> {}", text("function"), text("before"), text("after"));
        (words, one["same_game"].as_bool())
    };
    json["survivors"].as_array().unwrap().iter().map(of).collect()
}

#[test]
fn a_change_that_only_one_case_shows_survives_without_it() {
    let scratch = Scratch::with_duel();
    let of_beats = |ran: &Ran| -> Vec<(String, Option<bool>)> {
        survivors(ran).into_iter().filter(|(words, _)| words.starts_with("beats")).collect()
    };
    let before = fracas("mutate duel --json").inside(scratch.path()).run();
    assert_eq!(of_beats(&before), []);
    // Of all cases only this one has equal cards that nobody wins.
    scratch.edit("rules/duel/cases/rounds.toml", "show = [2] }\nblue = { show = [2] }\n[case.expect]\nresult = \"draw\"\npoints = { red = 0, blue = 0 }", "show = [3] }\nblue = { show = [2] }\n[case.expect]\nresult = \"red\"");
    let after = fracas("mutate duel --json").inside(scratch.path()).run().exits(1);
    // With equal cards the first player would win a round, which the histories of one round show.
    let change = "beats: card > other -> card >= other".to_owned();
    assert_eq!(of_beats(&after), [(change, Some(false))]);
    let (before, after) = (before.json(), after.json());
    assert_eq!((&before["cases"], &after["cases"]), (&6.into(), &6.into()));
    assert_eq!(before["mutants"], after["mutants"]);
    let noticed = |json: &serde_json::Value| json["clauses"]["N3"]["noticed"].as_u64().unwrap();
    assert_eq!(noticed(&after), noticed(&before) - 1);
    // A run for a mutant stops at the first case that notices: on average long before all six.
    assert!(before["cases_a_mutant"].as_f64().unwrap() < 3.0, "{before:#}");
}

#[test]
fn what_changes_nothing_but_words_is_the_same_game() {
    let scratch = Scratch::with_duel();
    let ran = fracas("mutate duel --json").inside(scratch.path()).run();
    let emitted = "step: this.emit(`${player} shows ${card}`); -> ".to_owned();
    assert!(survivors(&ran).contains(&(emitted, Some(true))), "{:?}", survivors(&ran));
    // Laws, pictures and wordings decide nothing, and are not changed.
    let looks = ["view", "wording", "picture", "laws"];
    let looked = survivors(&ran)
        .into_iter()
        .any(|(words, _)| looks.iter().any(|one| words.starts_with(one)));
    assert!(!looked);
}

#[test]
fn what_is_not_compared_is_neither_the_same_game_nor_another() {
    let scratch = Scratch::with_duel();
    // No scenario has one node, so none is compared: all survivors are counted apart.
    let mutate =
        |line: &str| fracas(&format!("mutate duel --nodes 1{line}")).inside(scratch.path()).run();
    let left = survivors(&mutate(" --json"));
    assert!(!left.is_empty() && left.iter().all(|(_, same)| same.is_none()), "{left:?}");
    let count = left.len();
    mutate("")
        .prints(&format!(", {count} not compared."))
        .prints("noticed by no case and no law, of games that are too large to compare");
}

#[test]
fn a_law_notices_what_no_case_does() {
    let scratch = Scratch::with_duel();
    let one_round = "system = \"duel\"\n[[case]]\ntitle = \"one round\"\nsetup = { players = [\"red\", \"blue\"], rounds = 1 }\n\
        answers = { red = { show = [3] }, blue = { show = [2] } }\nexpect = { result = \"red\" }\n";
    scratch.write("rules/duel/cases/rounds.toml", one_round);
    let remove = "step: this.hands[player].remove(place); -> ";
    let kept = |ran: &Ran| survivors(ran).into_iter().find(|(words, _)| words == remove);
    // One round is won with a card that stays in the hand as well, but of three rounds the odds change.
    let ran = fracas("mutate duel --json").inside(scratch.path()).run();
    assert_eq!(kept(&ran), Some((remove.to_owned(), Some(false))));
    let before = ran.json()["by_laws"].as_u64().unwrap();
    let law = "let broken = [];\n    for player in this.players {\n        if this.hands[player].len + this.shown.len > \
        params.highest { broken.push(\"a card is twice there\"); }\n    }\n    for player";
    scratch.edit("rules/duel/rules.rhai", "let broken = [];\n    for player", law);
    let ran = fracas("mutate duel --json").inside(scratch.path()).run();
    assert_eq!(kept(&ran), None);
    assert!(ran.json()["by_laws"].as_u64().unwrap() > before);
}

#[test]
fn the_script_of_a_house_rule_is_held_against_its_own_cases() {
    let scratch = Scratch::with_duel();
    let ran = fracas("mutate duel --house low_wins").inside(scratch.path()).run().exits(1);
    let said = "low_wins.rhai:5:10: comparison in `beats`\n  - card < other\n  + card <= other";
    ran.prints(said);
    let json = fracas("mutate duel --house low_wins --json").inside(scratch.path()).run().json();
    assert_eq!((&json["mutants"], &json["cases"]), (&1.into(), &1.into()), "{json:#}");
}

#[test]
fn any_number_of_threads_finds_the_same_survivors() {
    let scratch = Scratch::with_duel();
    let found = |threads: u32| {
        fracas(&format!("mutate duel --json --threads {threads}"))
            .inside(scratch.path())
            .run()
            .stdout
    };
    assert_eq!(found(1), found(3));
}

#[test]
fn what_cannot_be_changed_is_refused_with_the_nearest_name() {
    let scratch = Scratch::with_duel();
    let says = |line: &str, words: &str| {
        fracas(line).inside(scratch.path()).run().exits(2).says(words);
    };
    says("mutate duol", "did you mean `duel`?");
    says("mutate duel --house low_win", "did you mean `low_wins`?");
    says("mutate duel --nodes none", "none");
    scratch.edit("rules/duel/rules.rhai", "card > other", "card > othr");
    fracas("mutate duel").inside(scratch.path()).run().exits(1).says("rules.rhai:");
}

#[test]
fn a_mistake_that_favours_nobody_is_another_game() {
    let scratch = Scratch::with_duel();
    // The case ends in a draw however many points a round is worth, and so do the odds on average.
    let one_each = "system = \"duel\"\n[[case]]\ntitle = \"one round each\"\nsetup = { players = [\"red\", \"blue\"], rounds = 2 }\n\
        answers = { red = { show = [3, 2] }, blue = { show = [2, 3] } }\nexpect = { result = \"draw\" }\n";
    scratch.write("rules/duel/cases/rounds.toml", one_each);
    let ran = fracas("mutate duel --json").inside(scratch.path()).run();
    let doubled = "step: if winner != \"nobody\" { this.points[winner] += 1; } -> \
        if winner != \"nobody\" { this.points[winner] += 2; }";
    let found = survivors(&ran).into_iter().find(|(words, _)| words == doubled);
    assert_eq!(found, Some((doubled.to_owned(), Some(false))));
}
