//! Simulated leagues, whose strengths are known: of all 95 % intervals 93 to 97 % hold the truth.
//!
//! The intervals of one league depend on each other, so `n` leagues are worth no less than `n`
//! independent intervals: the share that holds the truth has a deviation of at most √(0.05 · 0.95 / n),
//! 1.1 % for 400 leagues and 1.4 % for 250. `benches/coverage.rs` has many more.

use super::super::{Game, GameResult, Seating};
use super::tests::{NO_TABLES, both, cells, fit};
use super::*;
use crate::handlers::Generator;

const LEAGUES: u64 = 400;

/// The results of a round robin among agents of known strengths, by the model itself; each pairing
/// has so many games in each seating.
fn round_robin(
    seed: u64,
    strength: &[f64],
    advantage: f64,
    ties: f64,
    games: u64,
) -> BTreeMap<Meeting, Cell> {
    let mut generator = Generator::playout(1, seed);
    let mut cells: BTreeMap<Meeting, Cell> = BTreeMap::new();
    for a in 0..strength.len() {
        for b in a + 1..strength.len() {
            for (first, sign) in [(First::A, 1.0), (First::B, -1.0)] {
                let half = (strength[a] - strength[b] + sign * advantage) / ELO / 2.0;
                let odds = [half.exp(), ties, (-half).exp()];
                let cell = cells.entry(Meeting { scenario: 0, a, b, first }).or_default();
                for _ in 0..games {
                    let point = uniform(&mut generator) * odds.iter().sum::<f64>();
                    let result = odds[..2].iter().scan(point, |left, odds| {
                        *left -= odds;
                        (*left >= 0.0).then_some(())
                    });
                    cell.count(result.count(), 1.0);
                }
            }
        }
    }
    cells
}

/// A number from 0 to 1.
fn uniform(generator: &mut Generator) -> f64 {
    (generator.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// Plays games of all agents at one table. Whoever is best comes first with a chance in proportion
/// to its strength (Plackett 1975); then, where places count, the best of the others, and so on, so
/// that any two compare by the model itself. Else all the others draw.
fn at_table(seed: u64, strength: &[f64], games: usize, places: bool) -> Tally {
    let mut generator = Generator::playout(3, seed);
    let mut tally = Tally::default();
    for number in 0..games {
        let mut agents: Vec<usize> = (0..strength.len()).collect();
        agents.rotate_left(number % strength.len());
        let mut utility = vec![0.0; agents.len()];
        let mut left: Vec<usize> = (0..agents.len()).collect();
        while left.len() > 1 {
            let weight = |seat: usize| (strength[agents[seat]] / ELO).exp();
            let all: f64 = left.iter().map(|&seat| weight(seat)).sum();
            let mut point = uniform(&mut generator) * all;
            let next = left.iter().position(|&seat| {
                point -= weight(seat);
                point < 0.0
            });
            let seat = left.remove(next.unwrap_or_default());
            utility[seat] = left.len() as f64;
            if !places {
                break;
            }
        }
        let game =
            Game { number: number as u64, seating: Seating { scenario: 0, agents }, playout: 0 };
        tally.add(&game, &GameResult { utility, ..GameResult::default() });
    }
    tally
}

/// The share of intervals that hold the true ratings, whose mean is 0.
fn covered(truth: &[f64], leagues: u64, league: impl Fn(u64) -> Ratings) -> f64 {
    let mut inside = 0u32;
    for seed in 0..leagues {
        let ratings = league(seed);
        for (agent, truth) in truth.iter().enumerate() {
            let Rated { points, half } = ratings.rating(agent);
            inside += u32::from((points - truth).abs() <= half);
        }
    }
    f64::from(inside) / (leagues as f64 * truth.len() as f64)
}

#[test]
fn the_intervals_cover_the_truth_19_times_of_20() {
    let truth = [-150.0, -60.0, -30.0, 0.0, 10.0, 80.0, 150.0];
    for (advantage, ties, games) in [(0.0, 0.5, 10), (60.0, 1e-9, 15), (-40.0, 2.0, 30)] {
        let seats = std::cell::Cell::new(0.0);
        let share = covered(&truth, LEAGUES, |seed| {
            let cells = round_robin(seed, &truth, advantage, ties, games);
            let ratings = fit(cells, truth.len(), Prior::default());
            let fitted = ratings.advantage(0).unwrap();
            let inside = (fitted.points - advantage).abs() <= fitted.half;
            seats.set(seats.get() + f64::from(u8::from(inside)) / LEAGUES as f64);
            ratings
        });
        for share in [share, seats.get()] {
            assert!((0.93..=0.97).contains(&share), "{share} with {games} games");
        }
    }
}

#[test]
fn tables_of_more_than_two_seats_cover_the_truth_too() {
    for seats in [3, 4, 6] {
        let equal = vec![0.0; seats];
        let apart: Vec<f64> =
            (0..seats).map(|i| 240.0 * (i as f64 / (seats - 1) as f64 - 0.5)).collect();
        for (truth, places) in [(&equal, false), (&apart, true)] {
            let league = |seed| Ratings::of(&at_table(seed, truth, 60, places), seats);
            let share = covered(truth, 250, league);
            assert!((0.93..=0.97).contains(&share), "{share} at {seats}, places: {places}");
        }
    }
}

#[test]
fn wide_fields_are_covered_and_not_squeezed() {
    // Twelve agents whose strengths are spread evenly over 1182 points. 150 leagues are worth no
    // less than 150 independent intervals, with a deviation of 1.8 %; 93 to 97 % are within it of 95.
    let truth: Vec<f64> = (0..12).map(|i| 1182.0 * (f64::from(i) / 11.0 - 0.5)).collect();
    for games in [5, 50] {
        let apart = std::cell::Cell::new(0.0);
        let share = covered(&truth, 150, |seed| {
            let ratings = fit(round_robin(seed, &truth, 0.0, 1e-9, games), 12, Prior::default());
            let ends = ratings.rating(11).points - ratings.rating(0).points;
            apart.set(apart.get() + ends / 150.0);
            ratings
        });
        assert!((0.93..=0.97).contains(&share), "{share} with {games} games");
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
    let shares = [win, 0.0, loss].map(|odds| odds / (win + loss));
    let known = cells(&both(0, 1, 40.0, shares));
    let share = covered(&truth, LEAGUES, |seed| {
        let mut played = round_robin(seed, &truth, 0.0, 1e-9, 20);
        played.retain(|meeting, _| (meeting.a, meeting.b) != (0, 1));
        let evidence = Evidence { played, known: known.clone(), tables: NO_TABLES };
        Ratings::fit(&evidence, 4, Prior::default())
    });
    assert!((0.93..=0.97).contains(&share), "{share}");
}

#[test]
fn few_games_at_a_table_know_no_rating_exactly() {
    for seats in [3, 4, 6] {
        for games in 1..=6 {
            for places in [false, true] {
                let ratings = Ratings::of(&at_table(7, &vec![0.0; seats], games, places), seats);
                for agent in 0..seats {
                    // So many games between pairs would know it to no less than this: each is worth
                    // 1/4 at most, and its rating has (seats − 1) / seats² of their variance.
                    let most = games as f64 * (seats - 1) as f64 / 4.0;
                    let least = NORMAL_95 * ELO * (0.1 * 0.5 / most).sqrt() / 2.0;
                    let half = ratings.rating(agent).half;
                    assert!(half > least && half.is_finite(), "{half} {least} {seats} {games}");
                }
            }
        }
    }
}
