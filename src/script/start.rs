//! Where a playout begins and what it returns: `State`, `Suspended`, `Origin`, `Played`.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use super::machine::{self, Paused, Texts, from_plain, to_plain};
use super::setup::{ReadSoFar, Setup};
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

/// The state that a setup led to without a question: it always leads there.
pub(super) struct Start {
    pub setup: Arc<Value>,
    pub state: State,
    pub operations: u64,
}

/// The texts of the setup that was read last.
pub(super) type NamesOfSetup = RefCell<Option<(Arc<Value>, Texts)>>;

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

/// A run that a handler paused in the setup or in a step. It can be resumed on the rules that it ran on, as
/// [`Origin::Suspended`](super::Origin::Suspended): the same is asked again, and limits hold as if
/// nobody had paused.
#[derive(Clone)]
pub struct Suspended {
    pub(super) paused: Paused,
    pub(super) asked: Rc<BTreeSet<String>>,
    pub(super) read: ReadSoFar,
}

/// The most bytes that a name in a set takes beside its letters.
const NAME: usize = 64;

impl Suspended {
    /// Whether it was paused in the setup.
    pub(super) fn is_setup(&self) -> bool {
        self.paused.function == "setup"
    }

    /// The most bytes that it may take; what it shares with others counts whole.
    pub fn bytes(&self) -> usize {
        let asked = self.asked.iter().map(|player| NAME + player.len());
        let read = self.read.bytes();
        size_of::<Suspended>() + self.paused.machine.bytes() + asked.sum::<usize>() + read
    }
}
