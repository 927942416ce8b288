//! Gauntlet: the first agent meets all others.

use super::super::Tally;
use super::format::{Format, Match, Score};

/// One round: the first agent against each other one; at a table of more seats, against as many
/// as it seats.
pub(super) struct Gauntlet {
    round: Vec<Match>,
    total: u64,
}

impl Gauntlet {
    /// The first of the agents against all others, for so many games each.
    pub(super) fn new(agents: usize, seats: &[usize], games: u64) -> Gauntlet {
        let others: Vec<usize> = (1..agents).collect();
        let round: Vec<Match> = seats
            .iter()
            .enumerate()
            .flat_map(|(scenario, &seats)| {
                let size = (seats.max(2) - 1).min(others.len()).max(1);
                // The last table is filled up with those who sat at the first.
                let tables = (0..others.len()).step_by(size).map({
                    let others = others.clone();
                    move |start| (start..start + size).map(|i| others[i % others.len()]).collect()
                });
                tables.map(move |table: Vec<usize>| {
                    let agents = std::iter::once(0).chain(table).collect();
                    Match { scenario, agents, from: 0, games }
                })
            })
            .collect();
        let total = games.saturating_mul(round.len() as u64);
        Gauntlet { round, total }
    }
}

impl Format for Gauntlet {
    fn round(&mut self, _: &[Score], _: &Tally) -> Vec<Match> {
        std::mem::take(&mut self.round)
    }

    fn total(&self) -> Option<u64> {
        Some(self.total)
    }
}
