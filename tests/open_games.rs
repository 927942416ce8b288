//! Tests solving textbook games, and refusing others with the reason. The values are worked out by
//! hand or taken from the literature.

use fracas::analysis::{Solution, Solved, Solving, StrategyLine};
use fracas::catalog::{Catalog, FileText, Scenario};
use fracas::conflict::{Changes, Conflict, Seating};
use fracas::number::{Fraction, Quantity};
use fracas::script::Limits;

use crate::support::{catalog, json};

const SOLVING: Solving =
    Solving { exact: false, within: 1e-3, time: None, threads: 1, nodes: u64::MAX, work: None };
const EXACTLY: Solving = Solving { exact: true, ..SOLVING };

fn find(conflict: &Conflict, solving: Solving) -> Solved {
    let seating = Seating::new(conflict, 256 << 20).unwrap();
    Solved::find(&seating, solving, &|_| ()).unwrap_or_else(|error| panic!("{error}"))
}

/// The solution of a scenario on disk.
fn solved(name: &str, solving: Solving) -> Solution {
    let conflict = Conflict::open(&catalog(), name, &Changes::default(), &Limits::default());
    let found = find(&conflict.unwrap(), solving).found;
    found.unwrap_or_else(|why| panic!("{name}: {why}"))
}

/// Solves rules that a test writes.
fn own(rules: &str, solving: Solving) -> Solved {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("own")).unwrap();
    std::fs::write(folder.path().join("own/rules.rhai"), rules).unwrap();
    let catalog = Catalog::new(&[folder.path().to_path_buf()]).unwrap();
    let text = "system = \"own\"\n[setup]\n".to_owned();
    let scenario =
        Scenario::parse("own/inline", FileText { path: "inline.toml".to_owned(), text }).unwrap();
    let conflict =
        Conflict::of(&catalog, scenario, &Changes::default(), &Limits::default()).unwrap();
    find(&conflict, solving)
}

fn ratio(part: i64, whole: i64) -> Quantity {
    Quantity::from(Fraction::new(part.into(), whole.into()))
}

/// The first line of a player in the strategy.
fn line<'a>(solution: &'a Solution, player: &str) -> &'a StrategyLine {
    solution.strategy.iter().find(|line| line.player == player).unwrap()
}

fn weights(line: &StrategyLine) -> Vec<Quantity> {
    line.options.iter().map(|choice| choice.weight.clone()).collect()
}

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
}

#[test]
fn pennies_are_shown_either_way_half_of_the_time() {
    let solution = solved("payoff_table/matching_pennies", EXACTLY);
    assert!(solution.exact && solution.value["ann"] == ratio(0, 1));
    for player in ["ann", "bob"] {
        assert_eq!(weights(line(&solution, player)), [ratio(1, 2), ratio(1, 2)]);
    }
}

#[test]
fn a_cloned_rock_shares_what_the_rock_had() {
    // Exactly, and in floats; how the two rocks share it is open.
    for settings in [EXACTLY, SOLVING] {
        let solution = solved("payoff_table/cloned_rock", settings);
        assert_eq!(solution.exact, settings.exact);
        assert!(solution.exploitability < 1e-12);
        for player in ["ann", "bob"] {
            let found: Vec<f64> =
                weights(line(&solution, player)).iter().map(|number| number.value).collect();
            near(found[0] + found[1], 1.0 / 3.0);
            near(found[2], 1.0 / 3.0);
            near(found[3], 1.0 / 3.0);
        }
    }
}

#[test]
fn rock_paper_and_scissors_are_shown_equally_often() {
    let solution = solved("rock_paper_scissors/once", EXACTLY);
    assert_eq!(weights(line(&solution, "bob")), [ratio(1, 3), ratio(1, 3), ratio(1, 3)]);
    assert_eq!(solution.method, "backward induction over matrix games");
}

