//! The error that a script ends with, as Rhai carries it.

use rhai::{Dynamic, EvalAltResult, Position};

/// An error of the script, with its place.
pub(crate) type Fault = Box<EvalAltResult>;

/// The error that unwinds a stopped script; nothing in it is read.
pub(in crate::script) fn unwind(at: Position) -> Fault {
    EvalAltResult::ErrorTerminated(Dynamic::UNIT, at).into()
}

/// A mistake of the script, reported by a host function.
pub(in crate::script) fn fail<T>(message: impl Into<String>, at: Position) -> Result<T, Fault> {
    Err(EvalAltResult::ErrorRuntime(message.into().into(), at).into())
}
