//! Tests portraits against numbers that are worked out by hand, and what is sampled against what is
//! exact.

use std::collections::BTreeMap;

use fracas::analysis::{Enough, Fraction, MeasureSelection, Portrait, Portraying, Sampling};
use fracas::conflict::{Changes, Conflict, Seating};
use fracas::script::Limits;
use serde_json::Value;

use crate::commands::run::fracas;
use crate::support::{catalog, json, path, scenarios, share_of};

/// A scenario with what is changed about it.
struct Made {
    conflict: Conflict,
    seating: Seating,
    nodes: u64,
    n: u64,
    threads: usize,
    measures: Vec<String>,
}

fn made(scenario: &str, changes: &Changes) -> Made {
    let conflict = Conflict::open(&catalog(), scenario, changes, &Limits::default()).unwrap();
    let seating = Seating::new(&conflict, 256 << 20).unwrap();
    let measures = ["length", "choice", "fairness", "result", "ties", "margin", "drama", "luck"];
    let measures = measures.map(str::to_owned).to_vec();
    Made { conflict, seating, nodes: 6_000, n: 200, threads: 1, measures }
}

impl Made {
    fn only(mut self, measures: &[&str]) -> Made {
        self.measures = measures.iter().map(|&name| name.to_owned()).collect();
        self
    }

    fn portrait(&self, seed: u64) -> Portrait {
        let Made { conflict, seating, nodes, n, threads, measures } = self;
        let wanted = MeasureSelection::read(measures, conflict, seating).unwrap();
        let sampling = Sampling { seed, n: *n, enough: Enough::All, threads: *threads };
        let portraying = Portraying { wanted: &wanted, sampling, nodes: *nodes, time: None };
        Portrait::find(conflict, seating, portraying, &|_| ()).unwrap()
    }
}

fn exact(scenario: &str, measures: &[&str]) -> Portrait {
    let portrait = made(scenario, &Changes::default()).only(measures).portrait(1);
    assert!(portrait.exact && portrait.cut.is_none());
    portrait
}

#[track_caller]
fn is(portrait: &Portrait, name: &str, fraction: &str) {
    let measure = portrait.measure(name).unwrap_or_else(|| panic!("no {name}"));
    assert_eq!(measure.fraction.as_deref(), Some(fraction), "{name}");
}

#[track_caller]
fn near(portrait: &Portrait, name: &str, value: f64) {
    let measure = portrait.measure(name).unwrap_or_else(|| panic!("no {name}"));
    assert!((measure.value - value).abs() < 1e-9, "{name}: {} is not {value}", measure.value);
}

#[test]
fn random_tic_tac_toe_is_as_long_as_its_games_are_counted() {
    // Of the sequences of moves 1440 end after 5, 5328 after 6, 47952 after 7, 72576 after 8 and 127872
    // after 9, 46080 of them without a line; one of n moves has the chance (9 - n)! / 9!. So the
    // chances are 34560, 31968, 95904, 72576 and 127872 of 362880, and the mean is 3203/420. The
    // ninth move is none to decide: 3203/420 - 127872/362880 = 611/84.
    let portrait = exact(
        "tic_tac_toe/empty_board",
        &["length", "choice", "fairness", "margin", "luck", "ties"],
    );
    is(&portrait, "length.steps", "3203/420");
    is(&portrait, "length.decisions", "611/84");
    is(&portrait, "length.chance", "0");
    // The k-th decision has 10 - k options: 35 at the first five, which always come; then 4, 3 and 2
    // with the chances 328320, 296352 and 200448 of 362880. Over 611/84 decisions that is 17713/3055.
    is(&portrait, "choice.options", "17713/3055");
    near(&portrait, "choice.most", 9.0);
    // x wins 737/1260, o 121/420, nobody 8/63; the winner has 2 more.
    is(&portrait, "fairness.wins.x", "737/1260");
    is(&portrait, "fairness.wins.o", "121/420");
    is(&portrait, "fairness.utility.x", "187/630");
    is(&portrait, "fairness.first_seat", "187/315");
    is(&portrait, "ties", "8/63");
    is(&portrait, "margin", "110/63");
    is(&portrait, "fairness.value.x", "0");
    is(&portrait, "luck.chance", "0");
    // Each cell is best somewhere, for either player.
    assert_eq!(portrait.options.len(), 18);
    assert!(portrait.options.iter().all(|one| one.offered > 0.0 && one.best > 0.0));
    let length = portrait.measure("length.steps").unwrap().spread.as_ref().unwrap();
    assert_eq!((length.p5, length.p95), (5.0, 9.0));
    assert!((length.shares[4].1 - 127_872.0 / 362_880.0).abs() < 1e-12);
}

