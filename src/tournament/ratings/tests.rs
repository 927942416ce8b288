//! Tests that ratings are those that the method gives.

use super::super::{FirstSeat, Game, GameResult, Lineup, Tally};
use super::*;
use crate::game::Generator;

fn cells(of: &[(usize, usize, FirstSeat, f64, f64, f64)]) -> BTreeMap<Meeting, Cell> {
    let cell = |&(a, b, first, wins, draws, losses): &(usize, usize, FirstSeat, f64, f64, f64)| {
        (Meeting { scenario: 0, a, b, first }, Cell { wins, draws, losses })
    };
    of.iter().map(cell).collect()
}

const NONE: Prior = Prior { bias: 0.0, equals: 0.0, known: 0.0 };
const NO_TABLES: &BTreeMap<TableGame, u64> = &BTreeMap::new();

fn evidence(played: BTreeMap<Meeting, Cell>, known: BTreeMap<Meeting, Cell>) -> Evidence<'static> {
    Evidence { played, known, tables: NO_TABLES, known_tables: BTreeMap::new() }
}

fn fit(played: BTreeMap<Meeting, Cell>, agents: usize, prior: Prior) -> Ratings {
    Ratings::fit(&evidence(played, BTreeMap::new()), agents, prior)
}

fn fit_known(known: BTreeMap<Meeting, Cell>, agents: usize) -> Ratings {
    let evidence = evidence(BTreeMap::new(), known);
    Ratings::fit(&evidence, agents, Prior::default())
}

/// That one is this many times as strong as another, within some points.
#[track_caller]
fn apart(ratings: &Ratings, (a, b): (usize, usize), odds: f64, within: f64) {
    let difference = ratings.rating(a).value - ratings.rating(b).value;
    assert!((difference - 400.0 * odds.log10()).abs() < within, "{difference} {odds}");
}

fn points_and_half(ratings: &Ratings, agent: usize) -> (f64, f64) {
    let rating = ratings.rating(agent);
    (rating.value, rating.half_width())
}

#[test]
fn davidsons_chocolate_puddings_come_out_as_by_his_own_method() {
    // Davidson (1970), table 2: preferences for the one, no preference, preferences for the other.
    let data = [
        (1, 2, 19., 16., 22.),
        (1, 3, 16., 12., 19.),
        (2, 3, 19., 10., 19.),
        (1, 4, 18., 13., 23.),
        (2, 4, 23., 9., 19.),
        (3, 4, 19., 15., 20.),
        (1, 5, 13., 18., 19.),
        (2, 5, 16., 12., 20.),
        (3, 5, 16., 17., 15.),
        (4, 5, 17., 16., 14.),
        (1, 6, 18., 12., 21.),
        (2, 6, 22., 12., 20.),
        (3, 6, 13., 10., 18.),
        (4, 6, 14., 18., 19.),
        (5, 6, 11., 12., 21.),
    ];
    let rows: Vec<_> =
        data.iter().map(|&(a, b, w, d, l)| (a - 1, b - 1, FirstSeat::Neither, w, d, l)).collect();
    let ratings = fit(cells(&rows), 6, NONE);
    let worth: Vec<f64> = ratings.strength.iter().map(|strength| strength.exp()).collect();
    let total: f64 = worth.iter().sum();
    // Worth and `ν` worked out apart, by Davidson's own iteration (his section 3) to its end.
    let expected = [0.1388034, 0.1730015, 0.1617474, 0.1653730, 0.1586854, 0.2023893];
    for (worth, expected) in worth.iter().zip(expected) {
        assert!((worth / total - expected).abs() < 1e-6, "{} {expected}", worth / total);
    }
    let draw = ratings.draws(0).unwrap();
    let nu = 2.0 * draw / (1.0 - draw);
    assert!((nu - 0.7468230).abs() < 1e-6, "{nu}");
}

