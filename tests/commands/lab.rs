//! Tests scripts of the lab: how they are passed to the program, and what the shipped ones print.

use std::io::{BufRead, Read};
use std::process::Stdio;

use super::run::fracas;
use super::scratch::Scratch;
use crate::support::path;

#[test]
fn a_file_a_line_stdin_and_the_prompt_say_the_same() {
    let scratch = Scratch::empty();
    let code = "scenario(\"territory/three_tokens\").estimate(200)";
    scratch.write("one.rhai", code);
    let here = scratch.path();
    let file = fracas("--seed 5 run one.rhai").inside(here).run().succeeds();
    let line = fracas("--seed 5 -e").with(code).inside(here).run().succeeds();
    let stdin = fracas("--seed 5 -").inside(here).typing(code).succeeds();
    let prompt = fracas("--seed 5").inside(here).typing(&format!("{code}\n")).succeeds();
    assert!(file.stdout.starts_with("estimated from 200 playouts, seed 5"), "{file:?}");
    for other in [line, stdin, prompt] {
        assert_eq!(other.stdout, file.stdout);
    }
    // The command finds the same numbers.
    let json = fracas("--json --seed 5 run one.rhai").inside(here).run().succeeds().json();
    let command = fracas("estimate territory/three_tokens -n 200 --seed 5 --json");
    assert_eq!(json, command.inside(here).run().succeeds().json());
}

#[test]
fn arguments_are_handed_over_and_a_seed_that_was_drawn_is_told() {
    let scratch = Scratch::empty();
    scratch
        .write("args.rhai", "#!/usr/bin/env fracas\nfn all() { args }\nprint(all().len()); args");
    let ran = fracas("run args.rhai a 'b c' -- --seed").inside(scratch.path()).run().succeeds();
    assert_eq!(ran.stdout, "3\n[\"a\", \"b c\", \"--seed\"]\n");
    let ran = fracas("-e").with("scenario(\"war_die/ford\").seat(\"red\", \"first\").play();");
    ran.inside(scratch.path()).run().succeeds().says("seed ").prints_nothing();
}

#[test]
fn a_result_is_printed_as_what_it_is_wherever_it_is_kept_and_a_map_as_a_map() {
    let code = "let all = [scenario(\"war_die/ford\").sweep(\"faces\", 2..4)]; print(all[0].points[1]); \
                print(all[0]); all[0].points[1].utility = 3; print(all[0].points[1]); \
                #{ results: #{ a: \"1/2\" }, utility: #{ a: 1 } }";
    let scratch = Scratch::empty();
    let ran = fracas("--plain -e").with(code).inside(scratch.path()).run().succeeds();
    assert!(ran.stdout.starts_with("exact odds, "), "{ran:#?}");
    assert!(ran.stdout.contains("\nexact odds over faces\n"), "{ran:#?}");
    // What a script has changed so that it is no result any more is a map again.
    assert!(ran.stdout.contains("\nutility: 3\n"), "{ran:#?}");
    assert!(ran.stdout.ends_with("{ results: { a: \"1/2\" }, utility: { a: 1 } }\n"), "{ran:#?}");
}

#[test]
fn a_mistake_in_rules_shows_their_line_and_the_scripts() {
    let scratch = Scratch::with_duel();
    scratch.edit(
        "rules/duel/rules.rhai",
        "fn step() {",
        "fn step() {\n    this.nothing.here += 1;",
    );
    scratch.write("twice.rhai", "fn open(name) {\n    scenario(name)\n}\nlet duel = open(\"duel/evening\");\nduel.play(1)\n");
    let names = fracas("list duel --json").inside(scratch.path()).run().json();
    let name = names["scenarios"][0]["name"].as_str().unwrap().to_owned();
    scratch.edit("twice.rhai", "duel/evening", &name);
    let ran = fracas("run twice.rhai").inside(scratch.path()).run().exits(1);
    assert!(ran.stderr.contains("rules/duel/rules.rhai:"), "{ran:#?}");
    assert!(ran.stderr.contains("in play, called at twice.rhai:5:6"), "{ran:#?}");

    // What the script itself gets wrong has its line, and the calls that led there.
    let ran = fracas("-e").with("fn f(x) { scenario(x) }\nf(\"duel/nowhere\")");
    let ran = ran.inside(scratch.path()).run().exits(1).says("unknown scenario `duel/nowhere`");
    ran.says("--> -e:1:11").says("in f, called at -e:2:1");
    fracas("run nowhere.rhai").inside(scratch.path()).run().exits(2).says("cannot read");
    fracas("-e 1 list").inside(scratch.path()).run().exits(2).says("`-e` runs a line of the lab");
}

