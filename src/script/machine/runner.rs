//! How the host calls functions of compiled rules: a machine runs, and a handler answers it.

use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use rhai::{Engine, Position};

use super::ask::{Asked, Decision, Question};
use super::code::{Program, Shared};
use super::compile::{Source, compile};
use super::convert::{is_plain_as, to_plain};
use super::data::is_whole;
use super::host::{Fault, Host, fail};
use super::run::{Machine, Turn};
use super::value::Value;
use crate::error::{Error, Location, ScriptError, ScriptFault};
use crate::game::{self, Chance, Options, Scene, Stop};
use crate::script::context::{Asking, Context, unwind};
use crate::script::definition::Call;
use crate::script::diagnostics::{contract, explain, place, point};
use crate::script::look::{drawn_of, seen_of};
use crate::script::memory::live_bytes;
use crate::script::meter::Stopped;
use crate::script::run::stopped;
use crate::script::source::Sources;

/// Compiled functions, ready to be called, on one thread.
pub struct Runner {
    program: Shared,
    host: Host,
    sources: Rc<Sources>,
    /// Machines that nobody uses, for their room: one that asked, and one that looks meanwhile.
    spare: RefCell<Vec<Machine>>,
    /// Where the last machine stood that was paused: function and place, outermost first.
    paused: RefCell<Vec<(u16, Position)>>,
}

/// What a function returned, and what its `this` is now.
pub struct Called {
    /// What it returned.
    pub value: Value,
    /// Its `this`.
    pub this: Value,
}

impl Runner {
    /// Compiles functions; `engine` has the natives that they call.
    ///
    /// # Errors
    /// What the machine does not know, with its place.
    pub fn new(
        source: &Source<'_>,
        context: Rc<Context>,
        engine: Engine,
        sources: Rc<Sources>,
    ) -> Result<Runner, ScriptError> {
        let program = compile(source).map_err(|refused| {
            place(ScriptError::new(ScriptFault::Syntax(refused.message)), refused.at, &sources)
        })?;
        let (program, host) = (Arc::new(program), Host::new(context, engine));
        let (spare, paused) = (RefCell::default(), RefCell::default());
        Ok(Runner { program, host, sources, spare, paused })
    }

    /// The instructions.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Calls a function. Counts go on from where the meter stands.
    ///
    /// # Errors
    /// [`Stop::Pause`] where the handler paused; the reason in the meter, if the script was stopped;
    /// else the script's own error.
    pub fn call(
        &self,
        function: &'static str,
        asking: Asking,
        this: Value,
        arguments: &[Value],
    ) -> Result<Called, Stop> {
        let context = &self.host.context;
        let mut machine = self.machine(function, this, arguments)?;
        self.paused.borrow_mut().clear();
        let result = context.asking(asking, || self.drive(&mut machine));
        if context.meter.is_halted() {
            let stop = stopped(context, result.err().as_deref(), &self.sources);
            if let Stop::Pause = stop {
                self.paused.replace(machine.stands());
            }
            return Err(self.placed(stop, function));
        }
        let value = result.map_err(|fault| self.placed(self.told(&fault).into(), function))?;
        let this = machine.take_state();
        self.spare.borrow_mut().push(machine);
        Ok(Called { value, this })
    }

    /// The functions that the script was in when it was paused last, innermost first; nothing once
    /// anything else was run.
    pub fn calls(&self) -> Vec<Call> {
        let call = |(function, at): &(u16, Position)| Call {
            function: self.sources.plain_name(&self.program.functions[*function as usize].name),
            at: self.sources.locate(*at),
        };
        self.paused.borrow().iter().rev().map(call).collect()
    }

    fn machine(&self, function: &str, this: Value, arguments: &[Value]) -> Result<Machine, Error> {
        let mut machine =
            self.spare.borrow_mut().pop().unwrap_or_else(|| Machine::new(&self.program));
        if machine.call(function, this, arguments) {
            return Ok(machine);
        }
        Err(contract(function, "is not there"))
    }

