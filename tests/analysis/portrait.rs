//! Tests portraits against numbers that are worked out by hand, and what is sampled against what is
//! exact.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use fracas::analysis::{Enough, MeasureSelection, Portrait, Portraying, Sampling, Stage};
use fracas::catalog::Catalog;
use fracas::conflict::{Changes, Conflict, Seating};
use fracas::number::{Basis, Fraction};
use fracas::script::Limits;
use serde_json::Value;

use crate::commands::run::fracas;
use crate::commands::scratch::Scratch;
use crate::support::{catalog, is_thorough, json, path, scenarios};

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
    let folders = ["tests/fixtures/measures", "tests/fixtures/rules", "rules"].map(path);
    let catalog = Catalog::new(&folders).unwrap();
    let conflict = Conflict::open(&catalog, scenario, changes, &Limits::default()).unwrap();
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
        self.heard(seed, &|_| ())
    }

    fn heard(&self, seed: u64, progress: &(dyn Fn(Stage) + Sync)) -> Portrait {
        let Made { conflict, seating, nodes, n, threads, measures } = self;
        let wanted = MeasureSelection::read(measures, conflict, seating).unwrap();
        let sampling = Sampling { seed, n: *n, enough: Enough::All, threads: *threads };
        let portraying = Portraying { wanted: &wanted, sampling, nodes: *nodes, time: None };
        Portrait::find(conflict, seating, portraying, progress).unwrap()
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
    assert_eq!(
        measure.quantity.fraction.as_ref().map(ToString::to_string).as_deref(),
        Some(fraction),
        "{name}"
    );
}

#[track_caller]
fn near(portrait: &Portrait, name: &str, value: f64) {
    let measure = portrait.measure(name).unwrap_or_else(|| panic!("no {name}"));
    assert!(
        (measure.quantity.value - value).abs() < 1e-9,
        "{name}: {} is not {value}",
        measure.quantity.value
    );
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
    // Ann may bluff with any share up to a third (Kuhn).
    is_left_out(&portrait, "strategy", "how perfect players mix is left out");
}

#[track_caller]
fn is_left_out(portrait: &Portrait, group: &str, why: &str) {
    let named = |name: &str| name.strip_prefix(group).is_some_and(|rest| rest.starts_with('.'));
    assert!(!portrait.measures.iter().any(|one| named(&one.name)), "{group}");
    assert!(portrait.notes.iter().any(|note| note.contains(why)), "{:?}", portrait.notes);
}

#[test]
fn how_perfect_players_mix_is_told_where_there_is_one_way() {
    let portrait = exact("payoff_table/matching_pennies", &["strategy"]);
    let bits =
        |name: &str| portrait.measure(&format!("strategy.entropy.{name}")).unwrap().quantity.value;
    let players: Vec<&str> = portrait
        .measures
        .iter()
        .filter_map(|one| one.name.strip_prefix("strategy.entropy."))
        .collect();
    assert_eq!(players.len(), 2);
    assert!(players.iter().all(|player| (bits(player) - 1.0).abs() < 1e-9), "{players:?}");
    let portrait = exact("rock_paper_scissors/once", &["strategy"]);
    near(&portrait, "strategy.entropy.ann", 3f64.log2());
    // Who wants to know only what they have is not told why more is left out.
    assert!(exact("kuhn_poker/one_hand", &["fairness.value"]).notes.is_empty());
    // Wherever x begins nobody wins, so that any first move is as good.
    let portrait = exact("tic_tac_toe/empty_board", &["strategy"]);
    is_left_out(&portrait, "strategy", "how perfect players mix is left out: options tie");
    // The two rocks share a third in any way, and the worth is the same in each.
    let portrait = exact("payoff_table/cloned_rock", &["strategy", "fairness.value"]);
    is(&portrait, "fairness.value.ann", "0");
    let why = "how perfect players mix is left out: options that it never picks are as good";
    is_left_out(&portrait, "strategy", why);
}

#[test]
fn how_perfect_players_mix_is_left_out_where_others_mix_as_well() {
    // Pennies that both may also pass: to pass always is as good as to mix all three. And where all is one, any mix is.
    for (rows, worth) in [("[1, -1, 0], [-1, 1, 0], [0, 0, 0]", 0.0), ("[1, 1], [1, 1]", 1.0)] {
        let words: Vec<String> =
            (0..rows.matches('[').count()).map(|at| format!("w{at}")).collect();
        let lines = rows.split("], ").zip(&words).map(|(row, word)| {
            format!("{{ word = \"{word}\", first = {}] }}", row.trim_end_matches(']'))
        });
        let text = format!(
            "system = \"payoff_table\"\n[setup]\nplayers = [\"ann\", \"bob\"]\ncolumns = {words:?}\nrows = [{}]\n\
             [seats]\nann = \"random\"\nbob = \"random\"\n",
            lines.collect::<Vec<_>>().join(", ")
        );
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("pass.toml");
        std::fs::write(&file, text).unwrap();
        let rules = path("tests/fixtures/rules").display().to_string();
        let line = format!(
            "portrait {} --measure fairness.value --measure strategy --json",
            file.display()
        );
        let json = fracas(&line).with("--rules").with(&rules).run().succeeds().json();
        let names: Vec<&str> = json["measures"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|one| one["name"].as_str())
            .collect();
        assert_eq!(names, ["fairness.value.ann", "fairness.value.bob"], "{json:#}");
        assert_eq!(json["measures"][0]["value"], worth);
        assert_eq!(json["notes"][0], "how perfect players mix is left out: others may be as good");
    }
}

