//! The result of solving a conflict, for people and for programs: the solution or why there is none, and
//! the curve of what was learned.

use num_traits::Zero;
use schemars::JsonSchema;
use serde::Serialize;

use super::super::Solution;
use super::super::forms::kind::GameKind;
use super::super::methods::learner::LearningProgress;
use crate::graph::Unseen;
use crate::render::{self, Plot, Point, Series};

/// A conflict that was to be solved.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(into = "SolvedJson")]
#[schemars(from = "SolvedJson")]
pub struct Solved {
    /// The number of nodes of the graph that were explored.
    pub nodes: u64,
    /// The kind of game, if it was found out.
    pub kind: Option<GameKind>,
    /// The solution, or why there is none.
    pub found: Result<Solution, String>,
    /// The progress of regret minimisation, report by report; empty if nothing was learned.
    pub course: Vec<LearningProgress>,
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
enum SolvedJson {
    /// It was solved.
    Found {
        /// The solution.
        #[serde(flatten)]
        solution: Solution,
        /// The number of nodes of the graph.
        nodes: u64,
        /// The kind of game.
        #[serde(skip_serializing_if = "Option::is_none")]
        kind: Option<GameKind>,
        /// The iterations of regret minimisation; 0 where nothing was learned.
        iterations: u64,
        /// The progress of regret minimisation.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        course: Vec<LearningProgress>,
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
        kind: Option<GameKind>,
    },
}

impl From<Solved> for SolvedJson {
    fn from(solved: Solved) -> SolvedJson {
        let Solved { nodes, kind, course, unseen, .. } = solved;
        match solved.found {
            Ok(solution) => SolvedJson::Found {
                solution,
                nodes,
                kind,
                iterations: course.last().map_or(0, |told| told.iterations),
                course,
                cut_off_per_roll: solved.cut_off,
                unseen,
            },
            Err(reason) => SolvedJson::Unsolved { exact: false, nodes, reason, kind },
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

impl Solved {
    /// The exploitability over the seconds passed; `None` if nothing was learned.
    pub(crate) fn curve(&self, name: &str) -> Option<Series> {
        let point = |told: &LearningProgress| (told.taken.as_secs_f64(), told.exploitability);
        let series = falling(name, self.course.iter().map(point));
        (!self.course.is_empty()).then_some(series)
    }
}

/// Points of an exploitability as powers of ten, since it falls through many of them. An
/// exploitability of 0 has no logarithm and is left out.
pub(crate) fn falling(name: &str, points: impl Iterator<Item = (f64, f64)>) -> Series {
    let point = |(x, y): (f64, f64)| Point { x, y: y.log10(), range: None };
    Series { name: name.to_owned(), points: points.map(point).collect() }
}

/// Curves of an exploitability over `x`.
pub(crate) fn curves(x: &str, series: Vec<Series>) -> Plot {
    Plot {
        title: format!("exploitability by {x}"),
        x: x.to_owned(),
        y: "log10 of exploitability".to_owned(),
        series,
        ..Plot::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_power_of_ten_is_a_step_down() {
        let plot = curves("seconds", vec![falling("a", [(1.0, 0.1), (2.0, 0.001)].into_iter())]);
        let points: Vec<(f64, f64)> =
            plot.series[0].points.iter().map(|point| (point.x, point.y)).collect();
        assert_eq!(points, [(1.0, -1.0), (2.0, -3.0)]);
        // What is not exploitable at all is nowhere on the axis.
        let none = curves("seconds", vec![falling("a", [(1.0, 0.0)].into_iter())]);
        assert!(none.svg().starts_with("<svg"));
    }
}
