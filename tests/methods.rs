//! Tests that each kind of game is solved by a method that fits it, and that the numbers agree with
//! published values and with other methods.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use fracas::analysis::equilibrium::Exploit;
use fracas::analysis::{Odds, Seeking, Solution, Solved, Solving, Stage};
use fracas::catalog::{Catalog, FileText, Scenario};
use fracas::conflict::{Changes, Conflict, Seat, Seating};
use fracas::graph::Bounds;
use fracas::number::{Fraction, Quantity};
use fracas::script::{Budget, Limits};

use crate::support::{catalog, json};

/// A conflict from rules that a test writes, under given limits, with agents in some seats.
pub fn conflict(rules: &str, setup: &str, limits: &Limits, seats: &[(&str, &str)]) -> Conflict {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("own")).unwrap();
    std::fs::write(folder.path().join("own/rules.rhai"), rules).unwrap();
    let catalog = Catalog::new(&[folder.path().to_path_buf()]).unwrap();
    let text = format!("system = \"own\"\n[setup]\n{setup}\n");
    let text = FileText { path: "inline.toml".to_owned(), text };
    let mut scenario = Scenario::parse("own/inline", text).unwrap();
    scenario.seats =
        seats.iter().map(|(seat, agent)| (seat.to_string(), agent.to_string())).collect();
    Conflict::of(&catalog, scenario, &Changes::default(), limits).unwrap()
}

pub const SOLVING: Solving =
    Solving { exact: false, within: 1e-3, time: None, threads: 1, nodes: 1_000_000, work: None };

fn find(rules: &str, setup: &str, solving: Solving) -> Solved {
    let conflict = conflict(rules, setup, &Limits::default(), &[]);
    let seating = Seating::new(&conflict, 256 << 20).unwrap();
    Solved::find(&seating, solving, &|_| ()).unwrap()
}

fn solution(solved: &Solved) -> &Solution {
    solved.found.as_ref().unwrap()
}

fn words(solved: &Solved) -> String {
    solved.kind.as_ref().unwrap().words.clone()
}