#[test]
fn why_perfect_play_is_not_known_is_told_where_all_else_is_exact() {
    let why = |scenario: &str, why: &str| {
        let portrait = exact(scenario, &["fairness.value"]);
        is_left_out(&portrait, "fairness.value", &format!("how they mix are left out: {why}"));
    };
    // Thousands of states, and both sides bid unseen.
    why("war_die/border", "there are more than 1500 nodes; `fracas solve` may do more");
    assert!(
        exact("war_die/bluff", &["fairness.value"]).notes[0].contains("pure strategies, more than")
    );
}

#[test]
fn what_perfect_players_have_is_left_out_where_options_tie() {
    // If bob grants, ann has 2, and if he refuses she shares and has 1; either is as good for him.
    let portrait = exact("offer/once", &["strategy", "fairness.value"]);
    let why = "what perfect players have and how they mix are left out: options tie";
    is_left_out(&portrait, "strategy", why);
    is_left_out(&portrait, "fairness.value", why);
}

#[test]
fn what_those_have_who_decide_nothing_is_left_out_where_options_tie() {
    // Bob alone picks, and the last two words are as good for him; ann has 1 or -2 then, and never the mean.
    let folder = tempfile::tempdir().unwrap();
    let measures = |second: &str| {
        let scenario = format!(
            "system = \"payoff_table\"\n[setup]\nplayers = [\"ann\", \"bob\"]\n\
             columns = [\"c0\", \"c1\", \"c2\", \"c3\"]\n\
             rows = [{{ word = \"only\", first = [2, -1, 1, -2]{second} }}]\n"
        );
        let file = folder.path().join("alone.toml");
        std::fs::write(&file, scenario).unwrap();
        let rules = path("tests/fixtures/rules").display().to_string();
        let line = format!("portrait {} --measure fairness.value --json", file.display());
        let json = fracas(&line).with("--rules").with(&rules).run().succeeds().json();
        let values = json["measures"].as_array().unwrap().clone();
        (values.iter().map(|one| one["value"].as_f64().unwrap()).collect(), json["notes"].clone())
    };
    let (values, notes): (Vec<f64>, _) = measures(", second = [1, 0, 2, 2]");
    let why = "what perfect players have and how they mix are left out: options tie, so that";
    assert!(values.is_empty() && notes[0].as_str().unwrap().starts_with(why), "{values:?} {notes}");
    // One way is best, or bob has what ann pays: then it is one number.
    assert_eq!(measures(", second = [1, 0, 2, 1]").0, [1.0, 2.0]);
    assert_eq!(measures("").0, [-2.0, 2.0]);
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
    // Half-time of one question is before it, where the attackers lead.
    near(&portrait, "drama.half_time", a / (a + d));
    near(&portrait, "drama.comeback", (a * a + d * d) / (a + d));
    near(&portrait, "drama.decided", 1.0);
    assert!(portrait.measure("choice.options").is_none() && portrait.options.is_empty());
}

