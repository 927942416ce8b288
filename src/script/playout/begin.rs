//! Begins a playout: calls `setup` and keeps its state; suspends runs at questions and resumes them.

use std::sync::Arc;

use crate::game::Stop;
use crate::script::machine::{self, Called, Paused, Texts, plain};
use crate::script::playout::origin::{PlayoutStart, State, Suspended};
use crate::script::questions::context::MayAsk;
use crate::script::rules::Rules;
use crate::script::sandbox::memory::uncounted;
use crate::script::setup::{Reader, Setup};

impl Rules {
    /// The state a setup leads to. It is kept if nobody was asked. Where somebody listens, or calls are counted,
    /// the setup runs again, but the playout begins with the state that was kept: it holds the same then.
    pub(in crate::script) fn start_of(&self, setup: &Setup) -> Result<State, Stop> {
        let meter = &self.context.meter;
        let known =
            self.start.borrow().clone().filter(|start| Arc::ptr_eq(&start.setup, &setup.value));
        match &known {
            Some(start) if !self.context.listens() && !self.context.calls.is_counting() => {
                // As much is counted as if it had been made again.
                meter.count_again(start.operations);
                return Ok(start.state.clone());
            }
            Some(_) => {}
            None => meter.beside(|| drop(self.start.take())),
        }
        let (state, held) = meter.holding(|| {
            let made = self.set_up(setup)?;
            Ok::<State, Stop>(known.as_ref().map_or(made, |start| start.state.clone()))
        });
        let state = state?;
        if meter.questions() == 0 {
            // Later runs hold nothing for it, so this one does not either.
            meter.grant(held);
            if known.is_none() {
                let (setup, operations) = (setup.value.clone(), meter.counted());
                self.start.replace(Some(PlayoutStart { setup, state: state.clone(), operations }));
            }
        }
        Ok(state)
    }

    pub(in crate::script) fn set_up(&self, setup: &Setup) -> Result<State, Stop> {
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

    /// The run that a handler paused last. Nothing where anything else of these rules was run since.
    pub fn suspended(&self) -> Option<Suspended> {
        let paused = self.runner.paused()?;
        let (asked, read) = (self.context.asked.borrow().clone(), self.context.setups.so_far());
        Some(Suspended { paused, asked, read })
    }

    /// Runs on to the end of the setup or the step.
    pub(in crate::script) fn resume(&self, suspended: Suspended) -> Result<State, Stop> {
        let Suspended { paused: Paused { function, machine, used }, asked, read } = suspended;
        // What these replace must not be freed within the run: it would make room for as much more.
        self.context.asked.replace(asked);
        self.context.setups.restore(read);
        self.context.meter.resume(&used);
        let called = self.runner.resume(function, MayAsk::Allowed, machine)?;
        match self.context.setups.first().filter(|_| function == "setup") {
            Some(reader) => self.has_set_up(&reader, called),
            None => self.stepped(called),
        }
    }
}
