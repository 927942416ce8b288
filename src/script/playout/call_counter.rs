//! Counts how often each function of the rules is run, and how many steps are begun.

use std::cell::{Cell, RefCell};

/// The counts of one thread's rules. Nothing is counted until somebody asks for it.
#[derive(Default)]
pub struct CallCounter {
    counting: Cell<bool>,
    steps: Cell<u64>,
    /// By the number of the function.
    counts: RefCell<Vec<u64>>,
    /// What they were when the setup began.
    before: RefCell<Vec<u64>>,
}

/// What was run, each function by its number.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Counted {
    /// How many steps were begun.
    pub steps: u64,
    /// How often each function was run, those left out that were not, by their numbers.
    pub calls: Vec<(u16, u64)>,
}

impl CallCounter {
    #[inline]
    pub(crate) fn is_counting(&self) -> bool {
        self.counting.get()
    }

    #[inline]
    pub(crate) fn enters(&self, function: u16) {
        if self.counting.get() {
            self.count(function);
        }
    }

    #[cold]
    fn count(&self, function: u16) {
        let mut counts = self.counts.borrow_mut();
        let number = usize::from(function);
        if number >= counts.len() {
            counts.resize(number + 1, 0);
        }
        counts[number] += 1;
    }

    /// Says whether anything is counted from now on; returns whether it was.
    pub(crate) fn counts(&self, counting: bool) -> bool {
        self.counting.replace(counting)
    }

    /// The host runs a step.
    pub fn steps(&self) {
        self.steps.set(self.steps.get() + 1);
    }

    /// Counts from none until it is [finished](CallCounter::finish).
    pub fn begin(&self) {
        self.forget();
        self.counting.set(true);
    }

    /// What was run since; no more is counted.
    pub fn finish(&self) -> Counted {
        self.counting.set(false);
        let counts = self.counts.borrow();
        let numbered = counts.iter().enumerate().filter(|(_, count)| **count > 0);
        let number = |number| u16::try_from(number).unwrap_or(u16::MAX);
        let calls = numbered.map(|(at, count)| (number(at), *count)).collect();
        Counted { steps: self.steps.get(), calls }
    }

    pub(crate) fn begins_setup(&self) {
        if self.counting.get() {
            self.before.borrow_mut().clone_from(&self.counts.borrow());
        }
    }

    /// What was run since a setup began, by the numbers of functions; nothing where it is not counted.
    pub(crate) fn since_setup(&self) -> Option<Vec<u64>> {
        let (counts, before) = (self.counts.borrow(), self.before.borrow());
        let had = |number: usize| before.get(number).copied().unwrap_or_default();
        let since =
            counts.iter().enumerate().map(|(number, count)| count.saturating_sub(had(number)));
        self.counting.get().then(|| since.collect())
    }

    /// Counts what was run before as if it were run again.
    pub(crate) fn add(&self, calls: &[u64]) {
        let mut counts = self.counts.borrow_mut();
        let most = counts.len().max(calls.len());
        counts.resize(most, 0);
        counts.iter_mut().zip(calls).for_each(|(count, more)| *count += more);
    }

    pub(crate) fn forget(&self) {
        self.counts.borrow_mut().fill(0);
        self.steps.set(0);
    }
}
