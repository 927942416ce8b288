//! The functions of the Rhai language that scripts may call: those that compute, each bounded.

use rhai::packages::{
    ArithmeticPackage, BasicArrayPackage, BasicFnPackage, BasicIteratorPackage, BasicMapPackage,
    BasicMathPackage, BasicStringPackage, LogicPackage, MoreStringPackage,
};
use rhai::{Array, Blob, Dynamic, Engine, EvalAltResult, INT, ImmutableString, Map, Position};

use crate::script::sandbox::fault::{Fault, fail};
use crate::script::value::to_value;

rhai::def_package! {
    /// Numbers, texts, arrays, maps, ranges. Left out of the standard package: the clock, `sleep`
    /// and `exit`, the list of functions, a parser of JSON without bounds, and bytes.
    pub Natives(module):
        ArithmeticPackage, LogicPackage, BasicMathPackage, BasicStringPackage, MoreStringPackage,
        BasicIteratorPackage, BasicArrayPackage, BasicMapPackage, BasicFnPackage
    {}
}

/// Replaces natives that never return, or that allocate without bound before a limit is checked.
pub(in crate::script) fn shadow(engine: &mut Engine, most_text: usize, most_items: usize) {
    engine.register_fn(
        "pad",
        move |text: &mut ImmutableString, len: INT, with: ImmutableString| {
            pad_text(text, bounded(len, most_text)?, &with)
        },
    );
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
    engine
        .register_fn("to_blob", |_: &str| fail::<Blob>("there are no bytes here", Position::NONE));
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
    let mut padded = text.to_string();
    padded.extend(with.chars().cycle().take(missing));
    *text = padded.into();
    Ok(())
}

fn replace(text: &mut ImmutableString, find: &str, with: &str, most: usize) -> Result<(), Fault> {
    let grows = with.len().saturating_sub(find.len());
    let found = if grows == 0 { 0 } else { text.matches(find).count() };
    if text.len().saturating_add(found.saturating_mul(grows)) > most {
        let error = EvalAltResult::ErrorDataTooLarge("Length of string".into(), Position::NONE);
        return Err(error.into());
    }
    *text = text.replace(find, with).into();
    Ok(())
}

/// Replaces the language's own, which writes closures with all they captured: endlessly, in a
/// cycle.
fn to_json(map: &mut Map) -> Result<String, Fault> {
    match to_value(&Dynamic::from_map(map.clone()), "map") {
        Ok(value) => Ok(value.literal()),
        Err(message) => fail(format!("to_json: {message}"), Position::NONE),
    }
}
