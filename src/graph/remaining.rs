//! The questions and operations that a playout has left.

use super::explorer::Explorer;
use crate::error::{Error, Limit, ScriptError, ScriptFault};

/// What a playout may still have.
#[derive(Clone, Copy)]
pub(super) struct Remaining {
    pub questions: u64,
    pub operations: u64,
}

impl Remaining {
    /// All that a playout may have.
    pub(super) fn all(explorer: &Explorer) -> Remaining {
        let limits = explorer.rules().limits();
        Remaining { questions: limits.questions, operations: limits.playout }
    }

    /// Pays for operations; whether there were enough.
    #[inline]
    pub(super) fn pays(&mut self, cost: u64) -> bool {
        pay(&mut self.operations, cost, 0).is_ok()
    }
}

/// Pays for operations from those that are left.
///
/// # Errors
/// Where there are too few: that there may be this many. It names no line of a script, since the graph
/// keeps none.
#[inline]
pub(super) fn pay(left: &mut u64, cost: u64, most: u64) -> Result<(), Error> {
    match left.checked_sub(cost) {
        Some(less) => {
            *left = less;
            Ok(())
        }
        None => Err(too_dear(most)),
    }
}

/// Counts a question among those that are left, of this many.
///
/// # Errors
/// Where there are none.
#[inline]
pub(super) fn ask(left: &mut u64, most: u64) -> Result<(), Error> {
    *left = left.checked_sub(1).ok_or_else(|| too_long(most))?;
    Ok(())
}

/// A playout that takes more than this many operations.
#[cold]
pub(super) fn too_dear(most: u64) -> Error {
    ScriptError::new(ScriptFault::Limit(Limit::Playout(most))).into()
}

/// A playout that has more than this many questions.
pub(super) fn too_long(most: u64) -> Error {
    ScriptError::new(ScriptFault::Limit(Limit::Questions(most))).into()
}
