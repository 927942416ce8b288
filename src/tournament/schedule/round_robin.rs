//! Who meets whom where all meet all? Every two agents, in every scenario.

use super::super::Tally;
use super::cover::groups;
use super::format::{Format, Match, Score};

/// One round of all matches. At a table of more than two seats as many agents meet as it seats.
pub(super) struct RoundRobin {
    round: Vec<Match>,
    total: u64,
}

impl RoundRobin {
    /// All meet all, for so many games each.
    pub fn new(agents: usize, seats: &[usize], games: u64) -> RoundRobin {
        let round: Vec<Match> = seats
            .iter()
            .enumerate()
            .flat_map(|(scenario, &seats)| {
                let groups = groups(agents, seats.max(2)).into_iter();
                groups.map(move |agents| Match { scenario, agents, from: 0, games })
            })
            .collect();
        let total = games.saturating_mul(round.len() as u64);
        RoundRobin { round, total }
    }
}

impl Format for RoundRobin {
    fn round(&mut self, _: &[Score], _: &Tally) -> Vec<Match> {
        std::mem::take(&mut self.round)
    }

    fn total(&self) -> Option<u64> {
        Some(self.total)
    }
}
