//! How much may a script use? The limits of the sandbox, and the meter that keeps them.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::memory::live_bytes;
use crate::error::{Error, Limit};

/// What a script may use. Counts are deterministic; the deadline is a safety net that ends a
/// script with an error and never decides a result.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Operations in one playout, or in one call from outside a playout.
    pub operations: u64,
    /// Bytes alive at once, above those alive at the start.
    pub memory: usize,
    /// Steps in one playout.
    pub steps: u64,
    /// Questions in one playout.
    pub questions: u64,
    /// The time a script itself may run; the time that answers take does not count.
    pub deadline: Duration,
    /// Raised from outside (Ctrl-C) to stop the script.
    pub interrupt: Option<Arc<AtomicBool>>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            operations: 20_000_000,
            memory: 64 << 20,
            steps: 100_000,
            questions: 1_000_000,
            deadline: Duration::from_secs(4),
            interrupt: None,
        }
    }
}

impl Limits {
    /// What one answer of an agent may use.
    pub fn for_agents() -> Limits {
        Limits { operations: 1_000_000, ..Limits::default() }
    }
}

/// Bytes that one script file may have.
pub const SOURCE: usize = 64 << 10;

/// Why a script was stopped from outside. It is believed before the script's own result,
/// because natives such as `sort` swallow the error that unwinds.
#[derive(Debug)]
pub enum Stopped {
    /// A limit was passed.
    Limit(Limit),
    /// The handler paused the playout.
    Paused,
    /// The handler, or a host function, failed.
    Failed(Box<Error>),
    /// Ctrl-C.
    Interrupted,
}

/// Counts what a script uses and says when it must stop.
#[derive(Debug)]
pub struct Meter {
    limits: Limits,
    operations: Cell<u64>,
    questions: Cell<u64>,
    ceiling: Cell<isize>,
    since: Cell<Option<Instant>>,
    halted: Cell<bool>,
    stopped: RefCell<Option<Stopped>>,
}

/// The clock and the interrupt are looked at once in so many operations (a power of two).
const LOOK_EVERY: u64 = 64;

impl Meter {
    /// A meter that has counted nothing.
    pub fn new(limits: Limits) -> Meter {
        let meter = Meter {
            limits,
            operations: Cell::new(0),
            questions: Cell::new(0),
            ceiling: Cell::new(0),
            since: Cell::new(None),
            halted: Cell::new(false),
            stopped: RefCell::new(None),
        };
        meter.restart();
        meter
    }

    /// What the meter keeps.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Begins anew: nothing counted, nothing stopped.
    pub fn restart(&self) {
        self.operations.set(0);
        self.questions.set(0);
        self.ceiling.set(live_bytes().saturating_add(self.limits.memory as isize));
        self.since.set(None);
        self.halted.set(false);
        self.stopped.borrow_mut().take();
    }

    /// Counts one operation; true when the script must stop.
    #[inline]
    pub fn tick(&self) -> bool {
        let count = self.operations.get() + 1;
        self.operations.set(count);
        if self.halted.get() {
            return true;
        }
        if live_bytes() > self.ceiling.get() {
            return self.stop(Stopped::Limit(Limit::Memory(self.limits.memory)));
        }
        if count > self.limits.operations {
            return self.stop(Stopped::Limit(Limit::Operations(self.limits.operations)));
        }
        count.is_multiple_of(LOOK_EVERY) && self.look()
    }

    /// Counts one question; true when the script must stop.
    pub fn question(&self) -> bool {
        self.questions.set(self.questions.get() + 1);
        self.questions.get() > self.limits.questions
            && self.stop(Stopped::Limit(Limit::Questions(self.limits.questions)))
    }

    /// Counts operations that were made another time, or that one call of the host is worth.
    pub fn charge(&self, operations: u64) {
        self.operations.set(self.operations.get().saturating_add(operations));
    }

    /// The questions counted since the last restart.
    pub fn questions(&self) -> u64 {
        self.questions.get()
    }

    /// The operations counted since the last restart.
    pub fn operations(&self) -> u64 {
        self.operations.get()
    }

    /// Whether the script must stop.
    pub fn is_halted(&self) -> bool {
        self.halted.get()
    }

    /// Makes the script stop at its next operation. The first reason stays. Always true.
    pub fn stop(&self, reason: Stopped) -> bool {
        self.halted.set(true);
        self.stopped.borrow_mut().get_or_insert(reason);
        true
    }

    /// Why the script was stopped, if it was; asked once, after it ended.
    pub fn take_stopped(&self) -> Option<Stopped> {
        self.stopped.borrow_mut().take()
    }

    /// Leaves out of the deadline the time that a handler takes to think.
    pub fn while_thinking<T>(&self, think: impl FnOnce() -> T) -> T {
        let ran = self.since.get().map(|since| since.elapsed());
        let result = think();
        self.since.set(ran.and_then(|ran| Instant::now().checked_sub(ran)));
        result
    }

    #[cold]
    fn look(&self) -> bool {
        if self.limits.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return self.stop(Stopped::Interrupted);
        }
        let now = Instant::now();
        match self.since.get() {
            None => self.since.set(Some(now)),
            Some(since) if now - since > self.limits.deadline => {
                return self.stop(Stopped::Limit(Limit::Deadline(self.limits.deadline.as_secs())));
            }
            Some(_) => {}
        }
        false
    }
}
