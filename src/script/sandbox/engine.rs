//! Builds the Rhai engine of the sandbox: every limit set, and no access to the machine.

use std::rc::Rc;

use rhai::packages::Package;
use rhai::{Dynamic, Engine, OptimizationLevel, Shared};

use crate::script::primitives::{self, distribution};
use crate::script::questions::context::Context;
use crate::script::sandbox::allowed_functions::{self, Natives};
use crate::script::sandbox::limits::{
    CALLS, ENTRIES, ITEMS, LAB_ENTRIES, LAB_ITEMS, LAB_TEXT, SHUT, SHUT_TO_STRANGERS, TEXT,
};

type SharedModule = Shared<rhai::Module>;

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

thread_local! {
    /// What every engine of this thread offers; made once, since nothing in it changes.
    static MODULES: [SharedModule; 3] = [
        Natives::new().as_shared_module(),
        distribution::module().into(),
        primitives::module().into(),
    ];
}

/// An engine with the primitives, the distributions and all limits, counting in `context`.
pub fn build(context: &Rc<Context>, trust: Trust) -> Engine {
    hash_alike();
    let mut engine = Engine::new_raw();
    // A full cache is searched whole for every new text (20 µs at 1024), and what it holds would
    // depend on what ran before.
    engine.set_max_strings_interned(0);
    for module in MODULES.with(Clone::clone) {
        engine.register_global_module(module);
    }
    let (text, items, entries) = match trust {
        Trust::Stranger => (TEXT, ITEMS, ENTRIES),
        Trust::Lab => (LAB_TEXT, LAB_ITEMS, LAB_ENTRIES),
    };
    limit(&mut engine);
    engine.set_max_string_size(text).set_max_array_size(items).set_max_map_size(entries);
    shut(&mut engine, trust);
    allowed_functions::shadow(&mut engine, text, items);
    let meter = context.clone();
    engine.on_progress(move |_| meter.meter.tick().then_some(Dynamic::UNIT));
    engine
}

/// Names of closures and the order of functions are the same in every process.
fn hash_alike() {
    // Only the first call can succeed; later ones say so, and the seed is the same.
    let _ = rhai::config::hashing::set_hashing_seed(Some([0x46, 0x72, 0x61, 0x63]));
}

/// Sets all limits but those on the size of values.
fn limit(engine: &mut Engine) {
    // `Full` would call host functions while compiling and fold their answers into the script.
    engine.set_optimization_level(OptimizationLevel::Simple);
    engine
        .set_max_operations(0)
        .set_max_call_levels(CALLS)
        .set_max_expr_depths(DEPTH, DEPTH)
        .set_max_variables(1_000)
        .set_max_functions(1_000)
        .set_max_modules(0)
        .set_fail_on_invalid_map_property(true)
        .set_allow_shadowing(true);
}

fn shut(engine: &mut Engine, trust: Trust) {
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
}
