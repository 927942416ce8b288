//! What can be seen at the question of a run: the options, and `view` and `picture`, which run on another machine, on
//! a copy of the state.

use std::any::Any;

use super::diagnostics::contract;
use super::machine::{
    Machine, OfferedDecision, OpenQuestion, Value, fail, is_plain_as, is_whole, to_plain,
};
use super::playout::canonical::write;
use super::questions::views::{drawn_of, seen_of};
use super::run::Run;
use super::sandbox::memory::live_bytes;
use super::sandbox::meter::Stopped;
use crate::error::{Error, Location};
use crate::game::{self, Decision, Options, Scene};

impl Run {
    fn open_question(&self) -> Option<&OpenQuestion> {
        self.machine()?.question()
    }

    /// The state as the script asked on it.
    fn scene(&self) -> &Value {
        const NOTHING: &Value = &Value::Unit;
        self.machine().map_or(NOTHING, Machine::scene)
    }

    /// Calls a function that looks at the state. With a count of its own: whoever looks must not change how far the
    /// playout comes.
    fn look<T>(
        &self,
        function: &'static str,
        arguments: &[Value],
        read: impl FnOnce(&Value) -> Result<T, String>,
        shares: bool,
    ) -> Result<T, Error> {
        let context = &self.rules().context;
        let heard = context.hears(false);
        let seen = self.looked(function, arguments, read, shares);
        context.hears(heard);
        // The step that asks shows what went wrong, where nothing else does.
        seen.map_err(|error| self.blamed(error))
    }

    fn looked<T>(
        &self,
        function: &'static str,
        arguments: &[Value],
        read: impl FnOnce(&Value) -> Result<T, String>,
        shares: bool,
    ) -> Result<T, Error> {
        let (runner, meter) = (&self.rules().runner, &self.rules().context.meter);
        let before = live_bytes();
        let mut cost = 0;
        let (seen, stopped) = meter.nested(|| {
            let mut machine = runner.machine(function, self.scene().clone(), arguments)?;
            let seen = runner.drive(&mut machine, function);
            cost = meter.counted();
            Ok::<_, Error>(seen.map(|value| runner.done(machine, value).value))
        });
        let seen = seen?;
        meter.viewed(cost);
        // What was read belongs to whoever looks, with what is shared; all else that is still there,
        // the script left.
        let (read, size) = match seen {
            Ok(seen) => {
                let held = live_bytes();
                let read = read(&seen).map_err(|message| contract(function, message));
                (read, live_bytes() - if shares { before } else { held })
            }
            Err(fault) => (Err(runner.error_of(&fault)), 0),
        };
        meter.left_behind(live_bytes() - before - size);
        let wrong = |message: String| {
            let at = self.open_question().map(|question| question.at).unwrap_or_default();
            Err(runner.error_of(&fail(message, at)))
        };
        match stopped {
            None => read,
            Some(Stopped::Limit(limit)) => wrong(format!("`{function}`: limit passed: {limit}")),
            Some(Stopped::Failed(error)) => wrong(error.to_string()),
            Some(Stopped::Cut(cut)) => Err(cut.into()),
        }
    }
}

impl Scene for Run {
    fn view(&self, player: &str) -> Result<game::Value, Error> {
        if !self.rules().context.defines.get().view {
            return Ok(to_plain(self.scene()));
        }
        self.look("view", &[Value::text(player)], seen_of, false)
    }

    fn held_view(&self, player: &str) -> Result<Box<dyn Any>, Error> {
        if !self.rules().context.defines.get().view {
            return held(self.scene(), || Ok(to_plain(self.scene())));
        }
        let read = |seen: &Value| held(seen, || seen_of(seen));
        self.look("view", &[Value::text(player)], read, true)
    }

    fn take_looks(&self) -> u64 {
        self.rules().context.meter.take_views()
    }

    fn pay(&self, cost: u64) {
        self.rules().context.meter.pay_view(cost);
    }

    fn picture(&self) -> Result<Option<String>, Error> {
        if !self.rules().context.defines.get().picture {
            return Ok(None);
        }
        self.look("picture", &[], |drawn| drawn_of(drawn).map(Some), false)
    }

    fn state(&self) -> game::Value {
        to_plain(self.scene())
    }

    fn asked_at(&self) -> Option<Location> {
        self.rules().sources.locate(self.open_question()?.at)
    }

    fn together(&self) -> Vec<Decision<'_>> {
        let all = self.open_question().into_iter().flat_map(OpenQuestion::together);
        all.map(|one| self.decision(one)).collect()
    }
}

/// A map for a script to look at: itself where it is plain data, else what `plain` makes of it.
fn held<E>(
    seen: &Value,
    plain: impl FnOnce() -> Result<game::Value, E>,
) -> Result<Box<dyn Any>, E> {
    match seen {
        Value::Map(_) if is_whole(seen) => Ok(Box::new(seen.clone())),
        _ => Ok(Box::new(plain()?)),
    }
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
