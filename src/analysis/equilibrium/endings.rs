//! The least and the greatest utility of a seat over the endings of a conflict, whoever plays it.

use num_bigint::BigInt;

use super::bounds::range;
use crate::analysis::{Fraction, Interval, explore_unmanned, fraction};
use crate::conflict::{Seat, Seating};
use crate::error::Error;
use crate::graph::{Bounds, Ending, Graph, Reach};

/// A larger conflict is not explored for the sake of its endings.
const NODES: u64 = 200_000;

/// What an ending is worth to a seat: the mean of its players.
pub fn worth(ending: &Ending, seat: &Seat) -> Interval {
    let utility = |player: &String| fraction(ending.utility.get(player)?);
    let sum: Fraction = seat.players.iter().filter_map(utility).sum();
    Interval::of_fraction(&(sum / BigInt::from(seat.players.len().max(1))))
}

/// All endings of a conflict, each of them once.
pub struct Endings(std::sync::Arc<Graph>);

impl Endings {
    /// Explores a conflict with all seats free, in a graph of its own; nothing where that is too large.
    ///
    /// # Errors
    /// Those of the rules; as [`Seating::go_on`].
    pub fn of(seating: &Seating, threads: usize) -> Result<Option<Endings>, Error> {
        let whole = seating.afresh(seating.budget().bound() / 4);
        // That the graph has no room is no reason for all other work to stop.
        let whole = whole.under(whole.budget().begin(None));
        let bounds = Bounds { threads, nodes: NODES };
        let Some(reach) = explore_unmanned(&whole, bounds)? else { return Ok(None) };
        seating.go_on()?;
        Ok((reach == Reach::Whole).then_some(Endings(whole.graph)))
    }

    /// The least and the greatest utility of a seat.
    pub fn range(&self, seat: &Seat) -> Option<Interval> {
        range(self.0.endings().map(|(_, ending)| worth(ending, seat)))
    }
}
