//! Tests what `odds`, `estimate` and `bench` print, for people and for programs.

use serde_json::{Value, json};

use super::run::{Fracas, fracas};
use super::scratch::Scratch;

/// A rope between 0 and `top`, pulled by a fair coin.
const TUG: &str = "//! # Tug\n//! Pull.\nfn setup(s) { #{ at: s.number(\"from\"), top: s.number(\"top\") } }\n\
     fn step() { this.at += this.roll(\"rope\", \"pull\", uniform([1, -1])); }\n\
     fn outcome() { if this.at == this.top { #{ result: \"red\", utility: #{ red: 1, blue: -1 } } }\n\
     else if this.at == 0 { #{ result: \"blue\", utility: #{ red: -1, blue: 1 } } } }\n";

/// Fails where the coin shows heads.
const FRAIL: &str = "//! # Frail\n//! Fails.\nfn setup(s) { #{ done: false } }\n\
     fn step() { if this.roll(\"coin\", \"side\", uniform([1, 2])) == 1 { throw \"heads\"; } this.done = true; }\n\
     fn outcome() { if this.done { #{ result: \"over\", utility: #{ red: 1 } } } }\n";

/// Never ends, and asks nobody: three states lead back to each other.
const ROUND: &str = "//! # Round\n//! Goes round.\nfn setup(s) { #{ at: 0 } }\n\
     fn step() { this.at = (this.at + this.roll(\"gate\", \"turn\", uniform([1, 2]))) % 3; }\n\
     fn outcome() { }\n";

/// A coin whose sides are worth a tenth and three tenths.
const TENTHS: &str = "//! # Tenths\n//! Tosses.\nfn setup(s) { #{ got: () } }\n\
     fn step() { this.got = this.roll(\"coin\", \"side\", uniform([1, 3])); }\n\
     fn outcome() { if this.got != () { #{ result: \"over\", utility: #{ red: this.got / 10.0 } } } }\n";

/// Two drive towards each other.
const CHICKEN: &str = "//! # Chicken\n//! Swerve or not.\nfn setup(s) { #{ done: () } }\n\
     fn step() { this.done = this.choose_secretly(\"word\", #{ ann: [\"swerve\", \"straight\"], bob: [\"swerve\", \"straight\"] }); }\n\
     fn outcome() {\n    if this.done == () { return; }\n    let both = this.done.ann == this.done.bob;\n    \
     let ann = if both { if this.done.ann == \"swerve\" { 0 } else { -params.crash } } else if this.done.ann == \"swerve\" { -1 } else { 1 };\n    \
     #{ result: \"over\", utility: #{ ann: ann, bob: if both { ann } else { -ann } } }\n}\n";

fn folder() -> Scratch {
    let scratch = Scratch::with_duel();
    scratch.write("rules/tug/rules.rhai", TUG);
    for (name, from, top) in [("short", 2, 7), ("long", 60, 200)] {
        let text = format!("system = \"tug\"\n[setup]\nfrom = {from}\ntop = {top}\n");
        scratch.write(&format!("rules/tug/scenarios/{name}.toml"), text);
    }
    for (name, rules) in [("frail", FRAIL), ("round", ROUND), ("tenths", TENTHS)] {
        scratch.write(&format!("rules/{name}/rules.rhai"), rules);
        scratch
            .write(&format!("rules/{name}/scenarios/one.toml"), format!("system = \"{name}\"\n"));
    }
    scratch
}

fn at(scratch: &Scratch, line: &str) -> Fracas {
    fracas(line).inside(scratch.path())
}

#[track_caller]
fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("it is an object").keys().map(String::as_str).collect()
}

#[test]
fn odds_are_fractions_in_lowest_terms() {
    let scratch = folder();
    let json = at(&scratch, "odds tug/short --json --quiet").run().succeeds().says_nothing().json();
    // The places 1 to 6, and both ends; who begins 2 of 7 up wins with 2/7.
    let expected = json!({
        "exact": true, "nodes": 8,
        "results": { "blue": "5/7", "red": "2/7" },
        "utility": { "red": "-3/7", "blue": "3/7" },
    });
    assert_eq!(json, expected);
    at(&scratch, "odds tug/short --plain")
        .run()
        .succeeds()
        .prints("5/7")
        .prints("exact odds, 8 nodes");
}

#[test]
fn odds_of_utilities_that_are_floats_say_so() {
    let scratch = folder();
    let json = at(&scratch, "odds tenths/one --json --quiet").run().succeeds().json();
    // The beginning and two ends; 1/10 and 3/10 come to 1/5.
    let expected = json!({
        "exact": true, "nodes": 3, "float_utilities": true,
        "results": { "over": "1" }, "utility": { "red": "1/5" },
    });
    assert_eq!(json, expected);
    at(&scratch, "odds tenths/one --plain").run().succeeds().prints("the utilities are floats");
    let json = at(&scratch, "odds tug/short --json --quiet").run().succeeds().json();
    assert!(json.get("float_utilities").is_none());
}

