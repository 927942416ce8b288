//! Keeps the functions that a playout calls to their contract.

pub(super) mod call_counter;
pub(super) mod canonical;
pub(super) mod countable_functions;
pub(super) mod origin;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use indexmap::IndexMap;

use self::origin::{PlayoutStart, State};
use super::assemble::layers::Import;
use super::campaign;
use super::diagnostics::{contract, point, stopped};
use super::machine::{self, Called, Machine, Text, Texts, check, outcome_of, plain};
use super::rules::Rules;
use super::sandbox::engine::guarded;
use super::sandbox::fuel::Stopped;
use super::sandbox::memory::uncounted;
use super::setup::{ReadSoFar, Reader, Setup};
use crate::error::{Error, Limit, Location, ScriptError, ScriptFault, nearest};
use crate::game::{Outcome, ticked};

/// How a playout begins: `setup` is called, and its state kept.
impl Rules {
    /// The state that a setup is known to lead to. Where somebody listens, or calls are counted for the first time,
    /// the setup runs again.
    pub(super) fn known_start(&self, setup: &Setup) -> Option<State> {
        let is_of = |start: &PlayoutStart| Arc::ptr_eq(&start.setup, &setup.value);
        let start = self.start.borrow().clone().filter(is_of)?;
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

    /// Keeps the state that `setup` made without asking anybody.
    pub(super) fn keep_start(&self, reader: &Reader, state: &State) {
        let (setup, cost) = (reader.setup().value.clone(), self.context.meter.spent());
        let calls = self.context.calls.since_setup().map(Arc::from);
        self.start.replace(Some(PlayoutStart { setup, state: state.clone(), cost, calls }));
    }

    /// A machine that is to run `setup`, and what reads the setup for it.
    pub(super) fn set_up(&self, setup: &Setup) -> Result<(Reader, Box<Machine>), Error> {
        let reader = Reader::new(setup);
        reader.check_names()?;
        let argument = [machine::Value::Reader(Arc::new(reader.clone()))];
        self.context.setups.open(&reader);
        self.context.calls.begins_setup();
        let machine = self.runner.machine("setup", machine::Value::Unbound, &argument)?;
        Ok((reader, machine))
    }

    pub(super) fn has_set_up(&self, reader: &Reader, called: Called) -> Result<State, Error> {
        let mut state = called.value;
        if state.as_map().is_none() {
            let kind = plain(&state, "state").map_or("something else", |value| value.kind());
            return Err(self.contract("setup", &state, format!("must return a map, got {kind}")));
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

impl Rules {
    /// The outcome at a state, if the conflict is over there.
    pub fn outcome(&self, state: &State) -> Result<Option<Outcome>, Error> {
        let nobody = BTreeSet::new();
        self.look("outcome", state, &[], |returned| self.outcome_of(returned, state, &nobody))
    }

    /// Calls a function that may not ask, on a copy of the state, under guard, with counts from zero and with
    /// suggestions in errors. What it returned is read, and dropped, within: both are as deep as it is nested.
    fn look<T>(
        &self,
        function: &'static str,
        state: &State,
        arguments: &[machine::Value],
        read: impl FnOnce(machine::Value) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let (context, meter) = (&self.context, &self.context.meter);
        // Short runs never look for it on their way, and there may be very many of them.
        meter.limits().budget.is_wanted()?;
        context.setups.restore(ReadSoFar::default());
        context.hears(false);
        meter.start(meter.limits().leg);
        let call = || self.runner.call(function, function, state.0.clone(), arguments);
        guarded(|| read(call()?.value))?.map_err(|error| self.suggested(error))
    }

    /// As [`Rules::look`]; a message of `read` is a breach of the contract by that function.
    pub(super) fn read_from<T>(
        &self,
        function: &'static str,
        state: &State,
        arguments: &[machine::Value],
        read: impl FnOnce(&machine::Value) -> Result<T, String>,
    ) -> Result<T, Error> {
        self.look(function, state, arguments, |returned| {
            read(&returned).map_err(|message| self.contract(function, &state.0, message))
        })
    }

    /// An error with the nearest name, where it names something unknown.
    pub(super) fn suggested(&self, error: Error) -> Error {
        match error {
            Error::Script(script) => Error::from(match script.fault {
                // No line is to blame for it, and where the graph knows the way none is known.
                ScriptFault::Limit(Limit::Playout(_)) => ScriptError::new(script.fault),
                _ => self.suggest(*script),
            }),
            other => other,
        }
    }

    /// A mistake of a function of the contract, called at a state or having led to it: in a campaign that of the
    /// conflict that is on there.
    pub(super) fn contract(
        &self,
        function: &str,
        state: &machine::Value,
        message: impl std::fmt::Display,
    ) -> Error {
        let named = self.named_in_force(function, state);
        match self.runner.placed(contract(&named, message), &named) {
            // How a campaign ends is in its own file.
            Error::Script(script) if script.at.is_none() => {
                let at = self.base().campaign.last().and_then(|ends| ends.begins.clone());
                self.script_error(at, script.fault).into()
            }
            error => error,
        }
    }

    pub(super) fn at_function(
        &self,
        function: &str,
        state: &machine::Value,
        fault: ScriptFault,
    ) -> ScriptError {
        self.script_error(self.runner.begins(&self.named_in_force(function, state)), fault)
    }

    /// The import whose function of the contract is in force at a state, in a campaign: how that ends may be in a
    /// script of its own.
    pub(crate) fn in_force(&self, function: &str, state: &State) -> Option<&Import> {
        self.import_in_force(function, &state.0)
    }

    fn import_in_force(&self, function: &str, state: &machine::Value) -> Option<&Import> {
        let ends = |own: &&Import| {
            function == "outcome" && self.runner.begins(&own.known_as(function)).is_some()
        };
        let own = campaign::own_script(self.base()).filter(ends);
        own.or_else(|| campaign::import_on(self.base(), state))
    }

    fn named_in_force<'f>(&self, function: &'f str, state: &machine::Value) -> Cow<'f, str> {
        match self.import_in_force(function, state) {
            Some(import) => Cow::Owned(import.known_as(function)),
            None => Cow::Borrowed(function),
        }
    }

    pub(super) fn script_error(&self, at: Option<Location>, fault: ScriptFault) -> ScriptError {
        let mut error = ScriptError { at, ..ScriptError::new(fault) };
        point(&mut error, &self.compiled.sources);
        error
    }

    pub(super) fn stepped(&self, called: Called) -> Result<State, Error> {
        if called.this.as_map().is_none() {
            return Err(self.contract("step", &called.this, "`this` must stay a map"));
        }
        self.check("step", &called.this)?;
        Ok(State(called.this))
    }

    /// The outcome that a function returned, if it is one, of a run in which these players were asked.
    pub(super) fn outcome_of(
        &self,
        returned: machine::Value,
        state: &State,
        asked: &BTreeSet<Text>,
    ) -> Result<Option<Outcome>, Error> {
        if matches!(returned, machine::Value::Unit) {
            return Ok(None);
        }
        let wrong = |message| self.contract("outcome", &state.0, message);
        let outcome = outcome_of(returned).map_err(wrong)?;
        if let Some(players) = &*self.players.borrow() {
            let owed = players.iter().map(String::as_str).chain(asked.iter().map(Text::as_str));
            if !owed.clone().all(|player| outcome.utility.contains_key(player)) {
                return Err(self.missing_utility(&outcome.utility, Some(state), owed));
            }
        }
        Ok(Some(outcome))
    }

    /// A limit that no line passed, but a function as often as it was called, up to this state.
    pub(super) fn passed(&self, function: &str, state: &machine::Value, limit: Limit) -> Error {
        self.at_function(function, state, ScriptFault::Limit(limit)).into()
    }

    /// Refuses a state that is not plain data. Each item is walked here: an empty step over a large
    /// state is no cheap step.
    pub(super) fn check(
        &self,
        function: &'static str,
        state: &machine::Value,
    ) -> Result<(), Error> {
        check(state, "this").map_err(|message| self.contract(function, state, message))?;
        let meter = &self.context.meter;
        if !meter.charge(2 * state.size().reading()) {
            return Ok(());
        }
        match meter.take_stopped() {
            Some(Stopped::Limit(limit)) => Err(self.passed(function, state, limit)),
            other => {
                // It says why: that the time is over is no interrupt.
                other.into_iter().for_each(|reason| _ = meter.stop(reason));
                Err(stopped(&self.context, None, &self.compiled.sources))
            }
        }
    }
}

impl Rules {
    /// From here on these players must have a utility in every outcome, and all who are asked in the
    /// same run; without players nobody must.
    pub fn expect(&self, players: Option<BTreeSet<String>>) {
        self.players.replace(players);
    }

    /// Who must have a utility: see [`Rules::expect`].
    pub fn expected(&self) -> Option<BTreeSet<String>> {
        self.players.borrow().clone()
    }

    /// The mistake of an outcome in which not all of these players have a utility, at a state where one is known.
    pub(crate) fn missing_utility<'a, T>(
        &self,
        utility: &IndexMap<String, T>,
        state: Option<&State>,
        players: impl IntoIterator<Item = &'a str>,
    ) -> Error {
        let players: BTreeSet<&str> = players.into_iter().collect();
        let lacking = || players.iter().copied().filter(|player| !utility.contains_key(*player));
        let named = match utility.is_empty() {
            true => "nobody".to_owned(),
            false => ticked(utility.keys()).join(", "),
        };
        let message = format!(
            "`utility` lacks {}, asked or seated; here `utility` is for {named}",
            ticked(lacking()).join(", ")
        );
        // A name that is not a player's was meant for one that is missing.
        let strangers = utility.keys().filter(|name| !players.contains(name.as_str()));
        let near = |name: &String| nearest(name, lacking());
        let nearest = strangers.into_iter().find_map(near);
        match self.contract(
            "outcome",
            state.map_or(&machine::Value::Unit, |state| &state.0),
            message,
        ) {
            Error::Script(error) => ScriptError { nearest, ..*error }.into(),
            other => other,
        }
    }
}
