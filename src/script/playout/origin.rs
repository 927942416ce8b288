//! The states of a playout between its steps, and its end.

use std::cell::RefCell;
use std::sync::Arc;

use crate::game::{Outcome, Value};
use crate::script::machine::{self, Texts, from_plain, to_plain};

/// A conflict that was played to its end.
#[derive(Clone, Debug)]
pub struct FinishedPlayout {
    /// How it ended.
    pub outcome: Outcome,
    /// The last state.
    pub state: State,
    /// How many steps it took.
    pub steps: u64,
    /// How many operations.
    pub cost: u64,
}

/// The state that a setup led to without a question: it always leads there.
#[derive(Clone)]
pub(in crate::script) struct PlayoutStart {
    pub setup: Arc<Value>,
    pub state: State,
    /// The operations that it took.
    pub cost: u64,
}

/// The texts of the setup that was read last.
pub(in crate::script) type NamesOfSetup = RefCell<Option<(Arc<Value>, Texts)>>;

/// The state between two steps: plain data, and the rules' own.
#[derive(Clone, Debug)]
pub struct State(pub(in crate::script) machine::Value);

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
