//! Tests `fracas check`: it finds each mistake and names its place.

use super::run::{fracas, words};
use super::scratch::Scratch;

/// Mistakes with the finding that each must lead to; the file explains its format.
const FINDINGS: &str = include_str!("findings.toml");

#[test]
fn every_mistake_is_found_with_its_place() {
    let table: toml::Table = FINDINGS.parse().unwrap();
    for wanted in table["finding"].as_array().unwrap() {
        let text = |key: &str| wanted.get(key).and_then(|value| value.as_str());
        let scratch = Scratch::with_duel();
        let file = format!("rules/duel/{}", text("file").unwrap());
        match (text("old").unwrap(), text("new").unwrap()) {
            ("", _) => std::fs::remove_file(scratch.file(&file)).unwrap(),
            (old, new) => scratch.edit(&file, old, new),
        }
        if let Some(and) = text("and") {
            let more = format!("{}{and}", scratch.read(&file));
            scratch.write(&file, more);
        }
        let level = text("level").unwrap_or("error");
        let says = text("says").unwrap();

        let ran = fracas("check duel --nodes 200 --playouts 8 --seed 7 --json")
            .inside(scratch.path())
            .run();
        let json = ran.json();
        let findings = json["findings"].as_array().unwrap();
        let found = findings
            .iter()
            .find(|finding| finding["message"].as_str().unwrap().contains(says))
            .unwrap_or_else(|| panic!("no `{says}` in {json:#}"));
        assert_eq!(found["level"], level, "{json:#}");
        if let Some(at) = text("at") {
            let file = text("in").map_or(file, |file| format!("rules/duel/{file}"));
            let source = scratch.read(&file);
            let line = source.lines().position(|line| line.contains(at)).unwrap() + 1;
            assert_eq!((&found["file"], &found["line"]), (&file.into(), &line.into()), "{json:#}");
        }
        let errors = findings.iter().any(|finding| finding["level"] == "error");
        ran.exits(i32::from(errors));
    }
}

#[test]
fn any_number_of_threads_finds_the_same_in_the_same_order() {
    let scratch = Scratch::with_duel();
    for (file, old, new) in [
        ("rules.rhai", ".len < this.rounds", ".len <= this.rounds"),
        ("house/low_wins.rhai", "card < other", "throw \"no\""),
        ("house/five_cards.rhai", "# Five", "Five"),
        ("agents/highest.rhai", "# Highest", "Highest"),
        ("agents/middle.rhai", "/ 2", "+ 9"),
    ] {
        scratch.edit(&format!("rules/duel/{file}"), old, new);
    }
    let found = |threads: u32| {
        let line =
            format!("check duel --nodes 200 --playouts 8 --seed 7 --json --threads {threads}");
        fracas(&line).inside(scratch.path()).run().exits(1).stdout
    };
    let alone = found(1);
    // The law breaks only where as many rounds are played as there are cards, so two scenarios are left for the
    // house rule, and one of them is counted.
    for found in ["duel/three_rounds", "the same in 1 more scenario", "`five_cards` has no title"] {
        assert!(alone.contains(found), "no `{found}` in {alone}");
    }
    for found in ["`highest` has no title", "agents/middle.rhai"] {
        assert!(alone.contains(found), "no `{found}` in {alone}");
    }
    for threads in [2, 5] {
        assert_eq!(found(threads), alone, "{threads} threads");
    }
}

#[test]
fn a_new_system_is_clean_and_its_cases_pass() {
    let scratch = Scratch::with_duel();
    let here = scratch.path();
    fracas("check duel --nodes 200").inside(here).run().succeeds().prints("0 errors, 0 warnings\n");
    fracas("test duel").inside(here).run().succeeds().prints("6 passed, 0 failed\n");
    let json = fracas("check duel --json --nodes 200").inside(here).run().succeeds().json();
    assert_eq!(json["findings"], serde_json::json!([]));
    let proofs = json["proofs"].as_array().unwrap();
    // Whose turn it is, each hand and what was shown: `strength` has more states than are seen.
    let proven =
        proofs.iter().map(|proof| (proof["scenario"].as_str().unwrap(), proof["states"].is_u64()));
    let wanted = [("duel/one_round", true), ("duel/strength", false), ("duel/three_rounds", true)];
    assert_eq!(proven.collect::<Vec<_>>(), wanted);
}

