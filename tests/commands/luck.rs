//! Tests how much of an end was luck, against numbers that are worked out by hand.

use super::run::fracas;
use super::scratch::Scratch;

/// Red is safe and gains 1, or bets on a die of four sides, of which one gains 6: 6/4 on average. Before that nine
/// rolls, none of which matters, may make the graph too large to explore.
const RULES: &str = r#"fn setup(scenario) { #{ noise: scenario.integer("noise"), seen: [], way: (), gain: () } }
fn step() {
    if this.seen.len() < this.noise {
        this.seen.push(this.roll("sky", "weather", dice("1d100")));
        return;
    }
    this.way = this.choose("red", "way", ["safe", "bet"]);
    let fell = if this.way == "bet" { this.roll("red", "die", dice("1d4")) } else { 0 };
    this.gain = if this.way == "safe" { 1 } else if fell == 4 { 6 } else { 0 };
}
fn outcome() {
    if this.gain == () { return; }
    #{ result: this.way, utility: #{ red: this.gain, blue: -this.gain } }
}
"#;

fn bet(noise: usize) -> Scratch {
    let scratch = Scratch::empty();
    scratch.write("rules/bet/rules.rhai", RULES);
    let scenario =
        format!("system = \"bet\"\n[setup]\nnoise = {noise}\n[seats]\nred = \"random\"\n");
    scratch.write("rules/bet/scenarios/one.toml", scenario);
    scratch
}

/// The luck of a game in which these are answered.
fn luck(noise: usize, after: &str, n: &str) -> serde_json::Value {
    let folder = bet(noise);
    let play = format!("play bet/one --seed 7 {after} --save one.fracas");
    fracas(&play).inside(folder.path()).run().succeeds();
    let replay = format!("replay one.fracas --luck {n} --seed 3 --json");
    let ran = fracas(&replay).inside(folder.path()).run().succeeds();
    let found: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    found["luck"].clone()
}

#[test]
fn what_was_expected_and_what_moved_it_sum_to_the_end() {
    // At random the two ways are as likely: (1 + 6/4) / 2 = 5/4. Betting is worth 3/2, a quarter more, and the die
    // that falls on 1 takes all of that.
    let lost = luck(0, "--after 'red way \"bet\"' --after 'chance red die 1'", "");
    let red = &lost["parts"]["red"];
    assert_eq!(lost["exact"], true);
    assert_eq!(
        [&red["began"], &red["rolls"], &red["own"], &red["others"], &red["ended"]],
        ["5/4", "-3/2", "1/4", "0", "0"]
    );
    // To blue the choice is that of another.
    let blue = &lost["parts"]["blue"];
    assert_eq!([&blue["own"], &blue["others"]], ["0", "-1/4"]);
    assert_eq!(lost["moves"][0]["best"]["option"], "bet");
    assert_eq!(lost["moves"][0]["best"]["lost"], "0");
    // Who is safe gives up what the bet is worth more: 3/2 - 1.
    let safe = luck(0, "--after 'red way \"safe\"'", "");
    let choice = &safe["moves"][0];
    assert_eq!([&choice["moved"]["red"], &choice["best"]["lost"]], ["-1/4", "1/2"]);
    assert_eq!([&choice["best"]["option"], &choice["best"]["utility"]], ["bet", "3/2"]);
}

#[test]
fn what_is_too_large_to_explore_is_estimated_with_intervals() {
    let holds = |number: &serde_json::Value, truth: f64| {
        let [low, high] = ["low", "high"].map(|end| number[end].as_f64().unwrap());
        assert!(low <= truth && truth <= high && high - low < 2.0, "{number}: {truth}");
    };
    let found = luck(4, "--after 'chance sky weather 1' --after 'chance sky weather 2'", "-n 400");
    assert!(found["nodes"].is_null() && found["n"] == 400, "{found}");
    let red = &found["parts"]["red"];
    holds(&red["began"], 1.25);
    let last = found["moves"].as_array().unwrap().iter().find(|one| one["name"] == "way").unwrap();
    let (moved, lost) = match last["value"].as_str().unwrap() {
        "bet" => (0.25, 0.0),
        _ => (-0.25, 0.5),
    };
    holds(&last["moved"]["red"], moved);
    match last["best"]["lost"].as_str() {
        Some(exact) => assert_eq!((exact, lost), ("0", 0.0)),
        None => holds(&last["best"]["lost"], lost),
    }
    // The end itself is known.
    let ended = red["ended"].as_str().unwrap();
    assert!(["0", "1", "6"].contains(&ended), "{ended}");
}

#[test]
fn luck_is_refused_as_long_as_it_would_show_what_is_hidden() {
    // White has laid its stack before black is asked.
    let open = ":open territory/three_tokens --seat white=random --seat black=human\n";
    let ran = fracas("--plain").typing(&format!("{open}:luck\n"));
    assert!(ran.stderr.contains("`:reveal` first"), "{}", ran.stderr);
    let ran = fracas("--plain").typing(&format!("{open}:reveal\n:luck\n"));
    assert!(ran.stdout.contains("luck, exact"), "{}", ran.stdout);
}

#[test]
fn how_much_is_looked_at_is_an_option_of_luck_alone() {
    let ran = fracas("replay x.fracas -n 5").run();
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("--luck"), "{}", ran.stderr);
}
