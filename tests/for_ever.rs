//! Are conflicts solved that may go on for ever? Their values by hand, or that they have none.

use fracas::analysis::equilibrium::Exploit;
use fracas::analysis::{Figure, Solution, Solved, Solving};
use fracas::conflict::{Seat, Seating};
use fracas::graph::Bounds;
use fracas::script::Limits;

use crate::methods::{PIG, SOLVING, conflict, pig};

fn find(rules: &str, setup: &str, solving: Solving<'_>) -> Result<Solution, String> {
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

fn within(figure: &Figure) -> (f64, f64) {
    let Figure::Within(bounds) = figure else { panic!("{figure:?}") };
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
    assert!(notes.contains("could go on for ever among"), "{notes}");
    assert!(notes.contains("nothing depends on it"), "{notes}");
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

/// A coin decides at first whether red has won; else a rope may be pulled for ever.
const ROPE: &str = r#"
fn setup(s) { #{ begun: false, at: 2, turn: "red" } }
fn step() {
    if !this.begun {
        this.begun = true;
        if this.roll("coin", "side", uniform([0, 1])) == 1 { this.at = 4; }
        return;
    }
    this.at += if this.choose(this.turn, "way", ["pull", "give"]) == "pull" { 1 } else { -1 };
    this.turn = if this.turn == "red" { "blue" } else { "red" };
}
fn outcome() {
    if this.at == 0 { #{ result: "blue", utility: #{ red: -1, blue: 1 } } }
    else if this.at == 4 { #{ result: "red", utility: #{ red: 1, blue: -1 } } }
}
"#;

#[test]
fn states_without_a_value_are_counted_and_bounds_hold_whatever_for_ever_is_worth() {
    // Red wins by half; with the rope both do best to hold on: anything between -1 and 1 is what
    // it may be worth. Red moves from the middle, blue from beside it.
    let found = find(ROPE, "", SOLVING).unwrap();
    assert_eq!(within(&found.value["red"]), (0.0, 1.0));
    assert_eq!(within(&found.value["blue"]), (-1.0, 0.0));
    let notes = found.notes.join("\n");
    assert!(notes.contains("`way` asked of"), "{notes}");
    assert!(notes.contains("among 3 states"), "{notes}");
    assert!(notes.contains("have no value"), "{notes}");
}
