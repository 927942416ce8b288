//! Runs scripts on a stack that hostile nesting cannot exhaust, and catches panics.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

use crate::error::{Limit, ScriptError, ScriptFault};

/// The stack a script gets: virtual memory, of which only what is used is real.
const STACK: usize = 512 << 20;
/// With less than this left, a new stack is allocated.
const ENOUGH: usize = 384 << 20;

thread_local! {
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// Runs what compiles, runs or drops scripts; a panic within becomes a [`ScriptFault::Host`] with its words.
pub(crate) fn guarded<T>(run: impl FnOnce() -> T) -> Result<T, ScriptError> {
    hush();
    if !has_room_for_a_stack() {
        return Err(ScriptError::new(ScriptFault::Limit(Limit::AddressSpace(STACK))));
    }
    let outer = INSIDE.replace(true);
    let result = on_large_stack(|| catch_unwind(AssertUnwindSafe(run)));
    INSIDE.set(outer);
    result.map_err(|panic| ScriptError::new(ScriptFault::Host(words_of(&*panic))))
}

/// Runs on a stack as large as a script's, where there is room for one; a thread that begins here pays
/// for it only once.
pub fn on_large_stack<T>(run: impl FnOnce() -> T) -> T {
    if has_room_for_a_stack() { stacker::maybe_grow(ENOUGH, STACK, run) } else { run() }
}

/// Whether this thread has a large stack, or may lay one: a process may be limited in the addresses
/// that it uses (`ulimit -v`), and where a stack cannot be laid, it ends.
fn has_room_for_a_stack() -> bool {
    stacker::remaining_stack().is_some_and(|left| left >= ENOUGH)
        || addresses_left() > STACK as u64 + BESIDE
}

/// So much is left free beside a stack that is laid.
const BESIDE: u64 = 64 << 20;

/// How many bytes of addresses the process may use beside those it does.
#[cfg(unix)]
fn addresses_left() -> u64 {
    use rustix::process::{Resource, getrlimit};
    let Some(most) = getrlimit(Resource::As).current else { return u64::MAX };
    // Where the system does not say how much is used, all of it may be.
    let used = std::fs::read_to_string("/proc/self/statm").ok();
    let pages = used.and_then(|text| text.split(' ').next()?.parse::<u64>().ok());
    pages.map_or(0, |pages| most.saturating_sub(pages * rustix::param::page_size() as u64))
}

/// No such limit is known.
#[cfg(not(unix))]
fn addresses_left() -> u64 {
    u64::MAX
}

/// Keeps panics that are caught here from being printed; all others are printed as ever.
fn hush() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let print = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !INSIDE.get() {
                print(panic);
            }
        }));
    });
}

fn words_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a message".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error_with_its_words() {
        let error = guarded(|| panic!("at the disco")).unwrap_err();
        assert_eq!(error.fault, ScriptFault::Host("at the disco".to_owned()));
    }

    #[test]
    fn there_is_room_for_deep_recursion() {
        fn deep(n: u64) -> u64 {
            let room = std::hint::black_box([n; 64]);
            if n == 0 { room[0] } else { deep(n - 1) + 1 }
        }
        assert_eq!(guarded(|| deep(100_000)).unwrap(), 100_000);
    }
}
