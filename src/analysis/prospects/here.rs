//! The places from which playouts go on that begin where a conflict stands.

use std::collections::BTreeSet;

use super::OpenDecision;
use super::search::{ProspectsSearch, after};
use crate::conflict::Seating;
use crate::error::Error;
use crate::game::History;
use crate::script::on_large_stack;

/// Where playouts begin.
#[derive(Clone, Debug)]
pub(crate) struct Here {
    /// The nodes of the graph, listed more often the likelier they are: where there are several, once each
    /// time that one was met, and each is for one playout, as more from it would not be independent.
    pub nodes: Vec<u32>,
    /// Whether they are all places that look alike to the one who is asked.
    pub is_hidden: bool,
}

impl Here {
    /// At most so many places that look alike are sought.
    const ENOUGH: u64 = 10_000;
    /// So many where there is only some time, of which the playouts need most.
    const SOON: u64 = 1_000;

    /// How many places are sought for so many playouts.
    pub(crate) fn sought(n: u64, is_timed: bool) -> u64 {
        n.clamp(1, if is_timed { Here::SOON } else { Here::ENOUGH })
    }

    /// How many different places there are.
    pub(crate) fn places(&self) -> usize {
        self.nodes.iter().collect::<BTreeSet<_>>().len()
    }

    /// The places of an open decision: the one at hand, or where something is hidden from the player who is
    /// asked, about so many places that look alike to that player, met by playing at random.
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
