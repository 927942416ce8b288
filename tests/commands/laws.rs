//! Tests of the laws of the shipped systems: their small scenarios are proven, and a mistake planted in the rules is
//! found by the fewest answers.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::run::fracas;
use super::scratch::Scratch;

/// Small is a scenario that is explored whole within 20,000 nodes. With each the number of its states where that can be
/// worked out: between steps and at the end.
struct Shipped {
    system: &'static str,
    small: &'static [(&'static str, Option<u64>)],
    larger: &'static [&'static str],
}

/// Proves the small scenarios of a system, of which it has no others.
fn proves(shipped: &Shipped) {
    let Shipped { system, small, larger } = shipped;
    let folder = format!("{}/rules/{system}/scenarios", env!("CARGO_MANIFEST_DIR"));
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    names.sort();
    let mut known: Vec<&str> =
        small.iter().map(|(name, _)| *name).chain(larger.iter().copied()).collect();
    known.sort_unstable();
    assert_eq!(names, known, "each scenario is small or larger");
    let targets: Vec<String> = small.iter().map(|(name, _)| format!("{system}/{name}")).collect();
    let line = format!("check {} --playouts 0 --nodes 20000 --threads 1 --json", targets.join(" "));
    let found = fracas(&line).run().succeeds().json();
    assert_eq!(found["findings"], json!([]), "{found:#}");
    let proofs = found["proofs"].as_array().unwrap();
    assert_eq!(proofs.len(), small.len());
    for ((proof, target), (_, wanted)) in proofs.iter().zip(&targets).zip(*small) {
        assert_eq!((&proof["scenario"], &proof["laws"]), (&json!(target), &json!(true)));
        let states = proof["states"].as_u64().unwrap_or_else(|| panic!("not proven: {proof}"));
        eprintln!("{target}: {states} states");
        assert!(wanted.is_none_or(|wanted| wanted == states), "{target}: {states} states");
    }
    // What must be possible somewhere is possible in these.
    let mut unreached: Vec<&Value> = Vec::new();
    for one in found["reachable"].as_array().unwrap() {
        let all = found["reachable"].as_array().unwrap().iter();
        let mut same = all.filter(|other| other["name"] == one["name"]);
        if same.all(|other| other["history"].is_null()) {
            unreached.push(&one["name"]);
        }
    }
    let elsewhere: &[Value] = match *system {
        "last_stand" => &[json!("somebody is in the last stand")],
        _ => &[],
    };
    assert_eq!(unreached, elsewhere.iter().collect::<Vec<_>>());
}

#[test]
fn the_small_scenarios_of_territory_are_proven() {
    // Stacks that are made are two states: before and after they meet. Each that players make is one more at first: of
    // n tokens there are 3^n.
    proves(&Shipped {
        system: "territory",
        small: &[
            // Three stacks are drawn; white makes four tokens.
            ("hidden_garrison", Some(3 + 2 * 3 * 81)),
            ("mass_example", Some(2)),
            ("no_mans_land", Some(1 + 2 * 243)),
            ("seven_against_five", Some(2)),
            ("three_tokens", Some(1 + 2 * 729)),
        ],
        larger: &["border_clash"],
    });
}

#[test]
fn the_small_scenarios_of_war_die_are_proven() {
    proves(&Shipped {
        system: "war_die",
        small: &[
            ("bluff", None),
            ("brittany_and_mike", None),
            ("broken_oath", None),
            ("ford", None),
            ("payment_and_retreat", None),
            ("standoff", None),
        ],
        larger: &["border", "campaign"],
    });
}

#[test]
fn the_small_scenarios_of_attrition_are_proven() {
    proves(&Shipped {
        system: "attrition",
        small: &[
            ("a_wait", None),
            ("card_raid", None),
            ("delta", None),
            ("delta_and_siege", None),
            // Nobody is asked, and one conflict is all.
            ("token_conflict", Some(2)),
        ],
        larger: &["pirate_coast", "siege"],
    });
}

#[test]
fn the_small_scenarios_of_battle_tiles_are_proven() {
    proves(&Shipped {
        system: "battle_tiles",
        small: &[
            ("puzzle_chaos", None),
            ("puzzle_death", None),
            ("puzzle_life", None),
            // Red has one tile and four cells. On 0,0 and 0,1 it beats a tile, which lies in one of three ways then; on
            // the others it beats none.
            ("puzzle_rotate", Some(1 + 3 + 3 + 1 + 1)),
        ],
        larger: &[
            "dealt",
            "even_hands",
            "four_by_four",
            "minefield",
            "trial_of_strength",
            "two_tiles_each",
        ],
    });
}

#[test]
fn the_small_scenario_of_last_stand_is_proven() {
    proves(&Shipped {
        system: "last_stand",
        small: &[("one_blow", None)],
        larger: &[
            "agents_on_the_bridge",
            "bridge",
            "broken_bridge",
            "chase",
            "closed_doors",
            "debate",
            "duel",
            "last_blows",
            "lone_expert",
            "two_last_words",
        ],
    });
}

