//! Tests that intervals of 95 % cover the true number about as often as they should.

use fracas::analysis::{Enough, Estimated, Sampling};
use fracas::number::Quantity;

use super::{opened, seating};

/// How many seeds are tried.
const SEEDS: u64 = 200;

/// The number of 200 intervals that cover is binomial with p = 0.95: 190 on average, with a
/// standard deviation of 3.1. It is fewer than 179 or more than 199 with a probability of 0.0006.
const ACCEPTED: std::ops::RangeInclusive<u64> = 179..=199;

fn covers(estimate: &Quantity, number: f64) -> u64 {
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
        let sampling = Sampling { seed, n: 1000, enough: Enough::All, threads: 1 };
        let chances = Estimated::watched(&seating, sampling, &[], &|_| ()).unwrap().chances;
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

#[test]
fn of_two_hundred_estimates_that_stop_when_they_are_clear_some_190_cover() {
    // One side of twenty: the interval is a percentage point wide on either side once there are
    // 0.05 * 0.95 * (1.96 / 0.01)^2 = 1825 playouts.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("die/scenarios");
    std::fs::create_dir_all(&path).unwrap();
    std::fs::write(path.join("one.toml"), "system = \"die\"\n[setup]\n").unwrap();
    let rules = "//! # Die\n//! A die falls.\n\
        fn setup(s) { #{ side: 0 } }\n\
        fn step() { this.side = this.roll(\"die\", \"side\", dice(\"1d20\")); }\n\
        fn outcome() {\n\
            if this.side == 1 { #{ result: \"hit\", utility: #{ red: 1 } } }\n\
            else if this.side > 1 { #{ result: \"miss\", utility: #{ red: 0 } } }\n\
        }\n";
    std::fs::write(folder.path().join("die/rules.rhai"), rules).unwrap();
    let catalog = fracas::catalog::Catalog::new(&[folder.path().to_owned()]).unwrap();
    let (changes, limits) = (Default::default(), Default::default());
    let conflict =
        fracas::conflict::Conflict::open(&catalog, "die/one", &changes, &limits).unwrap();
    let seating = seating(&conflict);
    let mut covered = 0;
    for seed in 0..SEEDS {
        let n = Sampling::PLAYOUTS;
        let sampling = Sampling { seed, n, enough: Enough::Clear, threads: 1 };
        let estimated = Estimated::watched(&seating, sampling, &[], &|_| ()).unwrap();
        assert!(estimated.clear && (1_024..4_000).contains(&estimated.n), "{}", estimated.n);
        covered += covers(&estimated.chances.results["hit"], 0.05);
    }
    assert!(ACCEPTED.contains(&covered), "{covered} of {SEEDS}");
}
