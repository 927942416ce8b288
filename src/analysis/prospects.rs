//! The odds after each option, for a player who knows no more than they see.
//!
//! Where all that may happen can be explored, each number is exact. The places that look alike to the
//! player are weighed by how likely the seated agents come there (Bayes' rule), the player's own
//! decisions left out: those they know. Else playouts continue from such places, found at random.

mod explored;
mod search;

use std::collections::BTreeSet;
use std::time::Duration;

use serde::Serialize;

use self::explored::expected_along;
use self::search::{ProspectsSearch, after};
pub(super) use self::search::{known, nodes_along};
use super::expectations::{Expecting, FRACTIONS, SUMMED};
use super::{Chances, SolutionNumber, Stage, StrategyLine};
use crate::conflict::Seating;
use crate::error::{Cut, Error};
use crate::game::{History, Value};
use crate::graph::{Bounds, Reach, explore};
use crate::number::{Exact, Interval};
use crate::script::on_large_stack;

/// An open decision.
#[derive(Clone, Copy, Debug)]
pub struct OpenDecision<'a> {
    /// What was decided and fell before it.
    pub history: &'a History,
    /// Who is asked.
    pub who: &'a str,
    /// What for.
    pub name: &'a str,
    /// Whether all is seen that is hidden from who is asked.
    pub revealed: bool,
}

impl OpenDecision<'_> {
    /// What the one who is asked goes by, as a line of a [`Solution`](crate::analysis::Solution) is
    /// known by it. Nothing where the same side has answered a part of the same joint decision: what
    /// that was the history does not show yet.
    ///
    /// # Errors
    /// Those of the rules; [`Error::Usage`] where the place has no node.
    pub fn key(self, seating: &Seating) -> Result<Option<String>, Error> {
        on_large_stack(|| ProspectsSearch::begin(seating, self)?.key())
    }
}

/// How prospects are to be found.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// In intervals of floats, not in fractions.
    pub float: bool,
    /// How many threads explore.
    pub threads: usize,
    /// At most this many nodes are explored; 0 explores none.
    pub nodes: u64,
    /// Where that does not suffice, this many playouts are made for each option.
    pub n: u64,
    /// Their seed.
    pub seed: u64,
    /// After so long it stops with the playouts there are; half of that is for exploring.
    pub time: Option<Duration>,
}

/// What comes of each option.
#[derive(Clone, Debug, Serialize)]
pub struct Prospects {
    /// Whether every number is an exact fraction and no dice were cut off.
    pub exact: bool,
    /// How many nodes were explored, where no playouts were needed.
    pub nodes: Option<u64>,
    /// How many playouts there were of each option; 0 where none were needed.
    pub n: u64,
    /// The seed of the playouts.
    pub seed: u64,
    /// Whether places that look alike were weighed: something is hidden.
    pub hidden: bool,
    /// From how many places that look alike the playouts continued, found at random; 0 where none were
    /// sought.
    pub(crate) worlds: usize,
    /// Whether somebody wanted it to stop.
    pub interrupted: bool,
    /// What stopped it before it was done, if anything did.
    pub cut: Option<Cut>,
    /// What keeps states from repeating, in a sentence, if that is why not all could be explored.
    #[serde(skip)]
    pub(crate) growing: Option<String>,
    /// The options.
    pub options: Vec<Prospect>,
}

impl Prospects {
    /// Finds them under the agents seated.
    ///
    /// # Errors
    /// Those of the rules and agents; [`Error::Usage`] where the place has no node, or nothing like it
    /// was met; [`Error::Interrupted`] or [`Error::Bound`] where nothing was found before.
    pub fn find(
        seating: &Seating,
        place: OpenDecision<'_>,
        effort: Effort,
        progress: &(dyn Fn(Stage) + Sync),
    ) -> Result<Prospects, Error> {
        let seating = seating.under(seating.budget().begin(effort.time));
        on_large_stack(|| ProspectsSearch::begin(&seating, place)?.find(effort, progress))
    }

