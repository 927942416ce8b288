//! The trait of tournament formats: rounds of matches, each made from the scores of the last.

use super::super::Tally;

/// Agents that meet in a scenario for a number of games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Match {
    /// The scenario's index.
    pub scenario: usize,
    /// The agents, two or more, no more than there are seats.
    pub agents: Vec<usize>,
    /// The turn of the first game: how often these have met here before.
    pub from: u64,
    /// The games.
    pub games: u64,
}

/// The result of a match.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Score {
    /// The points of each of the match's agents.
    pub points: Vec<f64>,
}

impl Score {
    /// No points yet.
    pub(super) fn of(of: &Match) -> Score {
        Score { points: vec![0.0; of.agents.len()] }
    }

    /// Adds the points of a game.
    pub(super) fn add(&mut self, of: &Match, points: &[(usize, f64)], weight: f64) {
        for (agent, more) in points {
            let place = of.agents.iter().position(|other| other == agent);
            if let Some(own) = place.and_then(|place| self.points.get_mut(place)) {
                *own += more * weight;
            }
        }
    }
}

/// Who meets whom, round by round.
pub(super) trait Format {
    /// The next round's matches, from the scores of the last one's, in its order; no matches where
    /// the tournament is over.
    fn round(&mut self, last: &[Score], tally: &Tally) -> Vec<Match>;

    /// How many games there are in all, where that is known.
    fn total(&self) -> Option<u64> {
        None
    }

    /// Notes on how it went, one sentence each.
    fn notes(&self, _agents: &[String]) -> Vec<String> {
        Vec::new()
    }
}
