//! What agents are worth as choices, from the payoffs of each against each: alpha-rank, replicator dynamics, the
//! transitive part, and payoffs drawn again from what games leave unsure.

use std::f64::consts::TAU;

use super::super::{Cell, PairRecord};
use crate::analysis::equilibrium::PayoffMatrix;
use crate::game::Generator;

/// How many play each agent, and how strongly they prefer what pays more: the defaults of OpenSpiel.
pub(super) const POPULATION: f64 = 50.0;
pub(super) const SELECTION: f64 = 100.0;
/// Payoffs whose difference weighs no more than this are equal.
const NEUTRAL: f64 = 1e-14;

/// The share of time that a population spends with each agent while now and then somebody tries another one, and all
/// take it over or nobody does.
///
/// Alpha-rank (Omidshafiei et al. 2019, "α-Rank: multi-agent evaluation by evolution", Scientific Reports 9, 9937)
/// of a game between two equals. Its chain is solved in logarithms, since it leaves a good agent with the chance
/// `e^(−5000)`.
pub(super) fn alpha_rank(payoffs: &PayoffMatrix<f64>) -> Vec<f64> {
    let n = payoffs.size().0;
    let step = |from: usize, to: usize| match from == to {
        true => f64::NEG_INFINITY,
        false => fixation(payoffs.at(to, from) - payoffs.at(from, to)),
    };
    stationary((0..n).map(|from| (0..n).map(|to| step(from, to)).collect()).collect())
}

/// The share of time of each profile where each seat has a population of its own, from what a profile pays each seat:
/// seat -> profile, the last seat's agents counted first.
///
/// Alpha-rank of a game of several populations, whose agents may be worth different things in different seats: one of
/// them at a time tries another agent (`MetaGame` of two equals has one population).
pub(super) fn alpha_rank_of_seats(agents: usize, payoffs: &[Vec<f64>]) -> Vec<f64> {
    let profiles = payoffs.first().map_or(0, Vec::len);
    let mut rates = vec![vec![f64::NEG_INFINITY; profiles]; profiles];
    let mut step = 1;
    for own in payoffs.iter().rev() {
        for (from, rates) in rates.iter_mut().enumerate() {
            let held = from / step % agents;
            for tried in (0..agents).filter(|&tried| tried != held) {
                let to = from - held * step + tried * step;
                rates[to] = fixation(own[to] - own[from]);
            }
        }
        step *= agents;
    }
    stationary(rates)
}

/// The logarithm of the probability that what one tries, which pays so much more, is what all do in the end.
fn fixation(more: f64) -> f64 {
    let by = SELECTION * more;
    let rest = |by: f64| (-(-by).exp_m1()).ln();
    match by.abs() < NEUTRAL {
        true => -POPULATION.ln(),
        false if by > 0.0 => rest(by) - rest(POPULATION * by),
        false => rest(-by) - by - rest(-POPULATION * by) + POPULATION * by,
    }
}

/// The share of time that a chain spends in each state, from the logarithms of its rates.
///
/// States are taken out one by one, without any subtraction (Grassmann, Taksar and Heyman 1985, "Regenerative analysis
/// and steady state distributions for Markov chains", Operations Research 33).
fn stationary(mut rates: Vec<Vec<f64>>) -> Vec<f64> {
    for last in (1..rates.len()).rev() {
        let (others, own) = rates.split_at_mut(last);
        let out = own[0][..last].iter().copied().fold(f64::NEG_INFINITY, log_sum);
        for row in others {
            row[last] -= out;
            let into = row[last];
            let through = row[..last].iter_mut().zip(&own[0]);
            through.for_each(|(rate, &on)| *rate = log_sum(*rate, into + on));
        }
    }
    let mut logs = vec![0.0; rates.len()];
    for state in 1..rates.len() {
        let into = (0..state).map(|from| logs[from] + rates[from][state]);
        logs[state] = into.fold(f64::NEG_INFINITY, log_sum);
    }
    let all = logs.iter().copied().fold(f64::NEG_INFINITY, log_sum);
    logs.into_iter().map(|log| (log - all).exp()).collect()
}

