//! The start and the end of a run: setups, states between steps, runs that stand at a question, and
//! played conflicts.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use super::context::MayAsk;
use super::machine::{self, Machine, Texts, from_plain, to_plain};
use super::memory::uncounted;
use super::meter::Used;
use super::rules::Rules;
use super::setup::Locate;
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

/// A run that a handler paused in a step. It can be resumed on the rules that it ran on, as
/// [`Origin::Suspended`](super::Origin::Suspended): the same is asked again, and limits hold as if
/// nobody had paused.
#[derive(Clone)]
pub struct Suspended {
    machine: Machine,
    used: Used,
    asked: Rc<BTreeSet<String>>,
}

/// The most bytes that a name in a set takes beside its letters.
const NAME: usize = 64;

impl Suspended {
    /// The most bytes that it may take; what it shares with others counts whole.
    pub fn bytes(&self) -> usize {
        let asked = self.asked.iter().map(|player| NAME + player.len());
        size_of::<Suspended>() + self.machine.bytes() + asked.sum::<usize>()
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
        meter.beside(|| self.start.take());
        let (state, held) = meter.holding(|| self.set_up(setup));
        let state = state?;
        if meter.questions() == 0 && !self.context.listens() {
            let operations = meter.counted();
            let setup = setup.value.clone();
            // Later runs hold nothing for it, so this one does not either.
            meter.grant(held);
            self.start.replace(Some(Start { setup, state: state.clone(), operations }));
        }
        Ok(state)
    }

    /// Puts the one text of each name that the script or the setup writes down into a new state. Others are
    /// not kept: what a run makes must not stay after it.
    pub(super) fn keep_names(&self, setup: &Setup, state: &mut machine::Value) {
        let mut names = self.names_of_setup.borrow_mut();
        if !names.as_ref().is_some_and(|(of, _)| Arc::ptr_eq(of, &setup.value)) {
            uncounted(|| {
                let mut texts = Texts::default();
                texts.take_in(&setup.value);
                *names = Some((setup.value.clone(), texts));
            });
        }
        let (written, read) =
            (&self.runner.program().texts, names.as_ref().map(|(_, texts)| texts));
        let known = |text: &str| written.known(text).or_else(|| read?.known(text));
        state.keep_names(&known);
    }

    /// The run that a handler paused last. Nothing where that was in the setup, which notes what it
    /// has read, or where anything else of these rules was run since.
    pub fn suspended(&self) -> Option<Suspended> {
        let (machine, used) = self.runner.paused("step")?;
        Some(Suspended { machine, used, asked: self.context.asked.borrow().clone() })
    }

    /// Runs on to the end of the step.
    pub(super) fn resume(&self, suspended: Suspended) -> Result<State, Stop> {
        let Suspended { machine, used, asked } = suspended;
        self.context.meter.resume(&used);
        self.context.asked.replace(asked);
        self.stepped(self.runner.go_on("step", MayAsk::Allowed, machine)?)
    }
}
