//! Tests solving games with hidden information, and best responses to agents, against known values.
//! The games are played from their rules.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use fracas::analysis::equilibrium::{
    Exploit, ExtensiveForm, Learner, Responder, Until, solve_hidden,
};
use fracas::analysis::{Odds, Seeking, Solution};
use fracas::catalog::{Catalog, FileText, Scenario};
use fracas::conflict::{Changes, Conflict, Seat, Seating};
use fracas::error::{Error, Forgotten};
use fracas::graph::{Bounds, InformationSets, Reach, WorkerFactory, explore};
use fracas::script::Limits;

use crate::commands::run::fracas;
use crate::support::{catalog, json};

const BOUNDS: Bounds = Bounds { threads: 1, nodes: 1_000_000 };

fn open(scenario: Scenario, catalog: &Catalog, seats: &[(&str, &str)]) -> Conflict {
    let seats = seats.iter().map(|(seat, agent)| (seat.to_string(), agent.to_string())).collect();
    let scenario = Scenario { seats, ..scenario };
    Conflict::of(catalog, scenario, &Changes::default(), &Limits::default()).unwrap()
}

fn named(name: &str, seats: &[(&str, &str)]) -> Conflict {
    let catalog = catalog();
    open(catalog.scenario(name).unwrap(), &catalog, seats)
}

/// A conflict from rules that a test writes, with the folder that holds them.
fn inline(rules: &str) -> (Conflict, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("own")).unwrap();
    std::fs::write(folder.path().join("own/rules.rhai"), rules).unwrap();
    let catalog = Catalog::new(&[folder.path().to_path_buf()]).unwrap();
    let text = FileText { path: "inline.toml".to_owned(), text: "system = \"own\"".to_owned() };
    (open(Scenario::parse("own/inline", text).unwrap(), &catalog, &[]), folder)
}

fn seating(conflict: &Conflict) -> Seating {
    Seating::new(conflict, 256 << 20).unwrap()
}

fn explored(seating: &Seating) {
    let reach = explore(&seating.graph, seating, BOUNDS, &|_| ()).unwrap();
    assert_eq!(reach, Reach::Whole);
}

fn learning(within: f64) -> Until {
    Until { within, time: Some(Duration::from_secs(3_600)), work: None }
}

fn solved(conflict: &Conflict, until: Until) -> Result<Solution, Error> {
    let seating = seating(conflict).unmanned();
    explored(&seating);
    let (explorer, _) = seating.make_worker().unwrap();
    let mut known = InformationSets::default();
    solve_hidden(&seating, &explorer, &mut known, until, &mut |_| Ok(()))
}

fn value(solution: &Solution, side: &str) -> f64 {
    solution.value[side].value
}

#[test]
fn a_garrison_that_is_drawn_is_worth_one_to_whoever_does_not_see_it() {
    // Each match counts alone. The three tokens that beat the likeliest garrison win 3 of it (3/6), nothing of the
    // second (2/6), and lose 3 to the third (1/6): 1. Who saw the garrison would always win 3.
    let conflict = named("territory/hidden_garrison", &[]);
    let solution = solved(&conflict, learning(1e-9)).unwrap();
    assert!((value(&solution, "white") - 1.0).abs() < 1e-6, "{}", value(&solution, "white"));
    let seating = seating(&named("territory/hidden_garrison", &[("white", "greedy")]));
    let seeking = Seeking { float: false, threads: 1, nodes: 1_000_000 };
    let odds = Odds::find(&seating, seeking, &|_| ()).unwrap();
    assert_eq!(serde_json::to_value(&odds).unwrap()["utility"]["white"], "1");
}

/// Where all three garrisons are as likely, each place has each token once, so that whatever is sent wins as often as
/// it loses. A garrison that is fixed is known, and beaten in all three places.
#[test]
fn the_setup_can_be_changed_and_varied_as_parameters_are() {
    let weights = "black.stack.weights=[1,1,1],[3,2,1],[1000000000,1,1]";
    let swept =
        fracas(&format!("sweep territory/hidden_garrison {weights} --seat white=greedy --json"));
    let json = swept.run().succeeds().json();
    let points = json["points"].as_array().unwrap();
    let utility: Vec<_> = points.iter().map(|point| &point["utility"]["white"]).collect();
    // (3 x 1000000000 - 3) / 1000000002
    assert_eq!(utility, ["0", "1", "999999999/333333334"], "{json}");
    assert_eq!(points[0]["values"]["setup.black.stack.weights"], serde_json::json!([1, 1, 1]));
    let made = "black.stack=[\"isolationist\",\"advocate\",\"aggressor\"]";
    let odds = fracas("odds territory/hidden_garrison --seat white=greedy --json --set").with(made);
    assert_eq!(odds.run().succeeds().json()["utility"]["white"], "3");
}

