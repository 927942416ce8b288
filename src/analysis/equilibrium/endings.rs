//! The least and the greatest utility of a seat over the endings of a conflict, whoever plays it.

use super::bounds::range;
use crate::analysis::{Interval, exact_utility, explore_unmanned};
use crate::conflict::{Seat, Seating};
use crate::error::Error;
use crate::graph::{Bounds, Ending, Graph, Reach};

/// A larger conflict is not explored for the sake of its endings.
const NODES: u64 = 200_000;

/// What an ending is worth to a seat: the mean of its players.
pub(super) fn worth(ending: &Ending, seat: &Seat) -> Interval {
    Interval::of_fraction(&exact_utility(seat, ending))
}

/// All endings of a conflict, each of them once.
pub(super) struct Endings(std::sync::Arc<Graph>);

impl Endings {
    /// Explores a conflict with all seats free, in a graph of its own; nothing where that is too large.
    ///
    /// # Errors
    /// Those of the rules; as [`Seating::go_on`].
    pub(super) fn of(seating: &Seating, threads: usize) -> Result<Option<Endings>, Error> {
        let whole = seating.afresh(seating.budget().bound() / 4);
        // That the graph has no room is no reason for all other work to stop.
        let whole = whole.under(whole.budget().begin(None));
        let bounds = Bounds { threads, nodes: NODES };
        let Some(reach) = explore_unmanned(&whole, bounds)? else { return Ok(None) };
        seating.go_on()?;
        Ok((reach == Reach::Whole).then_some(Endings(whole.graph)))
    }

    /// The least and the greatest utility of a seat.
    pub(super) fn range(&self, seat: &Seat) -> Option<Interval> {
        range(self.0.endings().map(|(_, ending)| worth(ending, seat)))
    }
}
