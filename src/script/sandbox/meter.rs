//! The meter: counts what a script uses, and says when it must stop.

mod held_bytes;
mod paused_counts;
mod playout_cost;

use std::cell::{Cell, RefCell};

use crate::error::{Cut, Error, Limit};
use crate::script::sandbox::clock::Clock;
use crate::script::sandbox::limits::Limits;
use crate::script::sandbox::memory::{live_bytes, traffic};

pub(in crate::script) use paused_counts::Used;
use playout_cost::Pieces;
pub(in crate::script) use playout_cost::price;

/// Why a script was stopped from outside. It is believed before the script's own result,
/// because natives such as `sort` swallow the error that unwinds.
#[derive(Debug)]
pub enum Stopped {
    /// A limit was passed.
    Limit(Limit),
    /// A host function failed.
    Failed(Box<Error>),
    /// Ctrl-C, or a bound of the work that it is a part of.
    Cut(Cut),
}

/// Counts what a script uses and says when it must stop.
#[derive(Debug)]
pub struct Meter {
    limits: Limits,
    operations: Cell<u64>,
    questions: Cell<u64>,
    steps: Cell<u64>,
    /// The most live bytes that the script alone may reach.
    ceiling: Cell<isize>,
    /// The bytes that others kept, and how many of them are not the script's.
    kept: Cell<isize>,
    granted: Cell<isize>,
    charged: Cell<u64>,
    /// What natives of this thread had been charged when the count began.
    natives: Cell<u64>,
    /// What the playout has cost.
    pieces: Cell<Pieces>,
    /// What it may cost.
    most: Cell<u64>,
    /// The traffic at which the clock is looked at, however few operations made it.
    look_at: Cell<u64>,
    clock: Cell<Clock>,
    halted: Cell<bool>,
    stopped: RefCell<Option<Stopped>>,
    /// The number of this run, and how many there were.
    run: Cell<u64>,
    runs: Cell<u64>,
    /// The number of the pause that the run is in, if it is in one, and how many there were.
    pause: Cell<u64>,
    pauses: Cell<u64>,
    /// What natives had been charged, and the live bytes, when it began.
    paused: Cell<(u64, isize)>,
    /// Whether it runs within another.
    within: Cell<bool>,
    /// The bytes that this run was given without paying for them.
    given: Cell<usize>,
}

/// The clock and the interrupt are looked at once in this many operations (a power of two).
const LOOK_EVERY: u64 = 64;

/// The clock is looked at after this many bytes of traffic too: a few natives may take long.
const LOOK_EVERY_BYTES: u64 = 1 << 20;

thread_local! {
    /// All that natives of this thread were ever charged.
    static NATIVES: Cell<u64> = const { Cell::new(0) };
}

fn natives() -> u64 {
    NATIVES.with(Cell::get)
}

/// Charges whichever script runs on this thread for work that no operation counts, in units of
/// about an operation each. For natives that know no meter; it stops at its next operation.
pub(in crate::script) fn charge(work: u64) {
    NATIVES.with(|natives| natives.set(natives.get().saturating_add(work)));
}

impl Meter {
    /// A meter that has counted nothing.
    pub fn new(limits: Limits) -> Meter {
        let meter = Meter {
            limits,
            operations: Cell::new(0),
            questions: Cell::new(0),
            steps: Cell::new(0),
            ceiling: Cell::new(0),
            kept: Cell::new(0),
            granted: Cell::new(0),
            charged: Cell::new(0),
            natives: Cell::new(0),
            pieces: Cell::default(),
            most: Cell::new(0),
            look_at: Cell::new(0),
            clock: Cell::default(),
            halted: Cell::new(false),
            stopped: RefCell::new(None),
            run: Cell::new(0),
            runs: Cell::new(0),
            pause: Cell::new(0),
            pauses: Cell::new(0),
            paused: Cell::new((0, 0)),
            within: Cell::new(false),
            given: Cell::new(0),
        };
        meter.restart();
        meter
    }

    /// The limits that the meter keeps a script to.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Begins anew: nothing counted, nothing stopped.
    pub fn restart(&self) {
        self.operations.set(0);
        self.questions.set(0);
        self.steps.set(0);
        self.charged.set(0);
        self.natives.set(natives());
        self.pieces.take();
        self.most.set(self.limits.playout);
        self.look_at.set(traffic() + LOOK_EVERY_BYTES);
        self.ceiling.set(live_bytes().saturating_add(self.limits.memory as isize));
        self.kept.set(0);
        self.granted.set(0);
        self.clock.set(Clock::default());
        self.halted.set(false);
        self.stopped.borrow_mut().take();
        self.runs.set(self.runs.get() + 1);
        self.run.set(self.runs.get());
        self.pause.set(0);
        self.given.set(0);
    }

