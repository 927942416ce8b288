//! Plays a conflict by its script: setup, then step after step, until there is an outcome.

pub(super) mod begin;
pub(super) mod call_counter;
pub(super) mod canonical;
pub(super) mod countable_functions;
pub(super) mod missing_utility;
pub(super) mod origin;

use std::cell::RefCell;
use std::rc::Rc;

use self::origin::{FinishedPlayout, Origin, State};
use self::origin::{Unwatched, Watch};
use super::diagnostics::point;
use super::diagnostics::stopped::stopped;
use super::machine::{self, Called, check, outcome_of};
use super::questions::context::{MayAsk, SharedHandler};
use super::rules::Rules;
use super::sandbox::guard::guarded;
use super::sandbox::meter::Stopped;
use super::setup::{ReadSoFar, Setup};
use crate::error::{Error, Limit, Location, ScriptError, ScriptFault};
use crate::game::{Handler, Outcome, Stop};

impl Rules {
    /// Plays a conflict from its setup to its outcome; the handler answers.
    ///
    /// # Errors
    /// [`Stop::Pause`] where the handler paused, else what went wrong.
    pub fn play<H: Handler + 'static>(
        &self,
        setup: &Setup,
        handler: &Rc<RefCell<H>>,
    ) -> Result<FinishedPlayout, Stop> {
        self.play_watched(setup, handler, &mut Unwatched)
    }

    /// Plays as [`Rules::play`] does, with this many operations at most in all.
    pub(crate) fn play_within<H: Handler + 'static>(
        &self,
        setup: &Setup,
        handler: &Rc<RefCell<H>>,
        operations: u64,
    ) -> Result<FinishedPlayout, Stop> {
        self.play_of(Origin::Setup(setup), handler, &mut Unwatched, Some(operations))
    }

    /// Plays as [`Rules::play`] does, and shows each state before its step.
    ///
    /// # Errors
    /// As [`Rules::play`].
    pub fn play_watched<H: Handler + 'static>(
        &self,
        setup: &Setup,
        handler: &Rc<RefCell<H>>,
        watch: &mut impl Watch,
    ) -> Result<FinishedPlayout, Stop> {
        self.play_from(Origin::Setup(setup), handler, watch)
    }

    /// Plays from the setup, from a state between two steps, or from a question, to the outcome.
    ///
    /// # Errors
    /// [`Stop::Pause`] where the handler paused or the watcher left, else what went wrong.
    pub fn play_from<H: Handler + 'static>(
        &self,
        origin: Origin<'_>,
        handler: &Rc<RefCell<H>>,
        watch: &mut impl Watch,
    ) -> Result<FinishedPlayout, Stop> {
        self.play_of(origin, handler, watch, None)
    }

    fn play_of<H: Handler + 'static>(
        &self,
        origin: Origin<'_>,
        handler: &Rc<RefCell<H>>,
        watch: &mut impl Watch,
        operations: Option<u64>,
    ) -> Result<FinishedPlayout, Stop> {
        let handler: SharedHandler = handler.clone();
        self.run(|| {
            self.context.with_handler(handler, || {
                let meter = &self.context.meter;
                meter.allow(operations.unwrap_or(meter.limits().playout));
                let is_setup = match &origin {
                    Origin::Setup(_) => true,
                    Origin::State(_) => false,
                    Origin::Suspended(suspended) => suspended.is_setup(),
                };
                let mut state = match origin {
                    Origin::Setup(setup) => self.start_of(setup)?,
                    Origin::State(mut state) => {
                        if watch.begins_anew() {
                            self.end_of(&state)?;
                            meter.next_step_alone();
                        }
                        self.take_step(&mut state, watch)?;
                        state
                    }
                    Origin::Suspended(suspended) => self.resume(*suspended)?,
                };
                let mut ended = if is_setup { "setup" } else { "step" };
                loop {
                    self.ends_piece(ended)?;
                    self.bound_idle()?;
                    if self.uncharged(|| watch.arrives(&state)).is_break() {
                        return Err(Stop::Pause);
                    }
                    if let Some(outcome) = self.end_of(&state)? {
                        self.ends_piece("outcome")?;
                        return Ok(FinishedPlayout { outcome, state, steps: meter.steps() });
                    }
                    match watch.counts_each_step() {
                        true => meter.next_step_alone(),
                        false => meter.next_step(),
                    }
                    self.take_step(&mut state, watch)?;
                    ended = "step";
                }
            })
        })
    }

    fn take_step(&self, state: &mut State, watch: &mut impl Watch) -> Result<(), Stop> {
        let steps = self.context.meter.step();
        self.uncharged(|| watch.before_step(steps, state));
        self.step_on(state)
    }

    /// Lets the watcher work; its time and memory are not charged to the script.
    fn uncharged<T>(&self, watch: impl FnOnce() -> T) -> T {
        self.context.meter.beside(watch)
    }

    /// Runs `setup` alone; the handler answers what it asks.
    ///
    /// # Errors
    /// As [`Rules::play`].
    pub fn begin<H: Handler + 'static>(
        &self,
        setup: &Setup,
        handler: &Rc<RefCell<H>>,
    ) -> Result<State, Stop> {
        let handler: SharedHandler = handler.clone();
        self.run(|| self.context.with_handler(handler, || self.set_up(setup)))
    }

    /// Runs one step from a state; the handler answers what it asks. The state is lost if the step
    /// does not finish.
    ///
    /// # Errors
    /// As [`Rules::play`].
    pub fn step<H: Handler + 'static>(
        &self,
        state: &mut State,
        handler: &Rc<RefCell<H>>,
    ) -> Result<(), Stop> {
        let handler: SharedHandler = handler.clone();
        self.run(|| self.context.with_handler(handler, || self.step_on(state)))
    }

    /// The outcome at a state, if the conflict is over there.
    ///
    /// # Errors
    /// [`Error::Script`], also for a result that is no outcome.
    pub fn outcome(&self, state: &State) -> Result<Option<Outcome>, Error> {
        self.look(|| self.end_of(state))
    }

    /// The operations that the last run took.
    pub fn operations(&self) -> u64 {
        self.context.meter.operations()
    }

    /// Runs under guard, with counts from zero and with suggestions in errors. A handler may run
    /// the same rules while it answers: the counts of the outer run are kept.
    fn run<T>(&self, run: impl FnOnce() -> Result<T, Stop>) -> Result<T, Stop> {
        let meter = &self.context.meter;
        // Short runs never look for it on their way, and there may be very many of them.
        meter.is_wanted().map_err(Error::from)?;
        let within = self.running.replace(true);
        let result = if within {
            let read = self.context.setups.so_far();
            let result = meter.nested(|| guarded(run)).0;
            self.context.setups.restore(read);
            result
        } else {
            // What was left standing is no part of this run, nor are its bytes.
            self.suspended();
            meter.restart();
            self.context.asked.take();
            self.context.setups.restore(ReadSoFar::default());
            guarded(run)
        };
        self.running.set(within);
        let result = result.map_err(|panic| Stop::from(Error::from(panic)))?;
        result.map_err(|stop| match stop {
            Stop::Fail(error) => match *error {
                Error::Script(script) => Error::from(match script.fault {
                    // No line is to blame for it, and where the graph knows the way none is known.
                    ScriptFault::Limit(Limit::Playout(_)) => ScriptError::new(script.fault),
                    _ => self.suggest(*script),
                })
                .into(),
                other => other.into(),
            },
            Stop::Pause => Stop::Pause,
        })
    }

    /// A mistake of the rules' contract, at the function that made it.
    pub(super) fn contract(&self, function: &str, message: impl std::fmt::Display) -> Error {
        let (function, message) = (function.to_owned(), message.to_string());
        let fault = ScriptFault::Contract { function: function.clone(), message };
        self.at_function(&function, fault).into()
    }

    fn at_function(&self, function: &str, fault: ScriptFault) -> ScriptError {
        let at = self.functions().find(|known| known.name == function).and_then(|f| f.at.clone());
        self.script_error(at, fault)
    }

    /// A mistake at a place in the scripts.
    pub(super) fn script_error(&self, at: Option<Location>, fault: ScriptFault) -> ScriptError {
        let mut error = ScriptError { at, ..ScriptError::new(fault) };
        point(&mut error, &self.sources);
        error
    }

    /// Runs what asks nothing, so that nothing can pause it. What a script returned is read, and
    /// dropped, within: both are as deep as it is nested.
    pub(super) fn look<T>(&self, look: impl FnOnce() -> Result<T, Stop>) -> Result<T, Error> {
        self.run(look).map_err(Error::from)
    }

    fn step_on(&self, state: &mut State) -> Result<(), Stop> {
        // The value of the last line of `step` means nothing; the state is what counts.
        let this = std::mem::take(&mut state.0);
        *state = self.stepped(self.runner.call("step", MayAsk::Allowed, this, &[])?)?;
        Ok(())
    }

    /// The state that a step led to.
    pub(super) fn stepped(&self, called: Called) -> Result<State, Stop> {
        if called.this.as_map().is_none() {
            return Err(self.contract("step", "`this` must stay a map").into());
        }
        self.check("step", &called.this)?;
        Ok(State(called.this))
    }

    fn end_of(&self, state: &State) -> Result<Option<Outcome>, Stop> {
        // On a copy: what `outcome` changes is always lost.
        let outcome = self.call_quiet("outcome", state, &[])?;
        if matches!(outcome, machine::Value::Unit) {
            return Ok(None);
        }
        let outcome = outcome_of(outcome).map_err(|message| self.contract("outcome", message))?;
        if let Some(players) = &*self.players.borrow() {
            let asked = self.context.asked.borrow();
            let owed = players.iter().chain(asked.iter());
            if !owed.clone().all(|player| outcome.utility.contains_key(player)) {
                return Err(self.missing_utility(&outcome.utility, owed).into());
            }
        }
        Ok(Some(outcome))
    }

    /// Ends a piece of the playout with a function, and refuses a playout that costs too much.
    fn ends_piece(&self, function: &str) -> Result<(), Stop> {
        let meter = &self.context.meter;
        let limit = Limit::Playout(meter.limits().playout);
        if meter.ends_piece(function == "step") { self.refuse(function, limit) } else { Ok(()) }
    }

    /// Refuses too many steps in a row in which nobody was asked.
    fn bound_idle(&self) -> Result<(), Stop> {
        let (meter, most) = (&self.context.meter, self.context.meter.limits().steps);
        if meter.idle() > most { self.refuse("step", Limit::Steps(most)) } else { Ok(()) }
    }

    fn refuse(&self, function: &str, limit: Limit) -> Result<(), Stop> {
        self.context.meter.stop(Stopped::Limit(limit));
        Err(Error::from(self.at_function(function, ScriptFault::Limit(limit))).into())
    }

    /// Refuses a state that is not plain data. Each item is walked here: an empty step over a large
    /// state is no cheap step.
    pub(super) fn check(&self, function: &'static str, state: &machine::Value) -> Result<(), Stop> {
        check(state, "this").map_err(|message| self.contract(function, message))?;
        let meter = &self.context.meter;
        if !meter.charge(2 * state.size().reading()) {
            return Ok(());
        }
        match meter.take_stopped() {
            Some(Stopped::Limit(limit)) => {
                Err(Error::from(self.at_function(function, ScriptFault::Limit(limit))).into())
            }
            other => {
                // It says why: that the time is over is no interrupt.
                other.into_iter().for_each(|reason| _ = meter.stop(reason));
                Err(stopped(&self.context, None, &self.sources))
            }
        }
    }
}