#[test]
fn two_agents_have_the_odds_of_their_wins() {
    // Without ties and priors the odds are those of the counts: 30 to 10, 400 · log10 3 points.
    let even = [(0, 1, FirstSeat::A, 15.0, 0.0, 5.0), (0, 1, FirstSeat::B, 15.0, 0.0, 5.0)];
    let prior = Prior { equals: 1e-9, ..NONE };
    let ratings = fit(cells(&even), 2, prior);
    apart(&ratings, (0, 1), 3.0, 1e-4);
    assert!(ratings.advantage(0).unwrap().value.abs() < 1e-6);
    // The curvature of 40 games at ¾ is 40 · 3/16 = 7.5 for the difference; each rating is half of it.
    let half = NORMAL_95 * ELO / 7.5f64.sqrt() / 2.0;
    assert!((ratings.rating(0).half_width() - half).abs() < 1e-3);
    // The likelihood of superiority is that of ln 3 with that deviation.
    let sure = cumulative(3f64.ln() * 7.5f64.sqrt());
    assert!((ratings.superiority(0, 1) - sure).abs() < 1e-6);
}

#[test]
fn an_anchor_is_held_and_all_it_has_met_are_rated_about_it() {
    let played = cells(&[
        (0, 1, FirstSeat::Neither, 30.0, 4.0, 10.0),
        (2, 3, FirstSeat::Neither, 5.0, 1.0, 5.0),
    ]);
    let free = fit(played, 4, Prior::default());
    let held = free.clone().anchored(0, 1500.0);
    assert!((held.rating(0).value - 1500.0).abs() < 1e-9);
    // All others were sampled about it, so it is not computed exactly: it has no interval as it is held.
    assert_eq!((held.rating(0).half_width(), margin(&held.rating(0)).as_str()), (0.0, "0"));
    // Two agents are half of their difference from their mean, each.
    let ((before, half), (after, whole)) = (points_and_half(&free, 1), points_and_half(&held, 1));
    assert!((after - 1500.0 - 2.0 * before).abs() < 1e-9 && (whole - 2.0 * half).abs() < 1e-6);
    assert!((held.superiority(0, 1) - free.superiority(0, 1)).abs() < 1e-12);
    // Whoever has not met it stays about the own mean.
    assert_eq!(points_and_half(&held, 2), points_and_half(&free, 2));
}

#[test]
fn the_first_seat_has_its_own_parameter() {
    // Whoever sits first wins 3 of 4, whoever it is: equals, with an advantage of 400 · log10 3.
    let seats = [(0, 1, FirstSeat::A, 300.0, 0.0, 100.0), (0, 1, FirstSeat::B, 100.0, 0.0, 300.0)];
    let ratings = fit(cells(&seats), 2, Prior { equals: 1e-9, ..NONE });
    assert!(ratings.rating(0).value.abs() < 1e-6);
    let advantage = ratings.advantage(0).unwrap();
    assert!((advantage.value - 400.0 * 3f64.log10()).abs() < 1e-3, "{advantage:?}");
}

#[test]
fn each_seat_of_a_table_has_its_own_parameter() {
    // Of three equals who exchange seats the first wins 6 of 10, the second 3 and the third 1: their logarithms are as far
    // apart, whoever sits there.
    let games = (0..3).flat_map(|turn| {
        [60, 30, 10].into_iter().enumerate().map(move |(seat, games)| {
            let seated: Vec<usize> = (0..3).map(|seat| (seat + turn) % 3).collect();
            let places = (0..3).map(|agent| (agent, usize::from(agent != seated[seat]))).collect();
            (TableGame { scenario: 0, seated, places, forfeiter: None }, games)
        })
    });
    let ratings = fit_tables(&games.collect(), 3, Prior { equals: 1e-9, ..NONE });
    (0..3).for_each(|agent| assert!(ratings.rating(agent).value.abs() < 1e-6));
    let points = [6f64, 3.0, 1.0].map(|odds| 400.0 * odds.log10());
    let mean = points.iter().sum::<f64>() / 3.0;
    let seats = ratings.seats(0);
    assert_eq!(seats.len(), 3);
    for (seat, points) in seats.iter().zip(points) {
        assert!((seat.value - (points - mean)).abs() < 1e-3, "{seat:?} {points}");
    }
    let first = ratings.advantage(0).unwrap();
    assert!((first.value - (points[0] - points[1] / 2.0)).abs() < 1e-3, "{first:?}");
    // The variance of the logarithm of the odds of the first and the third is 1/180 + 1/30 in all 300 games.
    let apart = [180.0f64, 90.0, 30.0].map(f64::recip);
    // The first less the mean of the others: of the three logarithms with 1, -1/2 and -1/2.
    let variance = apart[0] + (apart[1] + apart[2]) / 4.0;
    assert!((first.half_width() - NORMAL_95 * ELO * variance.sqrt()).abs() < 1e-2, "{first:?}");
    // Two seats have one advantage, and say no more.
    assert!(
        fit(cells(&[(0, 1, FirstSeat::A, 3.0, 0.0, 1.0)]), 2, Prior::default()).seats(0).is_empty()
    );
}