#[test]
fn files_are_written_below_the_folder_whole_or_not_at_all() {
    let scratch = Scratch::empty();
    let here = scratch.path();
    let rows = "let rows = [#{ n: 1, odds: \"1/2\" }, #{ n: 2, odds: \"3/4\" }];";
    let code = format!(
        "{rows} save_csv(\"a.csv\", table(rows, [\"odds\", \"n\"])); save_json(\"a.json\", rows); \
         save_svg(\"a.svg\", plot(rows, \"n\", \"odds\"));"
    );
    fracas("-e").with(&code).inside(here).run().succeeds().says("wrote `a.csv`");
    assert_eq!(scratch.read("a.csv"), "odds,n\r\n1/2,1\r\n3/4,2\r\n");
    let json: serde_json::Value = serde_json::from_str(&scratch.read("a.json")).unwrap();
    assert_eq!(json, serde_json::json!([{ "n": 1, "odds": "1/2" }, { "n": 2, "odds": "3/4" }]));
    assert!(scratch.read("a.svg").starts_with("<svg"));
    assert_eq!(scratch.names().len(), 3, "{:?}", scratch.names());

    #[cfg(unix)]
    {
        let outside = Scratch::empty();
        std::os::unix::fs::symlink(outside.path(), scratch.file("out")).unwrap();
        let code = "save_json(\"out/a.json\", 1)";
        let ran = fracas("-e").with(code).inside(here).run().exits(1);
        ran.says("a link on the way leads out of the current folder");
        assert!(outside.names().is_empty());
    }
}

#[test]
#[cfg(unix)]
fn what_takes_long_stops_at_ctrl_c_with_what_it_has() {
    let scratch = Scratch::empty();
    let code = "print(\"begun\"); scenario(\"battle_tiles/dealt\").seat(\"red\", \"random\")\
                .seat(\"blue\", \"random\").estimate(1000000000); print(\"never\")";
    let mut command = fracas("--plain -e").with(code).inside(scratch.path()).command();
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (mut stdout, stderr) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    // Progress tells that there is something to show.
    let mut lines = std::io::BufReader::new(stderr).lines();
    assert!(lines.by_ref().any(|line| line.unwrap().contains("playouts")));
    std::thread::spawn(move || lines.count());
    super::interrupted::interrupt(&child);
    super::interrupted::ends_with_130(child);
    let mut said = String::new();
    stdout.read_to_string(&mut said).unwrap();
    assert!(said.starts_with("begun\nestimated from ") && !said.contains("never"), "{said}");
}

/// A script of the repository, at a small size.
fn shipped(line: &str) -> super::run::Ran {
    fracas(&format!("--seed 1 run scripts/{line}")).inside(&path("")).run().succeeds()
}

#[test]
fn the_tour_shows_all_five_systems() {
    let ran = shipped("tour.rhai 20");
    for system in ["territory", "attrition", "war_die", "battle_tiles", "last_stand"] {
        assert!(ran.stdout.contains(&format!("{system}/")), "{system}: {ran:#?}");
    }
}

#[test]
fn the_same_quarrel_has_a_row_for_each_system() {
    let ran = fracas("--json --seed 1 run scripts/same_quarrel.rhai 20").inside(&path("")).run();
    let rows = ran.succeeds().json();
    let systems: Vec<&str> =
        rows.as_array().unwrap().iter().map(|row| row["system"].as_str().unwrap()).collect();
    assert_eq!(systems, ["territory", "attrition", "war_die", "battle_tiles", "last_stand"]);
    // Blue sets 0 to 2, red 0 to 3: 1 beats 0 and 2 beats 0 and 1, so 3 of 12 throws are blue's;
    // two flags are 1 of 12.
    assert_eq!(rows[2]["blue"], 0.25);
    assert!((rows[2]["neither"].as_f64().unwrap() - 1.0 / 12.0).abs() < 1e-12);
}

