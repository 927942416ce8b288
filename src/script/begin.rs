//! How a run begins: with `setup`, or where a run was suspended at a question.

use std::sync::Arc;

use super::context::MayAsk;
use super::machine::{self, Called, Paused, plain};
use super::rules::Rules;
use super::setup::{Reader, Setup};
use super::start::{Start, State, Suspended};
use crate::game::Stop;

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