#[test]
fn a_winless_agent_stays_finite() {
    for games in [1.0, 10.0, 1e6] {
        let lost = [(0, 1, FirstSeat::A, games, 0.0, 0.0), (0, 1, FirstSeat::B, games, 0.0, 0.0)];
        let ratings = fit(cells(&lost), 2, Prior::default());
        let (points, half) = points_and_half(&ratings, 1);
        assert!(points < 0.0 && points > -3000.0 && half.is_finite(), "{points} {half}");
        assert!(ratings.connected.one_sided && ratings.leans(0) && ratings.leans(1));
    }
    // Of one meeting wins, draws and losses have any chances, and Jeffreys's prior of three chances
    // adds ½ to each count: the odds of 10 wins are 10 + ½ to ½.
    let lost = [(0, 1, FirstSeat::Neither, 10.0, 0.0, 0.0)];
    let ratings = fit(cells(&lost), 2, Prior { equals: 0.0, ..Prior::default() });
    apart(&ratings, (0, 1), 21.0, 0.01);
}

#[test]
fn nothing_but_draws_and_nothing_but_first_seats_stay_finite() {
    let drawn = [(0, 1, FirstSeat::A, 0.0, 1e6, 0.0), (0, 1, FirstSeat::B, 0.0, 1e6, 0.0)];
    let first = [(0, 1, FirstSeat::A, 1e6, 0.0, 0.0), (0, 1, FirstSeat::B, 0.0, 0.0, 1e6)];
    for meetings in [drawn, first] {
        let ratings = fit(cells(&meetings), 2, Prior::default());
        assert!(ratings.rating(0).value.abs() < 1e-3);
        assert!(
            ratings.rating(0).half_width().is_finite()
                && ratings.advantage(0).unwrap().half_width().is_finite()
        );
    }
    let ratings = fit(cells(&drawn), 2, Prior::default());
    assert!(ratings.draws(0).unwrap() > 0.99);
}

#[test]
fn agents_that_have_not_met_are_not_compared() {
    let apart = [(0, 1, FirstSeat::A, 3.0, 1.0, 1.0), (2, 3, FirstSeat::A, 1.0, 1.0, 3.0)];
    let ratings = fit(cells(&apart), 5, Prior::default());
    assert_eq!(ratings.connected.groups, [vec![0, 1], vec![2, 3], vec![4]]);
    assert_eq!(ratings.superiority(0, 3), 0.5);
    assert!((ratings.rating(0).value + ratings.rating(1).value).abs() < 1e-9);
    assert_eq!(points_and_half(&ratings, 4), (0.0, f64::INFINITY));
    let names: Vec<String> = ["a", "b", "c", "d", "e"].map(str::to_owned).into();
    assert_eq!(
        ratings.connected.notes(&names)[0],
        "not all have met: ratings compare only within `a`, `b` | `c`, `d` | `e`"
    );
    let empty = fit(BTreeMap::new(), 3, Prior::default());
    assert_eq!((empty.order(), empty.widest()), (vec![0, 1, 2], f64::INFINITY));
}

