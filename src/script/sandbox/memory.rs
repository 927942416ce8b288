//! Counts the bytes that each thread holds: an allocator that counts them, and what charges them to the budget of work.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;

struct Counts {
    live: Cell<isize>,
    traffic: Cell<u64>,
}

thread_local! {
    static COUNTS: Counts = const { Counts { live: Cell::new(0), traffic: Cell::new(0) } };
}

/// The system's allocator with a count of live bytes for each thread.
///
/// What one thread allocates and another frees is counted where it happens, so a thread's
/// number is a difference between two moments, never an absolute size.
pub(crate) struct Counting;

/// The bytes that this thread has allocated and not freed, with what the allocator needs beside them.
pub fn live_bytes() -> isize {
    COUNTS.with(|counts| counts.live.get())
}

/// Runs without counting the bytes that are kept. They must be freed within such a run too, or after all that counts.
pub(crate) fn uncounted<T>(run: impl FnOnce() -> T) -> T {
    let before = live_bytes();
    let result = run();
    COUNTS.with(|counts| counts.live.set(before));
    result
}

/// An allocation costs time beside that of its bytes: as much as this many.
const EACH: u64 = 32;

/// The bytes of all allocations that this thread ever made, and some for each: about how much time
/// it took to copy and to grow.
pub fn traffic() -> u64 {
    COUNTS.with(|counts| counts.traffic.get())
}

/// What the system's allocator takes for this many bytes: a word beside them, and all in blocks of two
/// words. Millions of small values take a third more than their own bytes.
fn block(bytes: usize) -> isize {
    const WORD: usize = size_of::<usize>();
    if bytes == 0 { 0 } else { (bytes + WORD).next_multiple_of(2 * WORD) as isize }
}

fn count(made: usize, freed: usize) {
    // A thread that is being torn down has no counter any more; nothing runs there.
    let _ = COUNTS.try_with(|counts| {
        counts.live.set(counts.live.get() + block(made) - block(freed));
        if made > 0 {
            // What grows is seldom moved.
            counts.traffic.set(counts.traffic.get() + made.saturating_sub(freed) as u64 + EACH);
        }
    });
}

// The only unsafe code of the crate: every call is handed on to the system's allocator unchanged.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(0, layout.size());
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size, layout.size());
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// Bytes that are counted together, and with those of the account above.
#[derive(Debug)]
pub(in crate::script) struct Account {
    pub(super) bound: u64,
    used: AtomicU64,
    pub(super) above: Option<Arc<Account>>,
    /// Locked while somebody takes all that the others leave free.
    pub(super) gate: Mutex<()>,
}

impl Account {
    pub(super) fn new(bound: u64, above: Option<Arc<Account>>) -> Arc<Account> {
        Arc::new(Account { bound, used: AtomicU64::new(0), above, gate: Mutex::default() })
    }

    pub(super) fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    pub(in crate::script) fn add(&self, bytes: u64) {
        self.used.fetch_add(bytes, Ordering::Relaxed);
        if let Some(above) = &self.above {
            above.add(bytes);
        }
    }

    pub(in crate::script) fn sub(&self, bytes: u64) {
        self.used.fetch_sub(bytes, Ordering::Relaxed);
        if let Some(above) = &self.above {
            above.sub(bytes);
        }
    }

    /// Whether this many bytes more keep within all bounds.
    pub(super) fn fits(&self, more: u64) -> bool {
        self.used().saturating_add(more) <= self.bound
            && self.above.as_ref().is_none_or(|above| above.fits(more))
    }
}

/// Counts all that a thread allocates to an account. It gives back what it counted.
#[must_use = "what is allocated is counted until it is dropped"]
pub struct ThreadCharge {
    fresh: bool,
}

thread_local! {
    /// What the charge of this thread has counted, and what the thread held when it was opened.
    static OPEN: RefCell<Option<(HeldBytes, isize)>> = const { RefCell::new(None) };
    /// The live bytes of this thread that are counted elsewhere.
    static TAKEN: Cell<isize> = const { Cell::new(0) };
}

impl ThreadCharge {
    /// Opens a charge for this thread, unless it has one.
    pub(in crate::script) fn open(account: &Arc<Account>) -> ThreadCharge {
        let fresh = OPEN.with_borrow(Option::is_none);
        if fresh {
            OPEN.set(Some((HeldBytes::new(account, 0), own_bytes())));
        }
        ThreadCharge { fresh }
    }
}

impl Drop for ThreadCharge {
    fn drop(&mut self) {
        if self.fresh {
            OPEN.take();
        }
    }
}

/// The live bytes of this thread that are not counted elsewhere.
fn own_bytes() -> isize {
    live_bytes() - TAKEN.get()
}

/// Counts what this thread holds by now, where it has a charge.
pub(in crate::script) fn count_thread() {
    OPEN.with_borrow(|charge| {
        if let Some((held, level)) = charge {
            held.set(u64::try_from(own_bytes() - level).unwrap_or_default());
        }
    });
}

