//! Simulated leagues, whose strengths are known: of all 95 % intervals 93 to 97 % hold the truth.
//!
//! The intervals of one league depend on each other, so `n` leagues are worth no less than `n`
//! independent intervals: the share that holds the truth has a deviation of at most √(0.05 · 0.95 / n),
//! 1.1 % for 400 leagues and 1.4 % for 250. `benches/coverage.rs` has many more.

use std::cell::Cell as Counter;
use std::collections::BTreeMap;

use fracas::tournament::{Cell, Evidence, Few, FirstSeat, Meeting, Prior, Ratings};

use super::leagues::{ELO, RoundRobin, Tables, covered, of_two, spread};

const LEAGUES: u64 = 400;

/// What the model itself has to hold of its intervals.
#[track_caller]
fn holds(share: f64, what: impl std::fmt::Debug) {
    assert!((0.93..=0.97).contains(&share), "{share}: {what:?}");
}

#[test]
fn the_intervals_cover_the_truth_19_times_of_20() {
    let truth = [-150.0, -60.0, -30.0, 0.0, 10.0, 80.0, 150.0];
    for (advantage, ties, games) in [(0.0, 0.5, 20), (60.0, 1e-9, 30), (-40.0, 2.0, 60)] {
        let league = RoundRobin { strength: &truth, advantage, ties, games };
        let seats = Counter::new(0.0);
        let share = covered(&truth, LEAGUES, |seed| {
            let ratings = Ratings::of(&league.play(seed), truth.len());
            let fitted = ratings.advantage(0).unwrap();
            let inside = (fitted.points - advantage).abs() <= fitted.half;
            seats.set(seats.get() + f64::from(u8::from(inside)) / LEAGUES as f64);
            ratings
        });
        holds(share.held, (games, "ratings"));
        holds(seats.get(), (games, "advantages"));
    }
}

#[test]
fn tables_of_more_than_two_seats_cover_the_truth_too() {
    for seats in [3, 4, 6] {
        for (strength, places) in [(vec![0.0; seats], false), (spread(seats, 240.0), true)] {
            let league = Tables { strength: &strength, seats, games: 60, places };
            let rated = |seed| Ratings::of(&league.play(seed), seats);
            holds(covered(&strength, 250, rated).held, (seats, places));
        }
    }
}

#[test]
fn two_agents_far_apart_are_covered_once_the_weaker_has_won_a_few() {
    // Where one wins 85 % of the games, the other one has won 4 or 5 of 30. Fewer make an interval that
    // is wide on both sides, so the truth is missed on one side alone.
    let few = of_two(300.0, 30);
    assert!((0.93..=0.99).contains(&few), "{few}");
    for games in [60, 120] {
        holds(of_two(300.0, games), games);
    }
}

#[test]
fn wide_fields_are_covered_and_not_squeezed() {
    // Twelve agents whose strengths are spread evenly over 1182 points. 150 leagues are worth no
    // less than 150 independent intervals, with a deviation of 1.8 %; 93 to 97 % are within it of 95.
    let truth = spread(12, 1182.0);
    for games in [10, 100] {
        let league = RoundRobin { strength: &truth, advantage: 0.0, ties: 1e-9, games };
        let apart = Counter::new(0.0);
        let share = covered(&truth, 150, |seed| {
            let ratings = Ratings::of(&league.play(seed), 12);
            let ends = ratings.rating(11).points - ratings.rating(0).points;
            apart.set(apart.get() + ends / 150.0);
            ratings
        });
        holds(share.held, games);
        // A rating of ten games a pairing has a deviation of some 55 points, so the distance of two
        // less than 80, and its mean over 150 leagues one of 6.5: three of these are 20.
        assert!((apart.get() - 1182.0).abs() < 20.0, "{} with {games} games", apart.get());
    }
}

#[test]
fn pairings_that_are_known_leave_the_others_covered() {
    // Two of four are known against each other, by the model, so that there is one truth.
    let truth = [-90.0, -30.0, 20.0, 100.0];
    let half = (truth[0] - truth[1]) / ELO / 2.0;
    let (win, loss) = (half.exp(), (-half).exp());
    let of = |odds: f64| 40.0 * odds / (win + loss);
    let cell = Cell { wins: of(win), draws: 0.0, losses: of(loss) };
    let meeting = |first| Meeting { scenario: 0, a: 0, b: 1, first };
    let known = BTreeMap::from([FirstSeat::A, FirstSeat::B].map(|first| (meeting(first), cell)));
    let league = RoundRobin { strength: &truth, advantage: 0.0, ties: 1e-9, games: 40 };
    let share = covered(&truth, LEAGUES, |seed| {
        let tally = league.play(seed);
        let mut played = tally.played();
        played.retain(|meeting, _| (meeting.a, meeting.b) != (0, 1));
        let evidence = Evidence { played, known: known.clone(), tables: tally.tables() };
        Ratings::fit(&evidence, 4, Prior::default())
    });
    holds(share.held, "known");
}

#[test]
fn few_games_at_a_table_know_no_rating_exactly() {
    for seats in [3, 4, 6] {
        for (games, places) in (1..=6).flat_map(|games| [(games, false), (games, true)]) {
            let league = Tables { strength: &vec![0.0; seats], seats, games, places };
            let ratings = Ratings::of(&league.play(7), seats);
            for agent in 0..seats {
                // So many games between pairs would know it to no less than this: each is worth
                // 1/4 at most, and its rating has (seats − 1) / seats² of their variance.
                let most = games as f64 * (seats - 1) as f64 / 4.0;
                let least = 1.96 * ELO * (0.1 * 0.5 / most).sqrt() / 2.0;
                let half = ratings.rating(agent).half;
                assert!(half > least && half.is_finite(), "{half} {least} {seats} {games}");
            }
        }
    }
}

#[test]
fn too_few_games_at_tables_are_named() {
    let at_table = |seats: usize, games| {
        let strength = vec![0.0; seats];
        Ratings::of(&Tables { strength: &strength, seats, games, places: false }.play(3), seats)
    };
    let few = Few { games: 12, agents: 6, enough: 18 };
    let ratings = at_table(6, 12);
    assert_eq!(ratings.few, Some(few));
    let names: Vec<String> = (0..6).map(|agent| format!("a{agent}")).collect();
    let notes = ratings.notes(&names);
    assert!(notes.iter().any(|note| note.starts_with("12 games of 6 agents")), "{notes:?}");
    // From so many games on the intervals are promised to hold.
    for seats in [3, 4, 6] {
        assert_eq!(at_table(seats, 30).few, None);
    }
    // Games of two depend on nothing but themselves, however few they are.
    let league = RoundRobin { strength: &[0.0; 4], advantage: 0.0, ties: 1.0, games: 2 };
    assert_eq!(Ratings::of(&league.play(3), 4).few, None);
}