#[test]
fn odds_out_of_reach_say_why_and_name_what_samples_them() {
    let scratch = folder();
    let json = at(&scratch, "odds tug/long --json --quiet").run().exits(1).json();
    assert_eq!(keys(&json), ["exact", "complete", "nodes", "reason"]);
    assert_eq!((&json["exact"], &json["nodes"]), (&json!(false), &json!(201)));
    let why = json["reason"].as_str().unwrap();
    assert!(why.contains("199 states form a cycle") && why.contains("--float"), "{why}");
    at(&scratch, "odds tug/long").run().exits(1).prints("out of reach").prints("fracas estimate");
    at(&scratch, "odds round/one")
        .run()
        .exits(1)
        .prints("never ends")
        .prints("lead only to each other (`turn` asked of");
    // A graph of 1 MiB holds some thousands of nodes.
    let json = at(&scratch, "odds territory/border_clash --seat white=random --seat black=random --graph-memory 1M --json")
        .run().exits(1).json();
    assert!(json["reason"].as_str().unwrap().contains("memory bound of 1M"), "{json}");
}

#[test]
fn odds_within_bounds_enclose_the_exact_number() {
    let scratch = folder();
    let json = at(&scratch, "odds tug/long --float --json --quiet").run().succeeds().json();
    assert_eq!(keys(&json), ["exact", "nodes", "results", "utility", "bound"]);
    assert_eq!(json["exact"], false);
    let red = &json["results"]["red"];
    assert_eq!((keys(red), &red["proven"]), (vec!["mean", "low", "high", "proven"], &json!(true)));
    // 60 of 200.
    let (low, high) = (red["low"].as_f64().unwrap(), red["high"].as_f64().unwrap());
    assert!(low <= 0.3 && 0.3 <= high && high - low < 1e-9, "{red}");
    let error = json["bound"].as_f64().unwrap();
    assert!(error > 0.0 && error < 1e-9, "{error}");
    at(&scratch, "odds tug/long --float --plain").run().succeeds().prints("proven");
}

#[test]
fn estimates_have_their_seed_and_their_intervals() {
    let scratch = folder();
    let line = "estimate tug/short -n 2000 --seed 7 --json --quiet";
    let json = at(&scratch, line).run().succeeds().says_nothing().json();
    assert_eq!(keys(&json), ["exact", "seed", "n", "complete", "results", "utility", "unlisted"]);
    assert_eq!(
        (&json["exact"], &json["seed"], &json["n"]),
        (&json!(false), &json!(7), &json!(2000))
    );
    for number in [&json["results"]["red"], &json["utility"]["blue"]] {
        assert_eq!(keys(number), ["mean", "low", "high"]);
        let part = |name: &str| number[name].as_f64().unwrap();
        assert!(part("low") < part("mean") && part("mean") < part("high"), "{number}");
    }
    for threads in [1, 2, 5] {
        let again = at(&scratch, &format!("{line} --threads {threads}")).run().succeeds().json();
        assert_eq!(again, json, "{threads} threads");
    }
    let within = at(&scratch, "estimate tug/short --within 0.01 --seed 7 --json --quiet").run();
    let json = within.succeeds().json();
    let half =
        |number: &Value| (number["high"].as_f64().unwrap() - number["low"].as_f64().unwrap()) / 2.0;
    assert!(half(&json["utility"]["red"]) <= 0.01, "{json}");
    at(&scratch, "estimate tug/short -n 300 --plain")
        .run()
        .succeeds()
        .prints("300 playouts, seed ");
}

#[test]
fn a_result_that_no_playout_met_has_an_interval() {
    let scratch = Scratch::with_duel();
    let rules = "//! # Luck\n//! Rare luck.\nfn setup(s) { #{ luck: () } }\n\
         fn step() { this.luck = this.roll(\"fate\", \"luck\", weighted([[\"rare\", 86], [\"usual\", 9914]])); }\n\
         fn outcome() { if this.luck != () { #{ result: this.luck, utility: #{ red: 1 } } } }\n";
    scratch.write("rules/luck/rules.rhai", rules);
    scratch.write("rules/luck/scenarios/one.toml", "system = \"luck\"\n");
    let mut absent = 0;
    for seed in 0..12 {
        let line = format!("estimate luck/one -n 100 --seed {seed} --json");
        let json = at(&scratch, &line).run().succeeds().json();
        // Wilson's interval of none in 100 ends at 1.96² / (100 + 1.96²), above the true 0.0086.
        let bound = json["unlisted"]["high"].as_f64().unwrap();
        assert!((bound - 3.8415 / 103.8415).abs() < 1e-5 && json["unlisted"]["low"] == 0.0);
        absent += i32::from(json["results"]["rare"].is_null());
    }
    // Its chance to be absent is 0.9914^100 = 42 %: in none or in all of 12 once in 700 tries.
    assert!((1..=11).contains(&absent), "{absent}");
    let text = at(&scratch, "estimate luck/one -n 100 --seed 1 --plain").run().succeeds();
    text.prints("any result not listed: at most 3.7 % (95 %)");
    // Red has 1 in every playout: more of them cannot bring its average within anything.
    let within =
        |line: &str| at(&scratch, &format!("estimate luck/one --seed 1 {line}")).run().succeeds();
    within("-n 300 --within 0.2").says(
        "the utility of `red` never varied in these playouts: it is not known whether its mean is within 0.2",
    );
    // A share of about one in a hundred is known to some 0.04 from 20.
    within("-n 20 --within 0.001").says("not every interval is within 0.001 yet: raise `-n`");
}

