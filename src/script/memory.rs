//! How many bytes does this thread hold? An allocator that counts them.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static LIVE: Cell<isize> = const { Cell::new(0) };
}

/// The system's allocator with a count of live bytes for each thread.
///
/// What one thread allocates and another frees is counted where it happens, so a thread's
/// number is a difference between two moments, never an absolute size.
pub struct Counting;

/// The bytes that this thread has allocated and not freed, since it began.
pub fn live_bytes() -> isize {
    LIVE.with(Cell::get)
}

fn count(bytes: isize) {
    // A thread that is being torn down has no counter any more; nothing runs there.
    let _ = LIVE.try_with(|live| live.set(live.get() + bytes));
}

// The only unsafe code of the crate: every call is handed on to the system's allocator unchanged.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size as isize - layout.size() as isize);
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[cfg(test)]
mod tests {
    use super::live_bytes;

    #[test]
    fn what_is_held_is_counted_and_what_is_dropped_is_not() {
        let before = live_bytes();
        let held = vec![0u8; 1 << 20];
        assert!(live_bytes() - before >= 1 << 20);
        drop(held);
        assert!((live_bytes() - before).abs() < 1 << 12);
    }
}
