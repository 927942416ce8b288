//! Tests solving conflicts that may never end: their values are worked out by hand, or they have
//! none and are refused.

use fracas::analysis::equilibrium::Exploit;
use fracas::analysis::{Solution, SolutionNumber, Solved, Solving, StrategyLine};
use fracas::conflict::{Seat, Seating};
use fracas::graph::Bounds;
use fracas::script::Limits;

use crate::methods::{PIG, SOLVING, conflict, pig};

fn find(rules: &str, setup: &str, solving: Solving) -> Result<Solution, String> {
    let conflict = conflict(rules, setup, &Limits::default(), &[]);
    let seating = Seating::new(&conflict, 256 << 20).unwrap();
    Solved::find(&seating, solving, &|_| ()).unwrap().found
}

fn exploit(rules: &str, free: &str, against: (&str, &str)) -> Exploit {
    let conflict = conflict(rules, "", &Limits::default(), &[against]);
    let seating = Seating::new(&conflict, 256 << 20).unwrap();
    let seat = Seat { name: free.to_owned(), players: vec![free.to_owned()] };
    let bounds = Bounds { threads: 1, nodes: 1_000_000 };
    Exploit::find(&seating, &seat, |_| against.1.to_owned(), bounds, &|_| ()).unwrap()
}

fn within(figure: &SolutionNumber) -> (f64, f64) {
    let SolutionNumber::Within(bounds) = figure else { panic!("{figure:?}") };
    (bounds.low, bounds.high)
}

#[test]
fn both_may_pass_for_ever_and_the_value_is_the_one_without_passing() {
    // Who passes with nothing gained lets the other throw first.
    let found = find(&PIG.replace("this.turn > 0 && ", ""), "goal = 12", SOLVING).unwrap();
    let (low, high) = within(&found.value["ann"]);
    let value = pig(12, false);
    assert!(low <= value + 1e-10 && value - 1e-10 <= high && high - low < 1e-9, "{low} {high}");
    assert!(found.exploitability < 1e-9, "{}", found.exploitability);
    let notes = found.notes.join("\n");
    assert!(notes.contains("could play for ever among"), "{notes}");
    assert!(notes.contains("nothing depends on where"), "{notes}");
}

#[test]
fn pig_to_twenty_is_won_by_who_begins_as_often_as_value_iteration_says() {
    let found = find(&PIG.replace("this.turn > 0 && ", ""), "goal = 20", SOLVING).unwrap();
    is_worth(&found.value["ann"], pig(20, false));
    assert!(found.exploitability < 1e-9, "{}", found.exploitability);
}

