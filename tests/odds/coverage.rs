//! Tests that intervals of 95 % cover the true number about as often as they should.

use fracas::agents::AgentSpec;
use fracas::analysis::{Effort, Enough, Estimated, OpenDecision, Prospects, Sampling};
use fracas::conflict::Play;
use fracas::game::Value;
use fracas::number::Quantity;
use fracas::script::Limits;

use super::{opened, seating, with_agent};

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

/// Six cards, of which ann has three and bob two. Ann leads twice; bob answers with any card, and the higher one wins: 1
/// point, then 2. Who wins the second is the result.
const HANDS: &str = r#"//! # Hands
fn setup(s) {
    let deck = [1, 2, 3, 4, 5, 6];
    let state = #{ ann: [], bob: [], past: [], points: 0, last: "" };
    for player in ["ann", "ann", "ann", "bob", "bob"] {
        let card = state.roll(player, "deal", uniform(deck));
        state[player].push(card);
        deck = deck.without(card);
    }
    state.ann.sort();
    state
}
fn step() {
    let led = this.choose("ann", "lead", this.ann);
    let answer = this.choose("bob", "answer", this.bob);
    this.ann = this.ann.without(led);
    this.bob = this.bob.without(answer);
    this.past.push([led, answer]);
    if led > answer { this.points += this.past.len; }
    this.last = if led > answer { "ann" } else { "bob" };
}
fn outcome() {
    if this.past.len == 2 { #{ result: this.last, utility: #{ ann: this.points, bob: 0 } } }
}
fn view(player) { #{ hand: this[player], past: this.past, points: this.points } }
"#;

/// The cards that a list holds.
fn cards(list: &Value) -> Vec<i64> {
    list.as_list().unwrap().iter().map(|card| card.as_int().unwrap()).collect()
}

#[test]
fn of_a_hundred_places_with_a_hidden_hand_some_95_intervals_cover_what_a_player_can_expect() {
    let (mut of_result, mut of_utility) = (0, 0);
    for seed in 0..100 {
        // Every second place is that of the second lead: what was answered before is known there.
        let second = seed % 2 == 1;
        let own = with_agent(HANDS, "", "", &[("ann", "human")]);
        let mut play = Play::begin(own.conflict, seed, &Limits::default()).unwrap();
        if second {
            play.answer(0).unwrap();
        }
        let state = play.state().value();
        let hand = cards(state.get("ann").unwrap());
        let past = state.get("past").unwrap().as_list().unwrap();
        let past: Vec<i64> = past.iter().flat_map(cards).collect();
        let known = |card: &i64| hand.contains(card) || past.contains(card);
        let unseen: Vec<i64> = (1..=6).filter(|card| !known(card)).collect();
        // Bob's next card is any that ann does not see, and so is the one after it.
        let wins = |card: i64| {
            unseen.iter().filter(|other| **other < card).count() as f64 / unseen.len() as f64
        };
        let points = state.get("points").unwrap().as_int().unwrap() as f64;
        // Ann leads her lowest card, and then one of the others at random.
        let (last, expected) = match second {
            true => (wins(hand[0]), points + 2.0 * wins(hand[0])),
            false => {
                let last = (wins(hand[1]) + wins(hand[2])) / 2.0;
                (last, wins(hand[0]) + 2.0 * last)
            }
        };
        let history = play.history();
        let place = OpenDecision { history: &history, who: "ann", name: "lead", revealed: false };
        let (n, work) = (30, u64::MAX);
        let effort = Effort { float: false, threads: 1, nodes: 0, n, seed, time: None, work };
        let seating = play.seating().unwrap().with([(vec!["ann".to_owned()], AgentSpec::Random)]);
        let found = Prospects::find(&seating, place, effort, &|_| ()).unwrap();
        assert_eq!((found.n, found.hidden, found.nodes), (30, true, None));
        let chances = &found.options[0].chances;
        // A result that no playout had is not listed, and its interval begins at 0.
        let share = chances.results.get("ann");
        of_result += share.map_or(u64::from(last < 0.1), |share| covers(share, last));
        of_utility += covers(&chances.utility["ann"], expected);
    }
    // Fewer than 87 of 100 have a probability of 0.0005 where each covers with 0.95; where all playouts seen say the same, more
    // do.
    assert!(of_result >= 87, "{of_result} of 100 cover the odds");
    assert!(of_utility >= 87, "{of_utility} of 100 cover the utility");
}