/// The gambler's ruin (Feller, An Introduction to Probability Theory and Its Applications I, 1968, chapter XIV): with
/// chances p up and q down, r = q / p, ruin from z below a has (r^a - r^z) / (r^a - 1) and takes z / (q - p) - a / (q - p)
/// (1 - r^z) / (1 - r^a) steps; with p = 1/2 the chance is 1 - z / a, and it takes z (a - z).
#[test]
fn where_states_lead_back_to_each_other_the_measures_are_exact() {
    let wanted = ["length", "result", "fairness", "drama", "luck"];
    let even = exact("tug/even", &wanted);
    is(&even, "length.chance", "9");
    is(&even, "result.red", "1/2");
    is(&even, "luck.chance", "1");
    // Each of 9 steps moves the chances of both by a sixth.
    for name in ["drama.suspense", "drama.surprise"] {
        near(&even, name, 9.0 * 2f64.sqrt() / 6.0);
    }
    // r = 2: ruin has (64 - 8) / 63 = 8/9, and takes 9 - 18 · 7/63 = 7 steps.
    let uneven = exact("tug/uneven", &wanted);
    is(&uneven, "length.chance", "7");
    is(&uneven, "result.blue", "8/9");
    is(&uneven, "fairness.utility.red", "2/3");
    // Two players who choose at random, red at even places and blue at odd ones. Each choice moves by 1/7 what the chance to
    // win, 2/7 at the beginning, varies by in all, 10/49: the visits of red's places are to those of blue's as 18 to 17.
    // From 2 of 7, place i is visited 2 min(2, i) (7 - max(2, i)) / 7 times: 2, 4, 6 have 2/7 (10 + 6 + 2) = 36/7, and
    // 1, 3, 5 have 2/7 (5 + 8 + 4) = 34/7, which are 10 together.
    let chosen = exact("tug/chosen", &wanted);
    is(&chosen, "length.decisions", "10");
    is(&chosen, "result.red", "2/7");
    is(&chosen, "luck.red", "18/35");
    is(&chosen, "luck.blue", "17/35");
    // What is a matter of whole ways is drawn; that of 9 steps on average has its interval.
    let drawn = even.measure("drama.lead_changes").unwrap();
    assert_eq!(drawn.quantity.basis, Basis::Sampled { n: 10_000 });
    assert!(drawn.quantity.high - drawn.quantity.low < 0.1);
    // 149 places are too many for fractions: 2 / (1/3) steps but for what is next to nothing.
    let long = exact("tug/long", &wanted);
    let length = &long.measure("length.chance").unwrap().quantity;
    assert!(length.fraction.is_none() && length.basis == Basis::Proven);
    assert!(length.low <= 6.0 && 6.0 <= length.high && length.high - length.low < 1e-3);
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
        let parts = portrait.measures.iter().map(|part| part.quantity.fraction.as_deref().unwrap());
        let whole: Fraction = parts.sum();
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
fn the_first_seat_is_the_same_whoever_a_command_seats() {
    // Ann's utility is 1/8 and Bob's -1/8, worked out above: the first seat has 1/4 more.
    for seat in ["ann", "bob"] {
        let seats = vec![(seat.to_owned(), "random".to_owned())];
        let changes = Changes { seats, ..Changes::default() };
        let made = made("kuhn_poker/one_hand", &changes).only(&["fairness"]);
        is(&made.portrait(1), "fairness.first_seat", "1/4");
    }
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
    assert!(
        well.report().text(80, true).contains("never run: R9 `well`"),
        "{}",
        well.report().text(80, true)
    );
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

#[test]
fn luck_alone_is_what_it_is_beside_drama() {
    // Alone it is not played on from each question, but only where another part begins.
    for scenario in ["kuhn_poker/one_hand", "three_draw/once"] {
        let luck = |measures: &[&str]| {
            let sampled = made(scenario, &Changes::default()).only(measures);
            let portrait = Made { nodes: 0, ..sampled }.portrait(3);
            let found = portrait.measures.into_iter().filter(|one| one.group() == "luck");
            found.collect::<Vec<_>>()
        };
        let alone = luck(&["luck"]);
        assert!(alone.iter().any(|one| one.quantity.value > 0.0), "{alone:?}");
        assert_eq!(alone, luck(&["luck", "drama"]));
    }
}

/// How many seeds are tried, and whether all is: `FRACAS_THOROUGH` asks for it.
fn seeds() -> (u64, bool) {
    let thorough = is_thorough();
    (if thorough { 400 } else { 60 }, thorough)
}

/// What was found of a measure.
#[derive(Default)]
struct Tried {
    values: Vec<f64>,
    /// How wide the intervals were that have two ends.
    widths: Vec<f64>,
    /// How many intervals hold the exact number; what has no interval holds it.
    held: u64,
}

impl Tried {
    /// What is wrong with it, where this is its name, and it may be the same however often it is tried.
    fn fault(&self, name: &str, is_one: bool) -> Option<String> {
        let (all, held) = (self.values.len() as f64, self.held);
        // Drama is measured twice, and luck also says how few conflicts may decide it.
        let is_wider = name.starts_with("drama.") || name.starts_with("luck.");
        let widest = 1.15 * (1.0 + 3.0 / (2.0 * all).sqrt()) * 2.0 * 1.96 * self.deviation();
        let width = self.widths.iter().sum::<f64>() / self.widths.len().max(1) as f64;
        if (held as f64) < 0.95 * all - 3.0 * (all * 0.95 * 0.05).sqrt() {
            Some(format!("{name}: {held} of {all} hold it"))
        } else if self.widths.is_empty() && !is_one {
            Some(format!("{name}: it varies, and no interval has two ends"))
        } else if width > widest && widest > 0.0 && !is_wider {
            // A share that never varied has an interval all the same.
            Some(format!("{name}: an interval is {width} wide on average, more than {widest}"))
        } else {
            None
        }
    }

    /// The standard deviation of the values.
    fn deviation(&self) -> f64 {
        let mean = self.mean();
        let squares = self.values.iter().map(|value| (value - mean) * (value - mean));
        (squares.sum::<f64>() / (self.values.len() as f64 - 1.0)).sqrt()
    }

    fn mean(&self) -> f64 {
        self.values.iter().sum::<f64>() / self.values.len() as f64
    }
}

/// What playouts cannot measure, as it takes a graph that is seen whole.
const ON_GRAPHS: [&str; 6] = [
    "drama.lead_changes",
    "drama.half_time",
    "drama.suspense",
    "drama.decided",
    "fairness.value.",
    "strategy.",
];

/// Hardly anybody wins there, so that nobody comes back in most of 200 playouts.
const RARE: (&str, &str) = ("omen/quiet", "drama.comeback");

/// Tries playouts under many seeds: of each measure's intervals no fewer than 95 % hold the exact number,
/// less three standard errors of the seeds tried, and no wider than that takes. Returns how far the mean of
/// all values of each measure is off, in parts of the exact number.
#[track_caller]
fn covers(scenario: &str, n: u64, followed: bool) -> BTreeMap<String, f64> {
    let (seeds, thorough) = seeds();
    let mut whole = made(scenario, &Changes::default());
    if !followed && !thorough {
        // The others take further playouts from each question, and all seeds are tried where it is thorough.
        whole.measures.retain(|name| !["choice", "drama", "luck"].contains(&name.as_str()));
        whole.measures.extend(["choice.options", "choice.most"].map(str::to_owned));
    }
    let exact = whole.portrait(1);
    assert!(exact.exact, "{scenario}");
    let some = Made { nodes: 0, n, ..whole };
    let mut tried: BTreeMap<String, Tried> = BTreeMap::new();
    let mut left_out: BTreeMap<String, u64> = BTreeMap::new();
    for seed in 0..seeds {
        let portrait = some.portrait(seed);
        assert!(!portrait.exact && portrait.n == n);
        // What is not there is named; a result that nobody met is not there either.
        for measure in exact.measures.iter().filter(|one| one.group() != "result") {
            let (group, what) = measure.name.split_once('.').unwrap_or_default();
            let name = format!("`{group}.{}", what.split('.').next().unwrap_or_default());
            if portrait.measure(&measure.name).is_none() {
                let is_named = portrait.notes.iter().any(|note| note.contains(&name));
                assert!(is_named, "{scenario}: no {}, {:?}", measure.name, portrait.notes);
                *left_out.entry(measure.name.clone()).or_default() += 1;
            }
        }
        for measure in &portrait.measures {
            // A result that nobody met is 0.
            let known = exact.measure(&measure.name).map_or(0.0, |exact| exact.quantity.value);
            let tried = tried.entry(measure.name.clone()).or_default();
            tried.values.push(measure.quantity.value);
            let (low, high) = measure.quantity.range();
            tried.held += u64::from((low - 1e-9..=high + 1e-9).contains(&known));
            tried.widths.extend(Some(high - low).filter(|width| width.is_finite()));
        }
    }
    // What playouts can measure is left out where too little was seen of it, which is seldom.
    let often = |(name, times): &(&String, &u64)| {
        let is_rare = (scenario, name.as_str()) == RARE;
        let on_graph = ON_GRAPHS.iter().any(|on_graph| name.starts_with(on_graph));
        **times * 5 > seeds && !on_graph && !is_rare
    };
    assert_eq!(left_out.iter().find(often), None, "{scenario}, {seeds} seeds");
    // The same in each conflict, the most that was met, or the same at each decision.
    let most = exact.measure("choice.most").map(|most| most.quantity.value);
    let is_one = |name: &str| {
        exact.measure(name).is_none_or(|measure| {
            let still = measure.spread.as_ref().is_some_and(|spread| spread.deviation == 0.0);
            let options = name.starts_with("choice.") && Some(measure.quantity.value) == most;
            let all = measure.unit == "share" && measure.quantity.value == 1.0;
            still || options || all || measure.quantity.value == 0.0
        })
    };
    let faults: Vec<String> =
        tried.iter().filter_map(|(name, tried)| tried.fault(name, is_one(name))).collect();
    assert!(faults.is_empty(), "{scenario}, {n} playouts, {seeds} seeds: {faults:#?}");
    let off = |(name, tried): (String, Tried)| {
        let known = exact.measure(&name).map_or(0.0, |exact| exact.quantity.value);
        (name, tried.mean() / known - 1.0)
    };
    tried.into_iter().map(off).collect()
}

#[test]
fn intervals_of_measures_cover_the_exact_numbers_of_cards_boards_and_dice() {
    covers("kuhn_poker/one_hand", 200, false);
    covers("tic_tac_toe/x_to_win", 200, false);
    covers("rock_paper_scissors/once", 200, false);
    covers("dice_battle/three_against_two", 200, false);
}

#[test]
fn intervals_of_measures_cover_the_exact_numbers_where_values_are_rare() {
    covers("omen/quiet", 200, false);
    // With the omen nothing moves for long, so that much of what seems to move is noise.
    let off = covers("omen/coin", 200, true)["drama.surprise"];
    assert!(off.abs() < 0.04, "drama.surprise is off by {off}");
}

#[test]
fn intervals_of_measures_cover_the_exact_numbers_of_three_seats() {
    let off = covers("three_draw/once", 200, true);
    for (name, most) in [("drama.surprise", 0.05), ("drama.comeback", 0.015)] {
        assert!(off[name].abs() < most, "{name} is off by {}", off[name]);
    }
}

/// How often `greedy` beats `random`, a tie as half of it, over both seatings: from the odds of each.
fn greedy_beats_random(scenario: &str, seats: [&str; 2]) -> f64 {
    let part = |own: &str| {
        let agent = |seat: &str| if seat == own { "greedy" } else { "random" };
        let seats = seats.map(|seat| (seat.to_owned(), agent(seat).to_owned())).to_vec();
        let changes = Changes { seats, ..Changes::default() };
        let portrait = made(scenario, &changes).only(&["fairness.wins", "ties"]).portrait(1);
        assert!(portrait.exact, "{scenario}");
        let value = |name: &str| portrait.measure(name).unwrap().quantity.value;
        value(&format!("fairness.wins.{own}")) + value("ties") / 2.0
    };
    seats.map(part).iter().sum::<f64>() / 2.0
}

#[test]
fn intervals_of_skill_cover_how_often_an_agent_beats_another() {
    let tried = [
        ("kuhn_poker/one_hand", ["ann", "bob"]),
        ("tic_tac_toe/x_to_win", ["x", "o"]),
        ("omen/coin", ["red", "blue"]),
    ];
    let (seeds, _) = seeds();
    for (scenario, seats) in tried {
        let known = greedy_beats_random(scenario, seats);
        let made = Made { n: 300, ..made(scenario, &Changes::default()).only(&["skill"]) };
        let holds = |seed: &u64| {
            let portrait = made.portrait(*seed);
            let skill = portrait.measure("skill.greedy").unwrap_or_else(|| panic!("{portrait:?}"));
            (skill.quantity.low - 1e-9..=skill.quantity.high + 1e-9).contains(&known)
        };
        let held = (0..seeds).filter(holds).count() as f64;
        let all = seeds as f64;
        let least = 0.95 * all - 3.0 * (all * 0.95 * 0.05).sqrt();
        assert!(held >= least, "{scenario}: {held} of {all} hold {known}");
    }
}

/// What can be expected in a round of `three_draw`: the chances of each player to win, and of a tie.
struct Draw {
    chances: [f64; 4],
    /// Each answer's chance, and what follows.
    after: Vec<(f64, Draw)>,
}

/// Walks through `three_draw` from these points on, of which the last may still be rolled.
fn drawing(points: &[u32], rolls: bool) -> Draw {
    let more = |next: u32, rolls: bool| drawing(&[points, &[next]].concat(), rolls);
    let after: Vec<(f64, Draw)> = match (points.len(), rolls) {
        (_, true) => (1..=3).map(|fell| (1.0 / 3.0, more(fell, false))).collect(),
        (3, _) => Vec::new(),
        _ => vec![(0.5, more(2, false)), (0.5, drawing(points, true))],
    };
    let mut chances = [0.0; 4];
    if after.is_empty() {
        let most = points.iter().max().unwrap();
        let won = points.iter().map(|one| one == most).collect::<Vec<_>>();
        match won.iter().all(|won| *won) {
            true => chances[3] = 1.0,
            false => won.iter().zip(&mut chances).for_each(|(won, one)| *one = f64::from(*won)),
        }
    }
    for (chance, next) in &after {
        chances.iter_mut().zip(next.chances).for_each(|(sum, one)| *sum += chance * one);
    }
    Draw { chances, after }
}

/// What drama is, summed over all ways: lead changes, the winners' lowest chances with how likely anybody
/// wins, suspense, surprise, when it was decided, and how often who leads at half-time wins, with how likely anybody
/// does both.
fn drama(draw: &Draw, share: f64, way: &mut Vec<[f64; 4]>, sums: &mut [f64; 8]) {
    way.push(draw.chances);
    let squares = |to: &Draw| -> f64 {
        draw.chances.iter().zip(to.chances).map(|(a, b)| (a - b) * (a - b)).sum()
    };
    let variance: f64 = draw.after.iter().map(|(chance, to)| chance * squares(to)).sum();
    sums[3] += share * variance.sqrt();
    for (chance, to) in &draw.after {
        sums[4] += share * chance * squares(to).sqrt();
        drama(to, share * chance, way, sums);
    }
    if draw.after.is_empty() {
        let leader = |chances: &[f64; 4]| {
            let ahead = |one: usize| {
                (0..3).all(|other| other == one || chances[one] > chances[other] + 1e-9)
            };
            (0..3).find(|one| ahead(*one))
        };
        let leads: Vec<usize> = way.iter().filter_map(leader).collect();
        sums[0] += share * leads.windows(2).filter(|pair| pair[0] != pair[1]).count() as f64;
        let winners: Vec<usize> = (0..3).filter(|one| draw.chances[*one] == 1.0).collect();
        if let Some(lead) = leader(&way[(way.len() - 1) / 2]).filter(|_| !winners.is_empty()) {
            sums[6] += share * f64::from(winners.contains(&lead));
            sums[7] += share;
        }
        for winner in &winners {
            let part = share / winners.len() as f64;
            let own = way.iter().map(|chances| chances[*winner]);
            sums[1] += part * own.clone().fold(1.0, f64::min);
            sums[2] += part;
            let open = own.clone().rposition(|chance| chance <= 0.9 + 1e-9);
            let questions = way.len() - 1;
            sums[5] += part * open.map_or(0, |last| last + 1) as f64 / questions as f64;
        }
    }
    way.pop();
}

#[test]
fn the_drama_of_three_seats_is_that_of_seats_and_not_of_who_wins_beside_whom() {
    let mut sums = [0.0; 8];
    drama(&drawing(&[], false), 1.0, &mut Vec::new(), &mut sums);
    let portrait = exact("three_draw/once", &["drama", "ties"]);
    near(&portrait, "drama.lead_changes", sums[0]);
    near(&portrait, "drama.comeback", sums[1] / sums[2]);
    near(&portrait, "drama.suspense", sums[3]);
    near(&portrait, "drama.surprise", sums[4]);
    near(&portrait, "drama.decided", sums[5] / sums[2]);
    near(&portrait, "drama.half_time", sums[6] / sums[7]);
    // What is computed in floats is near, and not exact.
    let comeback = portrait.measure("drama.comeback").unwrap();
    assert!(comeback.quantity.fraction.is_none() && comeback.quantity.low < comeback.quantity.high);
}

#[test]
fn what_several_equilibria_are_worth_is_a_range() {
    // Both pure equilibria give 2 to one and 1 to the other, the mixed one 2/3 to each, where each takes
    // its own with 2/3: an entropy of 0.918 bits, and nothing unused; in the pure ones half is.
    let portrait = exact("payoff_table/battle_of_the_sexes", &["fairness.value", "strategy"]);
    let range = |name: &str| {
        let measure = portrait.measure(name).unwrap_or_else(|| panic!("no {name}"));
        assert_eq!(measure.quantity.fraction, None);
        (measure.quantity.low, measure.quantity.high)
    };
    let bits = -(2.0 / 3.0 * (2.0f64 / 3.0).log2() + 1.0 / 3.0 * (1.0f64 / 3.0).log2());
    for player in ["ann", "bob"] {
        let (low, high) = range(&format!("fairness.value.{player}"));
        assert!((low - 2.0 / 3.0).abs() < 1e-9 && (high - 2.0).abs() < 1e-9, "{low} {high}");
        // What is in the middle no equilibrium has: the number is that of the first.
        let value = portrait.measure(&format!("fairness.value.{player}")).unwrap().quantity.value;
        assert!((value - 1.0).abs() < 1e-9 || (value - 2.0).abs() < 1e-9, "{value}");
        let (low, high) = range(&format!("strategy.entropy.{player}"));
        assert!(low == 0.0 && (high - bits).abs() < 1e-9, "{low} {high}");
    }
    let (low, high) = range("strategy.unused");
    assert!(low == 0.0 && (high - 0.5).abs() < 1e-9, "{low} {high}");
    assert!(
        portrait.notes.iter().any(|note| note.contains("3 equilibria")),
        "{:?}",
        portrait.notes
    );
    // Of one that has one value there is no range.
    is(&exact("kuhn_poker/one_hand", &["fairness.value"]), "fairness.value.ann", "-1/18");
}

#[test]
fn what_perfect_players_have_is_left_out_where_not_all_equilibria_were_looked_for() {
    // Who meets at place k has k: ten pure equilibria, and more sets of options than are tried for mixed ones.
    let folder = tempfile::tempdir().unwrap();
    let words: Vec<String> = (1..=10).map(|place| format!("\"p{place}\"")).collect();
    let row = |place: usize| {
        let pays: Vec<String> =
            (1..=10).map(|at| if at == place { at.to_string() } else { "0".to_owned() }).collect();
        let pays = pays.join(", ");
        format!("{{ word = \"p{place}\", first = [{pays}], second = [{pays}] }}")
    };
    let rows: Vec<String> = (1..=10).map(row).collect();
    let scenario = format!(
        "system = \"payoff_table\"\n[setup]\nplayers = [\"ann\", \"bob\"]\ncolumns = [{}]\nrows = [{}]\n",
        words.join(", "),
        rows.join(", ")
    );
    let file = folder.path().join("meet.toml");
    std::fs::write(&file, scenario).unwrap();
    let rules = path("tests/fixtures/rules").display().to_string();
    let line =
        format!("portrait {} --measure fairness.value --measure strategy --json", file.display());
    let ran = fracas(&line).with("--rules").with(&rules).run().succeeds();
    assert_eq!(ran.json()["measures"], serde_json::json!([]));
    assert_eq!(
        ran.json()["notes"][0],
        "what perfect players have and how they mix are left out: not all equilibria were looked for, and others \
         may have other values"
    );
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
    run("--measure result.evne").succeeds().prints("no end has `result.evne`; ends have `result.");
    run("--measure drama,luck").exits(2).says("`drama,luck` is more than one measure: name each");
    for both in ["result.even,result.red", "result.even,luck", "parts.red.ore,ties"] {
        run(&format!("--measure {both}")).exits(2).says("is more than one measure: name each");
    }
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
fn what_memory_is_too_short_for_is_left_out_with_the_reason() {
    // One conflict fills 1 MB: nothing is followed to its end.
    let line =
        "portrait territory/border_clash -n 20 --seed 1 --graph-memory 1M --measure luck --plain";
    let ran = fracas(line).run().succeeds();
    let words: Vec<&str> = ran.stdout.split_whitespace().collect();
    assert!(
        words.join(" ").contains("are left out: the memory bound of 1M was reached"),
        "{ran:?}"
    );
    assert!(!ran.stdout.contains("0.00 %"), "{}", ran.stdout);
    // Here the graph fits, and what is summed over it does not.
    let line =
        "portrait territory/three_tokens -n 40 --seed 1 --graph-memory 1M --measure length --json";
    let json = fracas(line).run().succeeds().json();
    assert_eq!((&json["exact"], &json["n"]), (&false.into(), &40.into()));
    let notes = json["notes"].as_array().unwrap();
    let why = "the memory bound of 1M was reached";
    assert!(notes.iter().any(|note| note.as_str().unwrap().starts_with(why)), "{json}");
    // Beside exact odds the note names the side, and is not about the odds.
    let line = "compare war_die/bluff --param faces=40 --set players.red.ore=40 --set players.blue.ore=40 \
                -n 40 --seed 1 --graph-memory 1M --json";
    let json = fracas(line).run().succeeds().json();
    assert_eq!(json["exact"], true);
    let notes: Vec<&str> =
        json["notes"].as_array().unwrap().iter().filter_map(|note| note.as_str()).collect();
    let why = "under `faces=40`, `setup.players.red.ore=40` and `setup.players.blue.ore=40`: the memory bound of \
               1M was reached";
    let from = "all measures are from playouts";
    assert!(notes.iter().any(|note| note.starts_with(why) && note.ends_with(from)), "{notes:?}");
}

#[test]
fn conflicts_that_are_followed_are_counted_beside_the_playouts() {
    // Four playouts, and sixteen conflicts beside them.
    let made = made("kuhn_poker/one_hand", &Changes::default()).only(&["luck"]);
    let portrait = Made { nodes: 0, n: 4, ..made }.portrait(1);
    assert_eq!(portrait.n, 4);
    let note = portrait.notes.iter().find(|note| note.contains("luck")).unwrap();
    assert!(note.contains("conflicts beside those"), "{note}");
}

#[test]
fn what_only_checks_the_setup_or_words_a_question_is_not_said_never_to_run() {
    let made = made("territory/border_clash", &Changes::default()).only(&["clauses"]);
    let portrait = Made { nodes: 0, n: 20, ..made }.portrait(1);
    let runs: Vec<&str> = portrait.clauses.iter().map(|one| one.function.as_str()).collect();
    // `laws` calls the first, `setup` the second where the setup is wrong, `wording` the third.
    for beside in ["wrong_heights", "refuse_player", "aggressor_text"] {
        assert!(!runs.contains(&beside), "{runs:?}");
    }
    assert!(runs.contains(&"take_in"), "{runs:?}");
}

#[test]
fn where_an_agent_fails_in_anothers_seat_the_worth_of_the_first_is_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let rules = folder.path().join("rock_paper_scissors");
    let copied = |name: &str| {
        let from = path("tests/fixtures/rules/rock_paper_scissors").join(name);
        std::fs::create_dir_all(rules.join(name).parent().unwrap()).unwrap();
        std::fs::copy(from, rules.join(name)).unwrap();
    };
    ["rules.rhai", "scenarios/once.toml"].iter().for_each(|name| copied(name));
    std::fs::create_dir_all(rules.join("agents")).unwrap();
    let agent = "//! # Ann alone\n//! Knows only how ann plays.\n\
        fn decide(view, decision) {\n\
            if decision.player != \"ann\" { throw \"only ann\"; }\n\
            \"rock\"\n\
        }\n";
    std::fs::write(rules.join("agents/ann_alone.rhai"), agent).unwrap();
    let run = |line: &str| {
        fracas(&format!("{line} --seed 1 --plain --rules"))
            .with(&folder.path().display().to_string())
    };
    let seated = "rock_paper_scissors/once --seat ann=ann_alone";
    let ran = run(&format!("portrait {seated} --measure fairness")).run().succeeds();
    let text = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("utility of ann"), "{text}");
    assert!(
        text.contains("`fairness.first_seat` is left out") && text.contains("only ann"),
        "{text}"
    );
    // The command that is printed shows it.
    let command = text.split('`').find(|part| part.starts_with("fracas play")).unwrap();
    assert!(command.contains("--seat bob=ann_alone"), "{command}");
    fracas(command.strip_prefix("fracas ").unwrap()).run().exits(1).says("only ann");
    let house = folder.path().join("well.rhai");
    let rule = "//! # Well\n//! Rock beats paper.\n\
                fn beaten_by(hand) { if hand == \"rock\" { \"paper\" } else { super(hand) } }\n";
    std::fs::write(&house, rule).unwrap();
    let compared = run(&format!("compare {seated} --house {}", house.display())).run().succeeds();
    let text = compared.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("`fairness.first_seat` is left out"), "{text}");
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
        let text = portrait.report().text(width, plain);
        assert!(text.lines().all(|line| line.chars().count() <= width), "{text}");
        assert_eq!(text.is_ascii(), plain, "{text}");
    }
    assert!(portrait.report().text(80, false).lines().count() <= 40);
}

