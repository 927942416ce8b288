//! The result of solving a conflict: the solution or why there is none, for people and for programs.

use num_traits::Zero;
use schemars::JsonSchema;
use serde::Serialize;

use super::Solution;
use super::kind::Kind;
use super::learner::Told;
use crate::graph::Unseen;
use crate::render;

/// A conflict that was to be solved.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(into = "Written")]
#[schemars(from = "Written")]
pub struct Solved {
    /// The number of nodes of the graph that were explored.
    pub nodes: u64,
    /// The kind of game, if it was found out.
    pub kind: Option<Kind>,
    /// The solution, or why there is none.
    pub found: Result<Solution, String>,
    /// The progress of regret minimisation, report by report; empty if nothing was learned.
    pub course: Vec<Told>,
    /// Whether the search was stopped by the caller.
    pub interrupted: bool,
    /// Answers of the same step that players are not shown before they are asked.
    pub unseen: Vec<Unseen>,
    /// An upper bound of the probability that a single roll exceeds the listed values of dice
    /// without a last value.
    pub cut_off: f64,
}

/// A conflict that was to be solved, as programs get it.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[expect(clippy::large_enum_variant, reason = "there is one at a time")]
enum Written {
    /// It was solved.
    Found {
        /// The solution.
        #[serde(flatten)]
        solution: Solution,
        /// The number of nodes of the graph.
        nodes: u64,
        /// The kind of game.
        #[serde(skip_serializing_if = "Option::is_none")]
        kind: Option<Kind>,
        /// The iterations of regret minimisation; 0 where nothing was learned.
        iterations: u64,
        /// The progress of regret minimisation.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        course: Vec<Told>,
        /// How likely, at most, a single roll exceeds what is listed of dice that have no last value.
        #[serde(skip_serializing_if = "Zero::is_zero")]
        cut_off_per_roll: f64,
        /// Answers of the same step that players are not shown before they are asked.
        unseen: Vec<Unseen>,
    },
    /// It was not.
    Unsolved {
        /// Always `false`.
        exact: bool,
        /// The number of nodes of the graph that were explored.
        nodes: u64,
        /// Why there is no solution, for people.
        reason: String,
        /// The kind of game, if it was found out.
        #[serde(skip_serializing_if = "Option::is_none")]
        kind: Option<Kind>,
    },
}

impl From<Solved> for Written {
    fn from(solved: Solved) -> Written {
        let Solved { nodes, kind, course, unseen, .. } = solved;
        match solved.found {
            Ok(solution) => Written::Found {
                solution,
                nodes,
                kind,
                iterations: course.last().map_or(0, |told| told.iterations),
                course,
                cut_off_per_roll: solved.cut_off,
                unseen,
            },
            Err(reason) => Written::Unsolved { exact: false, nodes, reason, kind },
        }
    }
}

impl Solved {
    /// For people.
    pub fn as_text(&self, width: usize, plain: bool) -> String {
        let kind = self
            .kind
            .as_ref()
            .map(|kind| format!("{}, {}\n", kind.words, render::many(self.nodes, "node")));
        let mut kind = kind.unwrap_or_default();
        for unseen in self.unseen.iter().take(SHOWN) {
            kind.push_str(&format!("{}\n", render::wrapped(&unseen.words(), width)));
        }
        if let Some(more @ 1..) = self.unseen.len().checked_sub(SHOWN) {
            kind.push_str(&format!("and {more} answers more are not seen (`--json`)\n"));
        }
        match &self.found {
            Ok(solution) => solution.as_text_about(&kind, width, plain),
            Err(why) => format!("{kind}{}", render::wrapped(&format!("no solution: {why}"), width)),
        }
    }
}

/// The most unseen answers that are listed for people.
const SHOWN: usize = 6;
