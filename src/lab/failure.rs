//! Errors of the lab's functions as values that scripts can catch: `e.message`, `e.kind`.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rhai::{Dynamic, Engine, EvalAltResult, ImmutableString, Position};

use crate::error::{CallFrame, Error, ScriptError, ScriptFault};

/// A mistake that a function of the lab met, as scripts hold it.
#[derive(Clone)]
pub(super) struct LabFailure {
    message: String,
    kind: &'static str,
    error: Rc<RefCell<Option<Error>>>,
}

impl LabFailure {
    pub(super) fn new(error: Error) -> LabFailure {
        LabFailure {
            message: error.to_string(),
            kind: error.kind(),
            error: Rc::new(RefCell::new(Some(error))),
        }
    }

    /// The error that unwinds a script from a position.
    pub(super) fn raise(self, at: Position) -> Box<EvalAltResult> {
        EvalAltResult::ErrorRuntime(Dynamic::from(self), at).into()
    }

    /// The mistake that an error of the language carries, if it carries one.
    pub(super) fn within(error: &EvalAltResult) -> Option<Error> {
        match error.unwrap_inner() {
            EvalAltResult::ErrorRuntime(thrown, _) => {
                let failure = thrown.read_lock::<LabFailure>()?;
                failure.error.borrow_mut().take()
            }
            _ => None,
        }
    }

    /// The mistake with the place in the lab's script, `called`, whose message does not count: below
    /// the calls that led to it, those of the lab.
    pub(super) fn called_at(error: Error, mut called: ScriptError) -> Error {
        called.fault = ScriptFault::Failed(error.to_string());
        called.nearest = None;
        match error {
            Error::Script(mut script) => {
                script.trace.push(CallFrame { function: word_of(&called), at: called.at });
                script.trace.append(&mut called.trace);
                Error::Script(script)
            }
            error => Error::Called { error: Box::new(error), call: Box::new(called) },
        }
    }
}

/// The word at the place of an error: the function of the lab that was called there.
fn word_of(called: &ScriptError) -> String {
    let place = called.line.as_deref().zip(called.at.as_ref().and_then(|at| at.column));
    let word: String = place.map_or_else(String::new, |(line, column)| {
        let letters = line.chars().skip(column.saturating_sub(1));
        letters.take_while(|c| c.is_alphanumeric() || *c == '_').collect()
    });
    if word.is_empty() { "a function of the lab".to_owned() } else { word }
}

/// The kind of a mistake that is thrown as a text.
const SCRIPT: &str = "script";

/// Lets scripts read what they caught: `e.message`, `e.kind`. Primitives refuse what they are given with a text, as
/// `throw "…"` does.
pub(super) fn register(engine: &mut Engine) {
    engine
        .register_type_with_name::<LabFailure>("Failure")
        .register_get("message", |failure: &mut LabFailure| failure.message.clone())
        .register_get("kind", |failure: &mut LabFailure| failure.kind.to_owned())
        .register_get("message", |thrown: &mut ImmutableString| thrown.clone())
        .register_get("kind", |_: &mut ImmutableString| SCRIPT.to_owned())
        .register_fn("to_string", |failure: &mut LabFailure| failure.message.clone())
        .register_fn("print", |failure: &mut LabFailure| failure.message.clone());
}

#[derive(Clone, Debug)]
pub(super) struct WorkProgress {
    /// What is counted.
    pub what: &'static str,
    /// How many there are, if it is known.
    pub total: Option<u64>,
    /// How many are done.
    pub done: Arc<AtomicU64>,
}

impl fmt::Display for WorkProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (done, what) = (self.done.load(Ordering::Relaxed), self.what);
        match self.total {
            Some(total) => write!(f, "{done} of {total} {what}"),
            None => write!(f, "{done} {what}"),
        }
    }
}

/// What a function of the lab gives back.
pub(super) type CallResult<T = Dynamic> = Result<T, Box<EvalAltResult>>;
