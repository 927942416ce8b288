//! Simulates leagues of agents whose true strengths are known, and counts how many 95 % intervals of
//! their ratings hold the truth. Tests and `benches/coverage.rs` share it.

use std::collections::BTreeMap;

use fracas::game::Generator;
use fracas::tournament::{
    Cell, Evidence, FirstSeat, Game, GameResult, Lineup, Meeting, Prior, Ratings, Tally,
};

/// Elo points to one natural unit of odds.
pub const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// Games of two agents, each against each, by the model of the ratings itself.
#[derive(Clone, Copy)]
pub struct RoundRobin<'a> {
    /// The strength of each agent in points.
    pub strength: &'a [f64],
    /// What the first seat is worth, in points.
    pub advantage: f64,
    /// The odds of a draw between equals, where a win of either has the odds 1.
    pub ties: f64,
    /// The games of a pairing, half of them in each lineup.
    pub games: usize,
}

/// Games of more agents at one table. Whoever is best is drawn in proportion to strength, then the
/// best of the others, and so on (Plackett 1975, "The analysis of permutations"), so that any two
/// compare by the model of the ratings.
#[derive(Clone, Copy)]
pub struct Tables<'a> {
    /// The strength of each agent in points.
    pub strength: &'a [f64],
    /// How many agents a game has. Where there are more, they are drawn for each game.
    pub seats: usize,
    /// The games of all.
    pub games: usize,
    /// Whether everybody has a place of their own; else the best has all, and the others draw.
    pub places: bool,
    /// What each seat is worth, in points; nothing where all are worth the same.
    pub worth: &'a [f64],
}

impl RoundRobin<'_> {
    /// Plays a league.
    pub fn play(&self, seed: u64) -> Tally {
        let mut generator = Generator::playout(1, seed);
        let mut tally = Tally::default();
        for a in 0..self.strength.len() {
            for b in a + 1..self.strength.len() {
                for (first, sign) in [(a, 1.0), (b, -1.0)] {
                    let ahead = self.strength[a] - self.strength[b] + sign * self.advantage;
                    let half = ahead / ELO / 2.0;
                    let odds = [half.exp(), self.ties, (-half).exp()];
                    for _ in 0..self.games / 2 {
                        let won = [1.0, 0.5, 0.0][drawn(&mut generator, &odds)];
                        let (agents, utility) = match first == a {
                            true => (vec![a, b], vec![won, 1.0 - won]),
                            false => (vec![b, a], vec![1.0 - won, won]),
                        };
                        add(&mut tally, agents, utility);
                    }
                }
            }
        }
        tally
    }
}

impl Tables<'_> {
    /// Plays a league.
    pub fn play(&self, seed: u64) -> Tally {
        let mut generator = Generator::playout(2, seed);
        let mut tally = Tally::default();
        let mut agents: Vec<usize> = (0..self.strength.len()).collect();
        for _ in 0..self.games {
            match agents.len() == self.seats {
                true => agents.rotate_left(1),
                false => (0..self.seats).for_each(|seat| {
                    let rest = generator.index(agents.len() - seat);
                    agents.swap(seat, seat + rest);
                }),
            }
            let seated = agents[..self.seats].to_vec();
            let worths = self.worth.iter().chain(std::iter::repeat(&0.0));
            let seats = seated.iter().zip(worths);
            let strength: Vec<f64> =
                seats.map(|(&agent, worth)| self.strength[agent] + worth).collect();
            let utility = ranked(&mut generator, &strength, self.places);
            add(&mut tally, seated, utility);
        }
        tally
    }
}

/// The utility of each seat of a game, for the strengths of who sits there: see [`Tables`].
pub fn ranked(generator: &mut Generator, strength: &[f64], places: bool) -> Vec<f64> {
    let mut utility = vec![0.0; strength.len()];
    let mut left: Vec<usize> = (0..strength.len()).collect();
    while left.len() > 1 {
        let weights: Vec<f64> = left.iter().map(|&seat| (strength[seat] / ELO).exp()).collect();
        let seat = left.remove(drawn(generator, &weights));
        utility[seat] = left.len() as f64;
        if !places {
            break;
        }
    }
    utility
}

