//! The trait of tournament formats (rounds of matches, each made from the scores of the last), and
//! matches of pairs.

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

/// What each pair of a round plays.
#[derive(Clone, Copy, Debug)]
pub(super) struct PairGames {
    /// How many scenarios there are.
    pub scenarios: usize,
    /// The games in each.
    pub games: u64,
}

impl PairGames {
    /// The matches of pairs, a pair's scenarios beside each other. `before` is how many games
    /// each has played in each scenario.
    pub(super) fn matches(&self, pairs: &[(usize, usize)], before: u64) -> Vec<Match> {
        let of = |&(a, b): &(usize, usize)| {
            (0..self.scenarios).map(move |scenario| Match {
                scenario,
                agents: vec![a, b],
                from: before,
                games: self.games,
            })
        };
        pairs.iter().flat_map(of).collect()
    }

    /// The points of each pair over all scenarios, from the scores of its matches.
    pub(super) fn points(&self, scores: &[Score]) -> Vec<[f64; 2]> {
        let side = |of: &[Score], side: usize| {
            of.iter().map(|score| score.points.get(side).copied().unwrap_or_default()).sum()
        };
        let pair = |of: &[Score]| [side(of, 0), side(of, 1)];
        scores.chunks(self.scenarios.max(1)).map(pair).collect()
    }
}

/// Who leads, if anybody does; what differs by rounding alone is level.
pub(super) fn leader([a, b]: [f64; 2]) -> Option<usize> {
    if (a - b).abs() <= 1e-9 * (a + b) { None } else { Some(usize::from(b > a)) }
}
