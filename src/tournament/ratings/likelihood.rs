//! The likelihood of results under ratings: its value, its slope, its curvature, and how much each
//! game adds to what is unsure.

use std::collections::{BTreeMap, BTreeSet};

use super::super::{Cell, FirstSeat, Meeting, TableGame};
use super::matrix::Matrix;
use super::{Evidence, Prior};

/// Where the results of a term come from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum TermSource {
    /// Games that were played.
    Played,
    /// Odds that are known: what those games would have brought on average.
    Known,
    /// What is assumed before the first game.
    Assumed,
}

/// Shares of wins, draws and losses among equals, where nothing is known of draws.
const EQUALS: ResultCounts = [0.25, 0.5, 0.25];

/// Wins, draws and losses.
pub(super) type ResultCounts = [f64; 3];

/// The parameters that make up a difference of strength, each with its sign.
type StrengthTerms = [Option<(usize, f64)>; 3];

/// One term of the likelihood: games between two agents in one scenario, seated alike.
struct Term {
    source: TermSource,
    difference: StrengthTerms,
    /// The parameter `ln ν`.
    ties: usize,
    counts: ResultCounts,
}

/// What is to be maximized. The parameters are the agents' strengths, then each scenario's
/// advantage of the first seat, then each scenario's `ln ν`; all in natural units.
pub(super) struct Problem {
    agents: usize,
    /// The scenarios with results, in order.
    pub(super) scenarios: Vec<usize>,
    terms: Vec<Term>,
    prior: Prior,
}

/// By how much a result that was met differs from the expected one, as a slope: by the parameters
/// of the difference, and by `ln ν`.
type Surprise = (f64, f64);

impl Problem {
    /// The problem that the results pose.
    pub(super) fn new(evidence: &Evidence<'_>, agents: usize, prior: Prior) -> Problem {
        let Evidence { played, known, .. } = evidence;
        let all = || played.keys().chain(known.keys());
        let scenarios: BTreeSet<usize> = all().map(|meeting| meeting.scenario).collect();
        let scenarios: Vec<usize> = scenarios.into_iter().collect();
        let mut problem = Problem { agents, scenarios, terms: Vec::new(), prior };
        for (source, cells) in [(TermSource::Played, played), (TermSource::Known, known)] {
            for (meeting, cell) in cells {
                let Some((difference, ties)) = problem.places(meeting) else { continue };
                let counts = [cell.wins, cell.draws, cell.losses];
                problem.terms.push(Term { source, difference, ties, counts });
            }
        }
        problem.assume(played);
        problem
    }

    /// The parameters of a meeting, as in [`Term`].
    fn places(&self, meeting: &Meeting) -> Option<(StrengthTerms, usize)> {
        let index = self.scenarios.binary_search(&meeting.scenario).ok()?;
        let sign = match meeting.first {
            FirstSeat::A => Some(1.0),
            FirstSeat::B => Some(-1.0),
            FirstSeat::Neither => None,
        };
        let seat = sign.map(|sign| (self.advantage(index), sign));
        Some(([Some((meeting.a, 1.0)), Some((meeting.b, -1.0)), seat], self.ties(index)))
    }

    /// Adds the game between equals of each scenario that has games.
    fn assume(&mut self, played: &BTreeMap<Meeting, Cell>) {
        let met: BTreeSet<usize> = played.keys().map(|meeting| meeting.scenario).collect();
        for scenario in met {
            let Ok(index) = self.scenarios.binary_search(&scenario) else { continue };
            self.terms.push(Term {
                source: TermSource::Assumed,
                difference: [Some((self.advantage(index), 1.0)), None, None],
                ties: self.ties(index),
                counts: EQUALS.map(|share| share * self.prior.equals),
            });
        }
    }

    /// How many parameters there are.
    pub(super) fn parameters(&self) -> usize {
        self.agents + 2 * self.scenarios.len()
    }

    /// The parameter of the first seat's advantage, by the scenario's place in the list.
    pub(super) fn advantage(&self, index: usize) -> usize {
        self.agents + index
    }

    /// The parameter `ln ν`, by the scenario's place in the list.
    pub(super) fn ties(&self, index: usize) -> usize {
        self.agents + self.scenarios.len() + index
    }

