//! Are the ratings those that the method gives, and do the intervals hold what they promise?

use super::super::{Game, GameResult, Seating};
use super::*;
use crate::handlers::Generator;

fn cells(of: &[(usize, usize, First, f64, f64, f64)]) -> BTreeMap<Meeting, Cell> {
    let cell = |&(a, b, first, wins, draws, losses): &(usize, usize, First, f64, f64, f64)| {
        (Meeting { scenario: 0, a, b, first }, Cell { wins, draws, losses })
    };
    of.iter().map(cell).collect()
}

const NONE: Prior = Prior { draw: 0.0, equals: 0.0 };

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
        data.iter().map(|&(a, b, w, d, l)| (a - 1, b - 1, First::Neither, w, d, l)).collect();
    let ratings = Ratings::fit(&cells(&rows), 6, NONE);
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
    let even = [(0, 1, First::A, 15.0, 0.0, 5.0), (0, 1, First::B, 15.0, 0.0, 5.0)];
    let prior = Prior { draw: 0.0, equals: 1e-9 };
    let ratings = Ratings::fit(&cells(&even), 2, prior);
    let difference = ratings.rating(0).points - ratings.rating(1).points;
    assert!((difference - 400.0 * 3f64.log10()).abs() < 1e-4, "{difference}");
    assert!(ratings.advantage(0).unwrap().points.abs() < 1e-6);
    // The curvature of 40 games at ¾ is 40 · 3/16 = 7.5 for the difference; each rating is half of it.
    let half = NORMAL_95 * ELO / 7.5f64.sqrt() / 2.0;
    assert!((ratings.rating(0).half - half).abs() < 1e-3);
    // The likelihood of superiority is that of ln 3 with that deviation.
    let sure = cumulative(3f64.ln() * 7.5f64.sqrt());
    assert!((ratings.superiority(0, 1) - sure).abs() < 1e-6);
}

#[test]
fn the_first_seat_has_its_own_parameter() {
    // Whoever sits first wins 3 of 4, whoever it is: equals, with an advantage of 400 · log10 3.
    let seats = [(0, 1, First::A, 300.0, 0.0, 100.0), (0, 1, First::B, 100.0, 0.0, 300.0)];
    let ratings = Ratings::fit(&cells(&seats), 2, Prior { draw: 1.0, equals: 1e-9 });
    assert!(ratings.rating(0).points.abs() < 1e-6);
    let advantage = ratings.advantage(0).unwrap();
    assert!((advantage.points - 400.0 * 3f64.log10()).abs() < 1e-3, "{advantage:?}");
}

#[test]
fn a_winless_agent_stays_finite() {
    for games in [1.0, 10.0, 1e6] {
        let lost = [(0, 1, First::A, games, 0.0, 0.0), (0, 1, First::B, games, 0.0, 0.0)];
        let ratings = Ratings::fit(&cells(&lost), 2, Prior::default());
        let Rated { points, half } = ratings.rating(1);
        assert!(points < 0.0 && points > -3000.0 && half.is_finite(), "{points} {half}");
        assert!(ratings.connected.one_sided);
    }
    // One virtual draw beside n wins: the odds are n + ½ to ½.
    let lost = [(0, 1, First::Neither, 10.0, 0.0, 0.0)];
    let ratings = Ratings::fit(&cells(&lost), 2, Prior { draw: 1.0, equals: 1e-9 });
    let difference = ratings.rating(0).points - ratings.rating(1).points;
    assert!((difference - 400.0 * 21f64.log10()).abs() < 0.01, "{difference}");
}

#[test]
fn nothing_but_draws_and_nothing_but_first_seats_stay_finite() {
    let drawn = [(0, 1, First::A, 0.0, 1e6, 0.0), (0, 1, First::B, 0.0, 1e6, 0.0)];
    let first = [(0, 1, First::A, 1e6, 0.0, 0.0), (0, 1, First::B, 0.0, 0.0, 1e6)];
    for meetings in [drawn, first] {
        let ratings = Ratings::fit(&cells(&meetings), 2, Prior::default());
        assert!(ratings.rating(0).points.abs() < 1e-3);
        assert!(
            ratings.rating(0).half.is_finite() && ratings.advantage(0).unwrap().half.is_finite()
        );
    }
    let ratings = Ratings::fit(&cells(&drawn), 2, Prior::default());
    assert!(ratings.draws(0).unwrap() > 0.99);
}

