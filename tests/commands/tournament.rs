//! Tests `fracas tournament` over real rules: on any number of threads, stopped, killed, split into
//! shards, and with agents that fail.

use std::process::Stdio;
use std::time::Duration;

use fracas::game::Generator;
use serde_json::{Value, json};

use super::run::{Ran, fracas};
use super::scratch::Scratch;

/// The template's agents in two of its scenarios, one of which is too large to be computed.
const CUP: &str = "scenarios = [\"duel/strength\", \"duel/three_rounds\"]\n\
    agents = [\"random\", \"highest\", \"middle\"]\nformat = \"round_robin\"\ngames = 60\nseed = 3\n";

fn with_cup(text: &str) -> Scratch {
    let scratch = Scratch::with_duel();
    scratch.write("cup.toml", text);
    scratch
}

fn play(scratch: &Scratch, options: &str) -> Ran {
    fracas(&format!("tournament cup.toml {options}")).inside(scratch.path()).run()
}

/// The output of the cup, resumed and played to its end, for people and for programs.
fn told(scratch: &Scratch, out: &str) -> String {
    let people = play(scratch, &format!("--quiet --plain --out {out}")).succeeds().stdout;
    let programs = play(scratch, &format!("--quiet --json --out {out}")).succeeds().stdout;
    format!("{people}{programs}")
}

#[test]
fn standings_are_the_same_on_any_number_of_threads_and_when_told_again() {
    let scratch = with_cup(CUP);
    let first =
        play(&scratch, "--json --threads 1").succeeds().says("results are kept in `cup.db`");
    let many = play(&scratch, "--json --threads 4 --out many.db").succeeds();
    assert_eq!(first.stdout, many.stdout);
    let again = play(&scratch, "--json")
        .succeeds()
        .says("`cup.db` has 240 games already, not to be played again");
    assert_eq!(first.stdout, again.stdout);
    let json = first.json();
    assert_eq!(json["standings"].as_array().unwrap().len(), 3);
    assert_eq!(json["pairings"].as_array().unwrap().len(), 6);
    // The seed of the command line takes the place of the spec's, and is another tournament.
    play(&scratch, "--seed 4").exits(2).says("`seed` was 3, is 4");
    let other = play(&scratch, "--json --seed 4 --out other.db").succeeds();
    assert_ne!(first.stdout, other.stdout);
}

#[test]
fn tables_keep_to_the_width() {
    let scratch = with_cup(CUP);
    play(&scratch, "").succeeds();
    for columns in [80, 40] {
        let line = "tournament cup.toml --quiet";
        let ran = fracas(line).inside(scratch.path()).where_is("COLUMNS", &columns.to_string());
        for row in ran.run().succeeds().stdout.lines() {
            assert!(row.chars().count() <= columns, "at {columns}: {row}");
        }
    }
}

/// How often the program is killed; `FRACAS_KILLS` asks for more.
const KILLS: usize = 5;

#[test]
fn killed_at_random_it_ends_in_the_same_bytes() {
    let kills = std::env::var("FRACAS_KILLS").ok().and_then(|kills| kills.parse().ok());
    let kills: usize = kills.unwrap_or(KILLS);
    let scratch = with_cup(&CUP.replace("games = 60", "games = 1500"));
    let expected = told(&scratch, "whole.db");
    let mut generator = Generator::playout(6, 1);
    let (mut killed, mut round) = (0, 0);
    while killed < kills {
        let out = format!("killed{round}.db");
        for _ in 0..3 {
            let line = format!("tournament cup.toml --threads 2 --out {out}");
            let mut command = fracas(&line).inside(scratch.path()).command();
            let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            std::thread::sleep(Duration::from_millis(generator.below(1_500)));
            // On Unix this is SIGKILL.
            let _ = child.kill();
            killed += usize::from(!child.wait().unwrap().success());
        }
        assert_eq!(told(&scratch, &out), expected, "{out}");
        round += 1;
    }
}

#[test]
fn edited_rules_play_again_what_changed_and_say_so() {
    let scratch = with_cup(&format!("exact = false\n{CUP}"));
    let first = play(&scratch, "--json").succeeds().stdout;
    for (file, old, new) in [
        ("rules/duel/rules.rhai", "card > other", "other < card"),
        ("rules/duel/params.toml", "default", "# The same.\ndefault"),
    ] {
        let before = scratch.read(file);
        scratch.edit(file, old, new);
        let name = file.strip_prefix("rules/").unwrap();
        let ran = play(&scratch, "--json").succeeds();
        // Three pairings of 60 games in each scenario; the edits change no game.
        let ran = ran.says(&format!(
            "`cup.db` has 0 games that still count (`{name}` has changed); to be done again: \
             180 games of `duel/strength`, 180 games of `duel/three_rounds`; to keep the old ones apart, \
             name another file with `--out`"
        ));
        assert_eq!(ran.stdout, first);
        scratch.write(file, before);
        // The old games are there still.
        play(&scratch, "").succeeds().says("`cup.db` has 360 games that still count (");
    }
}