    /// The results that are added to those of each term, so that no estimate leans away from the
    /// truth or flees to infinity: see [`super`].
    pub(super) fn added(&self, at: &[f64], covariance: &Matrix) -> Vec<ResultCounts> {
        let added = |term: &Term| {
            let (chances, games) = (term.chances(at), term.games());
            let [win, draw, loss] = chances;
            let lean = (win - loss) / 2.0;
            let (own, mixed, ties) = term.variance(covariance);
            let of = |k: usize| {
                let (by, tie) = ([0.5, 0.0, -0.5][k] - lean, [0.0, 1.0, 0.0][k] - draw);
                let unsure = by * by * own + 2.0 * by * tie * mixed + tie * tie * ties;
                let bias = self.prior.bias * games * chances[k] * unsure.max(0.0) / 2.0;
                match term.source {
                    TermSource::Played => bias,
                    TermSource::Known => bias + self.prior.known * games * EQUALS[k],
                    TermSource::Assumed => 0.0,
                }
            };
            [of(0), of(1), of(2)]
        };
        self.terms.iter().map(added).collect()
    }

    /// The logarithm of the likelihood.
    pub(super) fn value(&self, at: &[f64], added: &[ResultCounts]) -> f64 {
        self.terms.iter().zip(added).map(|(term, added)| term.value(at, added)).sum()
    }

    /// Its slope at some parameters; with `only`, that of the added results alone.
    pub(super) fn slope(&self, at: &[f64], added: &[ResultCounts], only: bool) -> Vec<f64> {
        let mut slope = vec![0.0; at.len()];
        for (term, added) in self.terms.iter().zip(added) {
            let [win, draw, loss] = term.chances(at);
            let counts = if only { *added } else { plus(term.counts, *added) };
            let games: f64 = counts.iter().sum();
            let by = (counts[0] - counts[2]) / 2.0 - games * (win - loss) / 2.0;
            for (place, sign) in term.difference.iter().flatten() {
                slope[*place] += sign * by;
            }
            slope[term.ties] += counts[1] - games * draw;
        }
        slope
    }

    /// The curvature with the sign turned, of terms from some sources.
    pub(super) fn curvature(
        &self,
        at: &[f64],
        added: Option<&[ResultCounts]>,
        of: impl Fn(TermSource) -> bool,
    ) -> Matrix {
        let mut curvature = Matrix::zero(at.len());
        for (index, term) in self.terms.iter().enumerate().filter(|(_, term)| of(term.source)) {
            let [win, draw, loss] = term.chances(at);
            let more: f64 = added.map_or(0.0, |added| added[index].iter().sum());
            let (games, lean) = (term.games() + more, (win - loss) / 2.0);
            let own = games * ((win + loss) / 4.0 - lean * lean);
            let ties = term.ties;
            curvature.add(ties, ties, games * draw * (1.0 - draw));
            for (i, sign) in term.difference.iter().flatten() {
                for (j, other) in term.difference.iter().flatten() {
                    curvature.add(*i, *j, sign * other * own);
                }
                curvature.add(*i, ties, -sign * games * draw * lean);
                curvature.add(ties, *i, -sign * games * draw * lean);
            }
        }
        curvature
    }

    /// What the pairs of one game of three agents or more have in common: the products of the
    /// surprises of different pairs, summed over all games. As the surprises are those of ratings
    /// fitted to these games, they are too small by a factor of about `G / (G − p)` for `G` games
    /// and `p` agents.
    pub(super) fn shared(&self, at: &[f64], tables: &BTreeMap<TableGame, u64>) -> Matrix {
        let mut shared = Matrix::zero(at.len());
        let agents: BTreeSet<usize> =
            tables.keys().flat_map(|table| table.places.iter().map(|(agent, _)| *agent)).collect();
        let games = tables.values().sum::<u64>() as f64;
        let fitted = games / (games - (agents.len() as f64).min(games / 2.0));
        for (table, &count) in tables {
            let weight = count as f64 * fitted;
            let mut sum: BTreeMap<usize, f64> = BTreeMap::new();
            for (meeting, result) in table.meetings() {
                let Some((difference, ties)) = self.places(&meeting) else { continue };
                let own = surprises(at, &difference, ties, result);
                for &(place, by) in &own {
                    *sum.entry(place).or_default() += by;
                    for &(other, along) in &own {
                        shared.add(place, other, -by * along * weight);
                    }
                }
            }
            for (&place, by) in &sum {
                for (&other, along) in &sum {
                    shared.add(place, other, by * along * weight);
                }
            }
        }
        shared
    }

