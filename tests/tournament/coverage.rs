//! Simulated leagues, whose strengths are known: of all 95 % intervals 93 to 97 % hold the truth.
//!
//! The intervals of one league depend on each other, so `n` leagues are worth no less than `n`
//! independent intervals: the share that holds the truth has a deviation of at most √(0.05 · 0.95 / n),
//! 1.1 % for 400 leagues and 1.4 % for 250. `benches/coverage.rs` has many more.

use std::cell::Cell as Counter;
use std::collections::BTreeMap;

use fracas::number::Quantity;
use fracas::tournament::{Cell, Evidence, Few, FirstSeat, Meeting, Prior, Ratings, Tally};

use super::leagues::{ELO, RoundRobin, Tables, add, covered, of_two, ranked, spread};
use super::*;
use crate::support::is_thorough;

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
            let ratings = league.play(seed).ratings(truth.len());
            let fitted = ratings.advantage(0).unwrap();
            let inside = (fitted.value - advantage).abs() <= fitted.half_width();
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
        let apart = spread(seats, 240.0);
        for (strength, places) in [(vec![0.0; seats], false), (apart.clone(), false), (apart, true)]
        {
            let league = Tables { strength: &strength, seats, games: 60, places, worth: &[] };
            let rated = |seed| league.play(seed).ratings(seats);
            holds(covered(&strength, 250, rated).held, (seats, places));
        }
    }
}

#[test]
fn what_each_seat_of_a_table_is_worth_is_covered_and_moves_no_rating() {
    let worth = [170.0, -20.0, -150.0];
    for (agents, games, places) in [(3, 60, true), (3, 120, false), (5, 150, true)] {
        let strength = spread(agents, 200.0);
        let league = Tables { strength: &strength, seats: 3, games, places, worth: &worth };
        let (seats, first) = (Counter::new(0.0), Counter::new(0.0));
        let share = covered(&strength, 300, |seed| {
            let ratings = league.play(seed).ratings(agents);
            let fitted = ratings.seats(0);
            let near = |fitted: &Quantity, truth: f64| {
                f64::from(u8::from((fitted.value - truth).abs() <= fitted.half_width()))
            };
            let held: f64 = fitted.iter().zip(worth).map(|(one, truth)| near(one, truth)).sum();
            seats.set(seats.get() + held / 900.0);
            // The first is 170 above the mean of all, so that the others are 85 below it on average.
            first.set(first.get() + near(&ratings.advantage(0).unwrap(), 255.0) / 300.0);
            ratings
        });
        holds(share.held, (agents, games, places));
        holds(seats.get(), (agents, games, "seats"));
        holds(first.get(), (agents, games, "first"));
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
            let ratings = league.play(seed).ratings(12);
            let ends = ratings.rating(11).value - ratings.rating(0).value;
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
        let mut evidence = Evidence { known: known.clone(), ..tally.evidence() };
        evidence.played.retain(|meeting, _| (meeting.a, meeting.b) != (0, 1));
        Ratings::fit(&evidence, 4, Prior::default())
    });
    holds(share.held, "known");
}

#[test]
fn few_games_at_a_table_know_no_rating_exactly() {
    for seats in [3, 4, 6] {
        for (games, places) in (1..=6).flat_map(|games| [(games, false), (games, true)]) {
            let league = Tables { strength: &vec![0.0; seats], seats, games, places, worth: &[] };
            let ratings = league.play(7).ratings(seats);
            for agent in 0..seats {
                // So many games between pairs would know it to no less than this: each is worth
                // 1/4 at most, and its rating has (seats − 1) / seats² of their variance.
                let most = games as f64 * (seats - 1) as f64 / 4.0;
                let least = 1.96 * ELO * (0.1 * 0.5 / most).sqrt() / 2.0;
                let half = ratings.rating(agent).half_width();
                assert!(half > least && half.is_finite(), "{half} {least} {seats} {games}");
            }
        }
    }
}

