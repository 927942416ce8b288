//! How does a script tell what happens? `emit`, `emit_each`.

use std::rc::Rc;

use rhai::{
    Array, Engine, EvalAltResult, FuncRegistration, ImmutableString, Map, NativeCallContext,
};

use super::context::{Context, fail};
use super::effects::charge;
use crate::render::tame;

type Result<T> = std::result::Result<T, Box<EvalAltResult>>;

/// Registers what announces events.
pub fn register(engine: &mut Engine, context: &Rc<Context>) {
    let shared = context.clone();
    FuncRegistration::new("emit").with_volatility(true).register_into_engine(
        engine,
        move |call: NativeCallContext, _state: &mut Map, text: ImmutableString| {
            if shared.listens() {
                emit(&shared, &call, &text)?;
            }
            Ok::<(), Box<EvalAltResult>>(())
        },
    );
    let shared = context.clone();
    FuncRegistration::new("emit_each").with_volatility(true).register_into_engine(
        engine,
        move |call: NativeCallContext, _state: &mut Map, texts: Array| {
            if shared.listens() {
                emit_all(&shared, &call, texts)?;
            }
            Ok::<(), Box<EvalAltResult>>(())
        },
    );
}

/// Whoever hears an event copies it: so many letters take the time of an operation.
const LETTERS_AN_OPERATION: u64 = 64;

fn emit(context: &Context, call: &NativeCallContext, text: &str) -> Result<()> {
    charge(context, text.len() as u64 / LETTERS_AN_OPERATION, call.call_position())?;
    context.announce(&tame(text));
    Ok(())
}

fn emit_all(context: &Context, call: &NativeCallContext, texts: Array) -> Result<()> {
    let at = call.call_position();
    for text in texts {
        let text = text
            .into_immutable_string()
            .or_else(|kind| fail(format!("`emit_each` announces texts, got a {kind}"), at))?;
        charge(context, 1, at)?;
        emit(context, call, &text)?;
    }
    Ok(())
}