#[test]
fn in_kuhn_poker_the_cards_and_both_players_have_their_parts_of_what_varies() {
    // Ann's utility u, with s = 1 where her card is higher, else -1: passes s, fold -1, call 2 s after
    // her pass; fold 1, call 2 s after her bet. Three of eight ways are of 2, so E u² = 17/8, and with
    // E u = 1/8 its variance is 135/64. The cards: E (u | cards) = s + 1/8, of variance 64/64. Ann: her
    // first act moves it by 3/8 (9/64); her second, in a quarter of the games, by s + 1/2 (5/4, so
    // 20/64). Bob: after a pass by 1/4 (half the time, 2/64), after a bet by (2 s - 1) / 2 (5/4 half
    // the time, 40/64). 64 + 29 + 42 = 135.
    let portrait = exact("kuhn_poker/one_hand", &["length", "fairness", "luck", "strategy"]);
    is(&portrait, "luck.chance", "64/135");
    is(&portrait, "luck.ann", "29/135");
    is(&portrait, "luck.bob", "14/45");
    is(&portrait, "fairness.utility.ann", "1/8");
    is(&portrait, "fairness.first_seat", "1/4");
    // Two cards, two acts, and a third after pass and bet, a quarter of the time.
    is(&portrait, "length.chance", "2");
    is(&portrait, "length.decisions", "9/4");
    // The deal is a step of its own.
    is(&portrait, "length.steps", "13/4");
    // Kuhn, 1950.
    is(&portrait, "fairness.value.ann", "-1/18");
    assert!(portrait.measure("strategy.entropy.ann").unwrap().value > 0.0);
}

#[test]
fn one_throw_of_dice_is_all_luck_and_all_suspense_at_once() {
    // The attackers win 1445/3888, the defenders 2275/7776, and 2611/7776 is even (Risk, 3 dice
    // against 2). The squares that the chances move by sum to 1 - Σ p² on average.
    let portrait = exact("dice_battle/one_round", &["drama", "luck", "fairness", "length"]);
    let [a, d, e]: [f64; 3] = [1445.0 / 3888.0, 2275.0 / 7776.0, 2611.0 / 7776.0];
    let squares = a * a + d * d + e * e;
    is(&portrait, "luck.chance", "1");
    is(&portrait, "luck.attackers", "0");
    is(&portrait, "length.decisions", "0");
    near(&portrait, "drama.suspense", (1.0 - squares).sqrt());
    let moved = |p: f64| p * (1.0 - 2.0 * p + squares).sqrt();
    near(&portrait, "drama.surprise", moved(a) + moved(d) + moved(e));
    // The attackers lead before it; the winner's lowest chance is the first.
    near(&portrait, "drama.lead_changes", d);
    near(&portrait, "drama.comeback", (a * a + d * d) / (a + d));
    near(&portrait, "drama.decided", 1.0);
    assert!(portrait.measure("choice.options").is_none() && portrait.options.is_empty());
}

