//! Tests that intervals of 95 % cover the true number about as often as they should.

use fracas::analysis::{Estimated, Number, Sampling};

use super::{opened, seating};

/// How many seeds are tried.
const SEEDS: u64 = 200;

/// The number of 200 intervals that cover is binomial with p = 0.95: 190 on average, with a
/// standard deviation of 3.1. It is fewer than 179 or more than 199 with a probability of 0.0006.
const ACCEPTED: std::ops::RangeInclusive<u64> = 179..=199;

fn covers(estimate: &Number, number: f64) -> u64 {
    let (low, high) = estimate.range();
    u64::from((low..=high).contains(&number))
}

/// Checks how many intervals of a result's odds (Wilson's) and of a utility (Student's) cover the
/// true number.
#[track_caller]
fn tried(name: &str, (result, share): (&str, f64), (player, utility): (&str, f64)) {
    let seating = seating(&opened(name, &[]));
    let (mut of_result, mut of_utility) = (0, 0);
    for seed in 0..SEEDS {
        let sampling = Sampling { seed, n: 1000, within: None, threads: 1 };
        let chances = Estimated::sample(&seating, sampling, &|_| ()).unwrap().chances;
        of_result += covers(&chances.results[result], share);
        of_utility += covers(&chances.utility[player], utility);
    }
    assert!(ACCEPTED.contains(&of_result), "{name}: {of_result} of {SEEDS} cover the odds");
    assert!(ACCEPTED.contains(&of_utility), "{name}: {of_utility} of {SEEDS} cover the utility");
}

#[test]
fn of_two_hundred_estimates_of_tic_tac_toe_some_190_cover_the_exact_odds() {
    // The exact numbers are derived in `textbook`.
    let (x, o) = (737.0 / 1260.0, 121.0 / 420.0);
    tried("tic_tac_toe/empty_board", ("x", x), ("x", x - o));
}

#[test]
fn of_two_hundred_estimates_of_kuhn_poker_some_190_cover_the_exact_odds() {
    tried("kuhn_poker/one_hand", ("ann", 9.0 / 16.0), ("ann", 1.0 / 8.0));
}
