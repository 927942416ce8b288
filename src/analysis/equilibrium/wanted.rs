//! Asks now and then whether long work is still wanted: once in so many steps, for asking takes time.

use std::cell::Cell;

/// Whether work is still wanted. All loops of one piece of work count their steps together.
pub struct Wanted<'a> {
    go_on: &'a dyn Fn() -> bool,
    steps: Cell<u32>,
}

/// So many steps are made before somebody is asked.
const STEPS: u32 = 1024;

impl<'a> Wanted<'a> {
    /// Nobody was asked yet.
    pub fn new(go_on: &'a dyn Fn() -> bool) -> Wanted<'a> {
        Wanted { go_on, steps: Cell::new(0) }
    }

    /// Counts a step, and tells whether the work is to stop there.
    #[inline]
    pub fn stops(&self) -> bool {
        let steps = self.steps.get() + 1;
        self.steps.set(steps % STEPS);
        steps == STEPS && !(self.go_on)()
    }
}

/// Work that nobody stops.
pub const ALWAYS: &dyn Fn() -> bool = &|| true;
