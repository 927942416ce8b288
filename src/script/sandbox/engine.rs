//! Builds the Rhai engine of the sandbox: every limit set, no access to the machine, and of the language's functions
//! those that compute, each bounded.

use std::rc::Rc;

use rhai::packages::{
    ArithmeticPackage, BasicArrayPackage, BasicFnPackage, BasicIteratorPackage, BasicMapPackage,
    BasicMathPackage, BasicStringPackage, LogicPackage, MoreStringPackage, Package,
};
use rhai::{
    Array, Blob, Dynamic, Engine, EvalAltResult, INT, ImmutableString, Map, OptimizationLevel,
    Position, Shared,
};

use super::fault::{Fault, fail};
use super::limits::{
    CALLS, ENTRIES, ITEMS, LAB_ENTRIES, LAB_ITEMS, LAB_TEXT, SHUT, SHUT_TO_STRANGERS, TEXT,
};
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
    let no_bytes = |_: &str| fail::<Blob>("there are no bytes here", Position::NONE);
    engine.register_fn("to_blob", no_bytes);
}

fn bounded(len: INT, most: usize) -> Result<usize, Fault> {
    match usize::try_from(len.max(0)) {
        Ok(len) if len <= most => Ok(len),
        _ => fail(format!("`pad`: at most {most}, got {len}"), Position::NONE),
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
        let what = "Length of string".into();
        return Err(EvalAltResult::ErrorDataTooLarge(what, Position::NONE).into());
    }
    *text = text.replace(find, with).into();
    Ok(())
}

/// Replaces the language's own, which writes closures with all they captured: endlessly, in a cycle.
fn to_json(map: &mut Map) -> Result<String, Fault> {
    match to_value(&Dynamic::from_map(map.clone()), "map") {
        Ok(value) => Ok(value.literal()),
        Err(message) => fail(format!("to_json: {message}"), Position::NONE),
    }
}