#[test]
fn what_varies_is_the_sum_of_its_parts_to_the_last_fraction() {
    let mut tried = 0;
    for scenario in scenarios(&catalog()) {
        let own = ["tic_tac_toe", "kuhn", "leduc", "dice", "rock", "payoff"];
        if !own.iter().any(|system| scenario.starts_with(system)) {
            continue;
        }
        let portrait = made(&scenario, &Changes::default()).only(&["luck"]).portrait(1);
        assert!(portrait.exact, "{scenario}");
        let parts = portrait.measures.iter().map(|part| part.fraction.clone().unwrap());
        let whole: Fraction = parts.map(|part| part.parse::<Fraction>().unwrap()).sum();
        assert_eq!(whole.to_string(), "1", "{scenario}");
        tried += 1;
    }
    assert_eq!(tried, 12);
}

#[test]
fn between_fixed_agents_nothing_varies() {
    let seats = ["x", "o"].map(|seat| (seat.to_owned(), "first".to_owned())).to_vec();
    let changes = Changes { seats, ..Changes::default() };
    let portrait = made("tic_tac_toe/empty_board", &changes).only(&["luck", "length"]).portrait(1);
    for part in ["luck.chance", "luck.x", "luck.o"] {
        is(&portrait, part, "0");
    }
    // x takes 1, 3, 5 and 7, o 2, 4 and 6: the fourth of x ends it aslant.
    is(&portrait, "length.steps", "7");
}

#[test]
fn agents_take_each_others_seats_to_tell_what_the_first_is_worth() {
    // `first` shows rock, `random` anything: whoever sits where, both have 0 on average.
    let seats = vec![("ann".to_owned(), "first".to_owned())];
    let changes = Changes { seats, ..Changes::default() };
    let made = made("rock_paper_scissors/once", &changes).only(&["fairness"]);
    is(&made.portrait(1), "fairness.first_seat", "0");
}

#[test]
fn a_dominated_option_is_told() {
    let portrait = exact("payoff_table/never_better", &["choice"]);
    let best = |player: &str, option: &str| {
        let mut all = portrait.options.iter();
        all.find(|one| one.player == player && one.option == option).unwrap().best
    };
    // Against columns alike, top has 7/3, bottom 2, centre 5/3.
    assert_eq!([best("ann", "top"), best("ann", "bottom"), best("ann", "centre")], [1.0, 0.0, 0.0]);
    // Ann gets 7/3 from left, 1/3 from middle, 10/3 from right on average: bob pays least in the middle.
    assert_eq!([best("bob", "left"), best("bob", "middle"), best("bob", "right")], [0.0, 1.0, 0.0]);
}

#[test]
fn a_house_rule_that_never_applies_changes_nothing_and_its_count_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("well.rhai");
    let rule = "//! # Well\n//! A fourth hand, which nobody can show.\n\
                /// R9. The well beats rock.\nfn well() { \"rock\" }\n\
                fn beaten_by(hand) { if hand == \"well\" { well() } else { super(hand) } }\n";
    std::fs::write(&file, rule).unwrap();
    let house = Changes { house: vec![file.display().to_string()], ..Changes::default() };
    let of = |changes: &Changes| made("rock_paper_scissors/once", changes).only(&[]).portrait(1);
    let (base, well) = (of(&Changes::default()), of(&house));
    assert_eq!(base.measures, well.measures);
    assert_eq!(base.options, well.options);
    let runs = |portrait: &Portrait, function: &str| -> Vec<(Option<String>, f64)> {
        let of = portrait.clauses.iter().filter(|one| one.function == function);
        of.map(|one| (one.clause.clone(), one.runs)).collect()
    };
    assert_eq!(runs(&well, "well"), [(Some("R9".to_owned()), 0.0)]);
    // Twice where the first hand does not win, which is two times of three; the outcome is asked for
    // after the setup too, where it is not over. The function below is called as often.
    assert_eq!(runs(&base, "beaten_by").len(), 1);
    assert_eq!(runs(&well, "beaten_by").len(), 2);
    for (_, runs) in runs(&base, "beaten_by").into_iter().chain(runs(&well, "beaten_by")) {
        assert!((runs - 5.0 / 3.0).abs() < 1e-12, "{runs}");
    }
    assert!(well.as_text(80, true).contains("never run: R9 `well`"), "{}", well.as_text(80, true));
}