#[test]
fn the_parts_of_a_utility_sum_to_it_on_the_graph_and_in_playouts() {
    let sums = |portrait: &Portrait, player: &str| -> f64 {
        let of = format!("parts.{player}.");
        let parts = portrait.measures.iter().filter(|measure| measure.name.starts_with(&of));
        parts.map(|measure| measure.quantity.value).sum()
    };
    let measures = ["parts", "fairness"];
    let exact = exact("war_die/ford", &measures);
    let wanted = made("war_die/ford", &Changes::default()).only(&measures);
    let sampled = Made { nodes: 1, n: 300, ..wanted }.portrait(1);
    assert!(!sampled.exact);
    for portrait in [&exact, &sampled] {
        for player in ["red", "blue"] {
            near(portrait, &format!("fairness.utility.{player}"), sums(portrait, player));
        }
        // Red has one mana: "1 mana paid" is a part without its number. The ford is won or lost: 3 or -3 at most.
        let paid = portrait.measure("parts.red.mana paid").unwrap().quantity.value;
        assert!((-2.0..0.0).contains(&paid), "{paid}");
        let ford = portrait.measure("parts.blue.ford").unwrap().quantity.value;
        assert!(ford.abs() <= 3.0, "{ford}");
    }
    assert!(exact.measure("parts.red.mana paid").unwrap().quantity.fraction.is_some());
    // Each is asked for by the name that is printed.
    let one = made("war_die/ford", &Changes::default()).only(&["parts.red.mana paid"]).portrait(1);
    assert_eq!(one.measures, [exact.measure("parts.red.mana paid").unwrap().clone()]);
}

