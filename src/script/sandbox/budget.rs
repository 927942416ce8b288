//! Bounds the memory and the time of long work, and lets somebody interrupt it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use parking_lot::MutexGuard;

use super::memory::{Account, HeldBytes, ThreadCharge, count_thread, taken};
use crate::error::Cut;

/// What long work may take. Clones share it: all that they count goes to one account.
///
/// What outlives the work of one thread (a graph, thoughts of agents) is counted by [`Budget::take`] and `give_back`,
/// or held as a `HeldBytes`. Everything else that a thread allocates is counted while it has a `ThreadCharge` open.
#[derive(Clone, Debug)]
pub struct Budget {
    account: Arc<Account>,
    interrupt: Option<Arc<AtomicBool>>,
    work: Option<Arc<Work>>,
}

#[derive(Debug)]
struct Work {
    until: Option<(Instant, Duration)>,
    cut: OnceLock<Cut>,
}

/// The memory bound where nobody says otherwise: 1 GiB.
pub(crate) const MEMORY: u64 = 1 << 30;

impl Default for Budget {
    fn default() -> Budget {
        Budget::new(MEMORY)
    }
}

impl Budget {
    /// A bound of this many bytes, without a limit of time and without a flag that interrupts.
    pub fn new(memory: u64) -> Budget {
        Budget { account: Account::new(memory, None), interrupt: None, work: None }
    }

    /// The same budget; whoever raises the flag interrupts what is done under it.
    pub fn interrupted_by(self, flag: Option<Arc<AtomicBool>>) -> Budget {
        Budget { interrupt: flag, ..self }
    }

    /// The flag that interrupts.
    pub fn interrupt(&self) -> Option<&Arc<AtomicBool>> {
        self.interrupt.as_ref()
    }

    /// A part of the budget: this many of its bytes at most.
    pub fn within(&self, memory: u64) -> Budget {
        let (bound, above) = (memory.min(self.bound()), Some(self.account.clone()));
        Budget { account: Account::new(bound, above), ..self.clone() }
    }

    /// The budget for work that begins now and may take this much time. The earlier deadline counts, its own or
    /// that of the work around it; messages name the limit of the latter. Once cut, it stays cut.
    pub fn begin(&self, time: Option<Duration>) -> Budget {
        let own = time.and_then(|time| Some((Instant::now().checked_add(time)?, time)));
        let outer = self.work.as_ref().and_then(|work| work.until);
        let until = own.into_iter().chain(outer).min_by_key(|(end, _)| *end);
        // People know the limit of the whole work, which they asked for, but not that of a part.
        let until = until.map(|(end, time)| (end, outer.map_or(time, |(_, whole)| whole)));
        let work = Some(Arc::new(Work { until, cut: OnceLock::new() }));
        Budget { work, ..self.clone() }
    }

    /// How much time is left, where there is a limit.
    pub fn left(&self) -> Option<Duration> {
        let (end, _) = self.work.as_ref()?.until?;
        Some(end.saturating_duration_since(Instant::now()))
    }

    /// How many bytes there may be.
    pub fn bound(&self) -> u64 {
        self.account.bound
    }

    /// How many bytes are counted.
    pub fn used(&self) -> u64 {
        self.account.used()
    }

    /// Whether this many bytes more would keep within the bound.
    pub fn fits(&self, bytes: u64) -> bool {
        self.account.fits(bytes)
    }

    /// Counts what this thread holds by now, and returns whether that is within the bound.
    pub(crate) fn has_room(&self) -> bool {
        count_thread();
        self.fits(0)
    }

    /// Counts bytes that this thread allocates and that live longer than its `ThreadCharge`.
    pub fn take(&self, bytes: u64) {
        self.account.add(bytes);
        taken(bytes as isize);
    }

    /// Counts bytes no more that were [taken](Budget::take) and that this thread frees.
    pub(crate) fn give_back(&self, bytes: u64) {
        self.account.sub(bytes);
        taken(-(bytes as isize));
    }

