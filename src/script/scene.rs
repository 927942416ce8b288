//! What can be seen at the question of a run: the options, and `view` and `picture`, which run on another machine, on
//! a copy of the state.

use std::any::Any;

use indexmap::IndexMap;

use super::machine::{
    Machine, OfferedDecision, OpenQuestion, Value, is_plain_as, is_whole, to_plain,
};
use super::playout::canonical::write;
use super::questions::views::{drawn_of, seen_of};
use super::run::Run;
use super::sandbox::fuel::Stopped;
use super::sandbox::limits::fail;
use crate::error::{Error, Location};
use crate::game::{self, Decision, Options, Scene};

impl Run {
    fn open_question(&self) -> Option<&OpenQuestion> {
        self.machine()?.question()
    }

    fn scene(&self) -> &Value {
        const NOTHING: &Value = &Value::Unit;
        self.machine().map_or(NOTHING, Machine::scene)
    }

    /// Calls a function that looks at the state, as a leg of its own: whoever looks must not change how far the
    /// playout comes.
    fn look<T>(
        &self,
        function: &'static str,
        arguments: &[Value],
        read: impl FnOnce(&Value) -> Result<T, String>,
    ) -> Result<T, Error> {
        let (runner, context) = (&self.rules().runner, &self.rules().context);
        let meter = &context.meter;
        let wrong = |message: String| {
            let at = self.open_question().map(|question| question.at).unwrap_or_default();
            Err(runner.error_of(&fail(message, at)))
        };
        let (heard, counted) = (context.hears(false), context.calls.counts(false));
        meter.start(meter.limits().view);
        let machine = runner.machine(function, self.scene().clone(), arguments);
        let seen = machine.and_then(|mut machine| {
            let seen = runner.drive(&mut machine, function);
            match (meter.take_stopped(), seen) {
                (Some(Stopped::Limit(limit)), _) => {
                    wrong(format!("`{function}`: limit passed: {limit}"))
                }
                (Some(Stopped::Failed(error)), _) => wrong(error.to_string()),
                (Some(Stopped::Cut(cut)), _) => Err(cut.into()),
                (None, Ok(value)) => {
                    let seen = runner.done(machine, value).value;
                    read(&seen)
                        .map_err(|message| self.rules().contract(function, self.scene(), message))
                }
                (None, Err(fault)) => Err(runner.error_of(&fault)),
            }
        });
        context.hears(heard);
        context.calls.counts(counted);
        // The step that asks shows what went wrong, where nothing else does.
        seen.map_err(|error| self.blamed(error))
    }
}

/// What players see at a question; between steps [`crate::script::Rules::view`] says it.
impl Scene for Run {
    fn view(&self, player: &str) -> Result<game::Value, Error> {
        if self.drawing().is_some() {
            return Ok(game::Value::Map(IndexMap::new()));
        }
        if !self.rules().defines("view") {
            return Ok(to_plain(self.scene()));
        }
        self.look("view", &[Value::text(player)], seen_of)
    }

    fn held_view(&self, player: &str) -> Result<Box<dyn Any>, Error> {
        if self.drawing().is_none() && self.rules().defines("view") {
            return self.look("view", &[Value::text(player)], |seen| match is_held(seen) {
                true => Ok(Box::new(seen.clone()) as Box<dyn Any>),
                false => Ok(Box::new(seen_of(seen)?)),
            });
        }
        match self.drawing().is_none() && is_held(self.scene()) {
            true => Ok(Box::new(self.scene().clone())),
            false => Ok(Box::new(self.view(player)?)),
        }
    }

    fn view_cost(&self) -> u64 {
        if self.rules().defines("view") { self.rules().context.meter.spent() } else { 0 }
    }

    fn picture(&self) -> Result<Option<String>, Error> {
        if !self.rules().defines("picture") || self.drawing().is_some() {
            return Ok(None);
        }
        self.look("picture", &[], |drawn| drawn_of(drawn).map(Some))
    }

    fn state(&self) -> game::Value {
        to_plain(self.scene())
    }

    fn asked_at(&self) -> Option<Location> {
        if let Some(drawing) = self.drawing() {
            return drawing.location();
        }
        self.rules().compiled.sources.locate(self.open_question()?.at)
    }

    fn together(&self) -> Vec<Decision<'_>> {
        let all = self.open_question().into_iter().flat_map(OpenQuestion::together);
        all.map(|one| self.decision(one)).collect()
    }
}

/// Whether scripts look at a value itself, and not at what plain data it makes.
fn is_held(seen: &Value) -> bool {
    matches!(seen, Value::Map(_)) && is_whole(seen)
}

/// Made into plain data only where somebody looks.
impl Options for OfferedDecision {
    fn len(&self) -> usize {
        self.options.len()
    }

    fn value(&self, index: usize) -> game::Value {
        self.options.get(index).map(to_plain).unwrap_or_default()
    }

    fn held(&self) -> Option<&dyn Any> {
        Some(&self.options)
    }

    fn index_of(&self, value: &game::Value) -> Option<usize> {
        self.options.iter().position(|option| is_plain_as(option, value))
    }

    fn write_key(&self, key: &mut Vec<u8>) {
        self.options.iter().for_each(|option| write(option, key));
    }
}