fn log_sum(a: f64, b: f64) -> f64 {
    let (more, less) = (a.max(b), a.min(b));
    if less == f64::NEG_INFINITY { more } else { more + (less - more).exp().ln_1p() }
}

/// A generation is this many steps.
const STEPS: usize = 2;
/// As many are gone through, and no more once no share moves by as much in one.
const GENERATIONS: usize = 1_000;
const LEAST_GENERATIONS: usize = 10;
const STILL: f64 = 1e-9;

/// The shares of agents of which each grows by what it pays more than the mean, from equal ones on, generation by
/// generation, until they stand still; and whether they never did.
///
/// Replicator dynamics (Taylor and Jonker 1978, "Evolutionarily stable strategies and game dynamics", Mathematical
/// Biosciences 40), of logarithms, by the method of Runge and Kutta.
pub(super) fn replicator(payoffs: &PayoffMatrix<f64>) -> (Vec<Vec<f64>>, bool) {
    let mut logs = vec![0.0; payoffs.size().0];
    let mut way = vec![shares(&logs)];
    for generation in 1..=GENERATIONS {
        for _ in 0..STEPS {
            logs = stepped(payoffs, &logs, 1.0 / STEPS as f64);
        }
        let now = shares(&logs);
        let before = &way[generation - 1];
        let moved = now.iter().zip(before).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        way.push(now);
        if moved < STILL && generation >= LEAST_GENERATIONS {
            return (way, false);
        }
    }
    (way, true)
}

fn stepped(payoffs: &PayoffMatrix<f64>, logs: &[f64], step: f64) -> Vec<f64> {
    let after = |slope: &[f64], by: f64| -> Vec<f64> {
        logs.iter().zip(slope).map(|(log, slope)| log + by * slope).collect()
    };
    let slope = |logs: &[f64]| payoffs.of_rows(&shares(logs));
    let first = slope(logs);
    let second = slope(&after(&first, step / 2.0));
    let third = slope(&after(&second, step / 2.0));
    let fourth = slope(&after(&third, step));
    let slopes = first.iter().zip(second).zip(third).zip(fourth);
    let mean: Vec<f64> = slopes.map(|(((a, b), c), d)| (a + 2.0 * b + 2.0 * c + d) / 6.0).collect();
    after(&mean, step)
}

/// Shares from their logarithms, but for what is added to all of these.
fn shares(logs: &[f64]) -> Vec<f64> {
    let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = logs.iter().map(|log| (log - most).exp()).collect();
    let all: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / all).collect()
}

/// The squares of the payoffs that differences of a number for each agent explain, and of all payoffs, each pair once.
///
/// The gradient in the combinatorial Hodge decomposition of a flow on a complete graph; the rest is a sum of cycles
/// (Jiang, Lim, Yao and Ye 2011, "Statistical ranking and combinatorial Hodge theory", Mathematical Programming 127).
pub(super) fn transitive(payoffs: &PayoffMatrix<f64>) -> (f64, f64) {
    let n = payoffs.size().0;
    let means = (0..n).map(|row| payoffs.row(row).iter().sum::<f64>() / n as f64);
    let explained = n as f64 * means.map(|mean| mean * mean).sum::<f64>();
    let all = (0..n).flat_map(|row| payoffs.row(row)).map(|payoff| payoff * payoff).sum::<f64>();
    (explained, all / 2.0)
}

/// Results of each kind that are added to those that were seen: Jeffreys's prior of wins and losses.
const UNSEEN: f64 = 0.5;
/// Games of fewer in a seat and a scenario are taken together: they do not tell what happens there.
const STRATUM: f64 = 30.0;

/// What two agents did: games in each seat and scenario by themselves, since the schedule and not chance decides how
/// many there are of each (Cochran 1977, "Sampling Techniques", chapter 5).
#[derive(Debug)]
pub(super) struct PairStrata {
    pub(super) whole: PairRecord,
    /// The games that were played, and whether other results than those seen are likely among them.
    played: Vec<(Cell, bool)>,
}

