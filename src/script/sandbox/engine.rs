//! Builds the Rhai engine of the sandbox: every limit set, no access to the machine, and of the language's functions
//! those that compute, each bounded.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Once;

use rhai::packages::{
    ArithmeticPackage, BasicArrayPackage, BasicFnPackage, BasicIteratorPackage, BasicMapPackage,
    BasicMathPackage, BasicStringPackage, LogicPackage, MoreStringPackage, Package,
};
use rhai::{
    Array, Blob, Dynamic, Engine, INT, ImmutableString, Map, OptimizationLevel, Position, Shared,
};

use super::limits::{
    CALLS, ENTRIES, Fault, ITEMS, LAB_ENTRIES, LAB_ITEMS, LAB_TEXT, SHUT, SHUT_TO_STRANGERS, TEXT,
    fail, too_large,
};
use crate::error::{Limit, ScriptError, ScriptFault};
use crate::script::primitives::{self, distribution};
use crate::script::questions::context::Context;
use crate::script::value::to_value;

/// The deepest that expressions may nest.
const DEPTH: usize = 64;

/// How far a script is trusted: rules and agents may do less than the lab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// A stranger's script: no `try`, no printing.
    Stranger,
    /// Lines of the person at the prompt.
    Lab,
}

rhai::def_package! {
    /// Numbers, texts, arrays, maps, ranges. Left out of the standard package: the clock, `sleep`
    /// and `exit`, the list of functions, a parser of JSON without bounds, and bytes.
    Natives(module):
        ArithmeticPackage, LogicPackage, BasicMathPackage, BasicStringPackage, MoreStringPackage,
        BasicIteratorPackage, BasicArrayPackage, BasicMapPackage, BasicFnPackage
    {}
}

thread_local! {
    /// What every engine of this thread offers; made once, since nothing in it changes.
    static MODULES: [Shared<rhai::Module>; 3] = [
        Natives::new().as_shared_module(),
        distribution::module().into(),
        primitives::module().into(),
    ];
}

/// An engine with the primitives, the distributions and all limits, counting in `context`.
pub fn build(context: &Rc<Context>, trust: Trust) -> Engine {
    // Names of closures and the order of functions are the same in every process. Only the first call can succeed;
    // later ones say so, and the seed is the same.
    let _ = rhai::config::hashing::set_hashing_seed(Some([0x46, 0x72, 0x61, 0x63]));
    let mut engine = Engine::new_raw();
    // A full cache is searched whole for every new text, and what it holds would depend on what ran before.
    engine.set_max_strings_interned(0);
    for module in MODULES.with(Clone::clone) {
        engine.register_global_module(module);
    }
    let (text, items, entries) = match trust {
        Trust::Stranger => (TEXT, ITEMS, ENTRIES),
        Trust::Lab => (LAB_TEXT, LAB_ITEMS, LAB_ENTRIES),
    };
    // `Full` would call host functions while compiling and fold their answers into the script.
    engine.set_optimization_level(OptimizationLevel::Simple);
    engine.set_max_string_size(text).set_max_array_size(items).set_max_map_size(entries);
    engine
        .set_max_operations(0)
        .set_max_call_levels(CALLS)
        .set_max_expr_depths(DEPTH, DEPTH)
        .set_max_variables(1_000)
        .set_max_functions(1_000)
        .set_max_modules(0)
        .set_fail_on_invalid_map_property(true)
        .set_allow_shadowing(true);
    for word in SHUT {
        engine.disable_symbol(word);
    }
    if trust == Trust::Stranger {
        for word in SHUT_TO_STRANGERS {
            engine.disable_symbol(word);
        }
        engine.on_print(|_| {});
    }
    engine.on_debug(|_, _, _| {});
    shadow(&mut engine, text, items);
    let meter = context.clone();
    engine.on_progress(move |_| meter.meter.tick().then_some(Dynamic::UNIT));
    engine
}

/// Replaces natives that never return, or that allocate without bound before a limit is checked.
fn shadow(engine: &mut Engine, most_text: usize, most_items: usize) {
    engine.register_fn("pad", move |text: &mut ImmutableString, len: INT, with: &str| {
        pad_text(text, bounded(len, most_text)?, with)
    });
    engine.register_fn("pad", move |text: &mut ImmutableString, len: INT, with: char| {
        pad_text(text, bounded(len, most_text)?, with.encode_utf8(&mut [0; 4]))
    });
    engine.register_fn("pad", move |array: &mut Array, len: INT, with: Dynamic| {
        let len = bounded(len, most_items)?;
        while array.len() < len {
            array.push(with.clone());
        }
        Ok::<(), Fault>(())
    });
    // A text of 256 KiB whose every letter becomes such a text would be 64 GiB.
    engine.register_fn("replace", move |text: &mut ImmutableString, a: &str, b: &str| {
        replace(text, a, b, most_text)
    });
    engine.register_fn("replace", move |text: &mut ImmutableString, a: &str, b: char| {
        replace(text, a, b.encode_utf8(&mut [0; 4]), most_text)
    });
    engine.register_fn("replace", move |text: &mut ImmutableString, a: char, b: &str| {
        replace(text, a.encode_utf8(&mut [0; 4]), b, most_text)
    });
    engine.register_fn("to_json", to_json);
    let no_bytes = |_: &str| Err::<Blob, _>(fail("there are no bytes here", Position::NONE));
    engine.register_fn("to_blob", no_bytes);
}

fn bounded(len: INT, most: usize) -> Result<usize, Fault> {
    match usize::try_from(len.max(0)) {
        Ok(len) if len <= most => Ok(len),
        _ => Err(fail(format!("`pad`: at most {most}, got {len}"), Position::NONE)),
    }
}

fn pad_text(text: &mut ImmutableString, len: usize, with: &str) -> Result<(), Fault> {
    let missing = len.saturating_sub(text.chars().count());
    if with.is_empty() || missing == 0 {
        return Ok(());
    }
    *text = text.chars().chain(with.chars().cycle().take(missing)).collect::<String>().into();
    Ok(())
}

fn replace(text: &mut ImmutableString, find: &str, with: &str, most: usize) -> Result<(), Fault> {
    let grows = with.len().saturating_sub(find.len());
    let found = if grows == 0 { 0 } else { text.matches(find).count() };
    if text.len().saturating_add(found.saturating_mul(grows)) > most {
        return Err(too_large("Length of string", Position::NONE));
    }
    *text = text.replace(find, with).into();
    Ok(())
}

/// Replaces the language's own, which writes closures with all they captured: endlessly, in a cycle.
fn to_json(map: &mut Map) -> Result<String, Fault> {
    match to_value(&Dynamic::from_map(map.clone()), "map") {
        Ok(value) => Ok(value.literal()),
        Err(message) => Err(fail(format!("to_json: {message}"), Position::NONE)),
    }
}

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
