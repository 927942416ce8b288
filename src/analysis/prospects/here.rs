//! The places from which playouts go on that begin where a conflict stands.

use super::Place;
use super::search::{Search, after};
use crate::conflict::Seating;
use crate::error::Error;
use crate::game::History;
use crate::script::on_large_stack;

/// Where playouts begin.
#[derive(Clone, Debug)]
pub struct Here {
    /// The nodes of the graph, listed more often the likelier they are.
    pub nodes: Vec<u32>,
    /// Whether they are all places that look alike to the one who is asked.
    pub is_hidden: bool,
}

impl Here {
    /// So many places that look alike are sought.
    const ENOUGH: u64 = 1_000;

    /// The places of an open decision: the one at hand, or where something is hidden from the player who is
    /// asked, places that look alike to that player, met by playing at random.
    ///
    /// # Errors
    /// Those of the rules; [`Error::Usage`] where the place has no node, or nothing like it was met.
    pub fn of_decision(seating: &Seating, place: Place<'_>, n: u64) -> Result<Here, Error> {
        on_large_stack(|| {
            let search = Search::begin(seating, place)?;
            let nodes = search.worlds(n.clamp(1, Here::ENOUGH))?;
            Ok(Here { nodes, is_hidden: search.hides })
        })
    }

    /// The place after a history of which all is seen.
    ///
    /// # Errors
    /// Those of the rules; [`Error::Usage`] where it has no node.
    pub fn after(seating: &Seating, history: &History) -> Result<Here, Error> {
        on_large_stack(|| {
            let node = after(&seating.player()?, history)?;
            Ok(Here { nodes: vec![node], is_hidden: false })
        })
    }
}