#[test]
fn a_failure_is_played_again_by_the_command_that_is_told() {
    let scratch = Scratch::with_duel();
    // One playout in nine: both show 3 in the only round.
    let fails = "if shown[first] == 3 && shown[second] == 3 { throw \"both are high\"; } if beats(";
    scratch.edit("rules/duel/rules.rhai", "if beats(", fails);
    let json =
        fracas("check duel/one_round --seed 1 --json").inside(scratch.path()).run().exits(1).json();
    let message = json["findings"][0]["message"].as_str().unwrap();
    let command = message.split('`').nth(3).unwrap();
    assert!(command.starts_with("fracas play duel/one_round --seed "), "{message}");
    let line = words(command)[1..].join(" ");
    fracas(&line).inside(scratch.path()).run().exits(1).says("both are high");
}

#[test]
fn a_path_is_checked_wherever_it_lies() {
    let scratch = Scratch::empty();
    fracas("new duel --rules elsewhere").inside(scratch.path()).run().succeeds();
    for path in [
        "elsewhere",
        "elsewhere/duel",
        "elsewhere/duel/house/low_wins.rhai",
        "elsewhere/duel/scenarios/strength.toml",
        "elsewhere/duel/cases/rounds.toml",
    ] {
        let line = format!("check {path} --playouts 2 --nodes 200");
        fracas(&line).inside(scratch.path()).run().succeeds().prints("0 errors, 0 warnings");
    }
    for path in ["elsewhere/duel", "elsewhere/duel/cases/rounds.toml"] {
        let line = format!("test {path}");
        fracas(&line).inside(scratch.path()).run().succeeds().prints("6 passed, 0 failed");
    }
    scratch.edit("elsewhere/duel/rules.rhai", ".remove(place);", ".remove(place); throw \"no\";");
    let ran = fracas("check elsewhere/duel --playouts 2").inside(scratch.path()).run().exits(1);
    let again = ran.stdout.split("played again by `").nth(1).expect("it says how");
    let again = again.split('`').next().unwrap();
    assert!(again.starts_with("fracas play duel/one_round "), "{again}");
    assert!(again.ends_with(" --rules elsewhere/duel"), "{again}");
}

#[test]
fn a_house_rule_is_checked_alone() {
    let scratch = Scratch::with_duel();
    let here = scratch.path();
    let run = |line: &str| fracas(line).inside(here).run();
    run("check --house rules/duel/house/low_wins.rhai").succeeds().prints("0 errors, 0 warnings\n");
    run("check duel --house low_wins").succeeds().prints("0 errors, 0 warnings\n");
    // The finding is that of the file, whatever else is wrong in the folder.
    scratch.edit("rules/duel/house/five_cards.rhai", "5", "five");
    run("check --house rules/duel/house/low_wins.rhai").succeeds();
    run("check --house rules/duel/house/five_cards.rhai").exits(1).prints("five_cards.rhai:");
    // One that lies elsewhere needs the system.
    scratch.write("mine.rhai", "//! # Mine\nfn baets(card, other) { true }\n");
    run("check --house mine.rhai").exits(2).says("fracas check SYSTEM --house mine.rhai");
    run("check duel --house mine.rhai").exits(1).prints("did you mean `beats`?");
    run("check duel --house lowwins").exits(2).says("did you mean `low_wins`?");
}