/// Red may set what 1 mana at 2, the ore and a discount of 1 pay, and the flag: 5 sides with 1 ore, 6 with 2; blue has
/// 4. Two flags of all pairs are an alliance.
#[test]
fn a_drawn_value_with_weights_is_one_value_of_a_range_and_of_a_variant() {
    let drawn = "players.red.ore={ one_of = [1, 2], weights = [9, 1] }";
    let random = "--seat red=random --seat blue=random --json";
    let swept = fracas(&format!("sweep war_die/ford {random}")).with(&format!("{drawn},2"));
    let json = swept.run().succeeds().json();
    let alliance = |point: &serde_json::Value| point["results"]["alliance"].clone();
    let found: Vec<_> = json["points"].as_array().unwrap().iter().map(alliance).collect();
    // 9/10 of 1/20 and 1/10 of 1/24.
    assert_eq!(found, ["59/1200", "1/24"], "{json}");
    let compared = fracas(&format!("compare war_die/ford {random} --variant")).with(drawn);
    let json = compared.run().succeeds().json();
    let variant = json.get("variants").map_or(&json, |all| &all[0]);
    assert_eq!(variant["difference"]["results"]["alliance"], "3/400", "{json}");
}

#[test]
fn a_perfect_opponent_that_was_found_is_printed_though_its_worth_is_cut_short() {
    let found = || exploit("kuhn_poker/one_hand", &[("bob", "random")], "ann");
    let seating = seating(&named("kuhn_poker/one_hand", &[]));
    let late = seating.under(seating.budget().begin(Some(Duration::ZERO)));
    let flag = Arc::new(AtomicBool::new(true));
    let stopped = seating.under(seating.budget().clone().interrupted_by(Some(flag)));
    for (seating, why, interrupted) in
        [(late, "the time limit of 0 s was reached", false), (stopped, "interrupted", true)]
    {
        let found = found().measured(&seating, 1, &|_| ());
        assert!(found.exploitability.is_none() && found.interrupted == interrupted);
        let told = format!("the exploitability is not known: {why}");
        assert!(
            found.report(false).text(200, true).contains(&told),
            "{}",
            found.report(false).text(200, true)
        );
        let json = json(&found);
        assert!(json["exploitability"].is_null() && json["best_response"] == 0.5, "{json}");
    }
    let found = found().measured(&seating, 1, &|_| ());
    assert!((found.exploitability.unwrap() - 5.0 / 9.0).abs() < 1e-9 && !found.interrupted);
}

fn exploit(name: &str, seats: &[(&str, &str)], seat: &str) -> Exploit {
    let seating = seating(&named(name, seats));
    let seat = Seat { name: seat.to_owned(), players: vec![seat.to_owned()] };
    Exploit::find(&seating, &seat, |_| "somebody".to_owned(), BOUNDS, &|_| ()).unwrap()
}

#[test]
fn kuhn_poker_is_worth_minus_an_eighteenth_to_the_first_player() {
    // Kuhn, 1950, "A Simplified Two-Person Poker".
    let solution = solved(&named("kuhn_poker/one_hand", &[]), learning(1e-4)).unwrap();
    assert!(solution.exploitability <= 1e-4);
    assert!((value(&solution, "ann") + 1.0 / 18.0).abs() < 2e-4, "{solution:?}");
    assert!((value(&solution, "bob") - 1.0 / 18.0).abs() < 2e-4);
    // Twelve information sets; each line says what is seen there.
    assert_eq!(solution.strategy.len(), 12);
    assert!(solution.strategy.iter().all(|line| line.sees().contains("card: ")));
    // After a bet with the highest card nobody passes.
    let call = |line: &&fracas::analysis::StrategyLine| {
        line.player == "bob" && line.sees().contains("card: 3") && line.sees().contains("[\"bet\"]")
    };
    let call = solution.strategy.iter().find(call).unwrap();
    assert!(call.options[1].weight.value > 0.99, "{call:?}");
    let sums = solution
        .strategy
        .iter()
        .map(|line| line.options.iter().map(|choice| choice.weight.value).sum::<f64>());
    assert!(sums.into_iter().all(|sum| (sum - 1.0).abs() < 1e-9));
}

#[test]
fn leduc_poker_is_worth_minus_0_0856_to_the_first_player() {
    // To four digits as published: Lanctot and others, 2019, "OpenSpiel".
    let solution = solved(&named("leduc_poker/one_hand", &[]), learning(4e-5)).unwrap();
    // What is published is off by half a digit at most, and what is learned by what a side can gain.
    assert!((value(&solution, "ann") + 0.0856).abs() < 9e-5, "{:?}", solution.value);
    // With suits that nobody looks at there are 936 information sets (Southey and others, 2005);
    // by ranks alone 288: of each player 3 before the card on the table and what was done, …
    assert_eq!(solution.strategy.len(), 288);
}