impl PairStrata {
    pub(super) fn of(strata: &[PairRecord]) -> PairStrata {
        let whole = strata.iter().copied().fold(PairRecord::default(), PairRecord::plus);
        let kinds = |of: &Cell| [of.wins, of.draws, of.losses].map(|games| games > 0.0);
        let is_one_kind = |of: &Cell| kinds(of).into_iter().filter(|seen| *seen).count() == 1;
        let cells = strata.iter().map(|of| of.played).filter(|cell| cell.games() > 0.0);
        let (many, few): (Vec<Cell>, Vec<Cell>) = cells.partition(|it| it.games() >= STRATUM);
        // Where each seat always ends in one way, and not all in the same, it is the rules that decide so.
        let ruled = few.is_empty() && many.iter().all(is_one_kind) && !is_one_kind(&whole.played);
        let open = |cell: Cell| (cell, !ruled);
        let mut played: Vec<(Cell, bool)> = many.into_iter().map(open).collect();
        played.extend(few.into_iter().reduce(Cell::plus).map(|cell| (cell, true)));
        PairStrata { whole, played }
    }

    /// The games in all, those that are known too.
    fn games(&self) -> f64 {
        self.whole.played.games() + self.whole.known.games()
    }

    pub(super) fn variance(&self) -> f64 {
        let of = |&(cell, open): &(Cell, bool)| {
            let unseen = if open { UNSEEN } else { 0.0 };
            let (wins, losses) = (cell.wins + unseen, cell.losses + unseen);
            let games = wins + cell.draws + losses;
            let mean = (wins + cell.draws / 2.0) / games;
            let square = (wins + cell.draws / 4.0) / games - mean * mean;
            square / cell.games() * (cell.games() / self.games()).powi(2)
        };
        self.played.iter().map(of).sum()
    }

    /// A score that the games may as well be from: wins, draws and losses have the chances that are likely after them
    /// (Rubin 1981, "The Bayesian bootstrap", Annals of Statistics 9, with a prior).
    pub(super) fn resampled(&self, random: &mut Generator) -> f64 {
        let mut points = self.whole.known.points();
        for &(cell, open) in &self.played {
            points += match open {
                false => cell.points(),
                true => {
                    let wins = gamma(cell.wins + UNSEEN, random);
                    let draws = if cell.draws > 0.0 { gamma(cell.draws, random) } else { 0.0 };
                    let losses = gamma(cell.losses + UNSEEN, random);
                    (wins + draws / 2.0) / (wins + draws + losses) * cell.games()
                }
            };
        }
        points / self.games()
    }
}

