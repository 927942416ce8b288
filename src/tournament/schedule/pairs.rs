//! Matches of pairs: two agents meet in every scenario, for the same number of games.

use super::format::{Match, Score};

/// What each pair of a round plays.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pairs {
    /// How many scenarios there are.
    pub scenarios: usize,
    /// The games in each.
    pub games: u64,
}

impl Pairs {
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