#[test]
fn games_beyond_those_that_count_are_said() {
    let scratch = with_cup(&format!("exact = false\n{CUP}"));
    let whole = play(&scratch, "").succeeds();
    assert!(!whole.stderr.contains("beyond"), "{}", whole.stderr);
    // Of three pairings in each of two scenarios 20 games are left of 60.
    scratch.edit("cup.toml", "games = 60", "games = 20");
    let beyond = "`cup.db` holds 240 games beyond those that count";
    play(&scratch, "").succeeds().says(beyond);
    fracas("standings cup.db").inside(scratch.path()).run().succeeds().says(beyond);
}

#[test]
fn pairings_that_were_computed_are_computed_again_under_edited_rules() {
    let scratch = with_cup(&CUP.replace(", \"duel/three_rounds\"", ""));
    play(&scratch, "").succeeds();
    scratch.edit("rules/duel/scenarios/strength.toml", "title", "# The same.\ntitle");
    // Two that always answer the same are computed; the others meet in 60 games each.
    play(&scratch, "")
        .succeeds()
        .says("to be done again: 120 games and 1 computed pairing of `duel/strength`; to keep");
}

#[test]
fn what_still_holds_is_kept_and_only_the_rest_is_played() {
    // Each step changes one thing; the games that hold are worked out from the 3 pairings of 60 games
    // in each of two scenarios, all of which are played.
    let scratch = with_cup(&format!("exact = false\n{CUP}"));
    play(&scratch, "").succeeds();
    let mut steps = 0;
    let mut step = |holds: &str, why: &str| {
        let ran = play(&scratch, "--json").succeeds();
        let ran = ran.says(&format!("`cup.db` has {holds} that still count (")).says(why);
        // It is what a run from nothing comes to.
        steps += 1;
        let anew = play(&scratch, &format!("--json --out anew{steps}.db")).succeeds();
        assert_eq!(ran.stdout, anew.stdout, "{why}");
    };
    scratch.edit("cup.toml", "exact", "title = \"A cup\"\nexact");
    step("360 games", "`title` is new, with \"A cup\"");
    scratch.edit("cup.toml", "games = 60", "games = 80");
    step("360 games", "`games` was 60, is 80");
    scratch.edit("cup.toml", "\"middle\"]", "\"middle\", \"first\"]");
    step("480 games", "`agents` was ");
    // 6 pairings of 80 games in two scenarios; without `random` 3 of them are left.
    scratch.edit("cup.toml", "[\"random\", \"highest\",", "[\"highest\",");
    step("480 games", "`agents` was ");
    // Comments in scripts decide nothing.
    for file in ["rules/duel/agents/highest.rhai", "rules/duel/rules.rhai"] {
        scratch.edit(file, "fn ", "/* What `;` /* \" */ is. */ // The same.\nfn ");
    }
    play(&scratch, "").succeeds().says("`cup.db` has 480 games already, not to be played again");
    // Code makes another agent of it: what is left is `middle` against `first`.
    scratch.edit("rules/duel/agents/highest.rhai", "fn decide", "fn other() {}\nfn decide");
    step("160 games", "`duel/agents/highest.rhai` has changed");
    // One scenario of two: half of 480 games.
    scratch.edit("rules/duel/scenarios/strength.toml", "title", "# The same.\ntitle");
    step("240 games", "`duel/scenarios/strength.toml` has changed");
    scratch.edit("cup.toml", "round_robin", "gauntlet");
    step("480 games", "`format` was \"round_robin\", is \"gauntlet\"");
    assert_eq!(steps, 7);
}

#[test]
fn standings_are_printed_from_the_file_alone() {
    let scratch = with_cup(CUP);
    let command = |line: &str| fracas(line).inside(scratch.path()).run();
    let (text, json) = (play(&scratch, "").succeeds().stdout, play(&scratch, "--json").stdout);
    for name in ["cup.toml", "rules/duel/rules.rhai"] {
        std::fs::remove_file(scratch.file(name)).unwrap();
    }
    assert_eq!(command("standings cup.db").succeeds().stdout, text);
    assert_eq!(command("standings cup.db --json --games all.json").succeeds().stdout, json);
    // 240 games are played; the two other pairings are computed, each in both seatings.
    let all: Vec<Value> = serde_json::from_str(&scratch.read("all.json")).unwrap();
    let computed = all.iter().filter(|one| one["computed"].is_array()).count();
    assert_eq!((all.len() - computed, computed), (240, 4));
    command("standings cup.db --games all.csv").exits(2).says("SELECT * FROM seats");
    command("standings none.db").exits(2).says("none.db");
}

#[test]
fn rules_that_fail_at_once_are_not_called_a_missing_seat() {
    let scratch = with_cup(CUP);
    scratch.edit(
        "rules/duel/rules.rhai",
        "    let result = \"draw\";",
        "    throw \"no end\";\n    let result = \"draw\";",
    );
    let ran = play(&scratch, "");
    ran.exits(1).says("no end").says("rules/duel/rules.rhai:");
}