#[test]
fn shuffled_games_give_identical_ratings() {
    // Four agents at tables of two and of three, with results without a pattern.
    let mut generator = Generator::playout(2, 99);
    let mut games: Vec<(Game, GameResult)> = (0..120)
        .map(|number| {
            let mut agents: Vec<usize> = (0..4).collect();
            generator.shuffle(&mut agents);
            agents.truncate(2 + number % 2);
            let utility = agents.iter().map(|_| generator.index(3) as f64).collect();
            let lineup = Lineup { scenario: number % 2, agents };
            let game = Game { number: number as u64, lineup, nth: 0, seed: 0 };
            (game, GameResult { utility, ..GameResult::default() })
        })
        .collect();
    let rated = |games: &[(Game, GameResult)]| {
        let mut tally = Tally::default();
        games.iter().for_each(|(game, result)| tally.add(game, result));
        format!("{:?}", tally.ratings(4))
    };
    let ordered = rated(&games);
    for seed in 0..5 {
        Generator::playout(2, seed).shuffle(&mut games);
        assert_eq!(ordered, rated(&games));
    }
}

/// Rows for both lineups: what this many games bring on average.
fn both(
    a: usize,
    b: usize,
    games: f64,
    shares: [f64; 3],
) -> [(usize, usize, FirstSeat, f64, f64, f64); 2] {
    let [win, draw, loss] = shares.map(|share| share * games / 2.0);
    [(a, b, FirstSeat::A, win, draw, loss), (a, b, FirstSeat::B, win, draw, loss)]
}

#[test]
fn known_odds_rate_the_same_however_many_games_they_stand_for() {
    for games in [4.0, 400.0] {
        let ratings = fit_known(cells(&both(0, 1, games, [0.908, 0.0, 0.092])), 2);
        // The odds of a win are 0.908 to 0.092, half of whose points each has. One game in 10,000
        // between equals is added, which moves the difference by less than a point.
        let expected = 200.0 * (0.908f64 / 0.092).log10();
        let (points, half) = points_and_half(&ratings, 0);
        assert!((points - expected).abs() < 0.5, "{points} {expected}");
        assert_eq!((half, ratings.superiority(0, 1), ratings.leans(0)), (0.0, 1.0, false));
        assert_eq!((ratings.widest(), margin(&ratings.rating(1)).as_str()), (0.0, "exact"));
    }
}

#[test]
fn known_odds_rate_as_a_great_many_games_do() {
    let rows = [
        both(0, 1, 1e9, [0.6, 0.3, 0.1]),
        both(1, 2, 1e9, [0.4, 0.3, 0.3]),
        both(0, 2, 1e9, [0.7, 0.2, 0.1]),
    ]
    .concat();
    let (known, played) = (fit_known(cells(&rows), 3), fit(cells(&rows), 3, Prior::default()));
    for agent in 0..3 {
        let (known, played) = (known.rating(agent), played.rating(agent));
        // The one game in 10,000 that is added moves it by less than a tenth of a point.
        assert!((known.value - played.value).abs() < 0.1, "{known:?} {played:?}");
    }
}

#[test]
fn what_is_known_adds_no_noise_to_what_is_sampled() {
    let known = cells(&both(0, 1, 10.0, [0.75, 0.0, 0.25]));
    let played = cells(&both(1, 2, 10.0, [0.5, 0.0, 0.5]));
    let evidence = evidence(played, known);
    let ratings = Ratings::fit(&evidence, 3, Prior { equals: 1e-9, ..NONE });
    apart(&ratings, (0, 1), 3.0, 1e-3);
    assert_eq!(ratings.superiority(0, 1), 1.0);
    // Ten games at ½ know the other difference to 1/√2.5. Agents 0 and 1 have a third of it each,
    // agent 2 two thirds, for the mean of all is 0.
    let third = NORMAL_95 * ELO / 2.5f64.sqrt() / 3.0;
    for (agent, thirds) in [(0, 1.0), (1, 1.0), (2, 2.0)] {
        let half = ratings.rating(agent).half_width();
        assert!((half - third * thirds).abs() < 1e-2, "{agent}: {half} {third}");
    }
}

