//! The error of a script that was stopped: by a limit, an interrupt or a mistake.

use rhai::EvalAltResult;

use super::explain;
use crate::error::{Error, ScriptError, ScriptFault};
use crate::script::assemble::source::Sources;
use crate::script::questions::context::Context;
use crate::script::sandbox::fuel::Stopped;

/// Why the script was stopped, with its place.
pub(crate) fn stopped(
    context: &Context,
    error: Option<&EvalAltResult>,
    sources: &Sources,
) -> Error {
    match context.meter.take_stopped() {
        Some(Stopped::Failed(error)) => *error,
        Some(Stopped::Cut(cut)) => cut.into(),
        None => Error::Interrupted,
        Some(Stopped::Limit(limit)) => {
            let fault = ScriptFault::Limit(limit);
            let placed = error.map(|error| explain(error, sources));
            let placed = placed.unwrap_or_else(|| ScriptError::new(fault.clone()));
            Error::from(ScriptError { fault, nearest: None, ..placed })
        }
    }
}