/// This many bytes that this thread allocates are counted elsewhere.
pub(in crate::script) fn taken(bytes: isize) {
    TAKEN.set(TAKEN.get() + bytes);
}

/// Bytes that are counted as long as this lives.
#[derive(Debug)]
pub struct HeldBytes {
    account: Arc<Account>,
    bytes: Cell<u64>,
}

impl HeldBytes {
    /// This many bytes to begin with.
    pub(in crate::script) fn new(account: &Arc<Account>, bytes: u64) -> HeldBytes {
        account.add(bytes);
        HeldBytes { account: account.clone(), bytes: Cell::new(bytes) }
    }

    /// How many they are.
    pub fn bytes(&self) -> u64 {
        self.bytes.get()
    }

    /// They are this many now.
    fn set(&self, bytes: u64) {
        let before = self.bytes.replace(bytes);
        self.account.add(bytes.saturating_sub(before));
        self.account.sub(before.saturating_sub(bytes));
    }

    /// Runs what is no script's and on no thread's charge: what it keeps (or, of what it kept, frees) is held here.
    pub fn run<T>(&self, run: impl FnOnce() -> T) -> T {
        let (before, taken) = (own_bytes(), TAKEN.get());
        let (result, kept) = uncounted(|| {
            let result = run();
            (result, own_bytes() - before)
        });
        TAKEN.set(taken);
        self.set(self.bytes.get().saturating_add_signed(kept as i64));
        result
    }
}

impl Drop for HeldBytes {
    fn drop(&mut self) {
        self.account.sub(self.bytes.get());
    }
}

#[cfg(test)]
mod tests {
    use super::{live_bytes, traffic, uncounted};
    use crate::error::Cut;
    use crate::script::Budget;

    #[test]
    fn what_is_held_is_counted_and_what_is_dropped_is_not() {
        let before = live_bytes();
        let held = vec![0u8; 1 << 20];
        assert!(live_bytes() - before >= 1 << 20);
        drop(held);
        assert!((live_bytes() - before).abs() < 1 << 12);
    }

    #[test]
    fn what_belongs_to_nobody_is_not_counted() {
        let before = live_bytes();
        let held = uncounted(|| vec![0u8; 1 << 20]);
        assert_eq!(live_bytes(), before);
        uncounted(|| drop(held));
        assert_eq!(live_bytes(), before);
    }

    #[test]
    fn traffic_forgets_nothing() {
        let before = traffic();
        for _ in 0..10 {
            drop(std::hint::black_box(vec![0u8; 1000]));
        }
        assert_eq!(traffic() - before, 10 * (1000 + 32));
    }

    #[test]
    fn what_a_thread_holds_counts_while_its_tab_is_open() {
        let budget = Budget::new(1 << 20);
        let charge = budget.charge_thread();
        let inner = budget.charge_thread();
        let held = vec![0u8; 1 << 19];
        assert_eq!(budget.may_continue(), Ok(()));
        assert!(budget.used() >= 1 << 19 && budget.used() < 3 << 18);
        drop(inner);
        let more = vec![0u8; 1 << 19 | 1];
        assert_eq!(budget.may_continue(), Err(Cut::Memory(1 << 20)));
        assert_eq!(budget.is_wanted(), Ok(()), "this needs no more memory");
        drop((held, more));
        assert_eq!(budget.may_continue(), Ok(()));
        drop(charge);
        assert_eq!(budget.used(), 0);
    }

    #[test]
    fn what_is_taken_by_hand_counts_once() {
        let budget = Budget::new(1 << 20);
        let charge = budget.charge_thread();
        let held = vec![0u8; 1 << 18];
        budget.take(1 << 18);
        budget.may_continue().unwrap();
        assert!(budget.used() >= 1 << 18 && budget.used() < 1 << 18 | 1 << 12);
        drop(charge);
        assert_eq!(budget.used(), 1 << 18);
        budget.give_back(1 << 18);
        drop(held);
        assert_eq!(budget.used(), 0);
    }

    #[test]
    fn what_is_held_counts_apart_from_tabs_and_is_given_back() {
        for charged in [false, true] {
            let budget = Budget::new(1 << 20);
            let charge = charged.then(|| budget.charge_thread());
            let held = budget.hold(0);
            // A graph of its own counts itself: half of what is kept here. The allocator adds a word.
            let kept = held.run(|| {
                budget.take(1 << 17);
                vec![0u8; (1 << 18) - size_of::<usize>()]
            });
            assert_eq!(held.bytes(), 1 << 17);
            budget.may_continue().unwrap();
            assert_eq!(budget.used(), 1 << 18);
            held.run(|| {
                budget.give_back(1 << 17);
                drop(kept);
            });
            budget.may_continue().unwrap();
            assert_eq!((held.bytes(), budget.used()), (0, 0));
            drop(charge);
        }
    }
}
