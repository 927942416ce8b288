//! Begins a playout: calls `setup` and keeps its state.

use std::sync::Arc;

use crate::error::Error;
use crate::script::machine::{self, Called, Machine, Texts, plain};
use crate::script::playout::origin::{PlayoutStart, State};
use crate::script::rules::Rules;
use crate::script::sandbox::memory::uncounted;
use crate::script::setup::{Reader, Setup};

impl Rules {
    /// The state that a setup is known to lead to. Where somebody listens, or calls are counted for the first time,
    /// the setup runs again.
    pub(in crate::script) fn known_start(&self, setup: &Setup) -> Option<State> {
        let start = self.start_after(setup)?;
        if self.context.listens() {
            return None;
        }
        // As much is counted as if it had been made again.
        if self.context.calls.is_counting() {
            self.context.calls.add(&start.calls?);
        }
        self.context.meter.charge(start.cost);
        Some(start.state)
    }

    fn start_after(&self, setup: &Setup) -> Option<PlayoutStart> {
        self.start.borrow().clone().filter(|start| Arc::ptr_eq(&start.setup, &setup.value))
    }

    /// Keeps the state that `setup` made without asking anybody.
    pub(in crate::script) fn keep_start(&self, reader: &Reader, state: &State) {
        let (setup, cost) = (reader.setup().value.clone(), self.context.meter.spent());
        let calls = self.context.calls.since_setup().map(Arc::from);
        self.start.replace(Some(PlayoutStart { setup, state: state.clone(), cost, calls }));
    }

    /// A machine that is to run `setup`, and what reads the setup for it.
    pub(in crate::script) fn set_up(&self, setup: &Setup) -> Result<(Reader, Box<Machine>), Error> {
        let reader = Reader::new(setup);
        reader.check_names()?;
        let argument = [machine::Value::Reader(Arc::new(reader.clone()))];
        self.context.setups.open(&reader);
        self.context.calls.begins_setup();
        let machine = self.runner.machine("setup", machine::Value::Unbound, &argument)?;
        Ok((reader, machine))
    }

    pub(in crate::script) fn has_set_up(
        &self,
        reader: &Reader,
        called: Called,
    ) -> Result<State, Error> {
        let mut state = called.value;
        if state.as_map().is_none() {
            let kind = plain(&state, "state").map_or("something else", |value| value.kind());
            return Err(self.contract("setup", format!("must return a map, got {kind}")));
        }
        reader.finish()?;
        self.context.setups.close(reader);
        self.check("setup", &state)?;
        self.keep_names(reader.setup(), &mut state);
        Ok(State(state))
    }

    /// Puts the one text of each name that the script or the setup writes down into a new state. Others are
    /// not kept: what a run makes must not stay after it.
    fn keep_names(&self, setup: &Setup, state: &mut machine::Value) {
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
}