#[test]
fn a_playout_that_fails_is_told_with_the_line_that_plays_it() {
    let scratch = folder();
    let ran = at(&scratch, "estimate frail/one -n 100 --seed 3").run().exits(1);
    let ran = ran.says("heads").says("rules/frail/rules.rhai:4");
    let told = ran.stderr.split('`').find(|part| part.starts_with("fracas play")).unwrap();
    at(&scratch, told.trim_start_matches("fracas ")).run().exits(1).says("heads");
    at(&scratch, "odds frail/one --json").run().exits(1);
}

#[test]
fn bench_counts_playouts_and_nodes() {
    let scratch = folder();
    let told = at(&scratch, "bench tug/short --time 0.05 --plain").run().succeeds();
    told.prints("through the graph, fresh").prints("through the graph, the same again");
    let json =
        at(&scratch, "bench tug/short --time 0.05 --seed 1 --json --quiet").run().succeeds().json();
    assert_eq!(keys(&json), ["playouts_per_second", "nodes", "expanded"]);
    assert_eq!(keys(&json["playouts_per_second"]), ["script", "graph", "again"]);
    // How many playouts there are is the clock's affair: one meets a decision and an end at least, and
    // all of them no more than the eight nodes there are, six of them decisions.
    let (nodes, expanded) = (json["nodes"].as_u64().unwrap(), json["expanded"].as_u64().unwrap());
    assert!((2..=8).contains(&nodes) && expanded <= 6 && expanded < nodes, "{json}");
    assert!(json["playouts_per_second"]["script"].as_f64().unwrap() > 0.0);
}

#[test]
fn what_is_no_scenario_number_or_seat_is_wrong_usage() {
    let scratch = folder();
    for line in [
        "odds tug/none",
        "odds tug/short --seat green=first",
        "estimate tug/short -n 0",
        "estimate tug/short -n many",
        "estimate tug/short --within 0",
        "odds tug/short --graph-memory none",
        "bench tug/short --time -1",
    ] {
        at(&scratch, line).run().exits(2);
    }
}

#[test]
fn ranges_over_equilibria_that_overlap_are_not_called_unchanged() {
    let scratch = Scratch::empty();
    scratch.write("rules/chicken/rules.rhai", CHICKEN);
    scratch.write(
        "rules/chicken/params.toml",
        "[crash]\ndefault = 10\nmin = 1\nmax = 100\nmeaning = \"What a crash costs.\"\n",
    );
    scratch.write("rules/chicken/scenarios/one.toml", "system = \"chicken\"\n[setup]\n");
    // Who swerves has -1 and who does not 1, whatever a crash costs; both may have what lies between.
    let line = "compare chicken/one --param crash=20 --measure fairness.value --measure fairness.utility --plain --seed 1";
    let ran = at(&scratch, line).run().succeeds();
    let text = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    for says in [
        "It is not known whether 2 measures change: their ranges overlap.",
        "Of 4 measures none is known to change besides those of the odds;",
        "Not known to change: `fairness.value",
    ] {
        assert!(text.contains(says), "{says}: {text}");
    }
}

#[test]
fn who_has_most_is_among_the_measures_that_change() {
    let scratch = Scratch::empty();
    scratch.write(
        "rules/toss/rules.rhai",
        "//! # Toss\n//! A die falls.\nfn setup(s) { #{ die: 0 } }\n\
         fn step() { this.die = this.roll(\"table\", \"die\", uniform([1, 2, 3, 4])); }\n\
         fn pay(die) { if die <= 2 { 1 } else { -1 } }\n\
         fn outcome() { if this.die == 0 { return; } let pay = pay(this.die);\n\
         #{ result: \"end\", utility: #{ red: pay, blue: -pay } } }\n",
    );
    scratch.write("rules/toss/scenarios/one.toml", "system = \"toss\"\n[setup]\n");
    let steep = "//! # Steep\n//! One side of four pays three.\nfn pay(die) { if die == 1 { 3 } else { -1 } }\n";
    scratch.write("rules/toss/house/steep.rhai", steep);
    // Red has most of two sides of four, then of one, and 0 on average both times.
    let row = "fairness.wins.red 50.00 % 25.00 % -25.00 (-1/4) sure";
    for measures in ["", " --measure fairness", " --measure fairness.wins.red"] {
        let line = format!("compare toss/one --house steep --plain --seed 1{measures}");
        let ran = at(&scratch, &line).run().succeeds();
        let ran = ran.prints("25 points").prints("all odds and utilities stay exactly");
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words(&ran.stdout).contains(&words(row)), "{}", ran.stdout);
    }
}
