//! Counts the bytes that a script holds: those alive, without what others keep.

use super::{Meter, Stopped, natives};
use crate::error::Limit;
use crate::script::sandbox::memory::live_bytes;

impl Meter {
    /// Leaves out of the count what is done, and `grant` bytes of what is kept: that is neither work nor memory of
    /// the script. What is kept beyond, the script made somebody keep.
    pub fn outside<T>(&self, grant: usize, run: impl FnOnce() -> T) -> T {
        let (before, live) = (natives(), live_bytes());
        let result = run();
        self.natives.set(self.natives.get() + (natives() - before));
        self.kept.set(self.kept.get() + (live_bytes() - live));
        // A list grows by leaps: what was not used yet may be used later.
        self.granted.set(self.granted.get().saturating_add(grant as isize));
        result
    }

    /// Leaves out of the count all that the host does and keeps for itself between steps: no script
    /// decides how much that is.
    pub fn beside<T>(&self, run: impl FnOnce() -> T) -> T {
        let (before, live) = (natives(), live_bytes());
        let result = run();
        self.natives.set(self.natives.get() + (natives() - before));
        self.ceiling.set(self.ceiling.get().saturating_add(live_bytes() - live));
        result
    }

    /// Lets the script hold this many bytes more, which the host keeps for later runs.
    pub(crate) fn grant(&self, bytes: isize) {
        self.ceiling.set(self.ceiling.get().saturating_add(bytes));
    }

    /// Counts for the script what a script that ran in an [`Meter::outside`] left behind.
    pub(crate) fn left_behind(&self, bytes: isize) {
        self.kept.set(self.kept.get() - bytes);
    }

    /// The live bytes, without what others keep.
    pub(crate) fn held(&self) -> isize {
        live_bytes().saturating_sub(self.kept.get().clamp(0, self.granted.get()))
    }

    /// Whether the script holds too much.
    #[cold]
    pub(super) fn is_full(&self) -> bool {
        self.held() > self.ceiling.get()
            && self.stop(Stopped::Limit(Limit::Memory(self.limits.memory)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::sandbox::limits::Limits;

    #[test]
    fn what_others_keep_is_not_held_by_the_script_unless_it_is_more_than_was_granted() {
        let meter = Meter::new(Limits::default());
        let mut kept: Vec<Vec<u8>> = Vec::with_capacity(8);
        // The allocator takes 8 bytes beside each.
        let before = meter.held();
        meter.outside(10_000, || kept.push(vec![0; 9_992]));
        let own = vec![0u8; 4_984];
        assert_eq!(meter.held() - before, 4_992);
        meter.outside(10_000, || kept.push(vec![0; 29_992]));
        assert_eq!(meter.held() - before, 24_992);
        drop((own, kept));
    }
}