#[test]
fn a_perfect_opponent_wins_what_can_be_worked_out_by_hand() {
    let wins = |seats: &[(&str, &str)], seat: &str| {
        json(&exploit("kuhn_poker/one_hand", seats, seat).value[seat])
    };
    // Who always passes loses the ante to whoever bets.
    assert_eq!(wins(&[("ann", "first")], "bob"), "1");
    assert_eq!(wins(&[("bob", "first")], "ann"), "1");
    // Against random bob a bet is worth 3/2 with a 3, 1/2 with a 2 and -1/2 with a 1, and a pass never
    // more: after bob's bet a call is worth 2, 0 and -2, a fold -1.
    assert_eq!(wins(&[("bob", "random")], "ann"), "1/2");
}

#[test]
fn agents_that_think_are_found_out_too() {
    for agent in ["greedy", "search:20"] {
        let found = exploit("kuhn_poker/one_hand", &[("bob", agent)], "ann");
        assert!(found.exact);
        // Perfect play wins no less than the value of the game.
        assert!(found.value["ann"].value >= -1.0 / 18.0, "{agent}: {found:?}");
        assert!(found.strategy.iter().all(|line| line.player == "ann" && line.reach > 0.0));
    }
}

#[test]
fn a_saved_solution_is_played_and_can_hardly_be_exploited() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kuhn.json");
    let conflict = named("kuhn_poker/one_hand", &[]);
    let solution = solved(&conflict, learning(1e-4)).unwrap();
    solution.save(&conflict, &seating(&conflict).players, &path).unwrap();
    let word = format!("solved({})", path.display());
    let both = [("ann", &*word), ("bob", &*word)];
    let seated = seating(&named("kuhn_poker/one_hand", &both));
    let seeking = Seeking { float: false, threads: 1, nodes: 1_000_000 };
    let odds = Odds::find(&seated, seeking, &|_| ()).unwrap().found.unwrap();
    assert!((odds.utility["ann"].value + 1.0 / 18.0).abs() < 2e-4);
    let found = exploit("kuhn_poker/one_hand", &[("ann", &word)], "bob");
    assert!(found.value["bob"].value < 1.0 / 18.0 + 3e-4, "{:?}", found.value);
    // Under other rules the file is refused, and so is a word without one.
    let refused = |name: &str, word: &str| {
        Seating::new(&named(name, &[("ann", word)]), 1 << 20).err().unwrap().to_string()
    };
    let other = refused("leduc_poker/one_hand", &word);
    assert!(other.contains("`kuhn_poker/one_hand` of `kuhn_poker` under other rules"), "{other}");
    assert!(refused("kuhn_poker/one_hand", "solved").contains("write it as `solved(FILE)`"));
    let none = refused("kuhn_poker/one_hand", "solved(nowhere.json)");
    assert!(none.contains("cannot read `nowhere.json`"), "{none}");
}

