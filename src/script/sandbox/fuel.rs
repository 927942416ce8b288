//! Fuel: the operations that a script may take, counted in one place, and what else stops it.
//!
//! A script runs in legs: up to a question, from its answer to the next one, or to the end of the function that the
//! host called. Each leg has fuel of its own. What a leg took is the same in a run from the beginning, in a clone
//! and where the graph knows it already, so that the legs of a playout can be summed without running them.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use crate::error::{Cut, Error, Limit};
use crate::script::sandbox::limits::Limits;
use crate::script::sandbox::memory::{live_bytes, traffic};

/// Operations of which some are spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fuel {
    most: u64,
    left: u64,
}

impl Fuel {
    /// For a playout or a thought, this many operations.
    pub fn new(most: u64) -> Fuel {
        Fuel { most, left: most }
    }

    /// Spends operations; an error where fewer are left.
    #[inline]
    pub fn spend(&mut self, cost: u64) -> Result<(), Limit> {
        match self.left.checked_sub(cost) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => {
                self.left = 0;
                Err(Limit::Playout(self.most))
            }
        }
    }

    /// How many were spent.
    pub fn spent(&self) -> u64 {
        self.most - self.left
    }
}

/// Why a script was stopped. It is believed before its own result, since natives swallow the error that unwinds.
#[derive(Debug)]
pub enum Stopped {
    Limit(Limit),
    Failed(Box<Error>),
    /// Ctrl-C, or a bound of the work that it is a part of.
    Cut(Cut),
}

/// Watches a script: counts what it takes, and says when it must stop.
#[derive(Debug, Default)]
pub struct Meter {
    limits: Limits,
    /// The operations that the leg may take.
    most: Cell<u64>,
    /// The most live bytes that it may reach.
    ceiling: Cell<isize>,
    /// The traffic at which the clock is looked at, however few operations made it.
    look_at: Cell<u64>,
    /// How often it was looked at, and the processor's time of this thread when the leg had proved to be long.
    looks: Cell<u32>,
    since: Cell<Option<Duration>>,
    halted: Cell<bool>,
    stopped: RefCell<Option<Stopped>>,
}

/// A mask: memory, clock and interrupt are looked at where so much of the fuel is used that these bits are gone.
pub(in crate::script) const LOOK: u64 = 0xff;

/// They are looked at after this many bytes of traffic too: a few natives may take long.
const LOOK_EVERY_BYTES: u64 = 1 << 20;

/// The clock is read once in this many looks: reading it takes as long as ten operations.
const CLOCK_EVERY: u32 = 16;

thread_local! {
    /// What is left to the leg that runs on this thread.
    static LEFT: Cell<u64> = const { Cell::new(0) };
}

/// As [`Meter::charge`], for natives that know no meter: the script of this thread stops at its next operation.
pub(in crate::script) fn charge(work: u64) {
    LEFT.with(|left| left.set(left.get().saturating_sub(work)));
}

impl Meter {
    /// A meter at the beginning of a leg.
    pub fn new(limits: Limits) -> Meter {
        let meter = Meter { limits, ..Meter::default() };
        meter.start(meter.limits.leg);
        meter
    }

    /// The limits that the meter keeps a script to.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Begins a leg of this many operations. What is alive by now is not the script's.
    #[inline]
    pub fn start(&self, most: u64) {
        self.most.set(most);
        self.set_left(full(most));
        self.ceiling.set(live_bytes().saturating_add(self.limits.memory as isize));
        self.look_at.set(traffic() + LOOK_EVERY_BYTES);
        self.looks.set(0);
        self.since.set(None);
        if self.halted.replace(false) {
            self.stopped.take();
        }
    }

    /// How many operations are left to the leg.
    #[inline]
    pub fn left(&self) -> u64 {
        LEFT.with(Cell::get)
    }

    #[inline]
    pub(crate) fn set_left(&self, left: u64) {
        LEFT.with(|cell| cell.set(left));
    }

    /// How many the leg took.
    #[inline]
    pub fn spent(&self) -> u64 {
        full(self.most.get()).saturating_sub(self.left())
    }

    /// Counts one operation of what Rhai itself runs; true when the script must stop.
    pub(crate) fn tick(&self) -> bool {
        let left = self.left();
        self.set_left(left.saturating_sub(1));
        (left & LOOK == 0 || traffic() > self.look_at.get() || self.is_tight()) && self.must_stop()
    }

    /// Charges for work that no operation counts; true when the script must stop. A unit is about the time of one
    /// operation, and counts against the same limit.
    #[inline]
    pub(crate) fn charge(&self, work: u64) -> bool {
        let left = self.left().saturating_sub(work);
        self.set_left(left);
        // So much work at once may take as long as many operations.
        (left == 0 || work > LOOK || self.is_tight()) && self.must_stop()
    }

    /// Whether the script is stopped, or may hold too much.
    #[inline]
    fn is_tight(&self) -> bool {
        self.halted.get() || live_bytes() > self.ceiling.get()
    }