/// So many strengths at even distances, whose mean is 0.
pub fn spread(agents: usize, width: f64) -> Vec<f64> {
    let place = |agent: usize| agent as f64 / (agents - 1) as f64 - 0.5;
    (0..agents).map(|agent| width * place(agent)).collect()
}

/// What became of the intervals of many leagues, as shares of all of them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Covered {
    /// They hold the true rating.
    pub held: f64,
    /// The rating is said to lean on the prior.
    pub leaning: f64,
    /// The league is said to have too few games.
    pub few: f64,
    /// Their mean half-width in points.
    pub half: f64,
}

/// Rates so many leagues; the true ratings have the mean 0.
pub fn covered(truth: &[f64], leagues: u64, league: impl Fn(u64) -> Ratings) -> Covered {
    let mut sum = Covered::default();
    let share = 1.0 / (leagues as f64 * truth.len() as f64);
    for seed in 0..leagues {
        let ratings = league(seed);
        for (agent, truth) in truth.iter().enumerate() {
            let rated = ratings.rating(agent);
            sum.held +=
                share * f64::from(u8::from((rated.value - truth).abs() <= rated.half_width()));
            sum.leaning += share * f64::from(u8::from(ratings.leans(agent)));
            sum.few += share * f64::from(u8::from(ratings.few.is_some()));
            sum.half += share * rated.half_width();
        }
    }
    sum
}

/// How likely the interval holds the truth for two agents so many points apart, who never draw, after
/// so many games, half of them in each lineup: all results, each by its probability.
pub fn of_two(apart: f64, games: u64) -> f64 {
    let half = games / 2;
    let chances = binomial(half, 1.0 / (1.0 + (-apart / ELO).exp()));
    let tables = BTreeMap::new();
    let holds = |won: [usize; 2]| {
        let row = |(first, wins): (FirstSeat, usize)| {
            let cell = Cell { wins: wins as f64, draws: 0.0, losses: half as f64 - wins as f64 };
            (Meeting { scenario: 0, a: 0, b: 1, first }, cell)
        };
        let played = [FirstSeat::A, FirstSeat::B].into_iter().zip(won).map(row).collect();
        let (known, known_tables) = (BTreeMap::new(), BTreeMap::new());
        let evidence = Evidence { played, known, tables: &tables, known_tables };
        let rated = Ratings::fit(&evidence, 2, Prior::default()).rating(0);
        (rated.value - apart / 2.0).abs() <= rated.half_width()
    };
    let mut held = 0.0;
    for (one, chance) in chances.iter().enumerate() {
        for (other, along) in chances.iter().enumerate() {
            let chance = chance * along;
            // All that is rarer is less than 0.002 together, after 240 games too.
            if chance > 1e-7 && holds([one, other]) {
                held += chance;
            }
        }
    }
    held
}

/// How likely each number of so many is met, where each has the same probability.
fn binomial(all: u64, probability: f64) -> Vec<f64> {
    let mut chances = vec![(1.0 - probability).powf(all as f64)];
    for met in 0..all {
        let odds = (all - met) as f64 / (met + 1) as f64 * probability / (1.0 - probability);
        chances.push(chances[met as usize] * odds);
    }
    chances
}

/// The place of one that is drawn in proportion to these weights.
fn drawn(generator: &mut Generator, weights: &[f64]) -> usize {
    let mut point = uniform(generator) * weights.iter().sum::<f64>();
    let drawn = weights.iter().position(|weight| {
        point -= weight;
        point < 0.0
    });
    drawn.unwrap_or_default()
}

/// A number from 0 to 1.
fn uniform(generator: &mut Generator) -> f64 {
    (generator.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

pub fn add(tally: &mut Tally, agents: Vec<usize>, utility: Vec<f64>) {
    let game = Game { number: 0, lineup: Lineup { scenario: 0, agents }, nth: 0, seed: 0 };
    tally.add(&game, &GameResult { utility, ..GameResult::default() });
}
