//! The start and the end of a run: setups, states between steps, and played conflicts.

use std::sync::Arc;

use super::machine::{self, Texts, from_plain, to_plain};
use super::setup::Locate;
use super::suspended::Suspended;
use crate::game::{Outcome, Value};

/// A conflict that was played to its end.
#[derive(Clone, Debug)]
pub struct Played {
    /// How it ended.
    pub outcome: Outcome,
    /// The last state.
    pub state: State,
    /// How many steps it took.
    pub steps: u64,
}

/// What a conflict starts from.
#[derive(Clone)]
pub struct Setup {
    /// The `[setup]` table.
    pub value: Arc<Value>,
    /// Finds its places in a file.
    pub locate: Locate,
}

impl Setup {
    /// A setup that is in no file.
    pub fn new(value: Value) -> Setup {
        Setup::located(value, Arc::new(|_| None))
    }

    /// A setup with the places of its file.
    pub fn located(value: Value, locate: Locate) -> Setup {
        Setup { value: Arc::new(value), locate }
    }
}

/// The state that a setup led to without a question: it always leads there.
pub(super) struct Start {
    pub setup: Arc<Value>,
    pub state: State,
    pub operations: u64,
}

/// Where a run of the rules begins.
#[derive(Clone)]
pub enum Origin<'a> {
    /// At the beginning: with `setup`.
    Setup(&'a Setup),
    /// Between two steps, at a state that is not over.
    State(State),
    /// At a question, which is asked again: see [`Rules::suspended`](super::Rules::suspended).
    Suspended(Box<Suspended>),
}

/// The state between two steps: plain data, and the rules' own.
#[derive(Clone, Debug)]
pub struct State(pub(super) machine::Value);

impl State {
    /// The state as plain data.
    pub fn value(&self) -> Value {
        to_plain(&self.0)
    }

    /// A state from plain data.
    pub fn from_value(value: &Value) -> State {
        State(from_plain(value, &Texts::default()))
    }
}
