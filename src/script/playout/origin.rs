//! Where a run can be: at states between its steps, within a function, after the answers with which it begins, at its
//! end.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use crate::game::{History, Outcome, Value};
use crate::script::machine::{self, Machine, Texts, from_plain, to_plain};
use crate::script::setup::{Drawing, ReadSoFar, Reader, Setup};

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
    /// How often it ran each function, where that was counted.
    pub calls: Option<Arc<[u64]>>,
}

#[derive(Clone)]
pub(in crate::script) enum RunPlace {
    /// Before the setup.
    Beginning(Setup),
    /// Where values of the setup are drawn.
    Drawing(Box<Drawing>),
    /// At a state between two steps, of which it is not known whether it is over.
    Reached(State),
    /// At one that is not.
    Going(State),
    /// Within a function.
    Within(CalledFunction, Box<Machine>),
    Over(Outcome, State),
    /// Nowhere: it failed.
    Lost,
}

/// A function that a run is in.
#[derive(Clone)]
pub(in crate::script) enum CalledFunction {
    /// What reads the setup.
    Setup(Reader),
    Step,
    /// On a copy of the state: what `outcome` changes is always lost.
    Outcome(State),
}

impl CalledFunction {
    pub(in crate::script) fn name(&self) -> &'static str {
        match self {
            CalledFunction::Setup(_) => "setup",
            CalledFunction::Step => "step",
            CalledFunction::Outcome(_) => "outcome",
        }
    }
}

/// Where a run is once the answers of a scenario were given after which it begins: it always comes there.
pub(in crate::script) struct RunOpening {
    pub value: Arc<Value>,
    pub begin: Arc<History>,
    pub at: RunPlace,
    pub asked: Rc<BTreeSet<machine::Text>>,
    pub read: ReadSoFar,
    pub parts: usize,
    pub answers: Vec<usize>,
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