#[test]
fn too_few_games_at_tables_are_named() {
    let at_table = |seats: usize, games| {
        let strength = vec![0.0; seats];
        Tables { strength: &strength, seats, games, places: false, worth: &[] }
            .play(3)
            .ratings(seats)
    };
    // Three for each of six agents, but five for each of six seats.
    let few = Few { games: 12, agents: 6, enough: 30 };
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
    assert_eq!(league.play(3).ratings(4).few, None);
}

/// Agents of known strength, whose games are drawn by the model of the ratings.
#[derive(Clone)]
struct DrawnGames {
    strength: Vec<f64>,
    places: bool,
    /// Two agents of which the first is this much better than strengths say, against the other alone.
    planted: Option<(usize, usize, f64)>,
}

impl Referee for DrawnGames {
    fn play(&self, game: &Game) -> Result<GameResult, Error> {
        let agents = &game.lineup.agents;
        let mut strength: Vec<f64> = agents.iter().map(|&agent| self.strength[agent]).collect();
        if let Some((a, b, more)) = self.planted
            && agents.len() == 2
            && agents.contains(&b)
            && let Some(seat) = agents.iter().position(|&agent| agent == a)
        {
            strength[seat] += more;
        }
        let utility = ranked(&mut Generator::playout(5, game.seed), &strength, self.places);
        Ok(GameResult { result: "over".into(), utility, ..GameResult::default() })
    }

    fn exact(&self, _: &Lineup) -> Result<Option<ExactOdds>, Error> {
        Ok(None)
    }
}

impl RefereeFactory for DrawnGames {
    fn referee(&self) -> Result<Box<dyn Referee + '_>, Error> {
        Ok(Box::new(self.clone()))
    }
}

impl DrawnGames {
    /// The standings, as programs get them, of a tournament that was really run.
    fn standings(&self, seats: usize, games: usize, seed: u64) -> serde_json::Value {
        let agents: Vec<String> =
            (0..self.strength.len()).map(|agent| format!("\"{agent}\"")).collect();
        let spec = spec(&format!(
            "scenarios = [\"table{seats}\"]\nagents = [{}]\nformat = \"round_robin\"\n\
             games = {games}\nseed = {seed}\n",
            agents.join(", ")
        ));
        let mut results = Results::in_memory(&spec, &conditions(&spec)).unwrap();
        let run = play(&spec, &mut results, self, 1, None);
        crate::support::json(&Standings::of(&run.state))
    }
}

/// How many leagues are run whole.
fn runs() -> u64 {
    if is_thorough() { 300 } else { 60 }
}

/// Checks that of all intervals of leagues run whole 95 to 97 % hold the truth, within three standard
/// errors of the share: those of the leagues themselves, as the intervals of one depend on each other, but
/// no less than if they did not.
fn run_leagues_hold(seats: usize, places: bool) {
    // 100 points from each to the next: -100, 0, 100 at three seats.
    let strength = spread(seats, 100.0 * (seats - 1) as f64);
    let league = DrawnGames { strength, places, planted: None };
    for games in [50, 200, 1_000] {
        let shares = (0..runs()).map(|seed| {
            let standings = league.standings(seats, games, seed);
            let rows = standings["standings"].as_array().unwrap();
            let held = rows.iter().filter(|row| {
                let agent: usize = row["agent"].as_str().unwrap().parse().unwrap();
                let [low, high] = ["low", "high"].map(|end| row[end].as_f64().unwrap());
                assert_eq!(row["games"], games as u64);
                (low..=high).contains(&league.strength[agent])
            });
            held.count() as f64 / seats as f64
        });
        let shares: Vec<f64> = shares.collect();
        let leagues = shares.len() as f64;
        let mean = shares.iter().sum::<f64>() / leagues;
        let variance = shares.iter().map(|share| (share - mean).powi(2)).sum::<f64>() / leagues;
        let independent = 0.05 * 0.95 / seats as f64;
        let error = (variance.max(independent) / leagues).sqrt();
        let bounds = 0.95 - 3.0 * error..=0.97 + 3.0 * error;
        println!("{seats} seats, {games} games, places {places}: {mean:.3} ± {error:.3}");
        assert!(bounds.contains(&mean), "{mean} ± {error}: {seats} {games} {places}");
    }
}

