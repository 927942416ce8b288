//! An allocator that counts the bytes that each thread holds.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

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

/// The bytes that this thread has allocated and not freed, since it began, with what the allocator
/// needs beside them.
pub fn live_bytes() -> isize {
    COUNTS.with(|counts| counts.live.get())
}

/// Runs without counting the bytes that are kept. They must be freed within such a run too, or
/// after all that counts.
pub(crate) fn uncounted<T>(run: impl FnOnce() -> T) -> T {
    let before = live_bytes();
    let result = run();
    COUNTS.with(|counts| counts.live.set(before));
    result
}

/// An allocation costs time beside that of its bytes: as much as so many.
const EACH: u64 = 32;

/// The bytes of all allocations that this thread ever made, and some for each: about how much time
/// it took to copy and to grow.
pub(in crate::script) fn traffic() -> u64 {
    COUNTS.with(|counts| counts.traffic.get())
}

/// What the system's allocator takes for so many bytes: a word beside them, and all in blocks of two
/// words. Millions of small values take a third more than their own bytes.
fn block(bytes: usize) -> isize {
    const WORD: usize = size_of::<usize>();
    if bytes == 0 { 0 } else { (bytes + WORD).next_multiple_of(2 * WORD) as isize }
}

/// Counts `made` bytes allocated and `freed` bytes given back.
fn count(made: usize, freed: usize) {
    // A thread that is being torn down has no counter any more; nothing runs there.
    let _ = COUNTS.try_with(|counts| {
        counts.live.set(counts.live.get() + block(made) - block(freed));
        if made > 0 {
            counts.traffic.set(counts.traffic.get() + made as u64 + EACH);
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

#[cfg(test)]
mod tests {
    use super::{live_bytes, traffic, uncounted};

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
}