#[test]
fn an_agent_that_errs_forfeits_and_the_tournament_goes_on() {
    let scratch = with_cup(
        "scenarios = [\"duel/one_round\"]\nformat = \"round_robin\"\ngames = 4\n\
         agents = [\"highest\", \"blind.rhai\", \"lost.rhai\", \"endless.rhai\"]\n",
    );
    scratch.write("blind.rhai", "fn decide(view, decision) {\n    view.eyes\n}\n");
    scratch.write("lost.rhai", "// Lost.\nfn decide(view, decision) { \"nowhere\" }\n");
    scratch.write("endless.rhai", "fn decide(view, decision) { loop { } }\n");
    let ran = play(&scratch, "--json --games games.json --report page.html --threads 2").succeeds();
    let ran = ran.says("`blind.rhai` forfeits").says("blind.rhai:2");
    let json = ran.json();
    let of = |agent: &str| {
        let rows = json["standings"].as_array().unwrap();
        rows.iter().find(|row| row["agent"] == agent).unwrap().clone()
    };
    // Each meets three others in four games; a game is lost by whoever is asked first and errs.
    assert_eq!((&of("highest")["forfeits"], &of("highest")["losses"]), (&json!(0), &json!(0)));
    assert_eq!(of("highest")["wins"], 12);
    let forfeits: i64 = json["standings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["forfeits"].as_i64().unwrap())
        .sum();
    assert_eq!(forfeits, 24);

    let games: Vec<Value> = serde_json::from_str(&scratch.read("games.json")).unwrap();
    assert_eq!(games.len(), 24);
    for game in &games {
        let lost = game["forfeit"]["seat"].as_u64().unwrap() as usize;
        let (lost, won) = [("red", "blue"), ("blue", "red")][lost];
        // The worst end of one round is to lose it by a point.
        assert_eq!((&game["utility"][lost], &game["utility"][won]), (&json!(-1.0), &json!(1.0)));
        assert_eq!(game["result"], "forfeit");
        let message = game["forfeit"]["message"].as_str().unwrap();
        let place = match game["seats"][lost].as_str().unwrap() {
            "blind.rhai" => "blind.rhai:2",
            "lost.rhai" => "lost.rhai:2",
            "endless.rhai" => "endless.rhai:1",
            other => panic!("{other} forfeits"),
        };
        assert!(message.contains(place), "{message}");
    }
    let page = scratch.read("page.html");
    for words in ["blind.rhai:2", "lost.rhai:2", "is not an option", "fracas play duel/one_round"] {
        assert!(page.contains(words), "{words}");
    }
    // Each agent's mistake is told once, with a history that leads to where it was asked.
    let links: Vec<&str> = page.split("href=\"page.histories/").skip(1).collect();
    assert_eq!(links.len(), 3);
    for link in links {
        let name = link.split('"').next().unwrap();
        let ran = fracas(&format!("replay page.histories/{name}")).inside(scratch.path()).run();
        ran.succeeds().prints("next: ");
    }
}

#[test]
fn the_command_that_is_told_plays_the_forfeited_game() {
    let scratch = with_cup(
        "scenarios = [\"duel/three_rounds\"]\nformat = \"round_robin\"\ngames = 2\n\
         agents = [\"highest\", \"late.rhai\"]\n",
    );
    // It errs in the last round but one, so that the game before it must be the same.
    scratch.write(
        "late.rhai",
        "fn decide(view, decision) {\n    if view.rounds == 2 { throw `${view.hand}` }\n    \
         decision.options[0]\n}\n",
    );
    let ran = play(&scratch, "").succeeds();
    let line = ran.stderr.lines().find(|line| line.contains("game 0")).unwrap();
    let command = line.split('`').find(|part| part.starts_with("fracas play")).unwrap();
    let thrown = line.split("late.rhai`: ").nth(1).unwrap().split(" (").next().unwrap();
    let again = fracas(command.strip_prefix("fracas ").unwrap()).inside(scratch.path()).run();
    again.exits(1).says(thrown).says("late.rhai:2");
}

#[test]
fn rules_that_fail_end_it_and_keep_what_was_played() {
    let scratch = with_cup(&CUP.replace("games = 60", "games = 2000"));
    play(&scratch, "--quiet --out whole.db").succeeds();
    // Ends are rare where one takes all five rounds.
    scratch.edit(
        "rules/duel/rules.rhai",
        "    let result = \"draw\";",
        "    if lead == 5 { throw \"too good\" }\n    let result = \"draw\";",
    );
    let ran = play(&scratch, "").exits(1).says("too good").says("rules/duel/rules.rhai:");
    ran.says("what was played is kept in `cup.db`");
    assert!(scratch.file("cup.db").exists());
}

#[test]
fn small_games_are_computed_not_sampled() {
    let rules = crate::support::path("tests/fixtures/rules");
    let scratch = Scratch::empty();
    scratch.write(
        "cup.toml",
        "scenarios = [\"kuhn_poker/one_hand\", \"tic_tac_toe/empty_board\"]\n\
         agents = [\"random\", \"first\"]\nformat = \"round_robin\"\ngames = 10\n",
    );
    let ran = play(&scratch, &format!("--json --rules '{}'", rules.display())).succeeds();
    let json = ran.json();
    assert_eq!(json["games"], 0);
    let pairings = json["pairings"].as_array().unwrap();
    assert!(pairings.iter().all(|pairing| pairing["exact"] == true), "{json}");
    // Who always passes folds to each bet, which comes in one of two hands, and wins half of the
    // others: `random` wins 1/2 + 1/4, from either seat.
    assert_eq!((&pairings[0]["score_a"], &pairings[0]["games"]), (&json!(0.75), &json!(0)));
    assert_eq!(pairings[0]["scenario"], "kuhn_poker/one_hand");
    // Nobody played, and no error of a sample is left: the same rating however many games.
    scratch.edit("cup.toml", "games = 10", "games = 400");
    let more = play(&scratch, &format!("--json --out 400.db --rules '{}'", rules.display()));
    let more = more.succeeds().json();
    for (row, again) in
        json["standings"].as_array().unwrap().iter().zip(more["standings"].as_array().unwrap())
    {
        for key in ["games", "wins", "draws", "losses"] {
            assert_eq!(row[key], 0, "{json}");
        }
        assert_eq!((&row["exact"], &row["low"]), (&json!(true), &row["high"]), "{json}");
        let [one, other] = [row, again].map(|row| row["rating"].as_f64().unwrap());
        assert!((one - other).abs() < 1e-6, "{one} {other}");
    }
}

#[test]
fn a_cycle_is_named_beside_the_ratings() {
    let rules = crate::support::path("tests/fixtures/rules");
    let scratch = Scratch::empty();
    for hand in ["rock", "paper", "scissors"] {
        let decide = format!("fn decide(view, decision) {{ \"{hand}\" }}\n");
        scratch.write(&format!("{hand}.rhai"), &decide);
    }
    scratch.write(
        "cup.toml",
        "scenarios = [\"rock_paper_scissors/once\"]\n\
         agents = [\"rock.rhai\", \"paper.rhai\", \"scissors.rhai\", \"random\"]\n\
         format = \"round_robin\"\ngames = 10\n",
    );
    let ran = play(&scratch, &format!("--json --rules '{}'", rules.display())).succeeds();
    let json = ran.json();
    for row in json["standings"].as_array().unwrap() {
        assert!(row["rating"].as_f64().unwrap().abs() < 1e-6, "{json}");
        assert_eq!((&row["score"], &row["games"]), (&json!(0.5), &json!(0)));
    }
    let misfit = &json["misfit"];
    assert_eq!(misfit["cycle"], json!(["rock.rhai", "scissors.rhai", "paper.rhai"]), "{json}");
    assert_eq!((&misfit["off"], &misfit["pairings"]), (&json!(3), &json!(6)));
    let text = play(&scratch, &format!("--rules '{}'", rules.display())).succeeds();
    for words in ["no order holds: `rock.rhai` beats `scissors.rhai`", "exact", "50.0 %*"] {
        assert!(text.stdout.contains(words), "{}", text.stdout);
    }
}

#[test]
fn agents_that_think_ahead_do_better_where_something_is_hidden() {
    let rules = crate::support::path("tests/fixtures/rules");
    let scratch = Scratch::empty();
    scratch.write(
        "cup.toml",
        "scenarios = [\"kuhn_poker/one_hand\", \"war_die/bluff\"]\n\
         agents = [\"random\", \"greedy\", \"search:40\"]\nformat = \"round_robin\"\ngames = 200\n",
    );
    let line = |rest: &str| format!("--json --rules '{}' {rest}", rules.display());
    let one = play(&scratch, &line("--threads 1")).succeeds();
    let three = play(&scratch, &line("--threads 3 --out three.db")).succeeds();
    assert_eq!(one.stdout, three.stdout);
    let json = one.json();
    let pairings = json["pairings"].as_array().unwrap();
    let rows = json["standings"].as_array().unwrap();
    let utility = |agent: &str| {
        let row = rows.iter().find(|row| row["agent"] == agent).unwrap();
        row["utility"]["mean"].as_f64().unwrap()
    };
    for agent in ["greedy", "search:40"] {
        assert!(utility(agent) > utility("random"), "{json}");
    }
    // Their answers are tabulated as those of others are, so nothing is left to sample.
    assert!(pairings.iter().all(|pairing| pairing["exact"] == true), "{json}");
}

#[test]
fn three_agents_sit_at_a_table_of_three() {
    let scratch = Scratch::empty();
    scratch.write(
        "cup.toml",
        "scenarios = [\"attrition/delta\", \"war_die/campaign\"]\n\
         agents = [\"random\", \"first\", \"agents/last.rhai\"]\n\
         format = \"round_robin\"\ngames = 12\n",
    );
    let last = "fn decide(view, decision) { decision.options[decision.options.len - 1] }\n";
    scratch.write("agents/last.rhai", last);
    let json = play(&scratch, "--json --games games.json").succeeds().json();
    for row in json["standings"].as_array().unwrap() {
        // Each of the 12 games of either scenario counts once.
        assert_eq!((&row["games"], &row["exact"]), (&json!(24), &json!(false)), "{json}");
    }
    // The smaller one could be computed. The larger one has to be played, so both are.
    let played = |pairing: &Value| pairing["exact"] == json!(false) && pairing["games"] == 12;
    assert!(json["pairings"].as_array().unwrap().iter().all(played), "{json}");
    let games: Vec<Value> = serde_json::from_str(&scratch.read("games.json")).unwrap();
    assert_eq!(games.len(), 24);
    for game in &games {
        let seats = game["seats"].as_object().unwrap();
        assert_eq!(seats.len(), 3);
        let mut agents: Vec<&str> = seats.values().map(|agent| agent.as_str().unwrap()).collect();
        agents.sort_unstable();
        assert_eq!(agents, ["agents/last.rhai", "first", "random"]);
    }
}

#[test]
fn an_agent_answers_for_all_of_its_side() {
    let scratch = Scratch::empty();
    scratch.write(
        "cup.toml",
        "scenarios = [\"last_stand/agents_on_the_bridge\"]\nagents = [\"first\", \"brawler\"]\n\
         format = \"round_robin\"\ngames = 2\n",
    );
    play(&scratch, "--games games.json").succeeds();
    let games: Vec<Value> = serde_json::from_str(&scratch.read("games.json")).unwrap();
    let seats = games[0]["seats"].as_object().unwrap();
    assert_eq!(seats.keys().collect::<Vec<_>>(), ["wolves", "crows"]);
}

#[test]
fn house_rules_of_the_spec_hold_for_every_game() {
    let scratch = with_cup(
        "scenarios = [\"duel/one_round\"]\nagents = [\"highest\", \"random\"]\n\
         format = \"round_robin\"\ngames = 20\n",
    );
    let plain = play(&scratch, "--json").succeeds().json();
    scratch.edit("cup.toml", "games = 20", "games = 20\nhouse = [\"low_wins\"]");
    let changed = play(&scratch, "--json --out low.db").succeeds().json();
    let score = |json: &Value| json["pairings"][0]["score_a"].as_f64().unwrap();
    // It shows the highest of three cards: the other shows the same in one of three hands, and a
    // lower one in two.
    assert!((score(&plain) - 5.0 / 6.0).abs() < 1e-12, "{plain}");
    assert!((score(&changed) - 1.0 / 6.0).abs() < 1e-12, "{changed}");
    play(&scratch, "").exits(2).says("`house` was []");
}

#[test]
fn shards_together_are_the_whole() {
    let scratch = with_cup(CUP);
    let whole = play(&scratch, "--json").succeeds().stdout;
    for shard in ["1/3", "2/3", "3/3"] {
        play(&scratch, &format!("--shard {shard}")).succeeds().says("is done");
    }
    let merge = |parts: &str, out: &str| {
        fracas(&format!("merge {parts} --out {out} --json")).inside(scratch.path()).run()
    };
    let parts = "cup.1-of-3.db cup.2-of-3.db cup.3-of-3.db";
    assert_eq!(merge(&format!("{parts} cup.2-of-3.db"), "all.db").succeeds().stdout, whole);
    assert_eq!(merge(parts, "all.db").succeeds().stdout, whole);
    merge("cup.1-of-3.db", "grown.db").exits(1);
    assert_eq!(merge("cup.2-of-3.db cup.3-of-3.db", "grown.db").succeeds().stdout, whole);
    let some =
        merge("cup.1-of-3.db cup.3-of-3.db", "some.db").exits(1).says("shard 2/3 is missing (");
    let some = some.says("`fracas tournament SPEC.toml --seed 3 --out some.db` plays them");
    // SplitMix64 begins with 0xE220A8397B1DCDAF for row 0 and with 0x910A2DEC89025CC1 for row 1: 1 and 2 modulo 3, so that
    // the second part has the last game of the first three and the first of the next.
    assert_eq!(some.json()["missing"][0], json!([2, 3]));
    assert_eq!(play(&scratch, "--json --out some.db").succeeds().stdout, whole);
    scratch.edit("cup.toml", "seed = 3", "seed = 5");
    play(&scratch, "--shard 2/3 --out other.db").succeeds();
    merge("cup.1-of-3.db other.db", "mixed.db").exits(2).prints("`seed` was 3, is 5");
    assert!(!scratch.file("mixed.db").exists());
    play(&scratch, "--shard 4/3").exits(2).says("is not of the form I/N");
    scratch.edit("cup.toml", "round_robin", "swiss");
    play(&scratch, "--shard 1/3").exits(2).says("looks at the results so far");
}

/// Two walkers whose race nobody wins.
const ENDLESS: &str = "//! # Endless\nfn setup(scenario) { #{ turn: \"ann\" } }\nfn step() {\n    \
    this.choose(this.turn, \"go\", [\"left\", \"right\"]);\n    \
    this.turn = if this.turn == \"ann\" { \"bob\" } else { \"ann\" };\n}\nfn outcome() {}\n";

#[test]
fn a_conflict_that_never_ends_is_cut_and_counts_as_a_draw() {
    let scratch = with_cup(
        "scenarios = [\"endless/lane\"]\nagents = [\"random\", \"first\"]\n\
         format = \"round_robin\"\ngames = 8\nadjudicate = { questions = 7, draw = 0.25 }\n",
    );
    scratch.write("rules/endless/rules.rhai", ENDLESS);
    scratch.write("rules/endless/scenarios/lane.toml", "system = \"endless\"\n[setup]\n");
    let json = play(&scratch, "--json --games games.json --report page.html").succeeds().json();
    assert_eq!((&json["games"], &json["adjudicated"]["questions"]), (&json!(8), &json!(8)));
    for row in json["standings"].as_array().unwrap() {
        // Every game is drawn, so both have half of the points, equal ratings, and the utility of a draw.
        assert_eq!((&row["draws"], &row["score"]), (&json!(8), &json!(0.5)), "{row}");
        assert_eq!(row["utility"]["mean"], json!(0.25), "{row}");
        assert!(row["rating"].as_f64().unwrap().abs() < 1e-6, "{row}");
    }
    play(&scratch, "").succeeds().prints("adjudicated 8 of 8 games: 8 after 7 questions");
    let games: Vec<Value> = serde_json::from_str(&scratch.read("games.json")).unwrap();
    for game in &games {
        assert_eq!(
            (&game["result"], &game["adjudicated"], &game["questions"]),
            (&json!("adjudicated"), &json!("questions"), &json!(7))
        );
        assert_eq!(game["utility"], json!({"ann": 0.25, "bob": 0.25}));
    }
    assert!(scratch.read("page.html").contains("adjudicated 0.25 / 0.25 after 7 questions"));
    // The history ends where the game did: after seven answers.
    let replayed =
        fracas("replay page.histories/game-0.fracas --json").inside(scratch.path()).run();
    let replayed = replayed.succeeds().json();
    assert_eq!(replayed["history"].as_array().map(Vec::len), Some(7), "{replayed}");
    play(&scratch, "--dry-run").succeeds().prints("8 games on ");
    // Another rule is another end: nothing of it counts.
    scratch.edit("cup.toml", "questions = 7", "questions = 9");
    let json =
        play(&scratch, "--json --games games.json").succeeds().says("`adjudicate` was").json();
    assert_eq!(json["adjudicated"], json!({"questions": 8, "expectation": 0}));
    let games: Vec<Value> = serde_json::from_str(&scratch.read("games.json")).unwrap();
    assert!(games.iter().all(|game| game["questions"] == 9), "{games:?}");
}

/// A coin after the first step of each decides who wins; three more steps of each change nothing.
const DECIDED: &str = "//! # Decided\nfn setup(scenario) { #{ steps: 0, winner: \"\" } }\nfn step() {\n    \
    this.choose(if this.steps % 2 == 0 { \"ann\" } else { \"bob\" }, \"go\", [\"left\", \"right\"]);\n    \
    this.steps += 1;\n    \
    if this.steps == 2 { this.winner = this.roll(\"table\", \"coin\", uniform([\"ann\", \"bob\"])); }\n}\n\
    fn outcome() {\n    if this.steps == 8 {\n        let ann = if this.winner == \"ann\" { 1 } else { -1 };\n        \
    return #{ result: this.winner, utility: #{ ann: ann, bob: -ann } };\n    }\n}\n";

/// The games of a league of that conflict, adjudicated so; beside each its utilities.
fn decided(scratch: &Scratch, adjudicate: &str, options: &str) -> Vec<Value> {
    let spec = "scenarios = [\"decided/coin\"]\nagents = [\"random\", \"first\"]\n\
        format = \"round_robin\"\ngames = 40\nexact = false\n";
    scratch.write("cup.toml", format!("{spec}{adjudicate}"));
    play(scratch, &format!("--games games.json {options}")).succeeds();
    serde_json::from_str(&scratch.read("games.json")).unwrap()
}

#[test]
fn a_game_ends_where_a_seat_has_long_known_what_it_will_have() {
    let scratch = Scratch::empty();
    scratch.write("rules/decided/rules.rhai", DECIDED);
    scratch.write("rules/decided/scenarios/coin.toml", "system = \"decided\"\n[setup]\n");
    let whole = decided(&scratch, "", "--out whole.db");
    assert!(whole.iter().all(|game| game["questions"] == 9 && game["adjudicated"].is_null()));
    // Before the coin a mean of 100 is far from 0.9. Behind it ann decides fourth and sixth: then it is over, and bob
    // has decided once.
    let beyond = "adjudicate = { beyond = 0.9, decisions = 2 }\n";
    let games = decided(&scratch, beyond, "--threads 1 --out one.db");
    for (game, whole) in games.iter().zip(&whole) {
        assert_eq!((&game["questions"], &game["adjudicated"]), (&json!(6), &json!("expectation")));
        assert_eq!((&game["seed"], &game["utility"]), (&whole["seed"], &whole["utility"]));
    }
    // The same games end so on any number of threads, in parts, and with another who plays on.
    assert_eq!(decided(&scratch, beyond, "--threads 3 --out three.db"), games);
    let random = beyond.replace("decisions", "agent = \"random\", decisions");
    assert_eq!(decided(&scratch, &random, "--out random.db"), games);
    // Behind the coin, the third question, the mean is what the game would have come to; before it, a number about 0.
    let cut = decided(&scratch, "adjudicate = { questions = 3 }\n", "--out cut.db");
    for (game, whole) in cut.iter().zip(&whole) {
        assert_eq!((&game["questions"], &game["utility"]), (&json!(3), &whole["utility"]));
    }
    let open =
        decided(&scratch, "adjudicate = { questions = 2, playouts = 400 }\n", "--out open.db");
    let means: Vec<f64> =
        open.iter().map(|game| game["utility"]["ann"].as_f64().unwrap()).collect();
    // Four standard errors of 400 coins.
    assert!(means.iter().all(|mean| mean.abs() < 0.2), "{means:?}");
    assert!(means.iter().any(|mean| *mean != means[0]), "each game has playouts of its own");
}

/// Who would win turns whenever ann wants it to; after six answers of hers it is over.
const SWINGING: &str = "//! # Swinging\nfn setup(scenario) { #{ steps: 0, ann: 1 } }\nfn step() {\n    \
    if this.steps == 0 { this.choose(\"bob\", \"begin\", [\"now\", \"later\"]); }\n    \
    if this.choose(\"ann\", \"go\", [\"keep\", \"turn\"]) == \"turn\" { this.ann = -this.ann; }\n    \
    this.steps += 1;\n}\nfn outcome() {\n    if this.steps == 6 {\n        \
    return #{ result: \"over\", utility: #{ ann: this.ann, bob: -this.ann } };\n    }\n}\n";

#[test]
fn a_game_that_swings_is_not_decided_however_far() {
    let scratch = Scratch::empty();
    scratch.write("rules/swinging/rules.rhai", SWINGING);
    scratch.write("rules/swinging/scenarios/six.toml", "system = \"swinging\"\n[setup]\n");
    let turner = "//! # Turner\n//! Turns.\nfn decide(view, decision) { decision.options[-1] }\n";
    scratch.write("rules/swinging/agents/turner.rhai", turner);
    let spec = "scenarios = [\"swinging/six\"]\nagents = [\"first\", \"turner\"]\n\
        format = \"round_robin\"\ngames = 4\n\
        adjudicate = { beyond = 1, decisions = 2, agent = \"first\", playouts = 1 }\n";
    scratch.write("cup.toml", spec);
    play(&scratch, "--games games.json").succeeds();
    let games: Vec<Value> = serde_json::from_str(&scratch.read("games.json")).unwrap();
    for game in &games {
        // Who keeps has the same twice after bob's answer and two of ann's; who turns never has.
        let (questions, adjudicated) = match game["seats"]["ann"].as_str() {
            Some("first") => (3, json!("expectation")),
            _ => (7, Value::Null),
        };
        assert_eq!((&game["questions"], &game["adjudicated"]), (&json!(questions), &adjudicated));
    }
    assert_eq!(games.len(), 4);
}

#[test]
fn adjudicated_games_are_the_same_when_killed_in_shards_and_on_threads() {
    let scratch = with_cup(&CUP.replace("[\"duel/strength\", ", "[").replace(
        "seed = 3",
        "seed = 3\nadjudicate = { questions = 9, beyond = 0.6, decisions = 1, playouts = 20 }",
    ));
    let whole = play(&scratch, "--json --threads 1").succeeds().stdout;
    let counted: Value = serde_json::from_str(&whole).unwrap();
    let counted = &counted["adjudicated"];
    assert!(counted["expectation"].as_u64() > Some(0), "{counted}");
    assert_eq!(play(&scratch, "--json --threads 4 --out four.db").succeeds().stdout, whole);
    for shard in ["1/2", "2/2"] {
        play(&scratch, &format!("--shard {shard}")).succeeds();
    }
    let merge = fracas("merge cup.1-of-2.db cup.2-of-2.db --out all.db --json");
    assert_eq!(merge.inside(scratch.path()).run().succeeds().stdout, whole);
    let mut generator = Generator::playout(8, 1);
    for _ in 0..4 {
        let command = fracas("tournament cup.toml --threads 2 --out killed.db");
        let mut command = command.inside(scratch.path()).command();
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(100 + generator.below(600)));
        let _ = child.kill();
        child.wait().unwrap();
    }
    assert_eq!(play(&scratch, "--json --out killed.db").succeeds().stdout, whole);
}