#[test]
fn leagues_that_are_run_cover_the_truth_where_the_winner_takes_all() {
    [3, 4, 6].into_iter().for_each(|seats| run_leagues_hold(seats, false));
}

#[test]
fn leagues_that_are_run_cover_the_truth_where_places_count() {
    [3, 4, 6].into_iter().for_each(|seats| run_leagues_hold(seats, true));
}

/// Checks that a league with one of these seeds gives an alarm in no more than 5 %, within three standard errors.
fn seldom(what: &str, is_alarm: impl Fn(u64) -> bool) {
    let alarms = (0..runs()).filter(|&seed| is_alarm(seed)).count() as f64;
    let leagues = runs() as f64;
    let most = 0.05 + 3.0 * (0.05 * 0.95 / leagues).sqrt();
    println!("{what}: {alarms} of {leagues} leagues");
    assert!(alarms / leagues <= most, "{what}: {alarms} of {leagues}");
}

#[test]
fn the_model_itself_is_seldom_called_a_misfit() {
    // 276 pairings of four games, many of which are all but decided before.
    let league = DrawnGames { strength: spread(24, 1_000.0), places: false, planted: None };
    seldom("the model itself", |seed| {
        let misfit = &league.standings(2, 4, seed)["misfit"];
        misfit["off"] != 0 || misfit["cycle"] != serde_json::json!([])
    });
}

#[test]
fn draws_a_first_seat_and_three_seats_are_seldom_called_a_misfit() {
    let is_alarm = |tally: &Tally, agents: usize| {
        let misfit = tally.ratings(agents).misfit;
        misfit.off > 0 || !misfit.cycle.is_empty()
    };
    // Each of three beats the next.
    let mut cycle = Tally::default();
    for (won, lost) in [(0, 1), (1, 2), (2, 0)].repeat(20) {
        add(&mut cycle, vec![won, lost], vec![1.0, 0.0]);
    }
    assert!(is_alarm(&cycle, 3));
    let strength = spread(10, 500.0);
    let round = |advantage, ties| {
        let strength = &strength;
        move |seed| RoundRobin { strength, advantage, ties, games: 8 }.play(seed)
    };
    let table = |places| {
        let strength = &strength;
        move |seed| Tables { strength, seats: 3, games: 180, places, worth: &[] }.play(seed)
    };
    let leagues: [(&str, &dyn Fn(u64) -> Tally); 5] = [
        ("draws", &round(0.0, 2.0)),
        ("a first seat", &round(120.0, 1e-9)),
        ("both", &round(-80.0, 1.0)),
        ("three seats, winner takes all", &table(false)),
        ("three seats, places", &table(true)),
    ];
    for (what, league) in leagues {
        seldom(what, |seed| is_alarm(&league(seed), 10));
    }
}

#[test]
fn a_planted_misfit_is_found() {
    // The first of ten, 450 points below the last, wins 7 of 8 games against it alone.
    let planted = Some((0, 9, 450.0 + 338.0));
    let league = DrawnGames { strength: spread(10, 450.0), places: false, planted };
    let standings = league.standings(2, 40, 1);
    let misfit = &standings["misfit"];
    assert_eq!(misfit["off"], 1, "{misfit}");
    let worst = &misfit["worst"];
    assert_eq!((&worst["a"], &worst["b"]), (&"0".into(), &"9".into()), "{misfit}");
    assert!(worst["score_a"].as_f64().unwrap() > 0.7, "{misfit}");
}
