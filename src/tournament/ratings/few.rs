//! Finds out where games of many agents are too few for intervals to hold what they promise.
//!
//! The pairs of one game depend on each other, and how much is estimated from the games themselves: as
//! the variance of a sum of as many terms as there are games, which needs many for each agent (Cameron
//! and Miller 2015, "A practitioner's guide to cluster-robust inference", section VI: intervals are
//! too narrow where clusters are few).

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;

use super::super::Table;
use crate::render;

/// So many games for each agent in them are enough: in simulated leagues (`benches/coverage.rs`) the
/// intervals hold the truth in 95 % with three, and in 88 to 96 % with two, as the rules are.
const ENOUGH: u64 = 3;

/// Games of three agents or more that are too few.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Few {
    /// The games.
    pub games: u64,
    /// How many agents were in them.
    pub agents: usize,
    /// So many games would be enough.
    pub enough: u64,
}

impl Few {
    /// What is too few of these games.
    pub fn of(tables: &BTreeMap<Table, u64>) -> Option<Few> {
        let agents: BTreeSet<usize> =
            tables.keys().flat_map(|table| table.places.iter().map(|(agent, _)| *agent)).collect();
        let (games, agents) = (tables.values().sum(), agents.len());
        let enough = ENOUGH * agents as u64;
        (games < enough).then_some(Few { games, agents, enough })
    }

    /// The same in a sentence.
    pub fn note(self) -> String {
        let Few { games, agents, enough } = self;
        let (games, enough) = (render::many(games, "game"), render::many(enough, "game"));
        format!(
            "{games} of {agents} agents say too little of how the results of one game depend on each \
             other: intervals of ratings may hold the truth in less than 95 %, until there are \
             {enough}"
        )
    }
}