/// Red answers ten times, and the law breaks where nine answers in a row differ from the one before.
const ALTERNATING: &str = r#"//! # Alternating
fn setup(scenario) { #{ left: 10, row: 0, last: "b" } }
fn step() {
    let picked = this.choose("red", "pick", ["a", "b"]);
    this.row = if picked == this.last { 0 } else { this.row + 1 };
    this.last = picked;
    this.left -= 1;
}
fn outcome() { if this.left == 0 { #{ result: "over", utility: #{ red: 0 } } } }
fn laws() { if this.row == 9 { ["nine in a row"] } else { [] } }
"#;

fn alternating(rules: &str) -> Scratch {
    let scratch = Scratch::empty();
    scratch.write("rules/odd/rules.rhai", rules);
    scratch.write("rules/odd/scenarios/one.toml", "system = \"odd\"\ntitle = \"One\"\n[setup]\n");
    scratch
}

#[test]
fn a_law_that_no_playout_breaks_is_broken_by_the_shortest_history() {
    let scratch = alternating(ALTERNATING);
    let line = "check odd/one --playouts 1 --seed 1 --json";
    let json = fracas(line).inside(scratch.path()).run().exits(1).json();
    let finding = &json["findings"][0];
    let message = finding["message"].as_str().unwrap();
    let says =
        "scenario `odd/one`, after 9 answers: a law is broken: nine in a row; played again by";
    assert!(message.starts_with(says), "{message}");
    assert_eq!(finding["line"], 10, "{finding}");
    let history: Vec<&str> = finding["history"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry.as_str().unwrap())
        .collect();
    let picks = ["a", "b", "a", "b", "a", "b", "a", "b", "a"];
    assert_eq!(history, picks.map(|pick| format!("red pick \"{pick}\"")));
    assert_eq!(json["proofs"], serde_json::json!([]));
}

#[test]
fn a_conflict_that_is_seen_whole_is_proven_and_a_larger_one_is_not() {
    // The number of answers left and of those in a row, which is below nine, and the last answer.
    let scratch = alternating(&ALTERNATING.replace("this.row + 1", "(this.row + 1) % 9"));
    let run = |more: &str| {
        let line = format!("check odd/one --seed 1{more}");
        fracas(&line).inside(scratch.path()).run().succeeds().stdout
    };
    // At first one state; with 9 left 2 (a after 1, b after 0); each answer then adds one to the longest row, which
    // begins with a or b in turn, until nine in a row begin again at 0.
    let whole = run("");
    assert!(whole.starts_with("odd/one: the laws hold in all "), "{whole}");
    let part = run(" --nodes 5 --playouts 7");
    let cut = "odd/one: the laws hold in 7 playouts; not proven: the graph is larger than 5 nodes; no loop in the \
               first ";
    assert!(part.starts_with(cut), "{part}");
    for threads in [1, 2, 4] {
        assert_eq!(run(&format!(" --threads {threads}")), whole);
    }
}

#[test]
fn a_playout_that_fails_under_a_parameter_is_played_again_under_it() {
    let fails = "this.left -= 1; if this.left == params.limit { throw \"few\" }";
    let scratch = alternating(&ALTERNATING.replace("this.left -= 1;", fails));
    let limit = "[limit]\ndefault = -1\nmin = -1\nmax = 9\nmeaning = \"where it fails\"\n";
    scratch.write("rules/odd/params.toml", limit);
    let typed = ":open odd/one --param limit=3 --seed 1\n:check --nodes 1 --playouts 1\n";
    let ran = fracas("").inside(scratch.path()).where_is("COLUMNS", "200").typing(typed);
    let again = ran.stdout.split("played again by `").nth(1).expect("a finding says it");
    let again = again.split('`').next().unwrap();
    assert!(again.starts_with("fracas play odd/one --param limit=3 --seed "), "{again}");
    let replayed = fracas(&again["fracas ".len()..]).inside(scratch.path()).run();
    assert!(replayed.exits(1).stderr.contains("few"));
}

/// White does not see black's one token, which decides everything. A token of white's own choice is no secret of the
/// scenario, nor is a stack that is drawn.
#[test]
fn what_a_scenario_fixes_and_a_view_hides_is_named_where_somebody_looks_ahead() {
    let scratch = Scratch::empty();
    let setup = "[setup]\nwhite = { tokens = 1 }\nblack = { stack = STACK }\n";
    let text =
        format!("system = \"territory\"\ntitle = \"t\"\n{setup}[seats]\nwhite = \"greedy\"\n");
    scratch.write("fixed.toml", text.replace("STACK", "[\"advocate\"]"));
    let drawn = "{ one_of = [[\"advocate\"], [\"aggressor\"]] }";
    scratch.write("drawn.toml", text.replace("STACK", drawn));
    let ran = |line: &str| fracas(line).inside(scratch.path()).run().succeeds();
    let secret = "the view of `white` hides `stacks.black`, which the setup fixes";
    let known = format!("{secret}: everybody is taken to know it");
    for command in ["solve FILE", "odds FILE", "estimate FILE -n 1"] {
        let of = |file: &str| ran(&command.replace("FILE", file)).stderr;
        assert_eq!(of("fixed.toml").matches(&known).count(), 1, "{command}");
        assert!(!of("drawn.toml").contains("hides"), "{command}");
    }
    // Nobody looks ahead.
    assert!(!ran("odds fixed.toml --seat white=random").stderr.contains("hides"));
    let found = ran("check fixed.toml").stdout;
    assert!(found.contains(&format!("{secret}: agents that look ahead and `solve`")), "{found}");
    let found = ran("check drawn.toml").stdout;
    assert!(!found.contains("hides"), "{found}");
    // What is drawn, and given by `begin`, the setup does not fix.
    let begun = "begin = ['chance scenario \"setup.black.stack\" [\"advocate\"]']\n";
    scratch.write("begun.toml", format!("{begun}{}", text.replace("STACK", drawn)));
    let found = ran("check begun.toml").stdout;
    let fixed =
        "begun.toml:1:9: warning: the view of `white` hides `stacks.black`, which `begin` fixes";
    assert!(found.contains(fixed) && !found.contains("the setup fixes"), "{found}");
}

#[test]
fn what_breaks_a_law_is_kept_and_opened_there() {
    let scratch = alternating(ALTERNATING);
    let here = |line: &str| fracas(line).inside(scratch.path()).keeping(scratch.path());
    here("check odd/one --playouts 1 --seed 1").run().exits(1).prints("`:open check:1`");
    let file = "fracas/check/1.history";
    here(&format!("replay {file}")).run().succeeds().prints("pick");
    for name in ["check:1", file] {
        let ran = here("").typing(&format!(":open {name}\n:state\n")).succeeds();
        assert!(ran.stdout.contains('9'), "{ran:#?}");
    }
    here("").typing(":open check:7\n").says("no check has kept `check:7`");
    // Rules that are found at their path alone: the command that shows it names them.
    std::fs::rename(scratch.path().join("rules"), scratch.path().join("bench")).unwrap();
    let ran = here("check bench/odd --playouts 1 --seed 1").run().exits(1);
    let with = "at the prompt of `fracas --rules bench/odd`, `fracas replay ";
    assert!(ran.stdout.contains(with), "{}", ran.stdout);
    ran.prints(" --rules bench/odd` shows it");
    here(&format!("--rules bench/odd replay {file}")).run().succeeds().prints("pick");
}

#[test]
fn a_playout_that_breaks_a_law_is_shortened_where_there_is_more_than_can_be_seen() {
    // The second b breaks the law: nothing before it is needed but the first.
    let rules = ALTERNATING
        .replace(
            "if picked == this.last { 0 } else { this.row + 1 }",
            "this.row + if picked == \"b\" { 1 } else { 0 }",
        )
        .replace("this.row == 9", "this.row == 2");
    let line = "check odd/one --playouts 20 --seed 1 --nodes 1 --json";
    let json = fracas(line).inside(alternating(&rules).path()).run().exits(1).json();
    let history = &json["findings"][0]["history"];
    assert_eq!(*history, serde_json::json!(["red pick \"b\"", "red pick \"b\""]), "{json:#}");
}

/// Red and blue pay a token into the bank or take one out of it, in turn, four times.
const BANK: &str = r#"//! # Bank
fn setup(scenario) { #{ tokens: #{ red: 1, blue: 1 }, bank: 0, turns: 0 } }
fn step() {
    let player = if this.turns % 2 == 0 { "red" } else { "blue" };
    let options = ["wait"];
    if this.tokens[player] > 0 { options.push("pay"); }
    if this.bank > 0 { options.push("take"); }
    let did = this.choose(player, "move", options);
    if did == "pay" {
        this.tokens[player] -= 1;
        this.bank += 1;
    }
    if did == "take" {
        this.tokens[player] += 1;
        this.bank -= 1;
    }
    this.turns += 1;
}
fn outcome() {
    if this.turns == 4 {
        let lead = this.tokens.red - this.tokens.blue;
        let result = if lead > 0 { "red" } else if lead < 0 { "blue" } else { "even" };
        #{ result: result, utility: #{ red: lead, blue: -lead } }
    }
}
fn laws() {
    let broken = [];
    if this.tokens.red + this.tokens.blue + this.bank != 2 { broken.push("a token is lost or made"); }
    if this.tokens.red < 0 || this.tokens.blue < 0 || this.bank < 0 { broken.push("a token is owed"); }
    broken
}
fn reachable() {
    let end = this.outcome();
    let result = if end == () { "" } else { end.result };
    #{ "red wins": result == "red", "blue wins": result == "blue", "nobody wins": result == "even" }
}
"#;

#[test]
fn rules_that_go_round_without_asking_are_said_to() {
    // After the second a the rules count 0, 1, 2 and 0 again, and ask nothing.
    let rules = ALTERNATING.replace(
        "fn step() {",
        "fn step() {\n    if this.left == 8 && this.last == \"a\" { this.row = (this.row + 1) % 3; return; }",
    );
    let line = "check odd/one --playouts 0 --seed 1 --json";
    let json = fracas(line).inside(alternating(&rules).path()).run().exits(1).json();
    let finding = &json["findings"][0];
    let message = finding["message"].as_str().unwrap();
    let says = "after 2 answers: the rules go round for ever without asking anybody: 3 steps later the state is the same";
    assert!(message.contains(says), "{message}");
    assert_eq!(
        (&finding["line"], &finding["history"][1]),
        (&serde_json::json!(3), &serde_json::json!("red pick \"a\""))
    );
}

#[test]
fn of_a_long_way_the_first_answers_are_printed_and_all_are_in_json() {
    // It is over after forty turns, of which those are asked that have a choice.
    let rules = BANK.replace("turns == 4", "turns == 40").replace("result == \"red\"", "end != ()");
    let scratch = alternating(&rules);
    let run = |line: &str| fracas(line).inside(scratch.path()).run();
    let json = run("check odd/one --playouts 1 --seed 1 --json").json();
    let reached = json["reachable"].as_array().unwrap();
    let wins = reached.iter().find(|one| one["name"] == "red wins").unwrap();
    let answers = wins["history"].as_array().unwrap().len();
    assert!((15..=40).contains(&answers), "{wins}");
    let text = run("check odd/one --playouts 1 --seed 1").stdout;
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words.contains(&format!("`red wins` is reachable after {answers} answers: ")),
        "{words}"
    );
    assert!(words.contains(&format!(" and {} more", answers - 10)), "{words}");
}

#[test]
fn what_one_scenario_of_several_does_not_reach_is_no_mistake() {
    let scratch = alternating(&BANK.replace("lead > 0", "lead > 2"));
    let run = |code| {
        let line = "check odd/one --playouts 1 --seed 1";
        fracas(line).inside(scratch.path()).run().exits(code)
    };
    run(1).prints("`red wins` is not reachable: it is so in none of all");
    let text = scratch.read("rules/odd/scenarios/one.toml");
    scratch.write("rules/odd/scenarios/two.toml", text);
    run(0).prints("odd/one: `red wins` is not reachable here");
    fracas("check odd --playouts 1")
        .inside(scratch.path())
        .run()
        .exits(1)
        .prints("`red wins` is not reachable: it is so");
}

#[test]
fn what_is_reached_nowhere_is_no_mistake_while_a_scenario_cannot_be_opened() {
    let scratch = alternating(&BANK.replace("lead > 0", "lead > 2"));
    let text = scratch.read("rules/odd/scenarios/one.toml");
    scratch.write("rules/odd/scenarios/two.toml", format!("{text}[seats]\nred = \"gone\"\n"));
    let ran = fracas("check odd --playouts 1").inside(scratch.path()).run().exits(1);
    let ran = ran.prints("unknown agent `gone`");
    let told = words(&ran.stdout).join(" ");
    assert!(
        told.contains("`red wins` was met nowhere; not all scenarios were seen whole"),
        "{told}"
    );
    assert!(!told.contains("is not reachable"), "{told}");
}

#[test]
fn what_is_reachable_has_the_same_names_in_every_state() {
    // The name is there from the third turn on: before it two answers were given.
    let named = |name: &str, from: &str| {
        let late = format!(
            "let named = #{{ \"red wins\": result == \"red\" }};\n    if this.turns {from} {{ named[\"{name}\"] = true; }}\n    named"
        );
        let start = BANK.find("#{ \"red wins\"").unwrap();
        let line = "check odd/one --playouts 1 --seed 1 --json";
        let scratch = alternating(&format!("{}{late}\n}}\n", &BANK[..start]));
        fracas(line).inside(scratch.path()).run().exits(1).json()["findings"][0].clone()
    };
    let found = named("red winss", ">= 2");
    let message = found["message"].as_str().unwrap();
    let says = "after 2 answers: `reachable`: must return the same names in every state: `red winss` is new here; did \
                you mean `red wins`?";
    assert!(message.contains(says), "{message}");
    let function = BANK[..BANK.find("fn reachable").unwrap()].lines().count() + 1;
    assert_eq!(found["line"], function, "{found}");
    let gone = named("a draw", "< 4");
    let message = gone["message"].as_str().unwrap();
    assert!(
        message.contains("after 3 answers") && message.contains("`a draw` is not here"),
        "{message}"
    );
}

#[test]
fn a_scenario_of_rules_without_scenarios_is_not_all_of_them() {
    let scratch = alternating(&BANK.replace("lead > 0", "lead > 2"));
    scratch.write("one.toml", scratch.read("rules/odd/scenarios/one.toml"));
    std::fs::remove_file(scratch.path().join("rules/odd/scenarios/one.toml")).unwrap();
    let ran = fracas("check one.toml --playouts 1 --seed 1").inside(scratch.path()).run();
    ran.succeeds().prints("`red wins` is not reachable here");
}

#[test]
fn what_is_reached_between_questions_is_reached_by_the_fewest_answers() {
    // Red may wait twice or jump at once; on the way of the jump is a state in which nobody is asked.
    let rules = r#"//! # Jump
fn setup(scenario) { #{ at: 0, by: "" } }
fn step() {
    if this.at == 1 && this.by == "jump" { this.at = 2; return; }
    if this.at == 2 { this.at = 3; return; }
    this.by = this.choose("red", "move", ["walk", "jump"]);
    this.at += if this.by == "jump" { 2 } else { 1 };
}
fn outcome() { if this.at >= 3 { #{ result: "over", utility: #{ red: 0 } } } }
fn reachable() { #{ "in the middle": this.at == 2, "walked twice": this.at == 2 && this.by == "walk" } }
"#;
    let line = "check odd/one --playouts 1 --seed 1 --json";
    let json = fracas(line).inside(alternating(rules).path()).run().succeeds().json();
    let jump = serde_json::json!(["red move \"jump\""]);
    let walks = serde_json::json!(["red move \"walk\"", "red move \"walk\""]);
    let reached = json["reachable"].as_array().unwrap();
    assert_eq!((&reached[0]["history"], &reached[1]["history"]), (&jump, &walks), "{json:#}");
}

/// One player walks on, or waits in some way; after 300 steps it is over.
fn walk(waits: &str) -> Scratch {
    let rules = format!(
        r#"//! # Walk
fn setup(scenario) {{ #{{ at: 0, waited: 0 }} }}
fn step() {{
    if this.choose("red", "move", ["walk", "wait"]) == "walk" {{ this.at += 1; }} else {{ {waits} }}
}}
fn outcome() {{ if this.at >= 300 {{ #{{ result: "over", utility: #{{ red: 0 }} }} }} }}
"#
    );
    alternating(&rules)
}

#[test]
fn what_a_check_that_is_cut_knows_of_endless_loops_it_says() {
    let line = "check odd/one --playouts 1 --seed 1 --nodes 40 --plain";
    // Each answer leads to a state of its own.
    let ran = fracas(line).inside(walk("this.waited += 1; this.at += 1;").path()).run();
    let sentence = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    let known = sentence.split_once("larger than 40 nodes; no loop in the first ");
    let Some((_, known)) = known else { panic!("{sentence} {}", ran.stderr) };
    let (states, _) = known.split_once(" states; not searched whole").unwrap();
    // Each node that is seen is the place of a state, and each of its two answers leads to at most one more.
    assert!((40..=81).contains(&states.parse::<u64>().unwrap()), "{sentence}");
    // Who waits and is where they were can do so for ever, however large the rest is.
    let ran = fracas(line).inside(walk("").path()).run().exits(1);
    let says = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    let told = "it need not end: the last 1 answer can be given again and again; there may be a shorter loop: \
                the graph is larger than 40 nodes";
    assert!(says.contains(told), "{says}");
    assert!(!ran.stdout.contains("no loop"), "{}", ran.stdout);
}

/// When a planted mistake shows: what must hold then, and after how many answers it does at the earliest where red
/// pays and the next one takes, where somebody pays, and where somebody with a token waits.
const WHEN: [(&str, [u32; 3]); 5] = [
    // Red pays, blue waits, red takes.
    ("player == \"red\"", [3, 1, 1]),
    ("player == \"blue\"", [2, 2, 2]),
    ("this.turns == 2", [3, 3, 3]),
    // Red pays, blue takes, red can but wait, and blue pays or waits.
    ("this.turns == 3", [4, 3, 3]),
    // While one is in the bank: blue takes, pays or waits after red has paid.
    ("this.bank == 1", [2, 2, 2]),
];

#[test]
fn thirty_planted_mistakes_are_found_each_by_the_fewest_answers() {
    let mut mistakes: Vec<(String, String, String)> = Vec::new();
    let mut plant = |old: &str, new: &str, says: &str| {
        mistakes.push((old.to_owned(), new.to_owned(), says.to_owned()));
    };
    let after = |answers: u32, what: &str| match answers {
        0 => format!("after setup: {what}"),
        1 => format!("after 1 answer: {what}"),
        more => format!("after {more} answers: {what}"),
    };
    let (lost, owed) =
        ("a law is broken: a token is lost or made", "a law is broken: a token is owed");
    for (when, [takes, pays, waits]) in WHEN {
        let taken = format!("this.tokens[player] += if {when} {{ 2 }} else {{ 1 }};");
        plant("this.tokens[player] += 1;", &taken, &after(takes, lost));
        plant(
            "this.bank += 1;",
            &format!("if !({when}) {{ this.bank += 1; }}"),
            &after(pays, lost),
        );
        let turns = format!(
            "if !({when} && did == \"wait\" && this.tokens[player] > 0) {{ this.turns += 1; }}"
        );
        let endless = "it need not end: the last 1 answer can be given again";
        plant("this.turns += 1;", &turns, &after(waits, endless));
    }
    plant("this.tokens[player] -= 1;", "this.tokens[player] -= 2;", &after(1, lost));
    // Red pays, blue waits, red takes; or blue takes at once.
    plant("this.tokens[player] += 1;", "this.tokens[player] += 2;", &after(2, lost));
    // Red pays twice, with a turn of blue between.
    plant("this.tokens[player] > 0", "this.tokens[player] >= 0", &after(3, owed));
    plant("this.bank > 0", "this.bank >= 0", &after(1, owed));
    plant("this.bank > 0", "this.turns > 0", &after(2, owed));
    plant("bank: 0", "bank: 1", &after(0, lost));
    // Red pays and blue takes; from then on only blue is asked.
    plant(
        "this.turns += 1;",
        "this.turns = (this.turns + 1) % 4;",
        &after(4, "it need not end: the last 2 answers can be given again"),
    );
    // Both pay, and red takes neither: blue finds two in the bank.
    let rare = "if did == \"take\" {\n if this.turns == 3 && this.bank == 2 { throw \"never\"; }";
    plant("if did == \"take\" {", rare, &after(4, "never"));
    // Nobody can lead by more than two tokens, and the names of results are others.
    plant("lead > 0", "lead > 2", "`red wins` is not reachable");
    plant("lead < 0", "lead < -2", "`blue wins` is not reachable");
    plant("{ \"even\" }", "{ \"draw\" }", "`nobody wins` is not reachable");
    plant("did == \"take\"", "did == \"pay\"", "`red wins` is not reachable");
    // After red's only turn red has paid or not.
    plant("this.turns == 4", "this.turns == 1", "`red wins` is not reachable");
    plant(
        "this.tokens.red - this.tokens.blue;",
        "this.tokens.red - this.tokens.red;",
        "`blue wins` is not reachable",
    );
    plant("this.tokens[player] > 0", "this.tokens[player] > 1", "`red wins` is not reachable");
    assert_eq!(mistakes.len(), 30);
    let check = |rules: &str| {
        let line = "check odd/one --playouts 1 --seed 1 --json";
        fracas(line).inside(alternating(rules).path()).run().json()
    };
    let sound = check(BANK);
    assert_eq!(sound["findings"], serde_json::json!([]), "{sound:#}");
    // Red pays, blue takes, red can but wait, and blue waits: a question with one option is none.
    let blue = sound["reachable"].as_array().unwrap().iter().find(|one| one["name"] == "blue wins");
    assert_eq!(blue.unwrap()["history"].as_array().unwrap().len(), 3, "{sound:#}");
    let mut missed = Vec::new();
    for (old, new, says) in mistakes {
        assert!(BANK.contains(&old), "{old}");
        let json = check(&BANK.replacen(&old, &new, 1));
        let mut messages = json["findings"].as_array().unwrap().iter();
        let found = messages.any(|one| one["message"].as_str().unwrap().contains(&says));
        if !found {
            missed.push(format!("`{new}` for `{old}` must be found as `{says}`: {json:#}"));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn a_conflict_that_is_over_as_it_begins_is_warned_of() {
    let scratch = Scratch::with_duel();
    let check = || fracas("check duel --nodes 200").inside(scratch.path()).run();
    let all = check().stdout;
    assert!(!all.contains("as it begins"), "{all}");
    scratch.edit("rules/duel/rules.rhai", "if this.rounds > 0", "if this.rounds > 9");
    check()
        .prints("the conflict is over as it begins: nothing is asked or rolled, and no step runs");
}

/// Red and blue are asked in turn whether to stay, and it ends when both leave in a row.
const STAYING: &str = r#"//! # Staying
fn setup(scenario) { #{ left: 0, turn: 0 } }
fn step() {
    let who = ["red", "blue"][this.turn];
    let leaves = this.choose(who, "do", ["stay", "leave"]) == "leave";
    this.left = if leaves { this.left + 1 } else { 0 };
    this.turn = 1 - this.turn;
}
fn outcome() { if this.left == 2 { #{ result: "over", utility: #{ red: 0, blue: 0 } } } }
"#;

#[test]
fn who_may_never_end_it_need_not_end_it_and_does_nothing_else_wrong() {
    let scratch = Scratch::empty();
    let scenario = "system = \"stays\"\ntitle = \"One\"\nendless = true\n[setup]\n";
    scratch.write("rules/stays/rules.rhai", STAYING);
    scratch.write("rules/stays/scenarios/one.toml", scenario);
    let stays = |on: &str| format!("//! # Stayer\nfn decide(view, decision) {{ {on} }}\n");
    scratch.write("rules/stays/agents/stayer.rhai", stays("\"stay\""));
    let check = |code: i32| {
        fracas("check stays --seed 1 --playouts 3 --nodes 2")
            .inside(scratch.path())
            .run()
            .exits(code)
    };
    // An agent that always stays.
    check(0)
        .prints("0 errors")
        .prints("stays/one: there are no laws, and nothing fails in 3 playouts");
    // The same agent where it is wrong only against one who leaves.
    scratch.write(
        "rules/stays/agents/stayer.rhai",
        stays("if view.left == 1 { \"go\" } else { \"stay\" }"),
    );
    check(1).prints("`go`");
    scratch.write("rules/stays/agents/stayer.rhai", stays("\"stay\""));
    // Nobody ever leaves; what else is wrong is found.
    scratch.edit("rules/stays/rules.rhai", "this.left == 2", "this.left == 2 && false");
    check(0)
        .prints("0 errors")
        .prints("stays/one: there are no laws, and nothing fails in 1 playout;");
    let law = "fn laws() { if this.left == 9 { [\"nine in a row\"] } else { [] } }\n";
    scratch.write("rules/stays/rules.rhai", scratch.read("rules/stays/rules.rhai") + law);
    check(1).prints("nine in a row");
    scratch.edit("rules/stays/scenarios/one.toml", "endless = true\n", "");
    check(1).prints("limit passed: more than 100000 questions");
    // The history is too long to be kept: its command shows how it ends.
    let line = "estimate stays/one --seat red=stayer --seat blue=stayer -n 2 --seed 1";
    let again =
        "play it again: `fracas play stays/one --seat red=stayer --seat blue=stayer --seed ";
    let ran = fracas(line).inside(scratch.path()).run().exits(1);
    ran.says("more than 100000 questions").says(again);
}