#[test]
fn where_options_alone_are_wanted_no_playouts_from_questions_are_counted() {
    let counted = |measures: &[&str]| {
        let made = made("kuhn_poker/one_hand", &Changes::default()).only(measures);
        let counted = AtomicBool::new(false);
        Made { nodes: 0, n: 4, ..made }.heard(1, &|stage| {
            let of = matches!(stage, Stage::Begin(part) | Stage::Part(part, ..) if part.contains("from questions"));
            counted.fetch_or(of, Ordering::Relaxed);
        });
        counted.into_inner()
    };
    assert_eq!([counted(&["choice"]), counted(&["luck"])], [false, true]);
}

#[test]
fn an_end_without_a_part_of_the_utility_has_0_of_it() {
    // A die of three sides is worth 3 to red, of which the second has no account: 3 · 2/3 = 2.
    let rules = "//! # Thrown\n//! A die falls.\n\
        fn setup(s) { #{ side: 0 } }\n\
        fn step() { this.side = this.roll(\"die\", \"side\", uniform([1, 2, 3])); }\n\
        fn outcome() {\n\
            if this.side == 0 { return; }\n\
            let utility = #{ red: 3, blue: 0 };\n\
            if this.side == 2 { return #{ result: \"over\", utility: utility }; }\n\
            #{ result: \"over\", utility: utility, parts: #{ red: #{ prize: 3 }, blue: #{} } }\n\
        }\n";
    let scratch = Scratch::empty();
    scratch.write("rules/thrown/rules.rhai", rules);
    scratch.write("rules/thrown/scenarios/one.toml", "system = \"thrown\"\n[setup]\n");
    let line = "portrait thrown/one --measure parts --json";
    let found = fracas(line).inside(scratch.path()).run().succeeds().json();
    assert_eq!(found["measures"][0]["name"], "parts.red.prize");
    assert_eq!(found["measures"][0]["fraction"], "2");
}