/// A number between 0 and 1, neither of them.
fn uniform(random: &mut Generator) -> f64 {
    ((random.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
}

/// A number of the gamma distribution of this shape.
///
/// Marsaglia and Tsang (2000, "A simple method for generating gamma variables", ACM Transactions on Mathematical
/// Software 26); normal numbers are those of Box and Muller.
fn gamma(shape: f64, random: &mut Generator) -> f64 {
    if shape < 1.0 {
        return gamma(shape + 1.0, random) * uniform(random).powf(1.0 / shape);
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let normal = (-2.0 * uniform(random).ln()).sqrt() * (TAU * uniform(random)).cos();
        let v = (1.0 + c * normal).powi(3);
        if v > 0.0 && uniform(random).ln() < normal * normal / 2.0 + d - d * v + d * v.ln() {
            return d * v;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::Cell;
    use super::*;

    fn near(found: &[f64], expected: &[f64], within: f64) {
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < within, "{found} for {expected}");
        }
    }

    #[test]
    fn alpha_rank_finds_what_openspiel_finds() {
        // Scores of the first against the second: OpenSpiel's `alpharank.compute` of these, m = 50, α = 100.
        let of = |scores: &[Vec<f64>]| alpha_rank(&PayoffMatrix::of(scores));
        let scores = [vec![0.5, 0.505, 0.49], vec![0.495, 0.5, 0.51], vec![0.51, 0.49, 0.5]];
        near(&of(&scores), &[0.2969227424756546, 0.4061545150486904, 0.2969227424756548], 1e-9);
        let scores =
            [vec![0.5, 0.5002, 0.5001], vec![0.4998, 0.5, 0.5003], vec![0.4999, 0.4997, 0.5]];
        near(&of(&scores), &[0.6931593245600818, 0.2114495442794386, 0.0953911311604796], 1e-9);
        // Rock, paper, scissors, and whoever beats all.
        near(
            &of(&[vec![0.5, 0.0, 1.0], vec![1.0, 0.5, 0.0], vec![0.0, 1.0, 0.5]]),
            &[1.0 / 3.0; 3],
            1e-12,
        );
        near(
            &of(&[vec![0.5, 1.0, 0.9], vec![0.0, 0.5, 0.2], vec![0.1, 0.8, 0.5]]),
            &[1.0, 0.0, 0.0],
            1e-12,
        );
    }

    #[test]
    fn alpha_rank_of_seats_finds_what_openspiel_finds() {
        // Three seats of two agents each: OpenSpiel's `alpharank.compute` of the three tables, m = 50, α = 100.
        let payoffs = [
            vec![0.0017, 0.0047, 0.016, 0.0116, 0.0019, 0.0087, 0.0096, 0.0032],
            vec![0.0147, 0.0023, 0.0078, 0.0103, 0.0086, 0.0117, 0.0148, 0.0191],
            vec![0.0057, 0.013, 0.0139, 0.0059, 0.0, 0.0195, 0.006, 0.0063],
        ];
        let expected = [
            0.22234135662587715,
            0.13084901287205172,
            0.24496507943851556,
            0.2164416745020965,
            0.0052307142389093775,
            0.09108067163580105,
            0.006152422505887711,
            0.08293906818086083,
        ];
        near(&alpha_rank_of_seats(2, &payoffs), &expected, 1e-9);
        // Matching pennies: whoever loses a seat tries the other side, and all four profiles come round alike.
        let even = [1.0, 0.0, 0.0, 1.0];
        let odd = [0.0, 1.0, 1.0, 0.0];
        near(&alpha_rank_of_seats(2, &[even.to_vec(), odd.to_vec()]), &[0.25; 4], 1e-12);
    }

    #[test]
    fn what_dominates_grows_as_the_logistic_curve() {
        // x' = a x (1 − x) from ½ on: x = 1 / (1 + e^(−a t)), however long a step is.
        let (way, moving) = replicator(&PayoffMatrix::of(&[vec![0.0, 0.3], vec![-0.3, 0.0]]));
        for (generation, shares) in way.iter().enumerate() {
            let expected = 1.0 / (1.0 + (-0.3 * generation as f64).exp());
            near(shares, &[expected, 1.0 - expected], 1e-9);
        }
        // A share x = e^(−0.3 t) of the worse one moved by x (e^0.3 − 1) = 0.35 x, less than 1e-9 after 65.6
        // generations.
        assert_eq!((way.len(), moving), (1 + 66, false));
    }

    #[test]
    fn cycles_go_around_for_ever_and_copies_share() {
        // In rock, paper, scissors with unequal stakes the product of x^p stays, p the equilibrium.
        let payoffs = PayoffMatrix::of(&[
            vec![0.0, -0.25, 0.5],
            vec![0.25, 0.0, -0.25],
            vec![-0.5, 0.25, 0.0],
        ]);
        let (way, moving) = replicator(&payoffs);
        assert_eq!((way.len(), moving), (GENERATIONS + 1, true));
        let kept =
            |shares: &[f64]| 0.25 * shares[0].ln() + 0.5 * shares[1].ln() + 0.25 * shares[2].ln();
        for shares in &way {
            assert!((kept(shares) - (1f64 / 3.0).ln()).abs() < 1e-3, "{shares:?}");
        }
    }

    #[test]
    fn payoffs_are_a_transitive_and_a_cyclic_part() {
        // Differences of 3, 1 and −4 tenths; a cycle of one tenth; both together, which are orthogonal.
        let payoff = |by: f64, around: f64| {
            let of = [0.3, 0.1, -0.4];
            let cell = |a: usize, b: usize| {
                let turn = [0.0, around, -around][(b + 3 - a) % 3];
                by * (of[a] - of[b]) + turn
            };
            PayoffMatrix::of(&[0, 1, 2].map(|a| [0, 1, 2].map(|b| cell(a, b)).to_vec()))
        };
        // 0.2² + 0.7² + 0.5² = 0.78, and 3 · 0.1² = 0.03.
        let near = |(a, b): (f64, f64), (c, d): (f64, f64)| near(&[a, b], &[c, d], 1e-12);
        near(transitive(&payoff(1.0, 0.0)), (0.78, 0.78));
        near(transitive(&payoff(0.0, 0.1)), (0.0, 0.03));
        near(transitive(&payoff(1.0, 0.1)), (0.78, 0.81));
    }

    #[test]
    fn scores_drawn_again_have_the_mean_and_the_variance_of_what_is_unsure() {
        let record = PairRecord {
            played: Cell { wins: 30.0, draws: 20.0, losses: 10.0 },
            known: Cell { wins: 30.0, draws: 0.0, losses: 30.0 },
        };
        let spread = |pair: &PairStrata| {
            let mut random = Generator::of(1);
            let drawn: Vec<f64> = (0..4000).map(|_| pair.resampled(&mut random)).collect();
            let mean = drawn.iter().sum::<f64>() / 4000.0;
            (mean, drawn.iter().map(|one| (one - mean).powi(2)).sum::<f64>() / 4000.0)
        };
        // Of 60 games 40 points, half of the weight; those that are known bring 30 of 60.
        let pair = PairStrata::of(&[record]);
        let (mean, square) = spread(&pair);
        // (2/3 + 1/2) / 2, but for the prior: 40.5 / 61.
        assert!((mean - (40.5 / 61.0 + 0.5) / 2.0).abs() < 0.002, "{mean}");
        // A game has the variance (30.5 + 5) / 61 − (40.5 / 61)² = 0.14117; a sixtieth, a quarter of it.
        assert!((pair.variance() - 0.14117 / 60.0 / 4.0).abs() < 1e-6);
        assert!((square / pair.variance() - 1.0).abs() < 0.08, "{square}");
        let exact = PairStrata::of(&[PairRecord { played: Cell::default(), ..record }]);
        assert_eq!((exact.resampled(&mut Generator::of(1)), exact.variance()), (0.5, 0.0));
    }

    #[test]
    fn seats_that_differ_are_no_noise() {
        let played = |wins: f64, losses: f64| PairRecord {
            played: Cell { wins, draws: 0.0, losses },
            known: Cell::default(),
        };
        // 36 of 40 games in one seat, 4 of 40 in the other: each has the variance p (1 − p), p = 36.5 / 41, a fortieth
        // of that, and a quarter of the weight squared.
        let p = 36.5 / 41.0;
        let apart = PairStrata::of(&[played(36.0, 4.0), played(4.0, 36.0)]);
        assert!((apart.variance() - p * (1.0 - p) / 40.0 / 2.0).abs() < 1e-12);
        // Pooled it would be (1/4) / 80.
        assert!(apart.variance() < 0.4 * 0.25 / 80.0);
        // A few games of each tell nothing of the seats.
        let few = PairStrata::of(&[played(3.0, 0.0), played(0.0, 3.0)]);
        assert!((few.variance() - 0.25 / 6.0).abs() < 1e-12);
        // Who wins all games in both seats may lose one.
        assert!(PairStrata::of(&[played(40.0, 0.0), played(40.0, 0.0)]).variance() > 0.0);
    }
}