#[test]
fn six_faces_give_the_attacker_even_chances() {
    // Red sets 0 to 6, blue 0 to 5: red wins 0 + 1 + … + 5 + 6 = 21 of 42 throws.
    shipped("even_die.rhai").prints("nearest to even: 6 faces, where the attacker wins 1/2");
}

#[test]
fn five_faces_and_ties_that_both_lose_are_fair() {
    // With up to 5 faces both can pay for every number, so neither side has an advantage where both lose
    // ties; of those dice, 5 faces have the fewest pairs of flags, which make an alliance: 1 of 36.
    let ran = shipped("fair_die.rhai");
    let ran = ran.prints("the fairest die: 5 faces, ties: both_lose; the seats are 0 apart");
    // What a script made has no name that a command could be given.
    assert!(!ran.stdout.contains("fracas portrait"), "{ran:#?}");
}

#[test]
fn the_result_of_forty_agents_in_twenty_scenarios_is_held_counted_and_printed() {
    let scratch = Scratch::with_duel();
    let [scenario, agent] = ["scenarios/one_round.toml", "agents/highest.rhai"]
        .map(|file| scratch.read(&format!("rules/duel/{file}")));
    let words = |before: &str, many: u32| -> Vec<String> {
        (0..many).map(|number| format!("{before}{number}")).collect()
    };
    let (scenarios, agents) = (words("round", 20), words("player", 40));
    for name in &scenarios {
        scratch.write(&format!("rules/duel/scenarios/{name}.toml"), &scenario);
    }
    for name in &agents {
        scratch.write(&format!("rules/duel/agents/{name}.rhai"), &agent);
    }
    let scenarios: Vec<String> = scenarios.iter().map(|name| format!("duel/{name}")).collect();
    let code = format!(
        "let league = tournament(#{{ scenarios: {scenarios:?}, agents: {agents:?}, format: \"round_robin\", \
         games: 1, exact: false }});\n\
         let games = 0; for pair in league.pairings {{ games += pair.games; }}\n\
         print(`${{league.standings.len()}} ${{league.pairings.len()}} ${{games}}`);\nleague"
    );
    scratch.write("league.rhai", code);
    let ran = fracas("--plain --seed 1 run league.rhai").inside(scratch.path()).run().succeeds();
    // 40 * 39 / 2 pairings in each of 20 scenarios, of one game each.
    assert!(ran.stdout.starts_with("40 15600 15600\n"), "{}", &ran.stdout[..200]);
    assert!(ran.stdout.contains("player39"), "{}", &ran.stdout[..200]);
}

#[test]
fn a_system_of_ones_own_is_played_in_a_tournament() {
    let ran = shipped("sixth_system.rhai 10");
    for agent in ["careful", "stubborn", "greedy", "random"] {
        assert!(ran.stdout.contains(agent), "{agent}: {ran:#?}");
    }
}

#[test]
fn the_die_of_one_system_settles_the_border_of_another() {
    shipped("dice_at_the_border.rhai 20").prints("owned by").prints("exact odds");
    let check = "check scripts/rules/border_war scripts/rules/skirmish --seed 1";
    fracas(check).inside(&path("")).run().succeeds();
}

#[test]
fn a_parameter_that_is_written_like_an_option_is_none() {
    let scratch = Scratch::empty();
    for name in ["--svg=there", "--balance=red", "-n5"] {
        let line =
            format!("scenario(\"war_die/ford\").sweep(#{{ faces: [1, 2], \"{name}\": [1] }})");
        let ran = fracas("-e").with(&line).inside(scratch.path()).run();
        ran.says("no such parameter");
    }
    assert_eq!(std::fs::read_dir(scratch.path()).unwrap().count(), 0);
}

#[test]
fn a_sweep_over_no_value_is_answered_in_the_words_of_the_lab() {
    for values in ["[]", "4..=2"] {
        let line = format!("scenario(\"war_die/ford\").sweep(\"faces\", {values})");
        let ran = fracas("-e").with(&line).run().exits(1);
        ran.says("`faces`: there is no value to try");
    }
}
