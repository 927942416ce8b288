//! Keeps a run to its limits: counts its instructions, and looks at memory, clock and interrupt now and then.

use rhai::Position;

use super::host::Host;
use crate::script::sandbox::fault::{Fault, unwind};
pub(super) use crate::script::sandbox::fuel::LOOK;

impl Host {
    /// How many instructions may be run yet.
    #[inline]
    pub(crate) fn left(&self) -> u64 {
        self.context.meter.left()
    }

    /// Says how many may be run yet.
    #[inline]
    pub(crate) fn set_left(&self, left: u64) {
        self.context.meter.set_left(left);
    }

    /// Whether a run must stop: it has no instruction left, or takes too much of something else.
    ///
    /// # Errors
    /// What ends the run; the reason is in the meter.
    #[cold]
    pub(crate) fn check_limits(&self, left: u64, at: Position) -> Result<(), Fault> {
        self.set_left(left);
        if self.context.meter.looks() { Err(unwind(at)) } else { Ok(()) }
    }

    /// Counts work that took as long as this many instructions, and looks at what it allocated.
    #[inline]
    pub(crate) fn charge(&self, work: u64, at: Position) -> Result<(), Fault> {
        if work > 0 && self.context.meter.charge(work) { Err(unwind(at)) } else { Ok(()) }
    }
}
