//! Tests solving conflicts that may never end: their values are worked out by hand, or they have
//! none and are refused.

use fracas::analysis::equilibrium::Exploit;
use fracas::analysis::{Solution, Solved, Solving, StrategyLine};
use fracas::conflict::{Seat, Seating};
use fracas::error::Error;
use fracas::graph::Bounds;
use fracas::number::Quantity;
use fracas::script::Limits;

use crate::methods::{PIG, SOLVING, conflict, pig};

fn find(rules: &str, setup: &str, solving: Solving) -> Result<Solution, String> {
    let conflict = conflict(rules, setup, &Limits::default(), &[]);
    let seating = Seating::new(&conflict, 256 << 20).unwrap();
    Solved::find(&seating, solving, &|_| ()).unwrap().found
}

fn exploit(rules: &str, free: &str, against: (&str, &str)) -> Exploit {
    exploited(rules, free, against).unwrap()
}

fn exploited(rules: &str, free: &str, against: (&str, &str)) -> Result<Exploit, Error> {
    let conflict = conflict(rules, "", &Limits::default(), &[against]);
    let seating = Seating::new(&conflict, 256 << 20).unwrap();
    let seat = Seat { name: free.to_owned(), players: vec![free.to_owned()] };
    let bounds = Bounds { threads: 1, nodes: 1_000_000 };
    Exploit::find(&seating, &seat, |_| against.1.to_owned(), bounds, &|_| ())
}

fn is_worth(figure: &Quantity, value: f64) {
    assert!((figure.value - value).abs() < 1e-9, "{figure:?} {value}");
}

#[test]
fn both_may_pass_for_ever_and_the_value_is_the_one_without_passing() {
    // Who passes with nothing gained lets the other throw first.
    let found = find(&PIG.replace("this.turn > 0 && ", ""), "goal = 12", SOLVING).unwrap();
    is_worth(&found.value["ann"], pig(12, false));
    assert!(found.exploitability < 1e-9, "{}", found.exploitability);
    let notes = found.notes.join("\n");
    assert!(notes.contains("could play for ever among"), "{notes}");
    assert!(notes.contains("nothing depends on what that is worth"), "{notes}");
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
    let v = found.value["red"].value;
    assert!((2.0 * v.powi(3) - v.powi(2) + 8.0 * v - 1.0).abs() < 1e-9, "{v}");
    assert!(found.exploitability < 1e-9, "{}", found.exploitability);
    let red = found.strategy.iter().find(|line| line.player == "red").unwrap();
    let [r, p, s] = [0, 1, 2].map(|at| red.options[at].weight.value);
    assert!((v * (p + s) - (p - s)).abs() < 1e-6 && (v * (r + s) - (s - r)).abs() < 1e-6);
    // What is met is met so often: a sign of both is the same in r·r' + p·p' + s·s' of the rounds.
    assert!(red.reach > 1.3 && red.reach < 1.7, "{}", red.reach);
}

#[test]
fn a_perfect_opponent_answers_joint_decisions_that_lead_back_to_each_other() {
    // Against signs of equal chance: rock wins 2 as often as it loses 1; blue cannot gain anything.
    let found = exploit(ROCK, "red", ("blue", "random"));
    is_worth(&found.value["red"], 0.5);
    assert_eq!(found.strategy.len(), 1);
    assert_eq!(found.strategy[0].options[0].weight.value, 1.0, "{:?}", found.strategy);
    // Blue is asked first, red second: the first is free here, the second was above.
    let found = exploit(ROCK, "blue", ("red", "random"));
    is_worth(&found.value["blue"], 0.0);
    // Who always shows rock is beaten by paper in the first round.
    let found = exploit(ROCK, "red", ("blue", "first"));
    is_worth(&found.value["red"], 1.0);
    // Who always shows rock, and is not asked, can do nothing.
    let rock = ROCK.replace("blue: all, red: all });", "blue: all });\n    shown.red = \"rock\";");
    let text = exploit(&rock, "red", ("blue", "random")).report(false).text(80, false);
    assert!(text.contains("red has nothing to decide"), "{text}");
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
        line.player == player && line.name == name && line.sees().contains(sees)
    };
    let line = found.strategy.iter().find(asked).unwrap();
    let sure = line.options.iter().find(|option| option.weight.value == 1.0);
    sure.unwrap_or_else(|| panic!("{line:?}")).option.clone()
}