#[test]
fn agents_that_have_not_met_are_not_compared() {
    let apart = [(0, 1, First::A, 3.0, 1.0, 1.0), (2, 3, First::A, 1.0, 1.0, 3.0)];
    let ratings = Ratings::fit(&cells(&apart), 5, Prior::default());
    assert_eq!(ratings.connected.groups, [vec![0, 1], vec![2, 3], vec![4]]);
    assert_eq!(ratings.superiority(0, 3), 0.5);
    assert!((ratings.rating(0).points + ratings.rating(1).points).abs() < 1e-9);
    assert_eq!(ratings.rating(4), Rated { points: 0.0, half: f64::INFINITY });
    let names: Vec<String> = ["a", "b", "c", "d", "e"].map(str::to_owned).into();
    assert_eq!(
        ratings.connected.notes(&names)[0],
        "not all have met: ratings compare only within `a`, `b` | `c`, `d` | `e`"
    );
    let empty = Ratings::fit(&BTreeMap::new(), 3, Prior::default());
    assert_eq!((empty.order(), empty.widest()), (vec![0, 1, 2], f64::INFINITY));
}

/// Plays a round robin among agents of known strengths by the model itself.
fn simulate(
    seed: u64,
    strength: &[f64],
    advantage: f64,
    ties: f64,
    games: u64,
) -> Vec<(Game, GameResult)> {
    let mut generator = Generator::playout(1, seed);
    let mut all = Vec::new();
    for a in 0..strength.len() {
        for b in (0..strength.len()).filter(|&b| b != a) {
            for _ in 0..games {
                let half = (strength[a] - strength[b] + advantage) / ELO / 2.0;
                let odds = [half.exp(), ties, (-half).exp()];
                let point = (generator.next_u64() >> 11) as f64 / (1u64 << 53) as f64
                    * odds.iter().sum::<f64>();
                let utility = if point < odds[0] {
                    [1.0, 0.0]
                } else if point < odds[0] + odds[1] {
                    [0.5, 0.5]
                } else {
                    [0.0, 1.0]
                };
                let seating = Seating { scenario: 0, agents: vec![a, b] };
                let game = Game { number: all.len() as u64, seating, playout: 0 };
                all.push((game, GameResult { utility: utility.to_vec(), ..Default::default() }));
            }
        }
    }
    all
}

fn tally(games: &[(Game, GameResult)]) -> Tally {
    let mut tally = Tally::default();
    games.iter().for_each(|(game, result)| tally.add(game, result));
    tally
}

#[test]
fn the_intervals_cover_the_truth_19_times_of_20() {
    let truth = [-150.0, -60.0, -30.0, 0.0, 10.0, 80.0, 150.0];
    for (advantage, ties, games) in [(0.0, 0.5, 10), (60.0, 1e-9, 15), (-40.0, 2.0, 30)] {
        let (mut inside, mut all) = (0u32, 0u32);
        for seed in 0..400 {
            let games = simulate(seed, &truth, advantage, ties, games);
            let ratings = Ratings::of(&tally(&games), truth.len());
            for (agent, truth) in truth.iter().enumerate() {
                let Rated { points, half } = ratings.rating(agent);
                inside += u32::from((points - truth).abs() <= half);
                all += 1;
            }
            let fitted = ratings.advantage(0).unwrap();
            inside += u32::from((fitted.points - advantage).abs() <= fitted.half);
            all += 1;
        }
        let share = f64::from(inside) / f64::from(all);
        assert!((0.93..=0.97).contains(&share), "{share} with {games} games");
    }
}

#[test]
fn shuffled_games_give_identical_ratings() {
    let mut games = simulate(7, &[-50.0, 0.0, 20.0, 30.0], 20.0, 0.7, 25);
    let ordered = Ratings::of(&tally(&games), 4);
    for seed in 0..5 {
        Generator::playout(2, seed).shuffle(&mut games);
        let shuffled = Ratings::of(&tally(&games), 4);
        assert_eq!(format!("{ordered:?}"), format!("{shuffled:?}"));
    }
}