    /// What each player can expect before each answer of some of them, for who knows no more than these saw: of a
    /// history, answer by answer, where all that may happen can be explored. Nothing at the answers of others.
    ///
    /// # Errors
    /// Those of the rules and agents; [`Error::Usage`] where the history leads to no node of the graph;
    /// [`Error::Interrupted`] or [`Error::Bound`] where it was stopped.
    pub(crate) fn along(
        seating: &Seating,
        history: &History,
        own: &[String],
        how: Expecting,
        progress: &(dyn Fn(Stage) + Sync),
    ) -> Result<Option<Vec<Option<Chances>>>, Error> {
        let bounds = Bounds { threads: how.threads, nodes: how.nodes };
        on_large_stack(|| {
            let report = |nodes| progress(Stage::Nodes(nodes));
            if explore(&seating.graph, seating, bounds, &report)? != Reach::Whole {
                return Ok(None);
            }
            match history.len().saturating_mul(seating.graph.nodes() as usize) {
                work if work <= FRACTIONS => expected_along::<Exact>(seating, history, own),
                work if work <= SUMMED => expected_along::<Interval>(seating, history, own),
                _ => Ok(None),
            }
        })
    }

    /// The greatest chance with which more falls after an option than what is listed of dice without a
    /// last value.
    pub fn cut_off(&self) -> f64 {
        self.options.iter().map(|one| one.chances.cut_off).fold(0.0, f64::max)
    }

    /// For people: what odds are called that are as sure as the least sure of these.
    pub(crate) fn title(&self) -> &'static str {
        let all = self.options.iter().map(|one| &one.chances);
        let least = all.min_by_key(|chances| (chances.is_in_fractions(), chances.is_exact()));
        least.map_or("odds", Chances::title)
    }

    /// For people: why there are no exact odds, if states never repeat.
    pub(crate) fn endless_states(&self) -> Option<String> {
        Some(format!("exact odds are out of reach: {}", self.growing.as_ref()?))
    }

    /// Adds what a solution says of each option.
    pub(crate) fn advise(&mut self, line: &StrategyLine) {
        for (prospect, choice) in self.options.iter_mut().zip(&line.options) {
            prospect.weight = Some(choice.weight.clone());
            prospect.value = Some(choice.utility.clone());
        }
    }
}

/// An option with what comes of it.
#[derive(Clone, Debug, Serialize)]
pub struct Prospect {
    /// The option.
    pub option: Value,
    /// The chances after it, as far as they were found.
    #[serde(flatten)]
    pub chances: Chances,
    /// How often a solution picks it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<SolutionNumber>,
    /// What it is worth in that solution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<SolutionNumber>,
}

// The places from which playouts begin that start at the current place of a conflict.

/// Where playouts begin.
#[derive(Clone, Debug)]
pub(crate) struct Here {
    /// The nodes of the graph, listed more often the likelier they are: where there are several, once each
    /// time that one was met, and each is for one playout, as more from it would not be independent.
    pub nodes: Vec<u32>,
    /// Whether they are all places that look alike to the one who is asked.
    pub(crate) is_hidden: bool,
}

impl Here {
    /// At most this many places that look alike are sought.
    const ENOUGH: u64 = 10_000;
    /// This many where there is only some time, of which the playouts need most.
    const SOON: u64 = 1_000;

    /// How many places are sought for this many playouts.
    pub(crate) fn sought(n: u64, is_timed: bool) -> u64 {
        n.clamp(1, if is_timed { Here::SOON } else { Here::ENOUGH })
    }

    pub(crate) fn places(&self) -> usize {
        self.nodes.iter().collect::<BTreeSet<_>>().len()
    }

    /// The places of an open decision: the one at hand, or where something is hidden from the player who is
    /// asked, about this many places that look alike to that player, found by playing at random.
    ///
    /// # Errors
    /// Those of the rules; [`Error::Usage`] where the place has no node, or nothing like it was met.
    pub(crate) fn of_decision(
        seating: &Seating,
        place: OpenDecision<'_>,
        n: u64,
    ) -> Result<Here, Error> {
        on_large_stack(|| {
            let search = ProspectsSearch::begin(seating, place)?;
            let nodes = search.worlds(n)?;
            Ok(Here { nodes, is_hidden: search.hides })
        })
    }

    /// The place after a history of which all is seen.
    ///
    /// # Errors
    /// Those of the rules; [`Error::Usage`] where it has no node.
    pub(crate) fn after(seating: &Seating, history: &History) -> Result<Here, Error> {
        on_large_stack(|| {
            let node = after(&seating.playout_runner()?, history)?;
            Ok(Here { nodes: vec![node], is_hidden: false })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_that_was_met_twice_is_one() {
        let here = Here { nodes: vec![7, 4, 7, 7, 9], is_hidden: true };
        assert_eq!(here.places(), 3);
    }

    #[test]
    fn as_many_places_are_sought_as_playouts_begin_there() {
        let sought = [0, 2_000, 1_000_000].map(|n| Here::sought(n, false));
        assert_eq!(sought, [1, 2_000, 10_000]);
        assert_eq!(Here::sought(2_000, true), 1_000);
    }
}
