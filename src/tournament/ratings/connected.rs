//! Agents that can be compared: those that have met, directly or through others, and often enough.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::super::{Meeting, TableGame};
use super::Evidence;
use crate::report;

/// Who has met whom, and whether the games alone bound all ratings.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Connected {
    /// The agents in groups that can be compared, each in order; ratings of different groups have
    /// nothing to do with each other.
    pub groups: Vec<Vec<usize>>,
    /// Whether within some group a part never won or drew against the rest: only the prior
    /// bounds their difference (Ford 1957, "Solution of a ranking problem from binary comparisons").
    pub(crate) one_sided: bool,
}

impl Connected {
    pub(crate) fn of(evidence: &Evidence<'_>, agents: usize) -> Connected {
        let mut met = vec![BTreeSet::new(); agents];
        let mut scored = vec![BTreeSet::new(); agents];
        for (game, ..) in evidence.tables() {
            for (left, best) in game.stages() {
                for &one in &best {
                    for &other in left.iter().filter(|&&other| other != one) {
                        met[one].insert(other);
                        met[other].insert(one);
                        scored[one].insert(other);
                    }
                }
            }
        }
        for (Meeting { a, b, .. }, cell) in evidence.played.iter().chain(&evidence.known) {
            met[*a].insert(*b);
            met[*b].insert(*a);
            if cell.wins + cell.draws > 0.0 {
                scored[*a].insert(*b);
            }
            if cell.losses + cell.draws > 0.0 {
                scored[*b].insert(*a);
            }
        }
        let mut turned = vec![BTreeSet::new(); agents];
        for (from, to) in scored.iter().enumerate() {
            to.iter().for_each(|&to| _ = turned[to].insert(from));
        }
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut one_sided = false;
        for agent in 0..agents {
            if groups.iter().any(|group| group.contains(&agent)) {
                continue;
            }
            let group = reached(agent, &met);
            one_sided |= reached(agent, &scored) != group || reached(agent, &turned) != group;
            groups.push(group);
        }
        Connected { groups, one_sided }
    }

    pub(crate) fn group_of(&self, agent: usize) -> &[usize] {
        let found = self.groups.iter().find(|group| group.contains(&agent));
        found.map_or(&[], Vec::as_slice)
    }

    pub(crate) fn notes(&self, agents: &[String]) -> Vec<String> {
        let mut notes = Vec::new();
        if self.groups.len() > 1 {
            let named = |group: &Vec<usize>| {
                let names = group.iter().map(|&agent| format!("`{}`", agents[agent]));
                report::some_of(names, report::SOME, ", ")
            };
            let groups = self.groups.iter().map(named);
            let within = report::some_of(groups, report::SOME, " | ");
            notes.push(format!("not all have met: ratings compare only within {within}"));
        }
        if self.one_sided {
            notes.push(
                "some never won or drew against the rest: only the prior bounds their difference"
                    .to_owned(),
            );
        }
        notes
    }
}

/// All that can be reached from one, itself included, in order.
fn reached(from: usize, ways: &[BTreeSet<usize>]) -> Vec<usize> {
    let mut found = BTreeSet::from([from]);
    let mut open = vec![from];
    while let Some(one) = open.pop() {
        open.extend(ways[one].iter().filter(|&&next| found.insert(next)));
    }
    found.into_iter().collect()
}

/// This many games for each agent in them are enough: in simulated leagues (`benches/coverage.rs`) the intervals of six
/// agents hold the truth in 94 % with three, in 93 % with one and in 84 % with two games of all, where places count.
const ENOUGH: u64 = 3;

/// Games of three agents or more that are too few.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Few {
    /// The games.
    pub games: u64,
    /// How many agents were in them.
    pub agents: usize,
    /// This many games would be enough.
    pub enough: u64,
}

impl Few {
    /// What is too few of these games.
    pub fn of(tables: &BTreeMap<TableGame, u64>) -> Option<Few> {
        let agents: BTreeSet<usize> =
            tables.keys().flat_map(|table| table.places.iter().map(|(agent, _)| *agent)).collect();
        let (games, agents) = (tables.values().sum(), agents.len());
        let enough = ENOUGH * agents as u64;
        (games < enough).then_some(Few { games, agents, enough })
    }

    /// The same in a sentence.
    pub fn note(self) -> String {
        let Few { games, agents, enough } = self;
        let (games, enough) = (report::many(games, "game"), report::many(enough, "game"));
        format!(
            "{games} of {agents} agents say little: intervals of ratings may hold the truth in less \
             than 95 %, until there are {enough}"
        )
    }
}