    /// Counts what this thread holds by now, and says whether work may continue that cannot do with
    /// less, or why it must stop: to be asked now and then in every loop.
    pub fn may_continue(&self) -> Result<(), Cut> {
        self.is_wanted()?;
        match self.cut() {
            None if self.has_room() => Ok(()),
            cut => Err(cut.unwrap_or_else(|| self.cut_by(self.full()))),
        }
    }

    /// As [`Budget::may_continue`], for work that makes do with the memory that there is.
    pub(crate) fn is_wanted(&self) -> Result<(), Cut> {
        if let Some(cut) = self.cut().filter(|cut| !matches!(cut, Cut::Memory(_))) {
            return Err(cut);
        }
        if self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Err(self.cut_by(Cut::Interrupted));
        }
        let until = self.work.as_ref().and_then(|work| work.until);
        match until.filter(|(end, _)| Instant::now() >= *end) {
            Some((_, time)) => Err(self.cut_by(Cut::Time(time))),
            None => Ok(()),
        }
    }

    /// Why the work was cut, if it was.
    pub fn cut(&self) -> Option<Cut> {
        self.work.as_ref().and_then(|work| work.cut.get()).copied()
    }

    /// Cuts the work, if there is one under way; the first reason stays.
    pub(in crate::script) fn cut_by(&self, cut: Cut) -> Cut {
        self.work.as_ref().map_or(cut, |work| *work.cut.get_or_init(|| cut))
    }

    /// The memory bound, of which this may be a part, as a reason to stop.
    pub fn full(&self) -> Cut {
        Cut::Memory(self.whole().bound)
    }

    /// To be held by whoever takes what all others leave free: one at a time.
    pub fn gate(&self) -> MutexGuard<'_, ()> {
        self.whole().gate.lock()
    }

    fn whole(&self) -> &Account {
        let mut account = &self.account;
        while let Some(above) = &account.above {
            account = above;
        }
        account
    }

    /// Counts what this thread allocates from now on and has not freed, until the charge is dropped.
    /// Where one is open already, that one counts.
    pub fn charge_thread(&self) -> ThreadCharge {
        ThreadCharge::open(&self.account)
    }

    /// Holds this many bytes.
    pub fn hold(&self, bytes: u64) -> HeldBytes {
        HeldBytes::new(&self.account, bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_counts_against_the_whole() {
        let whole = Budget::new(100);
        let (part, other) = (whole.within(60), whole.within(60));
        part.take(50);
        assert!(part.fits(10) && !part.fits(11));
        assert!(other.fits(50) && !other.fits(51), "the whole has 50 left");
        other.take(55);
        assert_eq!(part.may_continue(), Err(Cut::Memory(100)), "it is the whole that is passed");
        assert_eq!(whole.within(200).bound(), 100);
    }

    #[test]
    fn work_that_was_cut_stays_cut_and_other_work_does_not() {
        let flag = Arc::new(AtomicBool::new(false));
        let budget = Budget::new(1 << 20).interrupted_by(Some(flag.clone()));
        let late = budget.begin(Some(Duration::ZERO));
        assert_eq!(late.may_continue(), Err(Cut::Time(Duration::ZERO)));
        flag.store(true, Ordering::Relaxed);
        let work = budget.begin(None);
        assert_eq!(work.clone().may_continue(), Err(Cut::Interrupted));
        flag.store(false, Ordering::Relaxed);
        assert_eq!(
            (work.may_continue(), work.cut()),
            (Err(Cut::Interrupted), Some(Cut::Interrupted))
        );
        assert_eq!(late.may_continue(), Err(Cut::Time(Duration::ZERO)), "the first reason stays");
        assert_eq!((budget.may_continue(), budget.begin(None).may_continue()), (Ok(()), Ok(())));
    }

    #[test]
    fn work_within_work_has_no_more_time() {
        let outer = Budget::default().begin(Some(Duration::ZERO));
        let inner = outer.begin(Some(Duration::from_secs(3600)));
        assert_eq!(inner.may_continue(), Err(Cut::Time(Duration::ZERO)));
        let hour = Duration::from_secs(3600);
        let part = Budget::default().begin(Some(hour)).begin(Some(Duration::ZERO));
        assert_eq!(
            part.may_continue(),
            Err(Cut::Time(hour)),
            "the whole is what somebody asked for"
        );
    }
}