#[test]
fn bad_inputs_are_told_with_their_place() {
    let scratch = Scratch::with_duel();
    let spec = |scenario: &str, agent: &str, rest: &str| {
        format!(
            "scenarios = [\"{scenario}\"]\nagents = [\"random\",\n  \"{agent}\"]\n\
             format = \"round_robin\"\n{rest}"
        )
    };
    for (text, place, message) in [
        (spec("duel/strenght", "highest", ""), "cup.toml:1:", "did you mean `duel/strength`?"),
        (spec("duel/strength", "higest", ""), "cup.toml:3:", "unknown agent `higest`"),
        (spec("duel/strength", "none.rhai", ""), "cup.toml:3:", "none.rhai"),
        (spec("duel/strength", "torn.rhai", ""), "torn.rhai:1", ""),
        (
            spec("duel/strength", "highest", "house = [\"low_win\"]\n"),
            "cup.toml:5:",
            "did you mean `low_wins`?",
        ),
        (spec("duel/strength", "highest", "games = 0\n"), "cup.toml:5:", "`games` must be"),
        (spec("duel/strength", "human", ""), "cup.toml:3:", "is a person"),
        ("scenarios = [".to_owned(), "cup.toml:", ""),
    ] {
        scratch.write("cup.toml", &text);
        scratch.write("torn.rhai", "fn decide(");
        let ran = play(&scratch, "");
        assert!(matches!(ran.code, Some(1 | 2)), "{text}: {ran:?}");
        ran.says(place).says(message);
        assert!(!scratch.file("cup.db").exists(), "{text}");
    }
    fracas("tournament none.toml").inside(scratch.path()).run().exits(2).says("none.toml");
    fracas("merge none.db --out all.db").inside(scratch.path()).run().exits(2).says("none.db");
}