#[test]
fn whoever_always_wins_by_known_odds_is_said_to_have_no_bound() {
    for games in [4.0, 400.0] {
        let ratings = fit_known(cells(&both(0, 1, games, [1.0, 0.0, 0.0])), 2);
        // Half a loss in 20,000 games and as many wins: 400 · log10 of nearly 40,000.
        apart(&ratings, (0, 1), 40_000.0, 1.0);
        assert!(ratings.leans(0) && ratings.leans(1));
        // Ten times fewer games between equals would move it by 400 points: only they say how far away it is.
        assert_eq!(
            (margin(&ratings.rating(0)).as_str(), ratings.superiority(0, 1)),
            ("unknown", 1.0)
        );
        let notes = ratings.notes(&["strong".to_owned(), "weak".to_owned()]);
        assert!(notes[1].contains("`strong`, `weak`") && notes[1].contains("without bound"));
    }
}

#[test]
fn a_cycle_is_named_and_what_ratings_leave_unexplained() {
    // Rock 0, paper 1, scissors 2, random 3, by known odds: random draws a third, wins a third.
    let third = [1.0 / 3.0; 3];
    let all = |games: f64| {
        let rows = [
            both(0, 1, games, [0.0, 0.0, 1.0]),
            both(1, 2, games, [0.0, 0.0, 1.0]),
            both(0, 2, games, [1.0, 0.0, 0.0]),
            both(0, 3, games, third),
            both(1, 3, games, third),
            both(2, 3, games, third),
        ];
        cells(&rows.concat())
    };
    let ratings = fit_known(all(20.0), 4);
    for agent in 0..4 {
        let (points, half) = points_and_half(&ratings, agent);
        assert!(points.abs() < 1e-6 && half == 0.0);
    }
    assert_eq!((ratings.order(), ratings.superiority(0, 1)), (vec![0, 1, 2, 3], 0.5));
    let RatingMisfit { pairings, off, worst, cycle, least, expected } = &ratings.misfit;
    // Equals are expected to share the points of each of six pairs, in all scenarios and in the one there is.
    assert!(expected.len() == 12 && expected.values().all(|share| (share - 0.5).abs() < 1e-9));
    assert_eq!((*pairings, *off, cycle.as_slice()), (6, 3, [0, 2, 1].as_slice()));
    let worst = worst.unwrap();
    assert!((worst.score, *least) == (0.0, 1.0) && (worst.expected - 0.5).abs() < 1e-9);
    // Thirty games each say the same; three games do not: three wins of three happen by chance.
    assert_eq!(fit(all(30.0), 4, Prior::default()).misfit.cycle, [0, 2, 1]);
    assert!(fit(all(3.0), 4, Prior::default()).misfit.cycle.is_empty());
    let names = ["rock", "paper", "scissors", "random"].map(str::to_owned);
    assert_eq!(
        ratings.misfit.notes(&names),
        [
            "the ratings do not explain 3 of 6 pairings: they expect 50.0 % for `rock` against \
             `paper`, which scores 0.0 %",
            "no order holds: `rock` beats `scissors`, `scissors` beats `paper`, `paper` beats \
             `rock`, each with 100.0 %",
        ]
    );
}

#[test]
fn what_few_games_make_the_ratings_expect_is_no_misfit() {
    // All by one model: 0 is 200 points better than 1, and 1 than 2, so 0 wins 10 of 11 against 2. But
    // of four games with 2 it won two, as it does in one league of 24 (6 · 10² / 11⁴).
    let half = 10f64.sqrt();
    let shares = [half / (1.0 + half), 0.0, 1.0 / (1.0 + half)];
    let known = cells(&[both(0, 1, 4.0, shares), both(1, 2, 4.0, shares)].concat());
    let played = cells(&both(0, 2, 4.0, [0.5, 0.0, 0.5]));
    let ratings = Ratings::fit(&evidence(played, known), 3, Prior::default());
    assert_eq!((ratings.misfit.pairings, ratings.misfit.off), (3, 0), "{:?}", ratings.misfit);
    // After 400 games the same score is none of this model.
    let known = cells(&[both(0, 1, 400.0, shares), both(1, 2, 400.0, shares)].concat());
    let played = cells(&both(0, 2, 400.0, [0.5, 0.0, 0.5]));
    let ratings = Ratings::fit(&evidence(played, known), 3, Prior::default());
    assert_eq!(ratings.misfit.off, 3, "{:?}", ratings.misfit);
}

