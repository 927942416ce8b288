//! How the host calls functions of compiled rules: a machine runs, and a handler answers it.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use rhai::{Engine, Position};

use super::code::{Program, Shared};
use super::compile::{Source, compile};
use super::host::Host;
use super::open_question::AnswerIndices;
use super::run::{Machine, Turn};
use super::value::Value;
use crate::error::{Error, Location, ScriptError, ScriptFault};
use crate::game::Stop;
use crate::script::assemble::source::Sources;
use crate::script::diagnostics::stopped::stopped;
use crate::script::diagnostics::{contract, explain, place, point};
use crate::script::questions::context::{Context, MayAsk};
use crate::script::sandbox::fault::Fault;
use crate::script::sandbox::meter::Used;

/// A function that the script was in when it was paused.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// Its name.
    pub function: String,
    /// Where in it the script was.
    pub at: Option<Location>,
}

/// Compiled functions, ready to be called, on one thread.
pub(crate) struct Runner {
    program: Shared,
    pub(super) host: Host,
    pub(super) sources: Rc<Sources>,
    /// Machines that nobody uses, for their room.
    spare: RefCell<Vec<Machine>>,
    /// The machine that was paused last.
    paused: RefCell<Option<Paused>>,
}

/// This many machines are kept for their room: one that asked, one that looks meanwhile, and others for
/// those that are left standing.
const SPARE: usize = 8;

/// A machine that a handler paused.
#[derive(Clone)]
pub(crate) struct Paused {
    /// The function that the host called.
    pub function: &'static str,
    pub machine: Machine,
    /// What the run had used by then.
    pub used: Used,
}

/// What a function returned, and what its `this` is now.
pub(crate) struct Called {
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
    pub(crate) fn new(
        source: &Source<'_>,
        context: Rc<Context>,
        engine: Engine,
        sources: Rc<Sources>,
    ) -> Result<Runner, ScriptError> {
        Runner::on(Host::new(context, engine), source, sources)
    }

    /// Compiles functions to run on a host.
    pub(crate) fn on(
        host: Host,
        source: &Source<'_>,
        sources: Rc<Sources>,
    ) -> Result<Runner, ScriptError> {
        let program = compile(source).map_err(|refused| {
            place(ScriptError::new(ScriptFault::Syntax(refused.message)), refused.at, &sources)
        })?;
        let program = Arc::new(program);
        let (spare, paused) = (RefCell::default(), RefCell::default());
        Ok(Runner { program, host, sources, spare, paused })
    }

    /// Leaves the host for other functions.
    pub(crate) fn into_host(self) -> Host {
        self.host
    }

    /// The instructions.
    pub(crate) fn program(&self) -> &Program {
        &self.program
    }

    /// Calls a function. The meter continues its counts.
    ///
    /// # Errors
    /// [`Stop::Pause`] where the handler paused; the reason in the meter, if the script was stopped;
    /// else the script's own error.
    pub(crate) fn call(
        &self,
        function: &'static str,
        asking: MayAsk,
        this: Value,
        arguments: &[Value],
    ) -> Result<Called, Stop> {
        if function == "step" {
            self.host.context.calls.steps();
        }
        self.resume(function, asking, self.machine(function, this, arguments)?)
    }

    /// Resumes a machine that was [paused](Runner::paused) in a function.
    pub(crate) fn resume(
        &self,
        function: &'static str,
        asking: MayAsk,
        mut machine: Machine,
    ) -> Result<Called, Stop> {
        let context = &self.host.context;
        self.paused.take();
        let result = context.asking(asking, || self.drive(&mut machine));
        if context.meter.is_halted() {
            let stop = stopped(context, result.err().as_deref(), &self.sources);
            if let Stop::Pause = stop {
                let used = context.meter.used();
                self.paused.replace(Some(Paused { function, machine, used }));
            }
            return Err(self.placed(stop, function));
        }
        let value = result.map_err(|fault| self.placed(self.error_of(&fault).into(), function))?;
        let this = machine.take_state();
        self.put_away(machine);
        Ok(Called { value, this })
    }

    /// The machine that was paused last, if nothing else was run since.
    pub(crate) fn paused(&self) -> Option<Paused> {
        self.paused.take()
    }

    /// The functions that the script was in when it was paused last, innermost first; nothing once
    /// anything else was run.
    pub(crate) fn calls(&self) -> Vec<Call> {
        let call = |(function, at): &(u16, Position)| Call {
            function: self.sources.plain_name(&self.program.functions[*function as usize].name),
            at: self.sources.locate(*at),
        };
        let sites = self.paused.borrow().as_ref().map(|paused| paused.machine.sites());
        sites.unwrap_or_default().iter().rev().map(call).collect()
    }

    pub(super) fn put_away(&self, machine: Machine) {
        let mut spare = self.spare.borrow_mut();
        if spare.len() < SPARE {
            spare.push(machine);
        }
    }

    pub(super) fn machine(
        &self,
        function: &str,
        this: Value,
        arguments: &[Value],
    ) -> Result<Machine, Error> {
        let mut machine =
            self.spare.borrow_mut().pop().unwrap_or_else(|| Machine::new(&self.program));
        if machine.call(function, this, arguments) {
            machine.frames.iter().for_each(|frame| self.host.context.calls.enters(frame.function));
            return Ok(machine);
        }
        Err(contract(function, "is not there"))
    }

    /// Runs a machine to its end, from the question at which it is paused.
    pub(super) fn drive(&self, machine: &mut Machine) -> Result<Value, Fault> {
        loop {
            if let Some(question) = machine.question() {
                let picked = self.answers(machine, question);
                let answered = picked.and_then(|picked| match picked {
                    AnswerIndices::One(index) => machine.answer(&[index]),
                    AnswerIndices::Several(all) => machine.answer(&all),
                });
                answered.map_err(|fault| machine.traced(fault))?;
            }
            match machine.run(&self.host)? {
                Turn::Done(value) => return Ok(value),
                Turn::Events(texts) => self.host.announce(&texts),
                Turn::Asked => {}
            }
        }
    }

    pub(super) fn error_of(&self, fault: &Fault) -> Error {
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