#[test]
fn who_forgets_what_they_did_is_told_so_by_name() {
    let (conflict, _folder) = inline(
        r#"//! # Forgetful
fn setup(scenario) { #{ picks: [] } }
fn step() { this.picks.push(this.choose("ann", "pick", ["left", "right"])); }
fn outcome() {
    if this.picks.len == 2 {
        #{ result: "over", utility: #{ ann: if this.picks[0] == this.picks[1] { 1 } else { 0 } } }
    }
}
fn view(player) { #{ picked: this.picks.len } }
"#,
    );
    let error = solved(&conflict, learning(0.1)).unwrap_err();
    assert_eq!((error.kind(), error.exit_code()), ("recall", 1));
    let Error::Recall { forgotten, .. } = &error else { panic!("{error:?}") };
    assert_eq!(*forgotten, Forgotten::Answer { question: "pick".to_owned() });
    let told = error.to_string();
    assert!(told.contains("`ann` forgets what they did"), "{told}");
    assert!(told.contains("`pick`") && told.contains("picked: 1"), "{told}");
    assert!(told.contains("[ann: pick left]") && told.contains("[ann: pick right]"), "{told}");
    assert!(
        told.ends_with("keep the answer to `pick` in the state and show it in `view`"),
        "{told}"
    );
}

#[test]
fn a_roll_that_is_kept_from_who_rolls_is_not_what_they_forget() {
    let (conflict, _folder) = inline(
        r#"//! # Forgetful
fn setup(scenario) { #{ die: 0, picks: [] } }
fn step() {
    if this.die == 0 { this.die = this.roll("ann", "die", uniform([1, 2])); return; }
    this.picks.push(this.choose("ann", "pick", ["left", "right"]));
}
fn outcome() {
    // So each place at which ann is asked again has a die and a pick of its own.
    if this.picks.len > 0 && (this.die == 1) != (this.picks[0] == "left") {
        return #{ result: "missed", utility: #{ ann: 0 } };
    }
    if this.picks.len == 2 {
        let both = this.picks[0] == this.picks[1];
        #{ result: "over", utility: #{ ann: if both { 1 } else { 0 } } }
    }
}
fn view(player) { #{ picked: this.picks.len } }
"#,
    );
    let Error::Recall { forgotten, .. } = solved(&conflict, learning(0.1)).unwrap_err() else {
        panic!("nothing is forgotten");
    };
    assert_eq!(forgotten, Forgotten::Answer { question: "pick".to_owned() });
}

#[test]
fn who_forgets_what_they_saw_is_told_so() {
    let (conflict, _folder) = inline(
        r#"//! # Forgetful
fn setup(scenario) { #{ card: 0, looks: 0, guess: 0 } }
fn step() {
    if this.card == 0 { this.card = this.roll("fate", "card", uniform([1, 2])); return; }
    if this.looks == 0 { this.choose("ann", "look", ["on", "off"]); this.looks = 1; return; }
    this.guess = this.choose("ann", "guess", [1, 2]);
}
fn outcome() {
    if this.guess != 0 {
        #{ result: "over", utility: #{ ann: if this.guess == this.card { 1 } else { 0 } } }
    }
}
fn view(player) { #{ looks: this.looks, card: if this.looks == 0 { this.card } else { 0 } } }
"#,
    );
    let error = solved(&conflict, learning(0.1)).unwrap_err();
    let Error::Recall { forgotten: Forgotten::Sight { question, saw }, .. } = &error else {
        panic!("{error:?}");
    };
    let mut saw = saw.to_vec();
    saw.sort();
    assert_eq!((&**question, &*saw), ("look", &["card: 1".to_owned(), "card: 2".to_owned()][..]));
    let told = error.to_string();
    assert!(told.contains("`ann` forgets what they saw"), "{told}");
    // Each card may have fallen, and both times she looked the same way.
    let ways = "after [fate: card 1, ann: look on] and after [fate: card 2, ann: look on]";
    assert!(told.contains(ways), "{told}");
    let keep =
        "at `look` they saw [card: 1] and [card: 2]: keep that in the state and show it in `view`";
    assert!(told.ends_with(keep), "{told}");
}

#[test]
fn sides_that_can_both_win_do_not_learn_from_regrets() {
    let (conflict, _folder) = inline(
        r#"//! # Battle of the sexes
fn setup(scenario) { #{ picks: #{} } }
fn step() {
    let evenings = ["ballet", "boxing"];
    this.picks = this.choose_secretly("evening", #{ ann: evenings, bob: evenings });
}
fn outcome() {
    if this.picks.is_empty() { return; }
    let together = this.picks.ann == this.picks.bob;
    let ballet = this.picks.ann == "ballet";
    #{
        result: if together { this.picks.ann } else { "apart" },
        utility: #{
            ann: if !together { 0 } else if ballet { 2 } else { 1 },
            bob: if !together { 0 } else if ballet { 1 } else { 2 },
        },
    }
}
fn view(player) { this }
"#,
    );
    let why = solved(&conflict, learning(0.01)).unwrap_err().to_string();
    assert!(why.contains("nor two that can both win"), "{why}");
}

#[test]
fn a_joint_decision_of_an_open_game_is_learned_as_well() {
    let solution = solved(&named("rock_paper_scissors/once", &[]), learning(1e-3)).unwrap();
    for line in &solution.strategy {
        for choice in &line.options {
            assert!((choice.weight.value - 1.0 / 3.0).abs() < 0.02, "{line:?}");
        }
    }
}

#[test]
fn a_hand_of_leduc_poker_has_the_size_that_is_published_for_ranks() {
    let seating = seating(&named("leduc_poker/one_hand", &[]));
    explored(&seating);
    let (explorer, _) = seating.make_worker().unwrap();
    let known = &mut InformationSets::default();
    let drawn: ExtensiveForm = ExtensiveForm::draw(&seating, &explorer, known, &|_| true).unwrap();
    assert!(drawn.seats.iter().map(|seat| &seat.name).eq(["ann", "bob"]));
    let learner = Learner::new(&drawn, 0);
    let even = Responder::new(&drawn).exploitability(&learner.average());
    // OpenSpiel's NashConv of the uniform strategy is 4.747222…; its half is what is exploited.
    assert!((even - 4.747222 / 2.0).abs() < 1e-5, "{even}");
}