/// Games of three agents or more: the places of the agents in the order of the spec, and how often.
fn tables(of: &[(&[usize], u64)]) -> BTreeMap<TableGame, u64> {
    let game = |&(places, games): &(&[usize], u64)| {
        let places = places.iter().copied().enumerate().collect();
        // Where they sat is not known.
        (TableGame { scenario: 0, seated: Vec::new(), places, forfeiter: None }, games)
    };
    of.iter().map(game).collect()
}

fn fit_tables(played: &BTreeMap<TableGame, u64>, agents: usize, prior: Prior) -> Ratings {
    let (known, known_tables) = (BTreeMap::new(), BTreeMap::new());
    let evidence = Evidence { played: BTreeMap::new(), known, tables: played, known_tables };
    Ratings::fit(&evidence, agents, prior)
}

#[test]
fn who_wins_among_three_has_the_odds_of_its_wins() {
    // Wins 60, 30, 10 of 100: odds are those of the counts, and what two losers share orders nobody.
    let won = tables(&[(&[0, 1, 1], 60), (&[1, 0, 1], 30), (&[1, 1, 0], 10)]);
    let ratings = fit_tables(&won, 3, Prior { equals: 1e-9, ..NONE });
    apart(&ratings, (0, 1), 2.0, 1e-3);
    apart(&ratings, (1, 2), 3.0, 1e-3);
    // Nothing is known of draws between two: no two have met alone.
    assert_eq!(ratings.draws(0), None);
    // The variance of a difference of logarithms of multinomial counts is 1/60 + 1/30.
    let variance: f64 = 1.0 / 60.0 + 1.0 / 30.0;
    let sure = cumulative(2f64.ln() / variance.sqrt());
    assert!((ratings.superiority(0, 1) - sure).abs() < 1e-6);
}

#[test]
fn places_are_one_choice_after_another() {
    // Of 0, 1 and 2 the first place goes to 0 in 3 of 6 games, to 1 in 2, to 2 in 1; of the two that
    // are left the better one is as likely by the same odds, 3 : 2 : 1, so that all fit exactly:
    // 0 then 1 in 3/6 · 2/3 = 2/6, 0 then 2 in 1/6, 1 then 0 in 2/6 · 3/4 = 3/12, and so on.
    let placed = tables(&[
        (&[0, 1, 2], 20),
        (&[0, 2, 1], 10),
        (&[1, 0, 2], 15),
        (&[2, 0, 1], 5),
        (&[1, 2, 0], 6),
        (&[2, 1, 0], 4),
    ]);
    let ratings = fit_tables(&placed, 3, Prior { equals: 1e-9, ..NONE });
    apart(&ratings, (0, 1), 1.5, 1e-3);
    apart(&ratings, (1, 2), 2.0, 1e-3);
}

#[test]
fn a_forfeit_at_a_table_of_three_is_one_lost_game() {
    let forfeited = |out: usize, games: u64| {
        let places = (0..3).map(|agent| (agent, if agent == out { 2 } else { 0 })).collect();
        let forfeiter = Some(out);
        (TableGame { scenario: 0, seated: Vec::new(), places, forfeiter }, games)
    };
    let played = [forfeited(2, 12), forfeited(0, 3), forfeited(1, 3)].into_iter().collect();
    let ratings = fit_tables(&played, 3, Prior { equals: 1e-9, ..NONE });
    // Half a game against each: agent 2 lost 6 to 0 and won 1.5, and so with 1; 0 and 1 shared 3.
    apart(&ratings, (0, 2), 4.0, 1e-3);
    apart(&ratings, (0, 1), 1.0, 1e-3);
    // What these say is 7.5 · 4/5 · 1/5 = 1.2 twice and 3/4 between 0 and 1: the variance of the difference of 0 and 2
    // is 1.95 / (1.95² − 0.75²).
    let sure = cumulative(4f64.ln() / (1.95f64 / (1.95 * 1.95 - 0.75 * 0.75)).sqrt());
    assert!((ratings.superiority(0, 2) - sure).abs() < 1e-6, "{}", ratings.superiority(0, 2));
}

