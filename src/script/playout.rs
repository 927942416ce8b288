//! How is a conflict played? Setup, then step after step, until there is an outcome.

use std::cell::RefCell;
use std::rc::Rc;

use indexmap::IndexMap;
use rhai::{Array, Dynamic, Map};

use super::context::{Asking, SharedHandler};
use super::diagnostics::contract;
use super::guard::guarded;
use super::limits::Stopped;
use super::rules::{Rules, State};
use super::run::call;
use super::setup::{Locate, Reader};
use super::value::{check_state, to_value};
use crate::error::{Error, Limit};
use crate::game::{Handler, Outcome, Stop, Value};

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
    pub value: Value,
    /// Finds its places in a file.
    pub locate: Locate,
}

impl Setup {
    /// A setup that stands in no file.
    pub fn new(value: Value) -> Setup {
        Setup { value, locate: Rc::new(|_| None) }
    }
}

/// What may be watched between steps.
pub trait Watch {
    /// A step begins from this state; `number` counts from 1.
    fn before_step(&mut self, _number: u64, _state: &State) {}
}

/// Watches nothing.
pub struct Unwatched;
impl Watch for Unwatched {}

impl Rules {
    /// Plays a conflict from its setup to its outcome; the handler answers.
    ///
    /// # Errors
    /// [`Stop::Pause`] where the handler paused, else what went wrong.
    pub fn play<H: Handler + 'static>(
        &self,
        setup: &Setup,
        handler: &Rc<RefCell<H>>,
    ) -> Result<Played, Stop> {
        self.play_watched(setup, handler, &mut Unwatched)
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
    ) -> Result<Played, Stop> {
        let handler: SharedHandler = handler.clone();
        self.run(|| {
            self.context.with_handler(handler, || {
                let mut state = self.set_up(setup)?;
                let mut steps = 0;
                loop {
                    if let Some(outcome) = self.end_of(&state)? {
                        return Ok(Played { outcome, state, steps });
                    }
                    steps += 1;
                    self.bound_steps(steps)?;
                    watch.before_step(steps, &state);
                    self.step_on(&mut state)?;
                }
            })
        })
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

    /// Runs one step from a state; the handler answers what it asks.
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
    /// [`Error::Script`], also for what is no outcome.
    pub fn outcome(&self, state: &State) -> Result<Option<Outcome>, Error> {
        self.look(|| self.end_of(state))
    }

    /// What a player may see of a state: all of it where the rules define no `view`.
    ///
    /// # Errors
    /// [`Error::Script`].
    pub fn view(&self, state: &State, player: &str) -> Result<Value, Error> {
        if !self.context.defines.get().view {
            return Ok(state.value());
        }
        let seen = self.look(|| self.call_quiet("view", state, vec![player.into()]))?;
        to_value(&seen, "view").map_err(|message| contract("view", message))
    }

    /// The rules' picture of a state, where they draw one.
    ///
    /// # Errors
    /// [`Error::Script`].
    pub fn picture(&self, state: &State) -> Result<Option<String>, Error> {
        if !self.context.defines.get().picture {
            return Ok(None);
        }
        let picture = self.look(|| self.call_quiet("picture", state, Vec::new()))?;
        match picture.into_string() {
            Ok(text) => Ok(Some(text)),
            Err(kind) => Err(contract("picture", format!("must return a text, got {kind}"))),
        }
    }

    /// The laws that a state breaks, in words; none where the rules define no `laws`.
    ///
    /// # Errors
    /// [`Error::Script`].
    pub fn laws(&self, state: &State) -> Result<Vec<String>, Error> {
        if !self.context.defines.get().laws {
            return Ok(Vec::new());
        }
        let broken = self.look(|| self.call_quiet("laws", state, Vec::new()))?;
        match broken.into_array() {
            Ok(texts) => Ok(texts.iter().map(ToString::to_string).collect()),
            Err(kind) => Err(contract("laws", format!("must return a list of texts, got {kind}"))),
        }
    }

    /// Which players one seat answers for; `None` where each answers for themself.
    ///
    /// # Errors
    /// [`Error::Script`].
    pub fn sides(&self, state: &State) -> Result<Option<IndexMap<String, Vec<String>>>, Error> {
        if !self.context.defines.get().sides {
            return Ok(None);
        }
        let wrong =
            |what: &str| contract("sides", format!("must return a map of lists, got {what}"));
        let sides = self.look(|| self.call_quiet("sides", state, Vec::new()))?;
        let sides = sides.try_cast::<Map>().ok_or_else(|| wrong("something else"))?;
        let read = |(side, players): (rhai::Identifier, Dynamic)| {
            let players = players.try_cast::<Array>().ok_or_else(|| wrong("no list"))?;
            Ok((side.to_string(), players.iter().map(ToString::to_string).collect()))
        };
        sides.into_iter().map(read).collect::<Result<_, Error>>().map(Some)
    }

    /// The operations that the last run took.
    pub fn operations(&self) -> u64 {
        self.context.meter.operations()
    }

    /// Runs under guard, counting anew, with suggestions in its errors.
    fn run<T>(&self, run: impl FnOnce() -> Result<T, Stop>) -> Result<T, Stop> {
        self.context.meter.restart();
        let result = guarded(run).map_err(|panic| Stop::from(Error::from(panic)))?;
        result.map_err(|stop| match stop {
            Stop::Fail(error) => match *error {
                Error::Script(script) => Error::from(self.suggest(*script)).into(),
                other => other.into(),
            },
            Stop::Pause => Stop::Pause,
        })
    }

    /// Runs what asks nothing, so that nothing can pause it.
    fn look<T>(&self, look: impl FnOnce() -> Result<T, Stop>) -> Result<T, Error> {
        self.run(look).map_err(|stop| match stop {
            Stop::Fail(error) => *error,
            Stop::Pause => Error::Interrupted,
        })
    }

    fn set_up(&self, setup: &Setup) -> Result<State, Stop> {
        let reader = Reader::new(&setup.value, setup.locate.clone());
        let argument = vec![Dynamic::from(reader.clone())];
        let state = self.call("setup", Asking::Allowed, None, argument)?;
        reader.finish()?;
        if !state.is_map() {
            let kind = state.type_name();
            return Err(contract("setup", format!("must return a map, got {kind}")).into());
        }
        check_state(&state).map_err(|message| contract("setup", message))?;
        Ok(State(state))
    }

    fn step_on(&self, state: &mut State) -> Result<(), Stop> {
        // What the last line of `step` comes to means nothing; the state is what counts.
        let _ = self.call("step", Asking::Allowed, Some(&mut state.0), Vec::new())?;
        if !state.0.is_map() {
            return Err(contract("step", "`this` must stay a map").into());
        }
        check_state(&state.0).map_err(|message| contract("step", message))?;
        Ok(())
    }

    fn end_of(&self, state: &State) -> Result<Option<Outcome>, Stop> {
        // On a copy: what `outcome` did to the state would be lost wherever it is asked again.
        let outcome = self.call_quiet("outcome", state, Vec::new())?;
        if outcome.is_unit() {
            return Ok(None);
        }
        let value =
            to_value(&outcome, "outcome").map_err(|message| contract("outcome", message))?;
        let outcome = Outcome::new(value).map_err(|message| contract("outcome", message))?;
        Ok(Some(outcome))
    }

    fn call_quiet(
        &self,
        function: &'static str,
        state: &State,
        arguments: Vec<Dynamic>,
    ) -> Result<Dynamic, Stop> {
        let mut this = state.0.clone();
        self.call(function, Asking::Refused(function), Some(&mut this), arguments)
    }

    fn call(
        &self,
        function: &'static str,
        asking: Asking,
        this: Option<&mut Dynamic>,
        arguments: Vec<Dynamic>,
    ) -> Result<Dynamic, Stop> {
        let ast = if self.context.listens() { &self.ast } else { &self.quiet };
        call(&self.engine, ast, &self.context, function, asking, this, arguments)
    }

    fn bound_steps(&self, steps: u64) -> Result<(), Stop> {
        let most = self.context.meter.limits().steps;
        if steps <= most {
            return Ok(());
        }
        self.context.meter.stop(Stopped::Limit(Limit::Steps(most)));
        let fault = crate::error::ScriptFault::Limit(Limit::Steps(most));
        Err(Error::from(crate::error::ScriptError::new(fault)).into())
    }
}