/// A shipped system with a mistake in its rules, in a folder of its own.
fn spoilt(system: &str, file: &str, old: &str, new: &str) -> Scratch {
    fn copy(from: &Path, to: &str, scratch: &Scratch) {
        for file in fs::read_dir(from).unwrap() {
            let path = file.unwrap().path();
            let to = format!("{to}/{}", path.file_name().unwrap().to_string_lossy());
            match path.is_dir() {
                true => copy(&path, &to, scratch),
                false => scratch.write(&to, fs::read(&path).unwrap()),
            }
        }
    }
    let scratch = Scratch::empty();
    let path = format!("{}/rules/{system}", env!("CARGO_MANIFEST_DIR"));
    copy(Path::new(&path), &format!("rules/{system}"), &scratch);
    scratch.edit(&format!("rules/{system}/{file}"), old, new);
    scratch
}

/// What a mistake breaks: the file, the text and what is there instead, the scenario, the law, and the fewest answers,
/// of those as few the ones with the earliest options.
struct Planted {
    system: &'static str,
    edit: [&'static str; 3],
    scenario: &'static str,
    law: &'static str,
    history: &'static [&'static str],
}

const PLANTED: [Planted; 5] = [
    Planted {
        system: "war_die",
        edit: ["rules.rhai", "this.players[player].add_token(\"supply\");", ""],
        scenario: "ford",
        law: "red has lost or gained a meeple",
        // Blue, who loses, could retreat for 1 food, and is asked; red has none.
        history: &["blue bid 1 & red bid \"flag\""],
    },
    Planted {
        system: "territory",
        edit: ["rules.rhai", "\"advance\" => this.lay(home, token, rival),", ""],
        scenario: "no_mans_land",
        law: "the number of aggressors changed from 1 to 0",
        // The stacks meet when both are made; the lowest token of black meets a blank.
        history: &[
            "white ability \"isolationist\"",
            "white ability \"isolationist\"",
            "black ability \"isolationist\"",
            "black ability \"isolationist\"",
            "black ability \"aggressor\"",
        ],
    },
    Planted {
        system: "attrition",
        edit: ["rules.rhai", "this.stock[attacker] -= gain;", ""],
        scenario: "a_wait",
        // 1 in stock, and 7, 8 and 1 in areas.
        law: "red has 18 tokens instead of 17",
        // A card would be one answer more, and so would the end of the wait.
        history: &[
            "blue next_city \"hills\"",
            "blue wait true",
            "red draw_card false",
            "red treasury 1",
        ],
    },
    Planted {
        system: "battle_tiles",
        edit: ["rules.rhai", "if owner != NEUTRAL { this.markers.kept[player] += 1; }", ""],
        scenario: "puzzle_rotate",
        law: "blue began with 3 markers, now there are 1",
        // From 0,0 red's 6 beats 3; as it lies that tile's 2 fails against 5, and turned clockwise its 9 beats it, and
        // that one's 7 beats 4.
        history: &["red cell \"0,0\"", "red rotate \"clockwise\""],
    },
    Planted {
        system: "last_stand",
        edit: [
            "ending.rhai",
            "this.active = this.active.without(name);\n    this.note",
            "this.note",
        ],
        scenario: "one_blow",
        law: "ayla has left and may act",
        history: &["ayla action \"surrender\""],
    },
];

#[test]
fn a_mistake_in_each_shipped_system_is_found_by_the_fewest_answers() {
    for Planted { system, edit: [file, old, new], scenario, law, history } in PLANTED {
        let scratch = spoilt(system, file, old, new);
        let line = format!("check {system}/{scenario} --rules rules --playouts 0 --json");
        let found = fracas(&line).inside(scratch.path()).run().exits(1).json();
        let finding = &found["findings"][0];
        assert!(finding["message"].as_str().unwrap().contains(law), "{system}: {found:#}");
        assert_eq!(finding["history"], json!(history), "{system}");
    }
}

#[test]
fn laws_that_return_something_else_say_what() {
    let line = "check war_die/ford --rules rules --playouts 1";
    for (function, result, wrong) in [
        ("laws", "[\"a\", 3]", "must return a list of texts, got a list with a whole number in it"),
        ("laws", "3", "must return a list of texts, got a whole number"),
        (
            "reachable",
            "#{ a: 1 }",
            "of names to true or false, got a table with a whole number in it",
        ),
    ] {
        let old = format!("fn {function}() {{\n");
        let new = format!("fn {function}() {{\n    return {result};\n");
        let scratch = spoilt("war_die", "laws.rhai", &old, &new);
        let ran = fracas(line).inside(scratch.path()).run().exits(1);
        assert!(format!("{}{}", ran.stdout, ran.stderr).contains(wrong), "{ran:#?}");
    }
}

/// The case says what the mended rules do otherwise.
#[test]
fn the_history_that_breaks_a_law_becomes_a_case_by_one_command() {
    let Planted { system, edit: [file, old, new], .. } = PLANTED[0];
    let scratch = spoilt(system, file, old, new);
    let here = |line: &str| fracas(line).inside(scratch.path()).keeping(scratch.path());
    here("check war_die/ford --rules rules --playouts 0").run().exits(1).prints("check:1");
    here("--rules rules").typing(":open check:1\n:case lost_meeple\n").succeeds();
    let case = "rules/war_die/cases/lost_meeple.toml";
    let answers = "blue = { bid = [1] }\nred = { bid = [\"flag\"] }\n";
    assert!(scratch.read(case).contains(answers), "{}", scratch.read(case));
    here(&format!("test {case}")).run().succeeds();
    scratch.edit(
        "rules/war_die/rules.rhai",
        "in_play\");\n        \n",
        "in_play\");\n        this.players[player].add_token(\"supply\");\n",
    );
    here(&format!("test {case}")).run().exits(1).says("supply: expected 0, got 1");
}
