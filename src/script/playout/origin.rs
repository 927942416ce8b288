//! What a playout begins with and returns (`Origin`, `State`, `Suspended`, `FinishedPlayout`), and `Watch`, which sees each
//! state between two steps.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::Arc;

use crate::game::{Outcome, Value};
use crate::script::machine::{self, Paused, Texts, from_plain, to_plain};
use crate::script::setup::{ReadSoFar, Setup};

/// A conflict that was played to its end.
#[derive(Clone, Debug)]
pub struct FinishedPlayout {
    /// How it ended.
    pub outcome: Outcome,
    /// The last state.
    pub state: State,
    /// How many steps it took.
    pub steps: u64,
}

/// The state that a setup led to without a question: it always leads there.
#[derive(Clone)]
pub(in crate::script) struct PlayoutStart {
    pub setup: Arc<Value>,
    pub state: State,
    pub operations: u64,
}

/// The texts of the setup that was read last.
pub(in crate::script) type NamesOfSetup = RefCell<Option<(Arc<Value>, Texts)>>;

/// Where a run of the rules begins.
#[derive(Clone)]
pub enum Origin<'a> {
    /// At the beginning: with `setup`.
    Setup(&'a Setup),
    /// Between two steps, at a state that is not over.
    State(State),
    /// At a question, which is asked again: see [`Rules::suspended`](crate::script::Rules::suspended).
    Suspended(Box<Suspended>),
}

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

/// A run that a handler paused in the setup or in a step. It can be resumed on the rules that it ran on, as
/// [`Origin::Suspended`]: the same is asked again, and limits hold as if
/// nobody had paused.
#[derive(Clone)]
pub struct Suspended {
    pub(in crate::script) paused: Paused,
    pub(in crate::script) asked: Rc<BTreeSet<String>>,
    pub(in crate::script) read: ReadSoFar,
}

/// The most bytes that a name in a set takes beside its letters.
const NAME: usize = 64;

impl Suspended {
    /// Whether it was paused in the setup.
    pub(in crate::script) fn is_setup(&self) -> bool {
        self.paused.function == "setup"
    }

    /// The most bytes that it may take; what it shares with others counts whole.
    pub fn bytes(&self) -> usize {
        let asked = self.asked.iter().map(|player| NAME + player.len());
        let read = self.read.bytes();
        size_of::<Suspended>() + self.paused.machine.bytes() + asked.sum::<usize>() + read
    }
}

/// Follows a run between its steps.
pub trait Watch {
    /// Whether steps, questions and memory are counted anew in each step, as operations always are. A graph
    /// is explored in pieces, some of which are known already: counts must not depend on where they begin.
    fn counts_each_step(&self) -> bool {
        false
    }

    /// Whether a run that begins at a state is the first to come there: whether the conflict is over is
    /// asked first, which costs the same at every place.
    fn begins_anew(&self) -> bool {
        false
    }

    /// The run reached this state, between two steps; its outcome was not asked for yet.
    /// [`ControlFlow::Break`] leaves it there: the run ends with
    /// [`Stop::Pause`](crate::game::Stop::Pause).
    fn arrives(&mut self, _state: &State) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// A step begins from this state; `number` counts from 1.
    fn before_step(&mut self, _number: u64, _state: &State) {}
}

/// Watches nothing.
pub struct Unwatched;
impl Watch for Unwatched {}
