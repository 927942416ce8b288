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
fn all_who_play_on_are_named_those_whom_nobody_seats_too() {
    let folder = bet(0);
    let said = |scenario: &str| {
        let play = format!("play {scenario} --seed 7 --save one.fracas");
        fracas(&play).inside(folder.path()).run().succeeds();
        let ran = fracas("replay one.fracas --luck").inside(folder.path()).run().succeeds();
        ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let (one, other) =
        (said("bet/one --seat red=first"), said("bet/one --seat red=first --seat blue=first"));
    let expected = "expected is what follows where";
    assert!(
        one.contains(&format!("{expected} red plays on as `first`, all others as `random`")),
        "{one}"
    );
    assert!(
        other.contains(&format!("{expected} red plays on as `first`, blue as `first`")),
        "{other}"
    );
    folder.write("rules/bet/scenarios/one.toml", "system = \"bet\"\n[setup]\nnoise = 0\n");
    let none = said("bet/one");
    assert!(none.contains("what follows where all play on as `random`"), "{none}");
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
    let words = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    let seats = "expected is what follows where white plays on as `random`, black (a person) as `even_hand`";
    let known = "what these rules hide is taken to be known: a choice is judged also by what was hidden from whoever made it";
    assert!(words.ends_with(&format!("{seats} {known}")), "{words}");
}

#[test]
fn how_much_is_looked_at_is_an_option_of_luck_alone() {
    let ran = fracas("replay x.fracas -n 5").run();
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("--luck"), "{}", ran.stderr);
}

/// Guesses one of 20 sides of a die: 19 for a hit, else -1, so that each guess is worth 0. Rolls before that, none of
/// which matters, make the graph too large to explore.
const GUESSES: &str = r#"fn setup(scenario) { #{ seen: [], guess: 0, gain: () } }
fn step() {
    if this.seen.len() < 4 {
        this.seen.push(this.roll("sky", "weather", dice("1d100")));
        return;
    }
    this.guess = this.choose("red", "guess", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]);
    this.gain = if this.roll("red", "die", dice("1d20")) == this.guess { 19 } else { -1 };
}
fn outcome() {
    if this.gain == () { return; }
    #{ result: "over", utility: #{ red: this.gain, blue: -this.gain } }
}
"#;

#[test]
fn the_best_of_many_equal_options_is_not_estimated_too_high() {
    let folder = Scratch::empty();
    folder.write("rules/guess/rules.rhai", GUESSES);
    let scenario = "system = \"guess\"\n[seats]\nred = \"random\"\n";
    folder.write("rules/guess/scenarios/one.toml", scenario);
    let play = "play guess/one --seed 7 --save one.fracas";
    fracas(play).inside(folder.path()).run().succeeds();
    let games = 8;
    let mean = |key: &str| {
        let of = |seed: usize| {
            let replay = format!("replay one.fracas --luck -n 40 --seed {seed} --json");
            let ran = fracas(&replay).inside(folder.path()).run().succeeds();
            let found: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
            let moves = found["luck"]["moves"].as_array().unwrap();
            let best = &moves.iter().find(|one| one["name"] == "guess").unwrap()["best"];
            assert_eq!(best["n"], 40);
            let number = &best[key];
            number["mean"]
                .as_f64()
                .or(number.as_str().and_then(|exact| exact.parse().ok()))
                .unwrap()
        };
        (1..=games).map(of).sum::<f64>() / games as f64
    };
    // One guess has the standard deviation of the square root of 19, the mean of 320 that of 0.24. The luckiest of
    // 20 guesses has 5 hits of 40 on average: by those hits it would be worth 20 * 5 / 40 - 1 = 1.5.
    let worth = mean("utility");
    assert!(worth.abs() < 0.75, "{worth}");
    // Of two guesses one gains what the other loses: the difference varies by less than twice as much.
    let lost = mean("lost");
    assert!(lost.abs() < 1.1, "{lost}");
}

#[test]
fn a_time_limit_leaves_whole_rounds_of_playouts_of_every_place() {
    let folder = bet(4);
    fracas("play bet/one --seed 7 --save one.fracas").inside(folder.path()).run().succeeds();
    let replay = "replay one.fracas --luck -n 100000 --time 0.5 --seed 3";
    let ran = fracas(&format!("{replay} --json")).inside(folder.path()).run().succeeds();
    let found: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let luck = &found["luck"];
    let n = luck["n"].as_u64().unwrap();
    assert!((10..100_000).contains(&n), "{luck}");
    assert!(luck["cut"].as_str().unwrap().starts_with("the time limit of 0.5 s"), "{luck}");
    // Each share is so many of n, from the first place to the last.
    for place in luck["points"].as_array().unwrap() {
        for share in place["results"].as_object().unwrap().values() {
            let Some(mean) = share["mean"].as_f64() else { continue };
            let hits = mean * n as f64;
            assert!((hits - hits.round()).abs() < 1e-6, "{place}: {n}");
        }
    }
    let ran = fracas(&format!("{replay} --plain")).inside(folder.path()).run().succeeds();
    let says = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(says.contains("the time limit of 0.5 s was reached"), "{says}");
    assert!(says.contains("of 100000 were made from each place"), "{says}");
}
