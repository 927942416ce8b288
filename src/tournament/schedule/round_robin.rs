//! One round of all matches: every two agents meet in every scenario, the first meets all others, or all lineups play.

use std::collections::BTreeSet;

use super::format::{Format, Match, Score};

/// More companies than these at a table do not meet.
const COMPANIES: usize = 100_000;

/// One round of all matches. At a table of more than two seats as many agents meet as it seats.
pub(super) struct RoundRobin {
    round: Vec<Match>,
    total: u64,
    /// What of it is not as one would think.
    note: Option<String>,
}

impl RoundRobin {
    /// Of each scenario the tables that `tables` makes for its seats.
    fn of(
        seats: &[usize],
        games: u64,
        mut tables: impl FnMut(usize) -> Vec<Vec<usize>>,
    ) -> RoundRobin {
        let mut round = Vec::new();
        for (scenario, &seats) in seats.iter().enumerate() {
            let tables = tables(seats.max(2)).into_iter();
            round.extend(tables.map(|agents| Match { scenario, agents, from: 0, games }));
        }
        RoundRobin { total: games.saturating_mul(round.len() as u64), round, note: None }
    }

    pub(super) fn new(agents: usize, seats: &[usize], games: u64) -> RoundRobin {
        let all = RoundRobin::of(seats, games, |seats| groups(agents, seats));
        let note = "not all pairs met equally often: each table of more than two seats plays the \
                    spec's games, and some agents met at several tables";
        RoundRobin { note: meet_again(&all.round).then(|| note.to_owned()), ..all }
    }

    /// All that can sit at a table, an agent in several seats as well.
    pub(super) fn of_all(agents: usize, seats: &[usize], games: u64) -> RoundRobin {
        let mut is_cut = false;
        let all = RoundRobin::of(seats, games, |seats| {
            let all = companies(agents, seats);
            is_cut |= all.len() == COMPANIES;
            all
        });
        let note = format!(
            "not every lineup is played: of each scenario the first {} choices of agents",
            crate::report::grouped(COMPANIES as u64)
        );
        RoundRobin { note: is_cut.then_some(note), ..all }
    }

    /// The first agent against each other one; at a table of more seats, against as many as it seats. The last table is
    /// filled up with those who sat at the first.
    pub(super) fn gauntlet(agents: usize, seats: &[usize], games: u64) -> RoundRobin {
        let others = agents.saturating_sub(1);
        RoundRobin::of(seats, games, |seats| {
            let size = (seats - 1).min(others).max(1);
            let table = |start: usize| {
                std::iter::once(0).chain((start..start + size).map(|i| 1 + i % others)).collect()
            };
            (0..others).step_by(size).map(table).collect()
        })
    }
}

impl Format for RoundRobin {
    fn round(&mut self, _: &[Score]) -> Vec<Match> {
        std::mem::take(&mut self.round)
    }

    fn total(&self) -> Option<u64> {
        Some(self.total)
    }

    fn notes(&self, _: &[String]) -> Vec<String> {
        self.note.clone().into_iter().collect()
    }
}

/// All choices of `size` agents in any order, each as often as one likes; no more than [`COMPANIES`].
fn companies(agents: usize, size: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..size {
        let longer = |company: Vec<usize>| {
            let from = company.last().copied().unwrap_or_default();
            (from..agents).map(move |agent| [&company[..], &[agent]].concat())
        };
        all = all.into_iter().flat_map(longer).take(COMPANIES).collect();
    }
    all
}

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

/// Groups of `size` agents in which every two meet at least once, in a fixed order; every pair
/// where the size is 2, and all at one table where it seats them.
///
/// Method: greedy covering. Each group begins with the first two that have not met, and is filled
/// with the agent that has met the fewest of the group, of these the one in the fewest groups.
fn groups(agents: usize, size: usize) -> Vec<Vec<usize>> {
    if agents <= size {
        return vec![(0..agents).collect()];
    }
    if size <= 2 {
        return (0..agents).flat_map(|a| (a + 1..agents).map(move |b| vec![a, b])).collect();
    }
    let mut unmet: BTreeSet<(usize, usize)> =
        (0..agents).flat_map(|a| (a + 1..agents).map(move |b| (a, b))).collect();
    let mut played = vec![0usize; agents];
    let mut groups = Vec::new();
    while let Some(&(a, b)) = unmet.first() {
        let mut group = vec![a, b];
        while group.len() < size {
            let met = |agent: usize| {
                group.iter().filter(|&&other| !unmet.contains(&ordered(agent, other))).count()
            };
            let free = (0..agents).filter(|agent| !group.contains(agent));
            match free.min_by_key(|&agent| (met(agent), played[agent], agent)) {
                Some(agent) => group.push(agent),
                None => break,
            }
        }
        group.sort();
        for (i, &one) in group.iter().enumerate() {
            played[one] += 1;
            group.iter().skip(i + 1).for_each(|&other| _ = unmet.remove(&(one, other)));
        }
        groups.push(group);
    }
    groups
}

fn ordered(a: usize, b: usize) -> (usize, usize) {
    (a.min(b), a.max(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_company_sits_at_a_table_once() {
        // Of 3 agents 2 at a time with repetition: 3 · 4 / 2; of 2 agents 3 at a time: 4.
        assert_eq!(companies(3, 2).len(), 6);
        assert_eq!(companies(2, 3), [[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1]]);
        // Each cycle of turns has every lineup: 2³ of them.
        let all: BTreeSet<Vec<usize>> = companies(2, 3)
            .iter()
            .flat_map(|agents| (0..6).map(|turn| super::super::format::seated(agents, 3, turn)))
            .collect();
        assert_eq!(all.len(), 8);
        // Of 40 agents 4 at a time there are 40 · 41 · 42 · 43 / 24 = 123,410.
        assert!(RoundRobin::of_all(40, &[2], 1).notes(&[]).is_empty());
        assert_eq!(RoundRobin::of_all(40, &[4], 1).notes(&[]).len(), 1);
    }

    #[test]
    fn a_pair_that_meets_more_often_is_noted() {
        let notes = |agents, seats: &[usize]| RoundRobin::new(agents, seats, 10).notes(&[]).len();
        // Seven at tables of three meet once each, and four cannot.
        assert_eq!(
            [notes(7, &[3, 2]), notes(4, &[3]), notes(3, &[3]), notes(9, &[2])],
            [0, 1, 0, 0]
        );
    }

    #[test]
    fn seven_at_tables_of_three_need_seven() {
        // The Fano plane: no two meet twice.
        assert_eq!(groups(7, 3).len(), 7);
    }
}
