//! How is a function of a script called, and what is believed when it ends?

use rhai::{AST, CallFnOptions, Dynamic, Engine, EvalAltResult, Scope};

use super::context::{Asking, Context};
use super::diagnostics::{explain, point};
use super::limits::Stopped;
use super::source::Sources;
use super::trail::begins;
use crate::error::{Error, ScriptError, ScriptFault};
use crate::game::Stop;

/// Calls a function, with `this` and arguments. Counts go on from where the meter stands.
///
/// # Errors
/// The reason in the meter, if the script was stopped; else the script's own error.
pub fn call(
    engine: &Engine,
    ast: &AST,
    context: &Context,
    function: &'static str,
    asking: Asking,
    this: Option<&mut Dynamic>,
    arguments: Vec<Dynamic>,
) -> Result<Dynamic, Stop> {
    let mut scope = Scope::new();
    let mut options = CallFnOptions::new().eval_ast(false).rewind_scope(false);
    if let Some(this) = this {
        options = options.bind_this_ptr(this);
    }
    context.trail.clear();
    let result = context.asking(asking, || {
        engine.call_fn_with_options::<Dynamic>(options, &mut scope, ast, function, arguments)
    });
    if context.meter.is_halted() {
        let stop = stopped(context, result.err().as_deref(), &context.sources.borrow());
        return Err(placed(stop, ast, function, &context.sources.borrow()));
    }
    result.map_err(|error| {
        let error = Error::from(told(context, &error, &context.sources.borrow()));
        placed(error.into(), ast, function, &context.sources.borrow())
    })
}

/// Calls a function that may not ask, alone, with its own count.
///
/// # Errors
/// [`Error::Script`].
pub fn call_once(
    engine: &Engine,
    ast: &AST,
    context: &Context,
    sources: &Sources,
    function: &'static str,
    argument: Option<Dynamic>,
) -> Result<Dynamic, Error> {
    context.meter.restart();
    context.trail.clear();
    let mut scope = Scope::new();
    let options = CallFnOptions::new().eval_ast(false);
    let arguments: Vec<Dynamic> = argument.into_iter().collect();
    let result = context.asking(Asking::Refused(function), || {
        engine.call_fn_with_options::<Dynamic>(options, &mut scope, ast, function, arguments)
    });
    if context.meter.is_halted() {
        let stop = stopped(context, result.err().as_deref(), sources);
        return Err(placed(stop, ast, function, sources).into());
    }
    result.map_err(|error| {
        let error = Error::from(told(context, &error, sources));
        placed(error.into(), ast, function, sources).into()
    })
}

/// Runs the top level of a script, which asks nothing; `scope` keeps its constants.
///
/// # Errors
/// [`Error::Script`], also where a limit stopped it.
pub fn run_top(
    engine: &Engine,
    ast: &AST,
    context: &Context,
    scope: &mut Scope<'static>,
    sources: &Sources,
) -> Result<(), ScriptError> {
    let result = engine.run_ast_with_scope(scope, ast);
    if context.meter.is_halted() {
        let stop = stopped(context, result.err().as_deref(), sources);
        return Err(ScriptError::of(stop.into()));
    }
    result.map_err(|error| explain(&error, sources))
}

/// Gives an error without a place that of the function that was called: natives such as `sort`
/// swallow the error that knew better.
fn placed(stop: Stop, ast: &AST, function: &str, sources: &Sources) -> Stop {
    match stop {
        Stop::Fail(mut error) => {
            if let Error::Script(script) = &mut *error
                && script.at.is_none()
            {
                let lib = ast.shared_lib();
                let found = lib.iter_script_fn_info().find(|(_, _, name, _, _)| *name == function);
                script.at = found.and_then(|(.., f)| sources.locate(begins(f)));
                point(script, sources);
            }
            Stop::Fail(error)
        }
        Stop::Pause => Stop::Pause,
    }
}

/// The script's own error. One that no script may catch has lost its place, and the trail has it.
fn told(context: &Context, error: &EvalAltResult, sources: &Sources) -> ScriptError {
    let explained = explain(error, sources);
    if error.unwrap_inner().is_system_exception() {
        return context.trail.lead(explained, sources);
    }
    explained
}

/// Why the script was stopped, with the place where it stood.
pub fn stopped(context: &Context, error: Option<&EvalAltResult>, sources: &Sources) -> Stop {
    match context.meter.take_stopped() {
        Some(Stopped::Paused) => Stop::Pause,
        Some(Stopped::Failed(error)) => Stop::Fail(error),
        Some(Stopped::Cut(cut)) => Error::from(cut).into(),
        None => Error::Interrupted.into(),
        Some(Stopped::Limit(limit)) => {
            let fault = ScriptFault::Limit(limit);
            let placed = error.map(|error| explain(error, sources));
            let empty = || ScriptError::new(fault.clone());
            let nearest = None;
            let placed = context.trail.lead(placed.unwrap_or_else(empty), sources);
            Error::from(ScriptError { fault, nearest, ..placed }).into()
        }
    }
}