#[test]
fn options_that_are_never_better_are_named_with_what_is() {
    let solution = solved("payoff_table/never_better", EXACTLY);
    assert_eq!(solution.value["ann"], ratio(3, 2));
    assert_eq!(solution.value["bob"], ratio(-3, 2));
    let (ann, bob) = (line(&solution, "ann"), line(&solution, "bob"));
    assert_eq!(weights(ann), [ratio(1, 4), ratio(3, 4), ratio(0, 1)]);
    assert_eq!(weights(bob), [ratio(1, 2), ratio(1, 2), ratio(0, 1)]);
    assert_eq!(ann.options[2].dominated.as_deref(), Some("top"));
    // For who pays, left is better than right too, and stands first.
    assert_eq!(bob.options[2].dominated.as_deref(), Some("left"));
    let text = solution.report(false).text(80, true);
    assert!(text.contains("never: bottom (`top` dominates it)"), "{text}");
}

#[test]
fn a_battle_of_the_sexes_has_three_equilibria() {
    let solution = solved("payoff_table/battle_of_the_sexes", SOLVING);
    let all: Vec<&Solution> = std::iter::once(&solution).chain(&solution.further).collect();
    let mut values: Vec<String> = all
        .iter()
        .map(|one| format!("{:?}", one.value.values().map(json).collect::<Vec<_>>()))
        .collect();
    values.sort();
    assert_eq!(
        values,
        [
            r#"[String("1"), String("2")]"#,
            r#"[String("2"), String("1")]"#,
            r#"[String("2/3"), String("2/3")]"#
        ]
    );
    assert!(all.iter().all(|one| one.exact && one.method == "Nash equilibrium"));
}

#[test]
fn nobody_wins_at_noughts_and_crosses_who_plays_well() {
    let solution = solved("tic_tac_toe/empty_board", SOLVING);
    assert!(solution.exact);
    assert_eq!(solution.value["x"], ratio(0, 1));
    // All nine first cells draw; after a corner only the middle holds.
    let first = &solution.strategy[0];
    assert!(first.reach == 1.0 && first.options.iter().all(|choice| choice.weight == ratio(1, 9)));
    let corner = solution
        .strategy
        .iter()
        .find(|line| {
            line.player == "o"
                && line.sees()
                    == "cells: [\"x\", \".\", \".\", \".\", \".\", \".\", \".\", \".\", \".\"]"
        })
        .unwrap();
    let best = corner.best().unwrap();
    assert_eq!((best.option.as_str(), &best.weight), ("5", &ratio(1, 1)));
}