    /// Runs a machine to its end.
    fn drive(&self, machine: &mut Machine) -> Result<Value, Fault> {
        loop {
            match machine.run(&self.host)? {
                Turn::Done(value) => return Ok(value),
                Turn::Events(texts) => self.host.announce(&texts),
                Turn::Asked => {
                    let Some(question) = machine.question() else { continue };
                    let picked = self.answers(machine, question);
                    let answered = picked.and_then(|picked| machine.answer(&picked));
                    answered.map_err(|fault| machine.traced(fault))?;
                }
            }
        }
    }

    /// What the handler answers to a question.
    fn answers(&self, machine: &Machine, question: &Question) -> Result<Vec<usize>, Fault> {
        let (context, at) = (&self.host.context, question.at);
        let scene = MachineScene { runner: self, machine, question };
        let decision = |one: &'_ Decision| {
            (one.player.clone(), one.name.clone(), Offered(Value::List(one.options.clone())))
        };
        match &question.asked {
            Asked::One(one) | Asked::Onto(one, _) => {
                let (player, name, options) = decision(one);
                let (player, name) = (player.as_str(), name.as_str());
                let asked = game::Decision { player, name, options: &options, scene: &scene };
                context.note(player);
                Ok(vec![context.answer(name, at, |handler| handler.decide(&asked))?])
            }
            Asked::Together(all) => {
                let what = all.first().map(|one| one.name.to_string()).unwrap_or_default();
                let all: Vec<_> =
                    all.iter().filter(|one| one.options.len() > 1).map(decision).collect();
                let asked: Vec<game::Decision<'_>> = all
                    .iter()
                    .map(|(player, name, options)| game::Decision {
                        player: player.as_str(),
                        name: name.as_str(),
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
                Ok(picked)
            }
            Asked::Chance { roller, name, distribution } => {
                let (roller, name) = (roller.as_str(), name.as_str());
                let chance = Chance { roller, name, distribution, scene: &scene };
                Ok(vec![context.answer(name, at, |handler| handler.roll(&chance))?])
            }
        }
    }

    fn told(&self, fault: &Fault) -> Error {
        explain(fault, &self.sources).into()
    }

    /// Gives an error without a place that of the function that was called.
    fn placed(&self, stop: Stop, function: &str) -> Stop {
        match stop {
            Stop::Fail(mut error) => {
                if let Error::Script(script) = &mut *error
                    && script.at.is_none()
                {
                    let named = self.program.functions.iter().find(|known| known.name == function);
                    script.at = named.and_then(|known| self.sources.locate(known.begins));
                    point(script, &self.sources);
                }
                Stop::Fail(error)
            }
            Stop::Pause => Stop::Pause,
        }
    }
}

/// What a machine offers, made into plain data only where a handler looks.
struct Offered(Value);

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
}

/// The scene of a machine that asked: `view` and `picture` run on another one, on a copy of the state.
struct MachineScene<'a> {
    runner: &'a Runner,
    machine: &'a Machine,
    question: &'a Question,
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
        let (seen, stopped) = context.meter.nested(|| {
            let mut machine = runner.machine(function, self.machine.scene().clone(), arguments)?;
            let seen = context.asking(Asking::Refused(function), || runner.drive(&mut machine));
            if seen.is_ok() {
                drop(machine.take_state());
                runner.spare.borrow_mut().push(machine);
            }
            Ok::<_, Error>(seen)
        });
        let seen = seen?;
        // What was read belongs to whoever looks, with what is shared; all else that is still there,
        // the script left.
        let (read, size) = match seen {
            Ok(seen) => {
                let held = live_bytes();
                let read = read(&seen).map_err(|message| contract(function, message));
                (read, live_bytes() - if shares { before } else { held })
            }
            Err(fault) => (Err(runner.told(&fault)), 0),
        };
        context.meter.left_behind(live_bytes() - before - size);
        let wrong = |message: String| runner.told(&fail(message, self.question.at));
        match stopped {
            None => read,
            Some(Stopped::Limit(limit)) => {
                Err(wrong(format!("`{function}`: limit passed: {limit}")))
            }
            Some(Stopped::Failed(error)) => Err(wrong(error.to_string())),
            Some(other) => {
                context.meter.stop(other);
                Err(runner.told(&unwind(self.question.at)))
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
