//! Counts what a playout may still have: questions and operations, looked up or run.

use super::explorer::Explorer;
use crate::error::{Error, Limit, ScriptError, ScriptFault};

/// What a playout may still have.
#[derive(Clone, Copy)]
pub(super) struct Left {
    pub questions: u64,
    pub operations: u64,
}

impl Left {
    /// All that a playout may have.
    pub fn all(explorer: &Explorer) -> Left {
        let limits = explorer.rules().limits();
        Left { questions: limits.questions, operations: limits.playout }
    }

    /// Pays for operations; whether there were enough.
    #[inline]
    pub fn pays(&mut self, cost: u64) -> bool {
        pay(&mut self.operations, cost, 0).is_ok()
    }
}

/// Pays for operations from those that are left.
///
/// # Errors
/// Where there are too few: that there may be so many. It names no line of a script, since the graph
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

/// A playout that takes more than so many operations.
#[cold]
pub(super) fn too_dear(most: u64) -> Error {
    ScriptError::new(ScriptFault::Limit(Limit::Playout(most))).into()
}

/// A playout that has more than so many questions.
pub(super) fn too_long(most: u64) -> Error {
    ScriptError::new(ScriptFault::Limit(Limit::Questions(most))).into()
}
