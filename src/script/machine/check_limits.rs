//! Keeps a run to its limits: counts its instructions, and looks at memory, clock and interrupt now and then.

use rhai::Position;

use super::host::Host;
use crate::error::Limit;
use crate::script::sandbox::fault::{Fault, unwind};
use crate::script::sandbox::meter::Stopped;

/// A mask: memory, clock and interrupt are looked at in every 256th instruction.
pub(super) const LOOK: u64 = 0xff;

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

    /// All that natives were charged for in this run.
    pub(crate) fn charged(&self) -> u64 {
        self.context.meter.charged()
    }

    /// Takes off what natives were charged for since `before`, and returns it.
    pub(crate) fn take_charged(&self, before: u64) -> u64 {
        self.context.meter.take_charged(before)
    }

    /// Whether a run must stop: it has no instruction left, or takes too much of something else.
    ///
    /// # Errors
    /// What ends the run; the reason is in the meter.
    #[cold]
    pub(crate) fn check_limits(&self, left: u64, at: Position) -> Result<(), Fault> {
        let meter = &self.context.meter;
        self.set_left(left);
        if left == 0 {
            let most = meter.limits().operations;
            meter.stop(Stopped::Limit(Limit::Operations(most)));
            return Err(unwind(at));
        }
        if meter.looks() { Err(unwind(at)) } else { Ok(()) }
    }

    /// Counts work that took as long as this many instructions, and looks at what it allocated.
    #[inline]
    pub(crate) fn charge(&self, work: u64, at: Position) -> Result<(), Fault> {
        if work == 0 {
            return Ok(());
        }
        let left = self.left().saturating_sub(work);
        self.set_left(left);
        if left == 0 || work > LOOK || self.context.meter.is_tight() {
            return self.check_limits(left, at);
        }
        Ok(())
    }
}
