//! The start and the end of a run: setups, states between steps, runs that stand at a question, and
//! played conflicts.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use super::context::MayAsk;
use super::machine::{self, Called, Paused, Texts, from_plain, plain, to_plain};
use super::rules::Rules;
use super::setup::{ReadSoFar, Reader, Setup};
use crate::game::{Outcome, Stop, Value};

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
    paused: Paused,
    asked: Rc<BTreeSet<String>>,
    read: ReadSoFar,
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

impl Rules {
    /// The state a setup leads to. It is kept if nobody was asked and nobody listens.
    pub(super) fn start_of(&self, setup: &Setup) -> Result<State, Stop> {
        let meter = &self.context.meter;
        if let Some(start) = &*self.start.borrow()
            && Arc::ptr_eq(&start.setup, &setup.value)
            && !self.context.listens()
            && !self.context.calls.is_counting()
        {
            // As much is counted as if it had been made again.
            meter.count_again(start.operations);
            return Ok(start.state.clone());
        }
        let state = self.set_up(setup)?;
        if meter.questions() == 0 && !self.context.listens() {
            let operations = meter.counted();
            let setup = setup.value.clone();
            self.start.replace(Some(Start { setup, state: state.clone(), operations }));
        }
        Ok(state)
    }

    pub(super) fn set_up(&self, setup: &Setup) -> Result<State, Stop> {
        let reader = Reader::new(setup);
        reader.check_names()?;
        let argument = [machine::Value::Reader(Arc::new(reader.clone()))];
        let nobody = machine::Value::Unbound;
        self.context.setups.open(&reader);
        let called = self.runner.call("setup", MayAsk::Allowed, nobody, &argument)?;
        self.has_set_up(&reader, called)
    }

    /// The state that a setup led to.
    fn has_set_up(&self, reader: &Reader, called: Called) -> Result<State, Stop> {
        let mut state = called.value;
        if state.as_map().is_none() {
            let kind = plain(&state, "state").map_or("something else", |value| value.kind());
            return Err(self.contract("setup", format!("must return a map, got {kind}")).into());
        }
        reader.finish()?;
        self.context.setups.close(reader);
        self.check("setup", &state)?;
        state.keep_names();
        Ok(State(state))
    }

    /// The run that a handler paused last. Nothing where anything else of these rules was run since.
    pub fn suspended(&self) -> Option<Suspended> {
        let paused = self.runner.paused()?;
        let (asked, read) = (self.context.asked.borrow().clone(), self.context.setups.so_far());
        Some(Suspended { paused, asked, read })
    }

    /// Runs on to the end of the setup or the step.
    pub(super) fn resume(&self, suspended: Suspended) -> Result<State, Stop> {
        let Suspended { paused: Paused { function, machine, used }, asked, read } = suspended;
        self.context.meter.resume(&used);
        self.context.asked.replace(asked);
        self.context.setups.restore(read);
        let called = self.runner.go_on(function, MayAsk::Allowed, machine)?;
        match self.context.setups.first().filter(|_| function == "setup") {
            Some(reader) => self.has_set_up(&reader, called),
            None => self.stepped(called),
        }
    }
}