    /// The points that the first of two is expected to have of a game of a meeting, and their
    /// variance.
    pub(super) fn expected(&self, at: &[f64], meeting: &Meeting) -> Option<(f64, f64)> {
        let (difference, ties) = self.places(meeting)?;
        let [win, draw, _] = chances(at, &difference, ties);
        let points = win + draw / 2.0;
        Some((points, win + draw / 4.0 - points * points))
    }

    /// By how much the points that the first of two is expected to have of a game change with each
    /// parameter of their meeting.
    pub(super) fn slope_of_points(&self, at: &[f64], meeting: &Meeting) -> Vec<(usize, f64)> {
        let Some((difference, ties)) = self.places(meeting) else { return Vec::new() };
        let [win, draw, loss] = chances(at, &difference, ties);
        // As odds are exponentials, it is the covariance of the points with the surprise.
        let lean = (win - loss) / 2.0;
        let own = (win + loss) / 4.0 - lean * lean;
        let strengths = difference.iter().flatten().map(|(place, sign)| (*place, sign * own));
        strengths.chain([(ties, -draw * lean)]).collect()
    }
}

/// By how much a result differs from the expected one, by parameter.
fn surprises(
    at: &[f64],
    difference: &StrengthTerms,
    ties: usize,
    result: usize,
) -> Vec<(usize, f64)> {
    let [win, draw, loss] = chances(at, difference, ties);
    let (by, tie): Surprise =
        ([0.5, 0.0, -0.5][result] - (win - loss) / 2.0, [0.0, 1.0, 0.0][result] - draw);
    let strengths = difference.iter().flatten().map(|(place, sign)| (*place, sign * by));
    strengths.chain([(ties, tie)]).collect()
}

fn plus(a: ResultCounts, b: ResultCounts) -> ResultCounts {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// The logarithms of the odds of win, draw and loss.
fn odds(at: &[f64], difference: &StrengthTerms, ties: usize) -> [f64; 3] {
    let whole: f64 = difference.iter().flatten().map(|(place, sign)| at[*place] * sign).sum();
    [whole / 2.0, at[ties], -whole / 2.0]
}

fn chances(at: &[f64], difference: &StrengthTerms, ties: usize) -> [f64; 3] {
    let odds = odds(at, difference, ties);
    let total = log_sum(odds);
    odds.map(|odds| (odds - total).exp())
}

impl Term {
    fn games(&self) -> f64 {
        self.counts.iter().sum()
    }

    fn chances(&self, at: &[f64]) -> [f64; 3] {
        chances(at, &self.difference, self.ties)
    }

    fn value(&self, at: &[f64], added: &ResultCounts) -> f64 {
        let odds = odds(at, &self.difference, self.ties);
        let total = log_sum(odds);
        let counts = plus(self.counts, *added);
        counts.iter().zip(odds).map(|(count, odds)| count * (odds - total)).sum()
    }

    /// The variance of the difference, its covariance with `ln ν`, and the variance of that.
    fn variance(&self, covariance: &Matrix) -> (f64, f64, f64) {
        let places = || self.difference.iter().flatten();
        let own = places().map(|(i, sign)| {
            places().map(|(j, other)| sign * other * covariance.at(*i, *j)).sum::<f64>()
        });
        let mixed = places().map(|(i, sign)| sign * covariance.at(*i, self.ties));
        (own.sum(), mixed.sum(), covariance.at(self.ties, self.ties))
    }
}

/// `ln Σ eˣ` without overflow.
fn log_sum(of: [f64; 3]) -> f64 {
    let largest = of.into_iter().fold(f64::NEG_INFINITY, f64::max);
    largest + of.map(|x| (x - largest).exp()).iter().sum::<f64>().ln()
}
