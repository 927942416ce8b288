//! Asks the handler a question, and shows it the options, `view` and `picture`.

use std::any::Any;

use super::convert::{is_plain_as, is_whole, to_plain};
use super::host::fail;
use super::open_question::{AnswerIndices, OfferedDecision, OpenQuestion, QuestionKind};
use super::run::Machine;
use super::runner::Runner;
use super::value::Value;
use crate::error::{Error, Location};
use crate::game::{self, Chance, Options, Scene};
use crate::script::diagnostics::contract;
use crate::script::playout::canonical::write;
use crate::script::questions::context::MayAsk;
use crate::script::questions::views::{drawn_of, seen_of};
use crate::script::sandbox::fault::{Fault, unwind};
use crate::script::sandbox::memory::live_bytes;
use crate::script::sandbox::meter::Stopped;

/// What a machine offers, made into plain data only where a handler looks.
pub(super) struct Offered(pub Value);

impl Options for Offered {
    fn len(&self) -> usize {
        self.0.as_list().map_or(0, <[Value]>::len)
    }

    fn value(&self, index: usize) -> game::Value {
        self.0.as_list().and_then(|options| options.get(index)).map(to_plain).unwrap_or_default()
    }

    fn held(&self) -> Option<&dyn Any> {
        Some(&self.0)
    }

    fn index_of(&self, value: &game::Value) -> Option<usize> {
        self.0.as_list()?.iter().position(|option| is_plain_as(option, value))
    }

    fn write_key(&self, key: &mut Vec<u8>) {
        self.0.as_list().unwrap_or_default().iter().for_each(|option| write(option, key));
    }
}

/// The scene of a machine that asked: `view` and `picture` run on another one, on a copy of the state.
pub(super) struct MachineScene<'a> {
    pub runner: &'a Runner,
    pub machine: &'a Machine,
    pub question: &'a OpenQuestion,
}

impl Runner {
    /// What the handler answers to a question.
    pub(super) fn answers(
        &self,
        machine: &Machine,
        question: &OpenQuestion,
    ) -> Result<AnswerIndices, Fault> {
        let (context, at) = (&self.host.context, question.at);
        let scene = MachineScene { runner: self, machine, question };
        let options = |one: &OfferedDecision| Offered(Value::List(one.options.clone()));
        match &question.asked {
            QuestionKind::One(one) | QuestionKind::Onto { decision: one, .. } => {
                let (player, name, options) =
                    (one.player.as_str(), one.name.as_str(), options(one));
                let asked = game::Decision { player, name, options: &options, scene: &scene };
                context.note(player);
                Ok(AnswerIndices::One(context.answer(name, at, |handler| handler.decide(&asked))?))
            }
            QuestionKind::Together(all) => {
                let what = all.first().map(|one| one.name.to_string()).unwrap_or_default();
                let all = all.iter().filter(|one| one.options.len() > 1);
                let all: Vec<_> = all.map(|one| (one, options(one))).collect();
                let asked: Vec<game::Decision<'_>> = all
                    .iter()
                    .map(|(one, options)| game::Decision {
                        player: one.player.as_str(),
                        name: one.name.as_str(),
                        options,
                        scene: &scene,
                    })
                    .collect();
                asked.iter().for_each(|decision| context.note(decision.player));
                let picked =
                    context.answer(&what, at, |handler| handler.decide_together(&asked))?;
                if picked.len() != asked.len() {
                    let (answers, questions) = (picked.len(), asked.len());
                    return Err(fail(
                        format!("`{what}`: {answers} answers to {questions} questions"),
                        at,
                    ));
                }
                Ok(AnswerIndices::Several(picked))
            }
            QuestionKind::Chance { roller, name, distribution } => {
                let (roller, name) = (roller.as_str(), name.as_str());
                let chance = Chance { roller, name, distribution, scene: &scene };
                Ok(AnswerIndices::One(context.answer(name, at, |handler| handler.roll(&chance))?))
            }
        }
    }
}

impl MachineScene<'_> {
    fn look<T>(
        &self,
        function: &'static str,
        arguments: &[Value],
        read: impl FnOnce(&Value) -> Result<T, String>,
        shares: bool,
    ) -> Result<T, Error> {
        let runner = self.runner;
        let context = &runner.host.context;
        let before = live_bytes();
        // With a count of its own: whoever looks must not change how far the playout comes.
        let mut cost = 0;
        let (seen, stopped) = context.meter.nested(|| {
            let mut machine = runner.machine(function, self.machine.scene().clone(), arguments)?;
            let seen = context.asking(MayAsk::Refused(function), || runner.drive(&mut machine));
            cost = context.meter.counted();
            if seen.is_ok() {
                drop(machine.take_state());
                runner.put_away(machine);
            }
            Ok::<_, Error>(seen)
        });
        let seen = seen?;
        context.meter.viewed(cost);
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
        context.meter.left_behind(live_bytes() - before - size);
        let wrong = |message: String| runner.error_of(&fail(message, self.question.at));
        match stopped {
            None => read,
            Some(Stopped::Limit(limit)) => {
                Err(wrong(format!("`{function}`: limit passed: {limit}")))
            }
            Some(Stopped::Failed(error)) => Err(wrong(error.to_string())),
            Some(other) => {
                context.meter.stop(other);
                Err(runner.error_of(&unwind(self.question.at)))
            }
        }
    }
}

impl Scene for MachineScene<'_> {
    fn view(&self, player: &str) -> Result<game::Value, Error> {
        if !self.runner.host.context.defines.get().view {
            return Ok(self.state());
        }
        self.look("view", &[Value::text(player)], seen_of, false)
    }

    fn held_view(&self, player: &str) -> Result<Box<dyn Any>, Error> {
        if !self.runner.host.context.defines.get().view {
            return held(self.machine.scene(), || Ok(self.state()));
        }
        let read = |seen: &Value| held(seen, || seen_of(seen));
        self.look("view", &[Value::text(player)], read, true)
    }

    fn take_looks(&self) -> u64 {
        self.runner.host.context.meter.take_views()
    }

    fn pay(&self, cost: u64) {
        self.runner.host.context.meter.pay_view(cost);
    }

    fn picture(&self) -> Result<Option<String>, Error> {
        if !self.runner.host.context.defines.get().picture {
            return Ok(None);
        }
        self.look("picture", &[], |drawn| drawn_of(drawn).map(Some), false)
    }

    fn state(&self) -> game::Value {
        to_plain(self.machine.scene())
    }

    fn asked_at(&self) -> Option<Location> {
        self.runner.sources.locate(self.question.at)
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
