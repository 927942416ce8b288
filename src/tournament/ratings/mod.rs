//! How strong is each agent, and how sure is that? Bradley–Terry with ties, by maximum likelihood
//! over all games at once.
//!
//! Model: Davidson (1970, "On extending the Bradley–Terry model to accommodate ties in paired
//! comparison experiments", JASA 65, 317–328) with an effect of the order, as Davidson and Beaver
//! (1977, Biometrics 33, 693–702) add it. Win, draw and loss have the odds `e^(x/2) : ν : e^(−x/2)`;
//! `x` is the difference of the two ratings, plus the first seat's advantage for whoever has it.
//! Each scenario has its own advantage and its own `ν`. On the Elo scale a difference of 400 points
//! is ten wins to a loss.
//!
//! So that a winless agent stays finite each pairing that has met gets one virtual draw, half a win
//! each way; and each scenario one virtual game between equals, half a draw, which keeps `ν` and the
//! advantage finite. The games are counts, so their order changes nothing. Newton's method finds the
//! maximum: the likelihood is concave in the ratings, the advantages and `ln ν`. Intervals come from
//! its curvature there, for ratings whose mean is 0.

mod connected;
mod likelihood;
mod matrix;
mod newton;
mod normal;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use super::{Cell, First, Meeting, Tally};
pub use connected::Connected;
pub use normal::cumulative;

/// Elo points to one natural unit of odds.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;
/// The normal distribution has 95 % within so many standard deviations.
const NORMAL_95: f64 = 1.959_963_984_540_054;

/// What is assumed before the first game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prior {
    /// The weight of the virtual draw of each pairing that has met.
    pub draw: f64,
    /// The weight of the virtual game between equals in each scenario.
    pub equals: f64,
}

impl Default for Prior {
    fn default() -> Prior {
        Prior { draw: 1.0, equals: 1.0 }
    }
}

/// A number of Elo points with half of its 95 % interval, infinite where nothing is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rated {
    /// The number.
    pub points: f64,
    /// Half of the interval.
    pub half: f64,
}

/// The ratings of all agents, and what else was fitted with them.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// By agent, in natural units; the mean of each group that has met is 0.
    strength: Vec<f64>,
    covariance: matrix::Matrix,
    /// Scenario -> the first seat's advantage and its standard error, in natural units.
    advantages: BTreeMap<usize, (f64, f64)>,
    /// Scenario -> how likely equals in equal seats draw.
    draws: BTreeMap<usize, f64>,
    /// Who has met whom.
    pub connected: Connected,
}

impl Ratings {
    /// The ratings of so many agents from all games so far.
    pub fn of(tally: &Tally, agents: usize) -> Ratings {
        Ratings::fit(&tally.cells(), agents, Prior::default())
    }

    /// The ratings from what came of all meetings.
    pub fn fit(cells: &BTreeMap<Meeting, Cell>, agents: usize, prior: Prior) -> Ratings {
        let connected = Connected::of(cells, agents);
        let problem = likelihood::Problem::new(cells, agents, prior);
        let (found, covariance) = newton::maximum(&problem, &connected.groups);
        let held = |scenario: usize| {
            let first = |meeting: &Meeting| meeting.first != First::Neither;
            cells.keys().any(|meeting| meeting.scenario == scenario && first(meeting))
        };
        let places = problem.scenarios().iter().enumerate();
        let advantages = places
            .clone()
            .filter(|(_, scenario)| held(**scenario))
            .map(|(index, &scenario)| {
                let place = problem.advantage(index);
                (scenario, (found[place], covariance.at(place, place).max(0.0).sqrt()))
            })
            .collect();
        let draws = places
            .map(|(index, &scenario)| {
                let ties = found[problem.ties(index)].exp();
                // An infinite `ν` is all draws.
                (scenario, if ties.is_finite() { ties / (2.0 + ties) } else { 1.0 })
            })
            .collect();
        Ratings { strength: found[..agents].to_vec(), covariance, advantages, draws, connected }
    }

    /// An agent's rating in Elo points, above or below the mean of its group.
    pub fn rating(&self, agent: usize) -> Rated {
        let alone = self.connected.group_of(agent).len() < 2;
        let deviation = self.covariance.at(agent, agent).max(0.0).sqrt();
        let half = if alone { f64::INFINITY } else { NORMAL_95 * deviation * ELO };
        Rated { points: self.strength[agent] * ELO, half }
    }

    /// The widest half of all ratings' intervals.
    pub fn widest(&self) -> f64 {
        (0..self.strength.len()).map(|agent| self.rating(agent).half).fold(0.0, f64::max)
    }

    /// All agents, the best first; equals in the order of the spec.
    pub fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.strength.len()).collect();
        order.sort_by(|&a, &b| self.strength[b].total_cmp(&self.strength[a]).then(a.cmp(&b)));
        order
    }

    /// The likelihood that one agent is stronger than another; ½ where they cannot be compared.
    pub fn superiority(&self, a: usize, b: usize) -> f64 {
        if a == b || !self.connected.group_of(a).contains(&b) {
            return 0.5;
        }
        let at = |i, j| self.covariance.at(i, j);
        let variance = at(a, a) + at(b, b) - 2.0 * at(a, b);
        let difference = self.strength[a] - self.strength[b];
        cumulative(difference / variance.max(f64::MIN_POSITIVE).sqrt())
    }

    /// The first seat's advantage in a scenario, in Elo points, where it was held by anybody.
    pub fn advantage(&self, scenario: usize) -> Option<Rated> {
        let (value, deviation) = self.advantages.get(&scenario)?;
        Some(Rated { points: value * ELO, half: NORMAL_95 * deviation * ELO })
    }

    /// How likely two equals draw in a scenario, where neither has an advantage.
    pub fn draws(&self, scenario: usize) -> Option<f64> {
        self.draws.get(&scenario).copied()
    }
}