#[test]
#[cfg(unix)]
fn ctrl_c_keeps_everything_and_tells_the_standings_so_far() {
    // Too large to be computed, so that there are games to interrupt.
    let long = "scenarios = [\"battle_tiles/four_by_four\"]\n\
        agents = [\"random\", \"first\", \"positional\"]\nformat = \"round_robin\"\ngames = 50000\nseed = 3\n";
    let scratch = with_cup(long);
    let line = "tournament cup.toml --json --plain";
    let has = |json: &Value| json["games"].as_u64() > Some(0);
    let (json, said) = super::interrupted::interrupted(line, &scratch, has);
    assert_eq!(json["standings"].as_array().unwrap().len(), 3);
    assert!(said.contains("the same command resumes it"), "{said}");
    // One file is all there is.
    let left: Vec<_> = scratch.names().into_iter().filter(|name| name.contains("cup.db")).collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

#[test]
fn a_dry_run_says_what_a_league_takes_and_keeps_nothing() {
    let scratch = with_cup(CUP);
    let ran = play(&scratch, "--dry-run --threads 2 --plain").succeeds();
    // Three pairings in two scenarios, 60 games each.
    ran.prints("360 games on 2 threads: ").prints(" of results").prints("nothing is kept");
    assert!(!scratch.file("cup.db").exists());
    let found = play(&scratch, "--dry-run --json --shard 1/2").succeeds().json();
    assert_eq!(found["games"], json!(180));
    assert!(found["seconds"].as_f64().unwrap() > 0.0 && found["bytes"].as_u64().unwrap() > 4_096);
    // As many rounds as decide among four, of two matches each.
    scratch.write(
        "cup.toml",
        CUP.replace("\"middle\"", "\"middle\", \"first\"").replace("round_robin", "swiss"),
    );
    let found = play(&scratch, "--dry-run --json").succeeds().json();
    assert_eq!(found["games"], json!(2 * 2 * 2 * 60));
}

#[test]
fn the_keys_of_a_spec_are_those_that_the_documents_list() {
    let keys = fracas("doc spec --json").run().succeeds().json();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/README.md");
    let text = std::fs::read_to_string(path).unwrap();
    for key in keys.as_array().unwrap() {
        let of = |name: &str| key[name].as_str().unwrap();
        let default = match of("default") {
            _ if key["required"] == true => " (required) ".to_owned(),
            "" => " ".to_owned(),
            default => format!(" `{default}` "),
        };
        let row = format!("| `{}` |{default}| {} |", of("key"), of("meaning"));
        assert!(text.contains(&row), "{row}");
    }
    // What the table does not have is not read.
    let scratch = with_cup(&CUP.replace("seed = 3", "seeds = 3"));
    play(&scratch, "--dry-run").exits(2).says("unknown key `seeds`; did you mean `seed`?");
}
