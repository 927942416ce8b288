//! What can scripts do? An engine with every limit set and every door to the machine shut.

use std::rc::Rc;

use rhai::packages::{Package, StandardPackage};
use rhai::{Dynamic, Engine, EvalAltResult, INT, ImmutableString, OptimizationLevel, Shared};

use super::context::{Context, fail};
use super::{distribution, primitives};

type SharedModule = Shared<rhai::Module>;

/// The longest text a script may hold, in bytes.
const TEXT: usize = 256 << 10;
/// The most items in an array with all that is in it.
const ITEMS: usize = 10_000;
/// The deepest that functions may call each other.
pub const CALLS: usize = 128;
/// The deepest that expressions may nest.
const DEPTH: usize = 64;

/// What is asked of scripts: rules and agents may less than the lab.
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
        StandardPackage::new().as_shared_module(),
        distribution::module().into(),
        primitives::module().into(),
    ];
}

/// An engine with the primitives, the distributions and all limits, counting in `context`.
pub fn build(context: &Rc<Context>, trust: Trust) -> Engine {
    hash_alike();
    let mut engine = Engine::new_raw();
    engine.set_max_strings_interned(1024);
    for module in MODULES.with(Clone::clone) {
        engine.register_global_module(module);
    }
    limit(&mut engine);
    shut(&mut engine, trust);
    shadow(&mut engine);
    let meter = context.clone();
    engine.on_progress(move |_| meter.meter.tick().then_some(Dynamic::UNIT));
    engine
}

/// Names of closures and the order of functions are the same in every process.
fn hash_alike() {
    // Only the first call can succeed; later ones say so, and the seed is the same.
    let _ = rhai::config::hashing::set_hashing_seed(Some([0x46, 0x72, 0x61, 0x63]));
}

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
        .set_max_string_size(TEXT)
        .set_max_array_size(ITEMS)
        .set_max_map_size(ITEMS)
        .set_fail_on_invalid_map_property(true)
        .set_allow_shadowing(true);
}

fn shut(engine: &mut Engine, trust: Trust) {
    for word in ["eval", "import", "export", "Fn", "debug"] {
        engine.disable_symbol(word);
    }
    if trust == Trust::Stranger {
        for word in ["try", "catch", "print"] {
            engine.disable_symbol(word);
        }
        engine.on_print(|_| {});
    }
    engine.on_debug(|_, _, _| {});
}

/// Natives that never return, sleep, tell the time, or allocate without bound are replaced.
fn shadow(engine: &mut Engine) {
    for name in ["sleep"] {
        engine.register_fn(name, move |_: INT| no(name)).register_fn(name, move |_: f64| no(name));
    }
    engine.register_fn("timestamp", || no("timestamp"));
    engine.register_fn("pad", |text: &mut ImmutableString, len: INT, with: ImmutableString| {
        pad_text(text, len, &with)
    });
    engine.register_fn("pad", |text: &mut ImmutableString, len: INT, with: char| {
        pad_text(text, len, with.encode_utf8(&mut [0; 4]))
    });
    engine.register_fn("pad", |array: &mut rhai::Array, len: INT, with: Dynamic| {
        let len = bounded(len, ITEMS)?;
        while array.len() < len {
            array.push(with.clone());
        }
        Ok::<(), Box<EvalAltResult>>(())
    });
    engine.register_fn("pad", |_: &mut rhai::Blob, _: INT, _: INT| no("pad on a blob"));
    engine.register_fn("blob", |_: INT| no("blob"));
    engine.register_fn("blob", |_: INT, _: INT| no("blob"));
}

fn no(what: &str) -> Result<(), Box<EvalAltResult>> {
    fail(format!("`{what}` is not to be had in a conflict"), rhai::Position::NONE)
}

fn bounded(len: INT, most: usize) -> Result<usize, Box<EvalAltResult>> {
    match usize::try_from(len.max(0)) {
        Ok(len) if len <= most => Ok(len),
        _ => fail(format!("`pad`: at most {most}, got {len}"), rhai::Position::NONE),
    }
}

fn pad_text(text: &mut ImmutableString, len: INT, with: &str) -> Result<(), Box<EvalAltResult>> {
    let len = bounded(len, TEXT)?;
    let mut letters = text.chars().count();
    if with.is_empty() || letters >= len {
        return Ok(());
    }
    let mut padded = text.to_string();
    for letter in with.chars().cycle() {
        if letters == len {
            break;
        }
        padded.push(letter);
        letters += 1;
    }
    *text = padded.into();
    Ok(())
}