    /// Looks at fuel, memory, clock and interrupt; true when the script must stop.
    #[cold]
    pub fn must_stop(&self) -> bool {
        if self.halted.get() {
            return true;
        }
        if self.left() == 0 {
            return self.stop(Stopped::Limit(Limit::Operations(self.most.get())));
        }
        if live_bytes() > self.ceiling.get() {
            return self.stop(Stopped::Limit(Limit::Memory(self.limits.memory)));
        }
        if let Err(cut) = self.limits.budget.is_wanted() {
            return self.stop(Stopped::Cut(cut));
        }
        self.look_at.set(traffic() + LOOK_EVERY_BYTES);
        self.looks.set(self.looks.get().wrapping_add(1));
        if !self.looks.get().is_multiple_of(CLOCK_EVERY) {
            return false;
        }
        let now = processor_time();
        let since = self.since.get().unwrap_or(now);
        self.since.set(Some(since));
        now.saturating_sub(since) > self.limits.deadline
            && self.stop(Stopped::Limit(Limit::Deadline(self.limits.deadline.as_secs())))
    }

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

    /// Does the host's work while a leg runs. It takes nothing of the leg's fuel and time, even if other scripts run
    /// meanwhile; of what it keeps, `most` bytes at most are not the script's.
    pub(crate) fn aside<T>(&self, most: usize, work: impl FnOnce() -> T) -> T {
        let (left, live) = (self.left(), live_bytes());
        let begun = self.since.get().map(|since| (since, processor_time()));
        let result = work();
        self.since.set(begun.map(|(since, begun)| since + (processor_time() - begun)));
        self.set_left(left);
        let kept = (live_bytes() - live).min(isize::try_from(most).unwrap_or(isize::MAX));
        self.ceiling.set(self.ceiling.get().saturating_add(kept));
        result
    }
}

/// The fuel of a leg of this many operations: a little more, so that a short leg ends before it is looked at.
fn full(most: u64) -> u64 {
    most | LOOK
}

/// The processor's time that this thread has used: other work on a busy machine does not count.
#[cfg(unix)]
pub(crate) fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.try_into().unwrap_or(0), time.tv_nsec.try_into().unwrap_or(0))
}

/// The wall clock, where the processor's time cannot be read.
#[cfg(not(unix))]
pub(crate) fn processor_time() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_leg_takes_what_it_may_and_natives_burn_the_same_fuel() {
        let meter = Meter::new(Limits { leg: 1_000, ..Limits::default() });
        assert!(!meter.charge(600) && meter.spent() == 600);
        charge(300);
        assert!(!meter.charge(0) && meter.spent() == 900);
        charge(u64::MAX);
        assert!(meter.charge(0));
        assert!(matches!(meter.take_stopped(), Some(Stopped::Limit(Limit::Operations(1_000)))));
        meter.start(10);
        assert!(!meter.is_halted() && meter.spent() == 0);
    }

    #[test]
    fn what_the_host_does_meanwhile_takes_nothing_of_the_leg() {
        let meter = Meter::new(Limits { memory: 10_000, ..Limits::default() });
        let other = Meter::new(Limits::default());
        meter.start(1_000);
        assert!(!meter.charge(100));
        let kept = meter.aside(usize::MAX, || {
            other.start(5);
            other.charge(1_000);
            vec![0u8; 50_000]
        });
        assert!(meter.spent() == 100 && !meter.must_stop(), "it was the host's");
        // Of these no more than 1,000 bytes are.
        let more = meter.aside(1_000, || vec![0u8; 50_000]);
        assert!(meter.must_stop());
        drop((kept, more));
    }

    /// How much of the processor's time passes until the clock stops a leg that may take 5 ms, where `beside` is done
    /// before each look.
    fn stopped_after(beside: impl Fn(&Meter)) -> Duration {
        let deadline = Duration::from_millis(5);
        let meter = Meter::new(Limits { deadline, ..Limits::default() });
        let begun = processor_time();
        while !meter.must_stop() {
            beside(&meter);
            assert!(processor_time() - begun < Duration::from_secs(60), "it is stopped");
        }
        let stopped = meter.take_stopped();
        assert!(matches!(stopped, Some(Stopped::Limit(Limit::Deadline(0)))), "{stopped:?}");
        processor_time() - begun
    }

    #[test]
    fn the_clock_counts_the_work_of_the_script_alone() {
        assert!(stopped_after(|_| ()) >= Duration::from_millis(5));
        let busy = |meter: &Meter| {
            meter.aside(0, || {
                let begun = processor_time();
                while processor_time() - begun < Duration::from_micros(20) {}
            });
        };
        // The host works longer than the script each time.
        assert!(stopped_after(busy) >= Duration::from_millis(10));
    }

    #[test]
    fn fuel_is_spent_up_to_its_end() {
        let mut fuel = Fuel::new(10);
        assert_eq!((fuel.spend(4), fuel.spend(6), fuel.spent()), (Ok(()), Ok(()), 10));
        assert_eq!((fuel.spend(1), fuel.spent()), (Err(Limit::Playout(10)), 10));
    }
}