/// A card is turned up; Ann hides a coin on it, Bob guesses which side is up. He gains the card's
/// number for heads, and 1 for tails.
const PENNIES: &str = r#"
fn setup(scenario) { #{ cards: scenario.number("cards"), card: 0, hidden: (), guess: () } }
fn step() {
    if this.card == 0 {
        let all = [];
        for card in 1..=this.cards { all.push(card); }
        this.card = this.roll("table", "card", uniform(all));
    } else if this.hidden == () {
        this.hidden = this.choose("ann", "hide", ["heads", "tails"]);
    } else {
        this.guess = this.choose("bob", "guess", ["heads", "tails"]);
    }
}
fn outcome() {
    if this.guess == () { return; }
    let won = if this.guess != this.hidden { 0 } else if this.guess == "heads" { this.card } else { 1 };
    #{ result: this.guess, utility: #{ ann: -won, bob: won } }
}
fn view(player) {
    let seen = #{ card: this.card, hidden: this.hidden != (), guess: this.guess };
    if player == "ann" { seen.own = this.hidden; }
    seen
}
"#;

#[test]
fn sides_with_millions_of_pairs_of_strategies_are_solved_by_their_sequences() {
    // With card c each side picks heads once in c + 1 times, and Bob gains c / (c + 1).
    let card = |card: i64| Fraction::new(card.into(), (card + 1).into());
    let value = (1..=12).map(card).sum::<Fraction>() / Fraction::from_integer(12.into());
    // 12 cards with two options each, and nothing done yet.
    let solved = find(PENNIES, "cards = 12", Solving { exact: true, ..SOLVING });
    let nearly = solution(&solved);
    assert_eq!(nearly.method, "sequence form of 25 and 25 sequences");
    assert!(!nearly.exact && nearly.exploitability < 1e-7, "{}", nearly.exploitability);
    let about = Quantity::from(value).value;
    assert!((nearly.value["bob"].value - about).abs() < 1e-7, "{:?}", nearly.value);
    let why = "fractions were asked for, and the sides have 4096 and 4096 pure strategies, more than the 2500 pairs";
    assert!(nearly.notes.iter().any(|note| note.starts_with(why)), "{:?}", nearly.notes);
    // With five cards there are 32 times 32 pairs.
    let solved = find(PENNIES, "cards = 5", Solving { exact: true, ..SOLVING });
    let exact = solution(&solved);
    let value = (1..=5).map(card).sum::<Fraction>() / Fraction::from_integer(5.into());
    assert!(exact.exact && exact.exploitability == 0.0, "{exact:?}");
    assert_eq!(exact.value["bob"], Quantity::from(value));
}

#[test]
fn tables_and_linear_programs_stop_when_somebody_wants_it() {
    // 2 cards are a table of 16 pairs, 12 cards a linear program.
    for cards in ["cards = 2", "cards = 12"] {
        let interrupt = Arc::new(AtomicBool::new(false));
        let limits = Limits {
            budget: Budget::default().interrupted_by(Some(Arc::clone(&interrupt))),
            ..Limits::default()
        };
        let conflict = conflict(PENNIES, cards, &limits, &[]);
        let seating = Seating::new(&conflict, 256 << 20).unwrap();
        // The strategies are counted before anything is solved.
        let solved = Solved::find(&seating, SOLVING, &|stage| {
            if matches!(stage, Stage::Notice(_)) {
                interrupt.store(true, Ordering::Relaxed);
            }
        });
        let solved = solved.unwrap();
        assert!(solved.interrupted && solved.found.is_err(), "{cards}: {:?}", solved.found);
    }
}

/// One player picks a number from 0 to 7, then the other does; `worth` holds an expression of both
/// numbers for each player.
fn picks(worth: [&str; 2]) -> String {
    let [ann, bob] = worth;
    format!(
        r#"
fn setup(scenario) {{ #{{ a: (), b: () }} }}
fn step() {{
    if this.a == () {{ this.a = this.choose("ann", "pick", [0, 1, 2, 3, 4, 5, 6, 7]); }}
    else {{ this.b = this.choose("bob", "pick", [0, 1, 2, 3, 4, 5, 6, 7]); }}
}}
fn outcome() {{
    if this.b == () {{ return; }}
    let a = this.a;
    let b = this.b;
    #{{ result: "picked", utility: #{{ ann: {ann}, bob: {bob} }} }}
}}
"#
    )
}

#[test]
fn sums_of_floats_are_the_same_within_a_tolerance_that_is_said() {
    // Sevenths as floats: 1/7 + (1 - 1/7) is not 1 to the last digit as a decimal.
    let rules = picks(["(a - b).to_float() / 7.0", "1.0 - (a - b).to_float() / 7.0"]);
    let solved = find(&rules, "", SOLVING);
    let told = words(&solved);
    assert!(told.contains("utilities sum to 1 (floats, compared within 1e-12"), "{told}");
    // Ann picks the most, and so does Bob: they get 0 and 1.
    assert_eq!(solution(&solved).value["bob"], Quantity::from(Fraction::from_integer(1.into())));
    let notes = |solved: &Solved| solution(solved).notes.join("\n");
    assert!(notes(&solved).contains("read as the decimals"), "{:?}", notes(&solved));
    // A difference that is rescaled: three tenths are lost for each tenth that is won.
    let rules = picks(["0.1 * (a - b).to_float()", "-0.3 * (a - b).to_float()"]);
    let solved = find(&rules, "", SOLVING);
    assert!(words(&solved).contains("the other loses in proportion"), "{}", words(&solved));
    assert_eq!(solution(&solved).method, "backward induction");
    // A float that is off by more is no such thing.
    let rules =
        picks(["0.1 * (a - b).to_float()", "-0.1 * (a - b).to_float() + 1.0e-6 * a.to_float()"]);
    let told = words(&find(&rules, "", SOLVING));
    assert!(told.contains("do not sum to a constant"), "{told}");
    // Whole numbers are compared to the last.
    let solved = find(&picks(["a - b", "b - a"]), "", SOLVING);
    assert!(!notes(&solved).contains("decimals"), "{:?}", notes(&solved));
    let told = words(&solved);
    assert!(told.contains("sum to 0,"), "{told}");
}

#[test]
fn fractions_of_the_rules_stay_exact() {
    // The best of Ann is 7, and Bob's against it 0: 14 thirds apart from what he gets.
    let rules = picks(["ratio(2 * a - b, 3)", "ratio(b - 2 * a, 3)"]);
    let solved = find(&rules, "", SOLVING);
    assert!(words(&solved).contains("sum to 0,"), "{}", words(&solved));
    // Bob picks 7 against her 7: (14 - 7) / 3.
    assert_eq!(json(&solution(&solved).value["ann"]), "7/3");
    let random = [("ann", "random"), ("bob", "random")];
    let conflict = conflict(&rules, "", &Limits::default(), &random);
    let seating = Seating::new(&conflict, 1 << 24).unwrap();
    let seeking = Seeking { float: false, threads: 1, nodes: 1_000 };
    let odds = Odds::find(&seating, seeking, &|_| ()).unwrap().found.unwrap();
    // The mean of 2 a - b is 3.5, a third of which is 7/6.
    assert_eq!(json(&odds.utility["ann"]), "7/6");
}

/// Three players show 0 or 1 at once; a player who shows it alone wins from each of the others: Ann
/// 3, Bob and Cy 1.
const ODD_ONE: &str = r#"
fn setup(scenario) { #{ shown: () } }
fn step() {
    this.shown = this.choose_secretly("show", #{ ann: [0, 1], bob: [0, 1], cy: [0, 1] });
}
fn outcome() {
    if this.shown == () { return; }
    let utility = #{ ann: 0, bob: 0, cy: 0 };
    let sum = this.shown.ann + this.shown.bob + this.shown.cy;
    for player in ["ann", "bob", "cy"] {
        let alone = (sum == 1 && this.shown[player] == 1) || (sum == 2 && this.shown[player] == 0);
        if alone {
            let wins = if player == "ann" { 3 } else { 1 };
            for other in utility.keys() { utility[other] = if other == player { 2 * wins } else { -wins }; }
        }
    }
    #{ result: "shown", utility: utility }
}
"#;

#[test]
fn three_sides_that_decide_at_once_are_out_of_reach() {
    let solved = find(ODD_ONE, "", SOLVING);
    let kind = words(&solved).to_owned();
    assert!(kind.contains("3 sides") && kind.contains("but for joint decisions"), "{kind}");
    assert_eq!(solved.found.unwrap_err(), format!("no method fits {kind}"));
}

#[test]
fn a_game_too_wide_for_all_equilibria_without_a_pure_one_is_out_of_reach() {
    // Ten options each, and what they are worth as good as random: by squares modulo primes. Ann wants
    // an even sum and Bob an odd one, so one of them always wants another option.
    let rules =
        TEN.replace("ANN", "(pair * pair * 7 + 3 * pair) % 101 + if odd { 0 } else { 200 }");
    let rules =
        rules.replace("BOB", "(pair * pair * 5 + 11 * pair) % 103 + if odd { 200 } else { 0 }");
    let why = find(&rules, "", SOLVING).found.unwrap_err();
    assert!(why.starts_with("there is no pure equilibrium, and more than 100000 sets"), "{why}");
}

#[test]
fn a_game_too_wide_for_all_equilibria_has_its_pure_ones() {
    // By going through all cells, Ann's least option first: she gets the greatest number of the column
    // and Bob that of the row at these pairs alone. In row 6 Bob always gets 4, for 3 + 36 is 3 times 13.
    let rules = TEN.replace("ANN", "(7 * a + 13 * b + 3 * a * b) % 11");
    let rules = rules.replace("BOB", "(5 * a + 3 * b + a * a * b) % 13");
    let solved = find(&rules, "", SOLVING);
    let found = solution(&solved);
    assert_eq!((found.method.as_str(), found.exact), ("Nash equilibrium", true));
    let pairs = std::iter::once(found).chain(&found.further).map(|one| {
        let picks = |player: &str| {
            let line = one.strategy.iter().find(|line| line.player == player).unwrap();
            line.options.iter().position(|choice| choice.weight.value != 0.0).unwrap()
        };
        assert_eq!(one.value["ann"], Quantity::from(Fraction::from_integer(10.into())));
        (picks("ann"), picks("bob"), one.value["bob"].value)
    });
    let expected = [(1, 5, 12.0), (3, 3, 12.0), (6, 5, 4.0), (7, 5, 9.0), (8, 5, 11.0)];
    assert_eq!(pairs.collect::<Vec<_>>(), expected);
    assert!(found.notes.iter().any(|note| note.starts_with("these are pure")), "{:?}", found.notes);
}

/// Ten options each, at once.
const TEN: &str = r#"
fn setup(scenario) { #{ shown: () } }
fn step() {
    let all = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
    this.shown = this.choose_secretly("show", #{ ann: all, bob: all });
}
fn outcome() {
    if this.shown == () { return; }
    let a = this.shown.ann;
    let b = this.shown.bob;
    let pair = 10 * a + b;
    let odd = (a + b) % 2 == 1;
    #{ result: "shown", utility: #{ ann: ANN, bob: BOB } }
}
"#;

#[test]
fn leduc_poker_is_solved_by_its_sequences() {
    let catalog = catalog();
    let name = "leduc_poker/one_hand";
    let changes = Changes::default();
    let conflict = Conflict::open(&catalog, name, &changes, &Limits::default()).unwrap();
    let seating = Seating::new(&conflict, 256 << 20).unwrap();
    let solved = Solved::find(&seating, SOLVING, &|_| ()).unwrap();
    let found = solution(&solved);
    // Each side acts 7 ways in a round. It does so with 3 cards, and again after the 5 ways in which the
    // first round closes, with 3 cards on the table; with the empty sequence 1 + 21 + 315.
    assert_eq!(found.method, "sequence form of 337 and 337 sequences");
    assert!(!found.exact && found.exploitability < 1e-7, "{}", found.exploitability);
    // The value that is published for the linear program: Lanctot and others, 2019, "OpenSpiel".
    assert!((found.value["ann"].value + 0.085606424078).abs() < 1e-7, "{:?}", found.value);
}

/// Pig: a 1 ends the turn and loses its points; a player who holds keeps them.
pub const PIG: &str = r#"
fn setup(scenario) { #{ goal: scenario.number("goal"), ann: 0, bob: 0, mover: "ann", turn: 0 } }
fn other(player) { if player == "ann" { "bob" } else { "ann" } }
fn step() {
    let player = this.mover;
    if this.turn > 0 && this.choose(player, "turn", ["roll", "hold"]) == "hold" {
        this[player] += this.turn;
        this.turn = 0;
        this.mover = other(player);
        return;
    }
    let face = this.roll(player, "die", dice("1d6"));
    if face == 1 {
        this.turn = 0;
        this.mover = other(player);
    } else {
        this.turn += face;
        if this[player] + this.turn >= this.goal { this[player] = this.goal; this.turn = 0; }
    }
}
fn outcome() {
    for player in ["ann", "bob"] {
        if this[player] >= this.goal {
            let utility = #{ ann: 0, bob: 0 };
            utility[player] = 1;
            return #{ result: player, utility: utility };
        }
    }
}
"#;

/// The probability that the first player wins at Pig if both play best, or if the second always
/// rolls. It is found by value iteration over (own, other, turn), for the player who moves and for
/// the one who waits.
pub fn pig(goal: usize, second_rolls: bool) -> f64 {
    // Whether the first moves, then the points of who moves, of who waits and of the turn.
    let mut wins = vec![0.0_f64; 2 * goal * goal * goal];
    let place = |first: bool, own: usize, other: usize, turn: usize| {
        ((usize::from(first) * goal + own) * goal + other) * goal + turn
    };
    loop {
        let mut change = 0.0_f64;
        for number in 0..2 * goal * goal {
            let (first, own, other) = (number % 2 == 0, number / 2 % goal, number / 2 / goal);
            for turn in 0..goal - own {
                let after = |turn: usize| match own + turn >= goal {
                    true => f64::from(u8::from(first)),
                    false => wins[place(first, own, other, turn)],
                };
                let lost = wins[place(!first, other, own, 0)];
                let roll = (lost + (2..=6).map(|face| after(turn + face)).sum::<f64>()) / 6.0;
                let hold = wins[place(!first, other, own + turn, 0)];
                let best = match first {
                    _ if turn == 0 => roll,
                    true => roll.max(hold),
                    false if second_rolls => roll,
                    false => roll.min(hold),
                };
                let at = place(first, own, other, turn);
                change = change.max((best - wins[at]).abs());
                wins[at] = best;
            }
        }
        if change < 1e-14 {
            return wins[place(true, 0, 0, 0)];
        }
    }
}

#[test]
fn turns_that_lead_back_to_each_other_are_worth_what_values_from_below_and_above_meet_at() {
    let solved = find(PIG, "goal = 12", SOLVING);
    let found = solution(&solved);
    assert_eq!(found.method, "value iteration");
    let value = pig(12, false);
    assert!((found.value["ann"].value - value).abs() < 1e-10, "{:?} {value}", found.value);
    assert!(found.exploitability < 1e-9, "{}", found.exploitability);
    assert!(found.notes[0].contains("from below and from above"), "{:?}", found.notes);
}

#[test]
fn a_perfect_opponent_is_found_where_states_lead_back_to_each_other() {
    // Bob takes the first option: he always rolls.
    let conflict = conflict(PIG, "goal = 12", &Limits::default(), &[("bob", "first")]);
    let seating = Seating::new(&conflict, 256 << 20).unwrap();
    let seat = Seat { name: "ann".to_owned(), players: vec!["ann".to_owned()] };
    let bounds = Bounds { threads: 1, nodes: 1_000_000 };
    let found = Exploit::find(&seating, &seat, |_| "first".to_owned(), bounds, &|_| ()).unwrap();
    let value = pig(12, true);
    assert!((found.value["ann"].value - value).abs() < 1e-10, "{:?} {value}", found.value);
    assert!((found.value["bob"].value + value - 1.0).abs() < 1e-10, "{:?}", found.value);
    let text = found.report(false).text(80, true);
    assert!(!found.exact && text.contains("from below and from above"), "{text}");
}

#[test]
fn floats_where_fractions_were_asked_for_say_what_is_beyond_which_number() {
    let note = |cards: &str| {
        let solved = find(PENNIES, cards, Solving { exact: true, within: 1e9, ..SOLVING });
        let found = solution(&solved);
        assert!(!found.exact);
        found
            .notes
            .iter()
            .find(|note| note.starts_with("fractions were asked for"))
            .unwrap()
            .clone()
    };
    // Each card doubles the strategies.
    let told = note("cards = 2500");
    assert!(
        told.ends_with("pure strategies, more than the 2500 pairs that are solved in fractions"),
        "{told}"
    );
    assert!(told.contains("more than 1.7976931348623157e308 and"), "{told}");
}

/// Ann shows a side of a coin and covers it, then names a side, truly or not; Bob hears only that.
const COVERED: &str = r#"
fn setup(scenario) { #{ says: (), guess: () } }
fn step() {
    if this.says == () {
        let shows = this.choose("ann", "show", ["heads", "tails"]);
        this.says = this.choose("ann", "say", ["heads", "tails"]);
        this.shown = shows;
    } else {
        this.guess = this.choose("bob", "guess", ["heads", "tails"]);
    }
}
fn outcome() {
    if this.guess == () { return; }
    let won = if this.guess == this.shown { 1 } else { -1 };
    #{ result: this.guess, utility: #{ ann: -won, bob: won } }
}
fn view(player) { #{ table: #{ says: this.says }, guess: this.guess } }
"#;

#[test]
fn what_a_player_goes_by_is_there_as_data() {
    let conflict =
        Conflict::open(&catalog(), "kuhn_poker/one_hand", &Changes::default(), &Limits::default());
    let seating = Seating::new(&conflict.unwrap(), 256 << 20).unwrap();
    let json = json(&Solved::find(&seating, SOLVING, &|_| ()).unwrap());
    let goes_by = |line: &serde_json::Value| {
        let seen = |path: &str| {
            let mut pairs = line["seen"].as_array().unwrap().iter();
            pairs.find(|pair| pair[0] == path).map(|pair| pair[1].clone()).unwrap()
        };
        assert_eq!(
            line["seen"].as_array().unwrap().len(),
            2,
            "the players are always the same: {line}"
        );
        assert!(line.get("answered").is_none(), "{line}");
        let shown = seen("acts");
        let acts = shown.as_array().unwrap().iter().map(|act| act.as_str().unwrap());
        let card = seen("card").as_i64().unwrap();
        (line["player"].as_str().unwrap().to_owned(), card, acts.collect::<Vec<_>>().join(" "))
    };
    let mut sets: Vec<_> = json["strategy"].as_array().unwrap().iter().map(goes_by).collect();
    sets.sort();
    // Kuhn, 1950: with each card the first acts at once or after a pass and a bet, the second after a
    // pass or after a bet.
    let mut known = Vec::new();
    for (player, ways) in [("ann", ["", "pass bet"]), ("bob", ["bet", "pass"])] {
        for card in 1..=3 {
            known.extend(ways.map(|acts| (player.to_owned(), card, acts.to_owned())));
        }
    }
    assert_eq!(sets, known);
    let json = crate::support::json(&find(COVERED, "", SOLVING));
    let lines = json["strategy"].as_array().unwrap();
    let says = |shown: &str| {
        let answered = serde_json::json!([["ann", "show", shown]]);
        lines.iter().find(|line| line["name"] == "say" && line["answered"] == answered).unwrap()
    };
    for shown in ["heads", "tails"] {
        assert_eq!(says(shown)["seen"], serde_json::json!([]));
    }
    let heard = |said: &str| {
        let seen = serde_json::json!([["table.says", said]]);
        lines.iter().any(|line| line["name"] == "guess" && line["seen"] == seen)
    };
    assert!(heard("heads") && heard("tails"), "{json}");
}