/// Five troops on three fields at once; who has more on a field wins it, who wins more fields wins.
const BLOTTO: &str = r#"
//! # Blotto
//! Two colonels send five troops each to three fields.
fn setup(s) { #{ sent: () } }
fn ways() {
    let ways = [];
    for a in 0..6 { for b in 0..(6 - a) { ways.push(`${a} ${b} ${5 - a - b}`); } }
    ways
}
fn step() { this.sent = this.choose_secretly("send", #{ red: ways(), blue: ways() }); }
fn outcome() {
    if this.sent == () { return; }
    let red = this.sent.red.split(" ");
    let blue = this.sent.blue.split(" ");
    let won = 0;
    for field in 0..3 {
        let here = parse_int(red[field]) - parse_int(blue[field]);
        if here > 0 { won += 1; } else if here < 0 { won -= 1; }
    }
    let number = if won > 0 { 1 } else if won < 0 { -1 } else { 0 };
    #{ result: "over", utility: #{ red: number, blue: -number } }
}
"#;

#[test]
fn two_colonels_with_as_many_troops_are_even() {
    // Borel, La théorie du jeu, 1921. Whatever one can do the other can, so the value is 0; five
    // troops on one field lose to any way that holds the other two, and never win against it.
    let solution = own(BLOTTO, EXACTLY).found.unwrap();
    assert!(solution.exact);
    assert_eq!(solution.value["red"], ratio(0, 1));
    for player in ["red", "blue"] {
        let line = line(&solution, player);
        assert_eq!(line.options.len(), 21);
        let of = |way: &str| line.options.iter().find(|choice| choice.option == way).unwrap();
        assert_eq!(of("5 0 0").weight.value, 0.0);
    }
}

/// One inspection in four stages, one violation at most: Dresher, 1962.
const INSPECTION: &str = r#"
//! # Inspection
//! The inspector may look once in four stages, the other may break the treaty once.
fn setup(s) { #{ left: 4, result: () } }
fn step() {
    let answer = this.choose_secretly("stage", #{ inspector: ["look", "wait"], other: ["break", "keep"] });
    if answer.inspector == "look" && answer.other == "break" { this.result = 1; }
    else if answer.other == "break" { this.result = -1; }
    else if answer.inspector == "look" { this.result = if this.left > 1 { -1 } else { 0 }; }
    else {
        this.left -= 1;
        if this.left == 0 { this.result = 0; }
    }
}
fn outcome() {
    if this.result == () { return; }
    #{ result: "over", utility: #{ inspector: this.result, other: -this.result } }
}
"#;

#[test]
fn an_inspector_with_one_look_in_n_stages_loses_n_less_1_over_n_and_1() {
    // Dresher, A sampling inspector game, RAND, 1962. With I(n) to the inspector: caught 1; broken
    // unseen -1; looked in vain, and the other breaks it at leisure, -1 (0 at the last stage);
    // neither, I(n - 1). The value of [[1, -1], [-1, I]] is (I - 1) / (3 + I). I(1) = 0,
    // I(2) = -1/3, I(3) = -1/2, I(4) = -3/5: -(n - 1) / (n + 1).
    let solution = own(INSPECTION, EXACTLY).found.unwrap();
    assert_eq!(solution.value["inspector"], ratio(-3, 5));
    near(own(INSPECTION, SOLVING).found.unwrap().value["other"].value, 0.6);
}

/// Red hides on one side of a tree, blue looks on one; the search may begin again.
const AGAIN: &str = r#"
//! # Again
//! Red hides left or right, blue looks.
fn setup(s) { #{ result: () } }
fn step() {
    let answer = this.choose_secretly("side", #{ red: ["left", "right"], blue: ["left", "right"] });
    if answer.red == answer.blue { this.result = -1; }
    else if answer.red == "left" { this.result = 1; }
    else if this.roll("fog", "fog", uniform([0, 1])) == 0 { this.result = 0; }
}
fn outcome() {
    if this.result == () { return; }
    #{ result: "over", utility: #{ red: this.result, blue: -this.result } }
}
"#;

#[test]
fn a_search_that_may_begin_again_has_an_irrational_value() {
    // With c = v / 2 where red hides right and blue looks left, v is the value of
    // [[-1, 1], [c, -1]]: -(1 - c) / (3 + c). So v (3 + v/2) = -1 + v/2, v² + 5 v + 2 = 0, and
    // v = (-5 + √17) / 2; then -1 < c < 1, and there is no saddle indeed.
    let solution = own(AGAIN, SOLVING).found.unwrap();
    near(solution.value["red"].value, (17.0_f64.sqrt() - 5.0) / 2.0);
    assert!(solution.exploitability < 1e-10);
    let why = own(AGAIN, EXACTLY).found.unwrap_err();
    assert!(why.contains("their values need not be fractions (`side` asked of"), "{why}");
}

/// Two dice games, one after the other, until somebody has won.
const DICE: &str = r#"
//! # Dice
//! In turn each picks a way to throw.
fn setup(s) { #{ turn: "red", result: () } }
fn step() {
    let ways = if this.turn == "red" { #{ safe: [4, 6, 0], bold: [4, 3, 5] } } else { #{ hard: [1, 2, 1], soft: [2, 1, 1] } };
    let way = ways[this.choose(this.turn, "way", ways.keys())];
    let falls = this.roll("dice", "throw", weighted([["red", way[0]], ["blue", way[1]], ["again", way[2]]]));
    if falls != "again" { this.result = falls; }
    this.turn = if this.turn == "red" { "blue" } else { "red" };
}
fn outcome() {
    if this.result == () { return; }
    let number = if this.result == "red" { 1 } else { -1 };
    #{ result: this.result, utility: #{ red: number, blue: -number } }
}
"#;

#[test]
fn turns_that_come_back_have_exact_values() {
    // Safe: 4/10 against 6/10, -1/5. Bold: 4/12 - 3/12 + 5/12 b. Blue is hard: b = -1/4 + r/4, or
    // soft: b = 1/4 + r/4, and takes the less. r = 1/12 - 5/48 + 5/48 r, so 43/48 r = -1/48:
    // r = -1/43, more than -1/5.
    let solution = own(DICE, SOLVING).found.unwrap();
    assert!(solution.exact);
    assert_eq!(solution.value["red"], ratio(-1, 43));
    let words = |player: &str| line(&solution, player).best().unwrap().option.clone();
    assert_eq!((words("red"), words("blue")), ("bold".to_owned(), "hard".to_owned()));
    // Red throws once at first, and again after 5/12 · 1/4 of its throws: 1 / (1 - 5/48).
    near(line(&solution, "red").reach, 48.0 / 43.0);
}

/// A rope that the players may pull for ever.
const ROPE: &str = r#"
//! # Rope
//! In turn each pulls or gives.
fn setup(s) { #{ at: 2, turn: "red" } }
fn step() {
    this.at += if this.choose(this.turn, "way", ["pull", "give"]) == "pull" { 1 } else { -1 };
    this.turn = if this.turn == "red" { "blue" } else { "red" };
}
fn outcome() {
    if this.at == 0 { #{ result: "blue", utility: #{ red: -1, blue: 1 } } }
    else if this.at == 4 { #{ result: "red", utility: #{ red: 1, blue: -1 } } }
}
"#;

#[test]
fn what_may_go_on_for_ever_is_refused_by_name() {
    // Red moves from the middle, blue from beside it: three states, and the ends.
    let why = own(ROPE, SOLVING).found.unwrap_err();
    assert!(why.contains("may play for ever in a cycle of 3 states"), "{why}");
    assert!(why.contains("`way` asked of"), "{why}");
}

#[test]
fn a_hidden_game_with_few_pure_strategies_is_solved_as_their_table() {
    // Kuhn, A simplified two-person poker, 1950: the first player loses 1/18 a hand.
    let solution = solved("kuhn_poker/one_hand", EXACTLY);
    assert!(solution.exact);
    assert_eq!(solution.value["ann"], ratio(-1, 18));
    assert_eq!(solution.method, "matrix game of 27 and 64 pure strategies");
    near(solution.strategy.iter().map(|line| line.reach).fold(0.0, f64::max), 1.0 / 3.0);
}

/// A player who is asked again and does not see the first answer.
const FORGETFUL: &str = r#"
//! # Forgetful
//! Red answers twice, blue guesses.
fn setup(s) { #{ first: (), second: (), guess: () } }
fn step() {
    if this.first == () { this.first = this.choose("red", "answer", [0, 1]); }
    else if this.second == () { this.second = this.choose("red", "answer again", [0, 1]); }
    else { this.guess = this.choose("blue", "guess", [0, 1]); }
}
fn outcome() {
    if this.guess == () { return; }
    let number = if this.first == this.second && this.guess != this.first { 1 } else { -1 };
    #{ result: "over", utility: #{ red: number, blue: -number } }
}
fn view(player) { #{ asked: this.first != (), twice: this.second != () } }
"#;

#[test]
fn who_forgets_what_they_did_is_refused_by_name() {
    let why = own(FORGETFUL, EXACTLY).found.unwrap_err();
    assert!(why.contains("`red` forgets what they did (no perfect recall)"), "{why}");
    assert!(why.contains("`answer again`") && why.contains("[red: answer 0]"), "{why}");
}

/// A die that the player does not see shows 1 with probability 3/4, else 2; a right guess pays its
/// number twice.
const GUESS: &str = r#"
//! # Guess
//! Ann guesses what fell, unseen.
fn setup(s) { #{ die: 0, guess: 0 } }
fn step() {
    if this.die == 0 { this.die = this.roll("ann", "die", weighted([[1, 3], [2, 1]])); }
    else { this.guess = this.choose("ann", "guess", [1, 2]); }
}
fn view(player) { #{ guess: this.guess } }
fn outcome() {
    if this.guess == 0 { return; }
    #{ result: "over", utility: #{ ann: if this.guess == this.die { 2 * this.guess } else { 0 } } }
}
"#;

#[test]
fn who_plays_alone_and_does_not_see_all_does_what_is_best_on_average() {
    // To guess 1 brings 2 · 3/4 = 3/2, to guess 2 brings 4 · 1/4 = 1.
    let solution = own(GUESS, SOLVING).found.unwrap();
    assert!(solution.exact && solution.exploitability == 0.0);
    assert_eq!(solution.method, "best response to chance");
    assert_eq!(solution.value["ann"], ratio(3, 2));
    let line = line(&solution, "ann");
    assert_eq!(weights(line), [ratio(1, 1), ratio(0, 1)]);
    assert_eq!(line.options[1].utility, ratio(1, 1));
}

/// Matching pennies, with a dealer who decides nothing and gets 3 if the pennies match.
const DEALER: &str = r#"
//! # Dealer
//! Ann and bob show pennies.
fn setup(s) { #{ shown: () } }
fn step() { this.shown = this.choose_secretly("penny", #{ ann: ["head", "tail"], bob: ["head", "tail"] }); }
fn outcome() {
    if this.shown == () { return; }
    let won = if this.shown.ann == this.shown.bob { 1 } else { -1 };
    #{ result: "over", utility: #{ dealer: if won > 0 { 3 } else { 0 }, ann: won, bob: -won } }
}
"#;

#[test]
fn who_decides_nothing_is_no_side_of_the_game() {
    // Pennies match half of the time: 0 for both, 3/2 for the dealer.
    let solved = own(DEALER, EXACTLY);
    // All three get 3 or 0.
    let kind = solved.kind.unwrap();
    assert_eq!((kind.sides, kind.is_zero_sum, &kind.constant), (2, false, &None));
    assert!(
        kind.words.starts_with("two sides, utilities do not sum to a constant, "),
        "{}",
        kind.words
    );
    let solution = solved.found.unwrap();
    assert_eq!(solution.method, "backward induction over matrix games");
    let worth = [("dealer", ratio(3, 2)), ("ann", ratio(0, 1)), ("bob", ratio(0, 1))];
    assert!(worth.iter().all(|(side, worth)| solution.value[*side] == *worth), "{solution:?}");
}

/// Bob picks alone; ann decides nothing, and carl neither.
const ALONE: &str = r#"
//! # Alone
//! Bob picks one of four.
fn setup(s) { #{ picked: () } }
fn step() { this.picked = this.choose("bob", "number", [0, 1, 2, 3]); }
fn outcome() {
    if this.picked == () { return; }
    #{ result: "over", utility: #{ ann: [2, -1, 1, -2][this.picked], bob: [1, 0, 2, 2][this.picked], carl: CARL } }
}
"#;

#[test]
fn what_those_have_who_decide_nothing_is_open_where_options_tie() {
    // 2 and 3 are as good for bob, and bring ann 1 or -2.
    let solved = own(&ALONE.replace("CARL", "4"), EXACTLY);
    let kind = solved.kind.unwrap();
    assert_eq!((kind.sides, kind.is_zero_sum, kind.constant), (1, false, None));
    let solution = solved.found.unwrap();
    assert_eq!(solution.value["bob"], ratio(2, 1));
    let note = "where options tie there may be other equilibria, with the same value for those who decide, and \
                other values for the others";
    assert_eq!(solution.notes, [note]);
    // Where carl pays for both, the sum is the same; still no one side loses what another wins.
    let pays = "-[3, -1, 3, 0][this.picked]";
    let solved = own(&ALONE.replace("CARL", pays), EXACTLY);
    let kind = solved.kind.unwrap();
    assert_eq!((kind.is_zero_sum, kind.constant), (false, Some(Fraction::default())));
    assert_eq!(solved.found.unwrap().notes, [note]);
}

#[test]
fn what_one_side_wins_the_other_loses_also_where_it_decides_nothing() {
    // Ann has what bob has not, of 3; carl the same always.
    let rules = ALONE.replace("CARL", "4").replace("[2, -1, 1, -2]", "[2, 3, 1, 1]");
    let solved = own(&rules, EXACTLY);
    let kind = solved.kind.unwrap();
    assert_eq!((kind.sides, kind.is_zero_sum), (1, true));
    assert!(kind.words.starts_with("one side, utilities sum to 7, "), "{}", kind.words);
    let solution = solved.found.unwrap();
    assert_eq!((&solution.value["ann"], solution.notes.len()), (&ratio(1, 1), 0));
}

/// Pennies at odds: bob begins with 1 and loses twice what ann wins.
const AT_ODDS: &str = r#"
//! # At odds
//! Ann and bob show pennies.
fn setup(s) { #{ shown: () } }
fn step() { this.shown = this.choose_secretly("penny", #{ ann: ["head", "tail"], bob: ["head", "tail"] }); }
fn outcome() {
    if this.shown == () { return; }
    let won = if this.shown.ann != this.shown.bob { -1 } else if this.shown.ann == "head" { 3 } else { 1 };
    #{ result: "over", utility: #{ ann: won, bob: 1 - 2 * won } }
}
"#;

#[test]
fn what_one_loses_in_proportion_to_what_the_other_wins_is_solved_as_such() {
    // [[3, -1], [-1, 1]]: heads p with 4p - 1 = 1 - 2p, p = 1/3; ann gets 1/3, bob 1 - 2/3 = 1/3.
    for solving in [EXACTLY, SOLVING] {
        let solved = own(AT_ODDS, solving);
        let words = solved.kind.as_ref().map(|kind| kind.words.clone()).unwrap_or_default();
        assert!(words.contains("what one side wins the other loses in proportion"), "{words}");
        let solution = solved.found.unwrap();
        near(solution.value["ann"].value, 1.0 / 3.0);
        near(solution.value["bob"].value, 1.0 / 3.0);
        near(line(&solution, "bob").options[0].weight.value, 1.0 / 3.0);
        near(line(&solution, "bob").options[0].utility.value, 1.0 / 3.0);
        assert!(solution.exploitability < 1e-12);
    }
}

/// Two wolves on one side; the sheep alone pays what they win.
const WOLVES: &str = r#"
//! # Wolves
//! All pick left or right at once.
fn setup(s) { #{ picked: () } }
fn sides() { #{ wolves: ["grey", "white"], sheep: ["sheep"] } }
fn step() {
    let ways = ["left", "right"];
    this.picked = this.choose_secretly("way", #{ grey: ways, white: ways, sheep: ways });
}
fn outcome() {
    if this.picked == () { return; }
    let there = 0;
    for wolf in ["grey", "white"] { if this.picked[wolf] == this.picked.sheep { there += 1; } }
    let won = [-1, 1, 2][there];
    #{ result: "over", utility: #{ grey: won, white: won, sheep: -2 * won } }
}
"#;

#[test]
fn the_players_of_a_side_win_together_what_the_other_side_loses() {
    // Wolves that part always find the sheep with one, 1 for each; together they get 2 or -1, and
    // 1/2 against a sheep that flips a coin. So each wolf gets 1, and the sheep loses 2.
    let solved = own(WOLVES, EXACTLY);
    let words = solved.kind.as_ref().map(|kind| kind.words.clone()).unwrap_or_default();
    assert!(words.starts_with("two sides, utilities sum to 0"), "{words}");
    let solution = solved.found.unwrap();
    // The sheep has two ways, the wolves have two times two.
    assert_eq!(solution.method, "matrix game of 2 and 4 pure strategies");
    assert_eq!(solution.exploitability, 0.0);
    assert_eq!(solution.value["wolves"], ratio(1, 1));
    assert_eq!(solution.value["sheep"], ratio(-2, 1));
}

/// A difference of 1 beside numbers of a million millions.
const NEAR_TIE: &str = r#"
//! # Near tie
//! Ann picks one of three at once with bob, who picks one of two.
fn setup(s) { #{ picked: () } }
fn step() { this.picked = this.choose_secretly("n", #{ ann: ["big", "x", "y"], bob: ["big", "x"] }); }
fn outcome() {
    if this.picked == () { return; }
    let much = 1000000000000;
    let won = if this.picked.bob == "big" { if this.picked.ann == "big" { 0 } else { much } }
        else { #{ big: -much, x: 0, y: 1 }[this.picked.ann] };
    #{ result: "over", utility: #{ ann: won, bob: -won } }
}
"#;

#[test]
fn a_certificate_forgives_no_difference() {
    // Bob never takes big, and y is 1 better than x: 1. Floats may miss it, and must say by how much.
    let solution = own(NEAR_TIE, SOLVING).found.unwrap();
    let off = (solution.value["ann"].value - 1.0).abs();
    assert!(off <= solution.exploitability + 1e-12, "{off} {}", solution.exploitability);
    assert_eq!(own(NEAR_TIE, EXACTLY).found.unwrap().value["ann"], ratio(1, 1));
}

/// Ann stays and wins 5 with any card, so bob is never asked.
const NEVER_ASKED: &str = r#"
//! # Never asked
//! Ann sees a card and stays or goes; bob does not see it.
fn setup(s) { #{ card: "", acts: [] } }
fn step() {
    if this.card == "" { this.card = this.roll("ann", "card", uniform(["high", "low"])); }
    else if this.acts.len == 0 { this.acts.push(this.choose("ann", "act", ["stay", "go"])); }
    else { this.acts.push(this.choose("bob", "answer", ["bad", "good"])); }
}
fn view(player) { if player == "ann" { this } else { #{ acts: this.acts } } }
fn outcome() {
    if this.acts.len == 0 { return; }
    if this.acts[0] == "stay" { return #{ result: "stays", utility: #{ ann: 5, bob: -5 } }; }
    if this.acts.len == 1 { return; }
    let won = if this.acts[1] == "bad" { 4 } else { -4 };
    #{ result: "goes", utility: #{ ann: won, bob: -won } }
}
"#;

#[test]
fn what_is_never_reached_is_worth_what_would_come_of_it() {
    // Bob would get -4 by the bad answer and 4 by the good one, whatever the card.
    let solution = own(NEVER_ASKED, EXACTLY).found.unwrap();
    assert_eq!(solution.value["ann"], ratio(5, 1));
    let bob = line(&solution, "bob");
    assert_eq!(bob.reach, 0.0);
    assert_eq!(weights(bob), [ratio(0, 1), ratio(1, 1)]);
    let worth: Vec<Quantity> = bob.options.iter().map(|choice| choice.utility.clone()).collect();
    assert_eq!(worth, [ratio(-4, 1), ratio(4, 1)]);
    assert_eq!(line(&solution, "ann").options[1].utility, ratio(-4, 1));
}
