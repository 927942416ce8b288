//! Round robin: every two agents meet, in every scenario.

use std::collections::BTreeSet;

use super::super::Tally;
use super::cover::groups;
use super::format::{Format, Match, Score};

/// One round of all matches. At a table of more than two seats as many agents meet as it seats.
pub(super) struct RoundRobin {
    round: Vec<Match>,
    total: u64,
    /// Whether some two meet at more than one table of a scenario.
    again: bool,
}

impl RoundRobin {
    /// All meet all, for so many games each.
    pub(super) fn new(agents: usize, seats: &[usize], games: u64) -> RoundRobin {
        let round: Vec<Match> = seats
            .iter()
            .enumerate()
            .flat_map(|(scenario, &seats)| {
                let groups = groups(agents, seats.max(2)).into_iter();
                groups.map(move |agents| Match { scenario, agents, from: 0, games })
            })
            .collect();
        let total = games.saturating_mul(round.len() as u64);
        let again = meet_again(&round);
        RoundRobin { round, total, again }
    }
}

impl Format for RoundRobin {
    fn round(&mut self, _: &[Score], _: &Tally) -> Vec<Match> {
        std::mem::take(&mut self.round)
    }

    fn total(&self) -> Option<u64> {
        Some(self.total)
    }

    fn notes(&self, _: &[String]) -> Vec<String> {
        let note = "not all pairs met in as many games: each table of more than two seats plays the \
                    spec's games, and some agents met at several tables";
        self.again.then(|| note.to_owned()).into_iter().collect()
    }
}

/// Whether some two agents meet in more than one match of a scenario.
fn meet_again(round: &[Match]) -> bool {
    let mut met = BTreeSet::new();
    // Two by two, nobody meets twice.
    round.iter().filter(|table| table.agents.len() > 2).any(|Match { scenario, agents, .. }| {
        let pairs = agents.iter().enumerate().flat_map(|(index, &one)| {
            agents.iter().skip(index + 1).map(move |&other| (*scenario, one, other))
        });
        // All of a table are noted, and one that was noted before is found.
        pairs.filter(|&pair| !met.insert(pair)).count() > 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_that_meets_more_often_is_told_of() {
        let notes = |agents, seats: &[usize]| RoundRobin::new(agents, seats, 10).notes(&[]).len();
        // Seven at tables of three meet once each, and four cannot.
        assert_eq!(
            [notes(7, &[3, 2]), notes(4, &[3]), notes(3, &[3]), notes(9, &[2])],
            [0, 1, 0, 0]
        );
    }
}