    /// Counts one operation; true when the script must stop.
    #[inline]
    pub(crate) fn tick(&self) -> bool {
        let count = self.operations.get() + 1;
        self.operations.set(count);
        if self.halted.get() {
            return true;
        }
        if live_bytes() > self.ceiling.get() && self.is_full() {
            return true;
        }
        if count > self.limits.operations {
            return self.stop(Stopped::Limit(Limit::Operations(self.limits.operations)));
        }
        (count.is_multiple_of(LOOK_EVERY) || traffic() > self.look_at.get()) && self.look()
    }

    /// The work that natives were charged for since the last restart.
    pub(crate) fn charged(&self) -> u64 {
        self.charged.get().saturating_add(natives().saturating_sub(self.natives.get()))
    }

    /// Takes off what natives were charged for since `before`, and returns it.
    pub(crate) fn take_charged(&self, before: u64) -> u64 {
        let work = self.charged().saturating_sub(before);
        self.charged.set(self.charged().min(before));
        self.natives.set(natives());
        work
    }

    /// How many operations are left.
    #[inline]
    pub fn left(&self) -> u64 {
        self.limits.operations.saturating_sub(self.operations.get())
    }

    /// Says how many operations are left.
    #[inline]
    pub(crate) fn set_left(&self, left: u64) {
        self.operations.set(self.limits.operations.saturating_sub(left));
    }

    /// Whether the script is stopped, or may hold too much.
    #[inline]
    pub(crate) fn is_tight(&self) -> bool {
        self.halted.get() || live_bytes() > self.ceiling.get()
    }

    /// Looks at memory, clock and interrupt; true when the script must stop.
    pub fn looks(&self) -> bool {
        self.halted.get() || live_bytes() > self.ceiling.get() && self.is_full() || self.look()
    }

    /// Charges a native for work that no operation counts; true when the script must stop. A unit
    /// is about the time of one operation, and counts against the same limit.
    pub(crate) fn charge(&self, work: u64) -> bool {
        self.charged.set(self.charged.get().saturating_add(work));
        if self.halted.get() {
            return true;
        }
        // So much work at once may take as long as many operations.
        if work > LOOK_EVERY { self.look() } else { self.is_spent() }
    }

    /// Operations and what natives were charged, together past the limit. Nothing in it depends on
    /// the thread or on what ran before.
    fn is_spent(&self) -> bool {
        self.operations.get().saturating_add(self.charged()) > self.limits.operations
            && self.stop(Stopped::Limit(Limit::Operations(self.limits.operations)))
    }

    /// Counts one question; true when the script must stop.
    pub fn question(&self) -> bool {
        self.questions.set(self.questions.get() + 1);
        self.questions.get() > self.limits.questions
            && self.stop(Stopped::Limit(Limit::Questions(self.limits.questions)))
    }

    /// The steps counted since the last restart.
    pub fn steps(&self) -> u64 {
        self.steps.get()
    }

    /// Counts one step; how many there were.
    pub fn step(&self) -> u64 {
        self.steps.set(self.steps.get() + 1);
        self.steps.get()
    }

    /// Counts operations that were made another time and need not be made again.
    pub(crate) fn count_again(&self, operations: u64) {
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

    /// As [`Budget::is_wanted`](crate::script::Budget::is_wanted), of the work that the script is a part of.
    pub(crate) fn is_wanted(&self) -> Result<(), Cut> {
        self.limits.budget.is_wanted()
    }

    /// Whether the script must stop.
    pub(crate) fn is_halted(&self) -> bool {
        self.halted.get()
    }

    /// Makes the script stop at its next operation. The first reason stays. Always true.
    pub fn stop(&self, reason: Stopped) -> bool {
        self.halted.set(true);
        self.stopped.borrow_mut().get_or_insert(reason);
        true
    }

    /// Why the script was stopped, if it was; asked once, after it ended.
    pub(crate) fn take_stopped(&self) -> Option<Stopped> {
        self.stopped.borrow_mut().take()
    }

    /// Leaves out of the deadline the time that somebody takes to think.
    pub(crate) fn while_thinking<T>(&self, think: impl FnOnce() -> T) -> T {
        // Taken, so that what runs meanwhile has a clock of its own.
        let paused = self.clock.take().paused();
        let result = think();
        self.clock.set(paused);
        result
    }

    #[cold]
    fn look(&self) -> bool {
        if let Err(cut) = self.is_wanted() {
            return self.stop(Stopped::Cut(cut));
        }
        if self.is_spent() {
            return true;
        }
        self.look_at.set(traffic() + LOOK_EVERY_BYTES);
        let mut clock = self.clock.get();
        let past = clock.is_past(self.limits.deadline);
        self.clock.set(clock);
        past && self.stop(Stopped::Limit(Limit::Deadline(self.limits.deadline.as_secs())))
    }
}
