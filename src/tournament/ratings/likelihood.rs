//! How well do ratings explain the games? The logarithm of their likelihood, its slope and curvature.

use std::collections::{BTreeMap, BTreeSet};

use super::super::{Cell, First, Meeting};
use super::Prior;
use super::matrix::Matrix;

/// One term of the likelihood: games between two agents in one scenario, seated alike.
struct Term {
    /// The parameters that make up the difference, each with its sign.
    difference: [Option<(usize, f64)>; 3],
    /// The parameter `ln ν`; nothing where there is no draw.
    ties: Option<usize>,
    cell: Cell,
}

/// What is to be maximized. The parameters are the agents' strengths, then each scenario's
/// advantage of the first seat, then each scenario's `ln ν`; all in natural units.
pub(super) struct Problem {
    agents: usize,
    scenarios: Vec<usize>,
    terms: Vec<Term>,
}

impl Problem {
    /// The problem that the games pose.
    pub fn new(cells: &BTreeMap<Meeting, Cell>, agents: usize, prior: Prior) -> Problem {
        let scenarios: BTreeSet<usize> = cells.keys().map(|meeting| meeting.scenario).collect();
        let scenarios: Vec<usize> = scenarios.into_iter().collect();
        let mut problem = Problem { agents, scenarios, terms: Vec::new() };
        for (meeting, cell) in cells {
            let Ok(index) = problem.scenarios.binary_search(&meeting.scenario) else { continue };
            let sign = match meeting.first {
                First::A => Some(1.0),
                First::B => Some(-1.0),
                First::Neither => None,
            };
            let seat = sign.map(|sign| (problem.advantage(index), sign));
            let ties = Some(problem.ties(index));
            let difference = [Some((meeting.a, 1.0)), Some((meeting.b, -1.0)), seat];
            problem.terms.push(Term { difference, ties, cell: *cell });
        }
        problem.assume(cells, prior);
        problem
    }

    /// Adds what is assumed before the first game.
    fn assume(&mut self, cells: &BTreeMap<Meeting, Cell>, prior: Prior) {
        let met: BTreeSet<(usize, usize)> = cells.keys().map(|m| (m.a, m.b)).collect();
        let draws = met.into_iter().map(|(a, b)| Term {
            difference: [Some((a, 1.0)), Some((b, -1.0)), None],
            ties: None,
            cell: Cell { wins: prior.draw / 2.0, draws: 0.0, losses: prior.draw / 2.0 },
        });
        let equals = (0..self.scenarios.len()).map(|index| Term {
            difference: [Some((self.advantage(index), 1.0)), None, None],
            ties: Some(self.ties(index)),
            cell: Cell {
                wins: prior.equals / 4.0,
                draws: prior.equals / 2.0,
                losses: prior.equals / 4.0,
            },
        });
        let assumed: Vec<Term> = draws.chain(equals).collect();
        self.terms.extend(assumed);
    }

    /// The scenarios with games, in order.
    pub fn scenarios(&self) -> &[usize] {
        &self.scenarios
    }

    /// How many parameters there are.
    pub fn parameters(&self) -> usize {
        self.agents + 2 * self.scenarios.len()
    }

    /// The parameter of the first seat's advantage, by the scenario's place in the list.
    pub fn advantage(&self, index: usize) -> usize {
        self.agents + index
    }

    /// The parameter `ln ν`, by the scenario's place in the list.
    pub fn ties(&self, index: usize) -> usize {
        self.agents + self.scenarios.len() + index
    }

    /// The logarithm of the likelihood.
    pub fn value(&self, at: &[f64]) -> f64 {
        self.terms.iter().map(|term| term.value(at)).sum()
    }

    /// Its slope, and its curvature with the sign turned, at some parameters.
    pub fn slope_and_curvature(&self, at: &[f64]) -> (Vec<f64>, Matrix) {
        let mut slope = vec![0.0; at.len()];
        let mut curvature = Matrix::zero(at.len());
        for term in &self.terms {
            let [win, draw, loss] = term.chances(at);
            let (games, lean) = (term.cell.games(), (win - loss) / 2.0);
            let by_difference = (term.cell.wins - term.cell.losses) / 2.0 - games * lean;
            let own = games * ((win + loss) / 4.0 - lean * lean);
            for (i, sign) in term.difference.iter().flatten() {
                slope[*i] += sign * by_difference;
                for (j, other) in term.difference.iter().flatten() {
                    curvature.add(*i, *j, sign * other * own);
                }
            }
            if let Some(ties) = term.ties {
                slope[ties] += term.cell.draws - games * draw;
                curvature.add(ties, ties, games * draw * (1.0 - draw));
                for (i, sign) in term.difference.iter().flatten() {
                    curvature.add(*i, ties, -sign * games * draw * lean);
                    curvature.add(ties, *i, -sign * games * draw * lean);
                }
            }
        }
        (slope, curvature)
    }
}

impl Term {
    fn difference(&self, at: &[f64]) -> f64 {
        self.difference.iter().flatten().map(|(place, sign)| at[*place] * sign).sum()
    }

    /// The logarithms of the odds of win, draw and loss.
    fn odds(&self, at: &[f64]) -> [f64; 3] {
        let half = self.difference(at) / 2.0;
        [half, self.ties.map_or(f64::NEG_INFINITY, |place| at[place]), -half]
    }

    fn chances(&self, at: &[f64]) -> [f64; 3] {
        let odds = self.odds(at);
        let total = log_sum(odds);
        odds.map(|odds| (odds - total).exp())
    }

    fn value(&self, at: &[f64]) -> f64 {
        let odds = self.odds(at);
        let Cell { wins, draws, losses } = self.cell;
        // No draws among no ties must not become 0 · ∞.
        let drawn = if draws > 0.0 { draws * odds[1] } else { 0.0 };
        wins * odds[0] + drawn + losses * odds[2] - self.cell.games() * log_sum(odds)
    }
}

/// `ln Σ eˣ` without overflow.
fn log_sum(of: [f64; 3]) -> f64 {
    let largest = of.into_iter().fold(f64::NEG_INFINITY, f64::max);
    largest + of.map(|x| (x - largest).exp()).iter().sum::<f64>().ln()
}