#[test]
fn a_shared_place_has_odds_of_its_own() {
    // Worth 4, 1 and 1. Alone first: 4, 1, 1 of what all have together. Two share the first place with
    // ν = 1 times the root of the product of their worth: 2, 2 and 1 (Davidson and Luce). Of 11 games
    // each comes as often as its odds, ten times.
    let shared = tables(&[
        (&[0, 1, 1], 40),
        (&[1, 0, 1], 10),
        (&[1, 1, 0], 10),
        (&[0, 0, 2], 20),
        (&[0, 2, 0], 20),
        (&[2, 0, 0], 10),
    ]);
    let ratings = fit_tables(&shared, 3, Prior { equals: 1e-9, ..NONE });
    apart(&ratings, (0, 1), 4.0, 1e-3);
    apart(&ratings, (1, 2), 1.0, 1e-3);
}

#[test]
fn games_that_all_share_connect_nobody() {
    let drawn = tables(&[(&[0, 0, 0], 50)]);
    let ratings = fit_tables(&drawn, 3, Prior::default());
    assert_eq!(ratings.connected.groups, [vec![0], vec![1], vec![2]]);
    // Whoever wins all games among three is bounded by the prior alone.
    let won = tables(&[(&[0, 1, 1], 50)]);
    let ratings = fit_tables(&won, 3, Prior::default());
    assert!(ratings.connected.one_sided && ratings.leans(0));
    let (points, half) = points_and_half(&ratings, 0);
    assert!(points > 200.0 && points < 3000.0 && half.is_finite(), "{points} {half}");
}

#[test]
fn strength_and_first_seat_are_not_told_apart_where_all_sat_alike() {
    // Agent 0 sat first in all games: 3 of 4 come from any strengths and advantages whose sum is 400 · log10 3.
    let alike = [(0, 1, FirstSeat::A, 3.0, 0.0, 1.0)];
    let known = fit_known(cells(&alike), 2);
    assert_eq!((known.advantage(0), known.superiority(0, 1)), (None, 0.5));
    assert_eq!(margin(&known.rating(0)), "unknown");
    assert!(known.notes(&["a".into(), "b".into()]).concat().contains("always sat alike"));
    let played = fit(cells(&alike), 2, Prior::default());
    assert!(played.advantage(0).is_none() && played.rating(0).half_width() > 0.0);
    // Round a circle each sits first once, against the next, and wins 3 of 4. The three differences of strengths sum
    // to 0, so what is left is the advantage, 400 · log10 3, and all are equal.
    let circle = [
        (0, 1, FirstSeat::A, 3.0, 0.0, 1.0),
        (1, 2, FirstSeat::A, 3.0, 0.0, 1.0),
        (0, 2, FirstSeat::B, 1.0, 0.0, 3.0),
    ];
    let circle = fit_known(cells(&circle), 3);
    let advantage = circle.advantage(0).unwrap();
    assert!((advantage.value - 400.0 * 3f64.log10()).abs() < 0.5, "{advantage:?}");
    assert_eq!(margin(&circle.rating(2)), "exact");
}

#[test]
fn many_that_share_a_place_are_rated_all_the_same() {
    // Twelve of 24 share the first place: 2.7 million ways to do so are not distinguished.
    let first: Vec<usize> = (0..24).map(|agent| if agent < 12 { 0 } else { 12 }).collect();
    let turned: Vec<usize> = (0..24).map(|agent| if agent % 2 == 0 { 0 } else { 12 }).collect();
    let ratings = fit_tables(&tables(&[(&first, 9), (&turned, 3)]), 24, Prior::default());
    let points = |agent: usize| ratings.rating(agent).value;
    assert!(points(0) > points(1) && points(1) > points(12) && points(12) > points(13));
    assert!(ratings.widest().is_finite());
}

