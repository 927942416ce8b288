//! Runs what is evaluated by Rhai itself, while scripts are read: constants, and `params()`; and says
//! what is believed when a script ends.

use rhai::{AST, CallFnOptions, Dynamic, Engine, EvalAltResult, Scope};

use super::context::Context;
use super::diagnostics::explain;
use super::meter::Stopped;
use super::source::Sources;
use crate::error::{Error, ScriptError, ScriptFault};
use crate::game::Stop;

/// Calls a function without arguments that may not ask, with its own count.
///
/// # Errors
/// [`Error::Script`].
pub(super) fn call_once(
    engine: &Engine,
    ast: &AST,
    context: &Context,
    sources: &Sources,
    function: &str,
) -> Result<Dynamic, ScriptError> {
    context.meter.restart();
    let options = CallFnOptions::new().eval_ast(false);
    let result =
        engine.call_fn_with_options::<Dynamic>(options, &mut Scope::new(), ast, function, ());
    believed(result, context, sources)
}

/// Runs the top level of a script, which asks nothing; `scope` keeps its constants.
///
/// # Errors
/// [`Error::Script`], also where a limit stopped it.
pub(super) fn run_top(
    engine: &Engine,
    ast: &AST,
    context: &Context,
    scope: &mut Scope<'static>,
    sources: &Sources,
) -> Result<(), ScriptError> {
    believed(engine.run_ast_with_scope(scope, ast), context, sources)
}

fn believed<T>(
    result: Result<T, Box<EvalAltResult>>,
    context: &Context,
    sources: &Sources,
) -> Result<T, ScriptError> {
    if context.meter.is_halted() {
        let stop = stopped(context, result.err().as_deref(), sources);
        return Err(ScriptError::of(stop.into()));
    }
    result.map_err(|error| explain(&error, sources))
}

/// Why the script was stopped, with the place where it stood.
pub(crate) fn stopped(context: &Context, error: Option<&EvalAltResult>, sources: &Sources) -> Stop {
    match context.meter.take_stopped() {
        Some(Stopped::Paused) => Stop::Pause,
        Some(Stopped::Failed(error)) => Stop::Fail(error),
        Some(Stopped::Cut(cut)) => Error::from(cut).into(),
        None => Error::Interrupted.into(),
        Some(Stopped::Limit(limit)) => {
            let fault = ScriptFault::Limit(limit);
            let placed = error.map(|error| explain(error, sources));
            let placed = placed.unwrap_or_else(|| ScriptError::new(fault.clone()));
            Error::from(ScriptError { fault, nearest: None, ..placed }).into()
        }
    }
}