#[test]
fn a_portrait_is_the_same_on_any_number_of_threads() {
    for nodes in [0, 6_000] {
        let of = |threads: usize| {
            let made = made("kuhn_poker/one_hand", &Changes::default()).only(&[]);
            json(&Made { nodes, threads, ..made }.portrait(7))
        };
        assert_eq!(of(1), of(3));
    }
}

/// A fifth of a hundred intervals may miss by chance: fewer than 179 of 200 have one of 0.0006.
#[test]
fn sampled_measures_enclose_the_exact_ones() {
    let seeds = share_of(200);
    let n = 200;
    for scenario in [
        "kuhn_poker/one_hand",
        "dice_battle/three_against_two",
        "tic_tac_toe/x_to_win",
        "rock_paper_scissors/once",
    ] {
        let whole = made(scenario, &Changes::default());
        let exact = whole.portrait(1);
        let some = Made { nodes: 0, n, ..whole };
        let mut missed: BTreeMap<String, Vec<(f64, f64, f64)>> = BTreeMap::new();
        for seed in 0..seeds {
            let portrait = some.portrait(seed);
            assert!(!portrait.exact && portrait.n == n);
            for measure in &portrait.measures {
                let known = exact.measure(&measure.name).map(|exact| exact.value);
                // A result that nobody met is 0.
                let known = known.unwrap_or(0.0);
                if !(measure.low - 1e-9..=measure.high + 1e-9).contains(&known) {
                    let told = (measure.low, measure.high, known);
                    missed.entry(measure.name.clone()).or_default().push(told);
                }
            }
        }
        let most = if seeds == 200 { 21 } else { 4 };
        missed.retain(|_, missed| missed.len() > most);
        let count = |(name, missed): (&String, &Vec<_>)| {
            format!("{name}: {} {:?}", missed.len(), missed[0])
        };
        let told: Vec<String> = missed.iter().map(count).collect();
        assert!(told.is_empty(), "{scenario}, of {seeds}: {told:#?}");
    }
}

#[test]
fn what_is_no_measure_is_told_before_anything_is_computed() {
    let run = |rest: &str| {
        let rules = path("tests/fixtures/rules").display().to_string();
        fracas(&format!("portrait dice_battle/one_round {rest} --rules")).with(&rules).run()
    };
    run("--measure lenght").exits(2).says("unknown measure `lenght`; did you mean `length`?");
    run("--measure left.atackers").exits(2).says("did you mean `left.attackers`?");
    run("--measure left").exits(2).says("`left` of the outcome is a table, no number");
    run("--measure result").succeeds();
    // 3 attackers lose 0, 1 or 2: 3 - 2611/7776 - 2 · 2275/7776 = 5389/2592.
    let found: Value = run("--measure left.attackers --measure ties --json").succeeds().json();
    let names: Vec<&str> = found["measures"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["ties", "outcome.left.attackers"]);
    assert_eq!(found["measures"][1]["fraction"], "5389/2592");
}

#[test]
fn what_is_known_when_the_time_is_over_is_told() {
    // On a slow machine the shortest time ends before anything is known.
    let run = |time: &&str| {
        fracas(&format!("portrait last_stand/bridge --time {time} --seed 1 --json")).run()
    };
    let ran = ["0.4", "3", "30", "300"].iter().map(run).find(|ran| ran.code == Some(0));
    assert_eq!(ran.expect("something is known").json()["complete"], false);
}

#[test]
fn a_portrait_fits_a_screen_and_a_narrow_one() {
    let portrait =
        exact("kuhn_poker/one_hand", &["length", "choice", "fairness", "result", "luck"]);
    for (width, plain) in [(80, false), (80, true), (40, true), (24, true)] {
        let text = portrait.as_text(width, plain);
        assert!(text.lines().all(|line| line.chars().count() <= width), "{text}");
        assert_eq!(text.is_ascii(), plain, "{text}");
    }
    assert!(portrait.as_text(80, false).lines().count() <= 40);
}