#[test]
fn what_leads_to_an_end_is_picked_where_all_is_worth_the_same() {
    // Ann may stay, and loses as much whenever she leaves: now and then she does.
    let found = find(rules!("alone"), "", SOLVING).unwrap();
    is_worth(&found.value["ann"], -1.0);
    let line = found.strategy.iter().find(|line| line.sees().contains("at: 0")).unwrap();
    let leave = line.options.iter().find(|option| option.option == "leave").unwrap();
    assert!(leave.weight.value > 0.0, "{line:?}");
    let notes = found.notes.join("\n");
    assert!(notes.contains("a side could play for ever"), "{notes}");
    // Whoever goes ends it; Ann wins by going, and what Bob does is all one.
    let found = find(rules!("both"), "", SOLVING).unwrap();
    is_worth(&found.value["ann"], 1.0);
    assert_eq!(pick(&found, "ann", "way", ""), "go");
}

#[test]
fn where_it_depends_on_what_for_ever_is_worth_a_conflict_is_refused_by_name() {
    let why = find(rules!("never"), "", SOLVING).unwrap_err();
    assert!(why.contains("may play for ever in a cycle of 3 states"), "{why}");
    // Who leaves first gets 1 of 3, the least, and the other 2, the most.
    let why = find(rules!("wait"), "", SOLVING).unwrap_err();
    assert!(why.contains("may play for ever in a cycle of 2 states"), "{why}");
    // With the rope both do best to hold on; the doors may be gone through, and the mill runs, for ever.
    for (rules, size) in [(rules!("rope"), 3), (rules!("walk"), 2), (rules!("mill"), 2)] {
        let why = find(rules, "", SOLVING).unwrap_err();
        assert!(why.contains(&format!("may play for ever in a cycle of {size} states")), "{why}");
    }
    // All endings are worth the same; of a trap without an end nobody knows.
    let why = find(rules!("trap"), "", SOLVING).unwrap_err();
    assert!(why.contains("may play for ever in a cycle of 2 states"), "{why}");
    let why = find(rules!("three"), "", SOLVING).unwrap_err();
    assert!(why.contains("3 states form a cycle"), "{why}");
    // Nor does a perfect opponent know: Bob always opens, and Ann may leave, or start the mill.
    for (rules, agent) in [(rules!("never"), "random"), (rules!("gate"), "first")] {
        let why = exploited(rules, "ann", ("bob", agent)).unwrap_err().to_string();
        assert!(why.contains("may play for ever"), "{why}");
    }
    // Where Bob gets most the gate stays shut, and nothing is left open.
    let found = exploit(rules!("gate"), "bob", ("ann", "first"));
    assert_eq!([&found.value["bob"], &found.value["ann"]].map(|number| number.value), [7.0, -3.0]);
}

#[test]
fn ropes_that_matching_signs_move_are_worth_what_a_random_walk_is() {
    // With signs of equal chance it moves either way as often: from 1 between -6 and 6 Ann wins with
    // 7/12, and neither can do better against that.
    let found = find(rules!("tug"), "end = 6\nuneven = 0", SOLVING).unwrap();
    is_worth(&found.value["ann"], 1.0 / 6.0);
    assert!(found.exploitability < 1e-9, "{}", found.exploitability);
    let found = find(rules!("tug"), "end = 12\nuneven = 1", SOLVING).unwrap();
    assert!(found.value["ann"].value > 1.0 / 12.0, "{:?}", found.value);
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