#[test]
fn known_odds_of_three_rate_as_a_great_many_games_do() {
    let (tables, known) =
        (BTreeMap::new(), tables(&[(&[0, 1, 1], 6), (&[1, 0, 1], 3), (&[1, 1, 0], 1)]));
    let known_tables = known.into_iter().map(|(game, games)| (game, games as f64 / 10.0)).collect();
    let (played, known) = (BTreeMap::new(), BTreeMap::new());
    let evidence = Evidence { played, known, tables: &tables, known_tables };
    let ratings = Ratings::fit(&evidence, 3, Prior { known: 0.0, ..Prior::default() });
    // Only Jeffreys's prior is there beside them, which weighs what is unsure: nothing.
    apart(&ratings, (0, 1), 2.0, 1e-3);
    apart(&ratings, (1, 2), 3.0, 1e-3);
    assert_eq!((ratings.rating(0).half_width(), ratings.superiority(0, 1)), (0.0, 1.0));
}

#[test]
fn what_is_expected_in_a_scenario_is_of_its_first_seat() {
    // A is as good as ln 4 better than B, the first seat is worth ln 4 in one scenario and −ln 4 in the other, and ν = 1
    // in both. Then win, draw and loss have the odds 4 : 1 : 1/4 where A has what is good as well, points 18/21; and
    // 1 : 1 : 1 where B has that, points 1/2. Of 42 games with A in the first seat and 21 with B the first scenario
    // has 36 + 10.5 = 46.5 of 63 points for A, the second 21 + 18 = 39; together 85.5 of 126.
    //
    // So it would be played were A alike in both. Here it has 4 points more in the first, half of them in either seat,
    // and 4 less in the second: its points, those of the first seats, and the draws remain the same, and thereby
    // what is fitted to them.
    let cell = |scenario, first, [wins, draws, losses]: [f64; 3]| {
        (Meeting { scenario, a: 0, b: 1, first }, Cell { wins, draws, losses })
    };
    let played = [
        cell(0, FirstSeat::A, [34.0, 8.0, 0.0]),
        cell(0, FirstSeat::B, [9.0, 7.0, 5.0]),
        cell(1, FirstSeat::A, [12.0, 14.0, 16.0]),
        cell(1, FirstSeat::B, [14.0, 4.0, 3.0]),
    ];
    let ratings = fit(played.into_iter().collect(), 2, NONE);
    let expected = |scenario| ratings.misfit.expected[&(scenario, 0, 1)];
    for (scenario, points) in [(None, 85.5 / 126.0), (Some(0), 46.5 / 63.0), (Some(1), 39.0 / 63.0)]
    {
        assert!((expected(scenario) - points).abs() < 1e-6, "{scenario:?} {}", expected(scenario));
    }
}

#[test]
fn draws_alone_say_nothing_of_strength() {
    let names = ["a", "b", "c"].map(str::to_owned);
    let drawn = |a, b| [FirstSeat::A, FirstSeat::B].map(|first| (a, b, first, 0.0, 500.0, 0.0));
    let ratings = fit(cells(&drawn(0, 1)), 2, Prior::default());
    assert!(ratings.leans(0) && ratings.leans(1));
    let said = "the results say nothing of how far away `a`, `b` are: all games there were drawn, so ± is that of the \
                prior alone";
    assert_eq!(ratings.notes(&names[..2]), [said]);
    // Beside games that are won draws say that two are near each other.
    let won = [FirstSeat::A, FirstSeat::B].map(|first| (1, 2, first, 150.0, 500.0, 150.0));
    let ratings = fit(cells(&[drawn(0, 1), won].concat()), 3, Prior::default());
    assert_eq!((ratings.leans(0), ratings.notes(&names).join("")), (false, String::new()));
}
