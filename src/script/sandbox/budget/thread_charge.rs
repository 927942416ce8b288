//! Charges the memory that a thread allocates to the budget of its work.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use super::Account;
use crate::script::sandbox::memory::{live_bytes, uncounted};

/// Counts all that a thread allocates to an account. It gives back what it counted.
#[must_use = "what is allocated is counted until it is dropped"]
pub struct ThreadCharge {
    fresh: bool,
}

impl ThreadCharge {
    /// Opens a tab for this thread, unless it has one.
    pub(in crate::script) fn open(account: &Arc<Account>) -> ThreadCharge {
        let fresh = OPEN.with_borrow(Option::is_none);
        if fresh {
            OPEN.set(Some(OpenCharge { account: account.clone(), level: own_bytes(), counted: 0 }));
        }
        ThreadCharge { fresh }
    }
}

impl Drop for ThreadCharge {
    fn drop(&mut self) {
        if self.fresh
            && let Some(open) = OPEN.take()
        {
            open.account.sub(open.counted);
        }
    }
}

/// The tab of a thread.
struct OpenCharge {
    account: Arc<Account>,
    /// What this thread held when it was opened.
    level: isize,
    counted: u64,
}

thread_local! {
    static OPEN: RefCell<Option<OpenCharge>> = const { RefCell::new(None) };
    /// The live bytes of this thread that are counted elsewhere.
    static TAKEN: Cell<isize> = const { Cell::new(0) };
}

/// The live bytes of this thread that are not counted elsewhere.
fn own_bytes() -> isize {
    live_bytes() - TAKEN.get()
}

/// Counts what this thread holds by now, where it has a tab.
pub(in crate::script) fn count() {
    OPEN.with_borrow_mut(|tab| {
        let Some(open) = tab.as_mut() else { return };
        let held = u64::try_from(own_bytes() - open.level).unwrap_or_default();
        open.account.change(open.counted, held);
        open.counted = held;
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

    /// Runs what belongs to no account of this thread, neither that of a script nor a tab: what it
    /// keeps (or, of what it kept, frees) is held here.
    pub fn run<T>(&self, run: impl FnOnce() -> T) -> T {
        let (before, taken) = (own_bytes(), TAKEN.get());
        let (result, kept) = uncounted(|| {
            let result = run();
            (result, own_bytes() - before)
        });
        TAKEN.set(taken);
        let held = self.bytes.get().saturating_add_signed(kept as i64);
        self.account.change(self.bytes.get(), held);
        self.bytes.set(held);
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
    use crate::error::Cut;
    use crate::script::Budget;

    #[test]
    fn what_a_thread_holds_counts_while_its_tab_is_open() {
        let budget = Budget::new(1 << 20);
        let tab = budget.charge_thread();
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
        drop(tab);
        assert_eq!(budget.used(), 0);
    }

    #[test]
    fn what_is_taken_by_hand_counts_once() {
        let budget = Budget::new(1 << 20);
        let tab = budget.charge_thread();
        let held = vec![0u8; 1 << 18];
        budget.take(1 << 18);
        budget.may_continue().unwrap();
        assert!(budget.used() >= 1 << 18 && budget.used() < 1 << 18 | 1 << 12);
        drop(tab);
        assert_eq!(budget.used(), 1 << 18);
        budget.give_back(1 << 18);
        drop(held);
        assert_eq!(budget.used(), 0);
    }

    #[test]
    fn what_is_held_counts_apart_from_tabs_and_is_given_back() {
        for tabbed in [false, true] {
            let budget = Budget::new(1 << 20);
            let tab = tabbed.then(|| budget.charge_thread());
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
            drop(tab);
        }
    }
}