/// Rock, paper, scissors until somebody wins; red's rock wins 2.
const ROCK: &str = r#"
fn setup(scenario) { #{ shown: [] } }
fn step() {
    let all = ["rock", "paper", "scissors"];
    let shown = this.choose_secretly("show", #{ blue: all, red: all });
    if shown.red != shown.blue { this.shown = [shown.red, shown.blue]; }
}
fn outcome() {
    if this.shown == [] { return; }
    let won = if this.shown == ["rock", "scissors"] { 2 }
        else if this.shown == ["paper", "rock"] || this.shown == ["scissors", "paper"] { 1 }
        else { -1 };
    #{ result: if won > 0 { "red" } else { "blue" }, utility: #{ red: won, blue: -won } }
}
"#;

#[test]
fn joint_decisions_that_may_be_repeated_for_ever_are_solved() {
    // With shares r, p, s of red's signs each of blue's must give v:
    //   v (p + s) = p - s,  v (r + s) = s - r,  v (r + p) = 2r - p,
    // whose product is (1 - v)^2 (2 - v) = (1 + v)^3, or 2v^3 - v^2 + 8v - 1 = 0.
    let found = find(ROCK, "", SOLVING).unwrap();
    let (low, high) = within(&found.value["red"]);
    let left = |v: f64| 2.0 * v.powi(3) - v.powi(2) + 8.0 * v - 1.0;
    assert!(left(low) <= 1e-12 && left(high) >= -1e-12 && high - low < 1e-9, "{low} {high}");
    assert!(found.exploitability < 1e-9, "{}", found.exploitability);
    let v = (low + high) / 2.0;
    let red = found.strategy.iter().find(|line| line.player == "red").unwrap();
    let [r, p, s] = [0, 1, 2].map(|at| red.options[at].weight.about());
    assert!((v * (p + s) - (p - s)).abs() < 1e-6 && (v * (r + s) - (s - r)).abs() < 1e-6);
    // What is met is met so often: a sign of both is the same in r·r' + p·p' + s·s' of the rounds.
    assert!(red.reach > 1.3 && red.reach < 1.7, "{}", red.reach);
}

#[test]
fn a_perfect_opponent_answers_joint_decisions_that_lead_back_to_each_other() {
    // Against signs of equal chance: rock wins 2 as often as it loses 1; blue cannot gain anything.
    let found = exploit(ROCK, "red", ("blue", "random"));
    let (low, high) = within(&found.value["red"]);
    assert!(low <= 0.5 && 0.5 <= high && high - low < 1e-9, "{low} {high}");
    assert_eq!(found.strategy.len(), 1);
    assert_eq!(found.strategy[0].options[0].weight.about(), 1.0, "{:?}", found.strategy);
    // Blue is asked first, red second: the first is free here, the second was above.
    let found = exploit(ROCK, "blue", ("red", "random"));
    let (low, high) = within(&found.value["blue"]);
    assert!(low <= 1e-12 && -1e-12 <= high && high - low < 1e-9, "{low} {high}");
    // Who always shows rock is beaten by paper in the first round.
    let found = exploit(ROCK, "red", ("blue", "first"));
    assert_eq!(within(&found.value["red"]), (1.0, 1.0));
}

/// Rules in a file of `tests/fixtures/for_ever`.
macro_rules! rules {
    ($name:literal) => {
        include_str!(concat!("fixtures/for_ever/", $name, ".rhai"))
    };
}

/// The option that a player surely picks at the question of this name, if the view contains a text.
fn pick(found: &Solution, player: &str, name: &str, sees: &str) -> String {
    let asked = |line: &&StrategyLine| {
        line.player == player && line.name == name && line.sees.contains(sees)
    };
    let line = found.strategy.iter().find(asked).unwrap();
    let sure = line.options.iter().find(|option| option.weight.about() == 1.0);
    sure.unwrap_or_else(|| panic!("{line:?}")).option.clone()
}

fn is_worth(figure: &SolutionNumber, value: f64) {
    let (low, high) = within(figure);
    assert!(low <= value + 1e-12 && value - 1e-12 <= high && high - low < 1e-9, "{low} {high}");
}

#[test]
fn states_without_a_value_are_counted_and_bounds_hold_whatever_for_ever_is_worth() {
    // Red wins by half; with the rope both do best to hold on: anything between -1 and 1 is what
    // it may be worth. Red moves from the middle, blue from beside it.
    let found = find(rules!("rope"), "", SOLVING).unwrap();
    assert_eq!(within(&found.value["red"]), (0.0, 1.0));
    assert_eq!(within(&found.value["blue"]), (-1.0, 0.0));
    let notes = found.notes.join("\n");
    assert!(notes.contains("`way` asked of"), "{notes}");
    assert!(notes.contains("among 3 states"), "{notes}");
    // Beside them the beginning; where blue may win at once, and does, there is a value.
    assert!(notes.contains("bounds of 3 states do not meet"), "{notes}");
    // Red does not give, after which blue wins; where it may win at once blue gives, and so it does
    // where red would win else.
    assert_eq!(pick(&found, "red", "way", ""), "pull");
    assert_eq!(pick(&found, "blue", "way", "at: 1"), "give");
    assert_eq!(pick(&found, "blue", "way", "at: 3"), "give");
    // Whether that can be bettered depends on what for ever is worth.
    assert!(found.exploitability.is_infinite());
    let told = found.report(false).text(80, true);
    assert!(told.contains("what a side gains by playing differently is not known"), "{told}");
    assert!(told.contains("0 to 1"), "{told}");
    assert!(crate::support::json(&found)["exploitability"].is_null());
}

#[test]
fn a_value_beside_states_without_one_is_found() {
    // The coin is thrown until it wins; neither door says anything, and only they stay apart.
    let found = find(rules!("walk"), "", SOLVING).unwrap();
    is_worth(&found.value["ann"], 1.0);
    assert_eq!(pick(&found, "ann", "go", ""), "coin");
    let notes = found.notes.join("\n");
    assert!(notes.contains("bounds of 2 states do not meet"), "{notes}");
    assert!(found.exploitability < 1e-9, "{}", found.exploitability);
}

#[test]
fn what_leads_to_an_end_is_picked_where_all_is_worth_the_same() {
    // All endings are worth -1 to Ann.
    let found = find(rules!("trap"), "", SOLVING).unwrap();
    assert_eq!(within(&found.value["ann"]), (-1.0, -1.0));
    assert_eq!(pick(&found, "ann", "go", ""), "out");
    let notes = found.notes.join("\n");
    assert!(notes.contains("could play for ever"), "{notes}");
    let found = find(rules!("alone"), "", SOLVING).unwrap();
    assert_eq!(within(&found.value["ann"]), (-1.0, -1.0));
    assert_eq!(pick(&found, "ann", "way", "at: 0"), "leave");
    // Whoever goes ends it; Ann wins by going, and what Bob does is all one.
    let found = find(rules!("both"), "", SOLVING).unwrap();
    is_worth(&found.value["ann"], 1.0);
    assert_eq!(pick(&found, "ann", "way", ""), "go");
    assert_eq!(pick(&found, "bob", "way", ""), "go");
}

#[test]
fn conflicts_without_an_end_or_with_bounds_that_say_nothing_are_refused_by_name() {
    let why = find(rules!("never"), "", SOLVING).unwrap_err();
    assert!(why.contains("may play for ever in a cycle of 3 states"), "{why}");
    // Who leaves first gets 1 of 3, the least, and the other 2, the most.
    let why = find(rules!("wait"), "", SOLVING).unwrap_err();
    assert!(why.contains("may play for ever in a cycle of 2 states"), "{why}");
    let why = find(rules!("three"), "", SOLVING).unwrap_err();
    assert!(why.contains("3 states form a cycle"), "{why}");
    let conflict = conflict(rules!("never"), "", &Limits::default(), &[("bob", "random")]);
    let seating = Seating::new(&conflict, 256 << 20).unwrap();
    let seat = Seat { name: "ann".to_owned(), players: vec!["ann".to_owned()] };
    let bounds = Bounds { threads: 1, nodes: 1_000 };
    let why = Exploit::find(&seating, &seat, |_| "random".to_owned(), bounds, &|_| ()).unwrap_err();
    assert!(why.to_string().contains("may play for ever"), "{why}");
}

#[test]
fn what_for_ever_is_worth_to_a_perfect_opponent_does_not_depend_on_what_the_other_picks() {
    // Bob always opens. To leave is worth 1 to Ann; the mill anything from -3 to 5, though neither of
    // these endings is met. So Ann gets 1 to 5; and Bob, who gets 0 or 0 to 7, gets 0 to 7.
    let found = exploit(rules!("gate"), "ann", ("bob", "first"));
    assert_eq!(within(&found.value["ann"]), (1.0, 5.0));
    assert_eq!(within(&found.value["bob"]), (0.0, 7.0));
    let notes = found.notes.join("\n");
    assert!(notes.contains("it could play for ever"), "{notes}");
    assert!(notes.contains("between the least and the greatest utility, and"), "{notes}");
    // Where Bob gets most the gate stays shut, and nothing is left open.
    let found = exploit(rules!("gate"), "bob", ("ann", "first"));
    assert_eq!([&found.value["bob"], &found.value["ann"]].map(SolutionNumber::about), [7.0, -3.0]);
}

#[test]
fn where_nobody_decides_it_goes_on_for_ever_by_itself() {
    // Won, lost, or between the two, with a third each.
    let found = find(rules!("mill"), "", SOLVING).unwrap();
    let (low, high) = within(&found.value["ann"]);
    assert!((low + 1.0 / 3.0).abs() < 1e-12 && (high - 1.0 / 3.0).abs() < 1e-12, "{low} {high}");
    let notes = found.notes.join("\n");
    assert!(notes.contains("it could play for ever among 2 states"), "{notes}");
}

#[test]
fn ropes_that_matching_signs_move_are_worth_what_a_random_walk_is() {
    // With signs of equal chance it moves either way as often: from 1 between -6 and 6 Ann wins with
    // 7/12, and neither can do better against that.
    let found = find(rules!("tug"), "end = 6\nuneven = 0", SOLVING).unwrap();
    is_worth(&found.value["ann"], 1.0 / 6.0);
    assert!(found.exploitability < 1e-9, "{}", found.exploitability);
    let found = find(rules!("tug"), "end = 12\nuneven = 1", SOLVING).unwrap();
    let (low, high) = within(&found.value["ann"]);
    assert!(low > 1.0 / 12.0 && high - low < 1e-9, "{low} {high}");
    assert!(found.exploitability < 1e-9, "{}", found.exploitability);
}

#[test]
fn luck_that_may_be_waited_for_is_worth_what_its_equations_say() {
    // Where both try their luck x = (2x + 1 + y) / 4 and y = (y - 1 + x) / 3: 1/3 and -1/3. To send back
    // is worth 1/3 to Ann, and quitting nothing.
    let found = find(rules!("luck"), "", SOLVING).unwrap();
    is_worth(&found.value["ann"], 1.0 / 3.0);
    assert_eq!(pick(&found, "ann", "way", ""), "luck");
    assert_eq!(pick(&found, "bob", "way", ""), "luck");
}

#[test]
fn a_side_that_is_asked_before_and_after_another_decides_once() {
    // Against a coin Ann and Cy differ: half of the time Bob is as Ann, and they win 1.
    let agents = [("ann", "random"), ("bob", "random"), ("cy", "random")];
    let found = |name: &str, players: &[&str]| {
        let conflict = conflict(rules!("late"), "", &Limits::default(), &agents);
        let seating = Seating::new(&conflict, 256 << 20).unwrap();
        let players = players.iter().map(|&player| player.to_owned()).collect();
        let seat = Seat { name: name.to_owned(), players };
        let bounds = Bounds { threads: 1, nodes: 1_000 };
        Exploit::find(&seating, &seat, |_| "random".to_owned(), bounds, &|_| ()).unwrap()
    };
    is_worth(&found("odd", &["ann", "cy"]).value["odd"], 0.5);
    // Bob wins 2 in half of the rounds, loses 1 in a quarter, and the rest lead back:
    // v = 1 - 1/4 + v / 4.
    is_worth(&found("bob", &["bob"]).value["bob"], 1.0);
}

#[test]
fn a_cycle_that_is_left_with_next_to_no_chance_is_given_up_in_time() {
    // Both may pass for ever, and a throw wins once in 2^62.
    let rules = r#"
fn setup(scenario) { #{ turn: 0, won: false } }
fn step() {
    let who = if this.turn == 0 { "ann" } else { "bob" };
    this.turn = 1 - this.turn;
    if this.choose(who, "do", ["throw", "pass"]) == "pass" { return; }
    this.won = this.roll(who, "fell", weighted([[false, 4611686018427387903], [true, 1]]));
}
fn outcome() {
    if !this.won { return; }
    let ann = if this.turn == 1 { 1 } else { 0 };
    #{ result: "won", utility: #{ ann: ann, bob: 1 - ann } }
}
"#;
    let notes = match find(rules, "", SOLVING) {
        Ok(found) => found.notes.join("\n"),
        Err(why) => why,
    };
    assert!(notes.contains("apart") || notes.contains("for ever"), "{notes}");
}
