//! How the host calls functions of compiled rules: a machine runs until it asks, announces something, or is done.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use rhai::{Engine, Position};

use super::code::{Program, Shared};
use super::compile::{Source, compile};
use super::host::Host;
use super::run::{Machine, Turn};
use super::value::Value;
use crate::error::{Error, Location, ScriptError, ScriptFault};
use crate::script::assemble::source::Sources;
use crate::script::diagnostics::{contract, explain, place, point, stopped};
use crate::script::questions::context::Context;
use crate::script::sandbox::limits::{Fault, fail};

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
    pub(super) sources: Arc<Sources>,
    /// Machines that nobody uses, for their room.
    #[expect(clippy::vec_box, reason = "they are handed on many times in each step")]
    spare: RefCell<Vec<Box<Machine>>>,
}

/// This many machines are kept for their room: one that asked, one that looks meanwhile, and others for
/// those that are left standing.
const SPARE: usize = 8;

/// What a function returned, and what its `this` is now.
pub(crate) struct Called {
    pub value: Value,
    pub this: Value,
}

impl Runner {
    /// Compiles functions; `engine` has the natives that they call.
    pub(crate) fn new(
        source: &Source<'_>,
        context: Rc<Context>,
        engine: Engine,
        sources: Arc<Sources>,
    ) -> Result<Runner, ScriptError> {
        Runner::on(Host::new(context, engine), source, sources)
    }

    pub(crate) fn on(
        host: Host,
        source: &Source<'_>,
        sources: Arc<Sources>,
    ) -> Result<Runner, ScriptError> {
        let program = compile(source).map_err(|refused| {
            place(ScriptError::new(ScriptFault::Syntax(refused.message)), refused.at, &sources)
        })?;
        let program = Arc::new(program);
        Ok(Runner { program, host, sources, spare: RefCell::default() })
    }

    /// Runs a copy of what another thread has compiled; `host` has the natives that it calls.
    pub(crate) fn sharing(program: &Program, host: Host, sources: Arc<Sources>) -> Runner {
        let program = Arc::new(program.apart());
        Runner { program, host, sources, spare: RefCell::default() }
    }

    pub(crate) fn host(&self) -> &Host {
        &self.host
    }

    pub(crate) fn into_host(self) -> Host {
        self.host
    }

    pub(crate) fn program(&self) -> &Shared {
        &self.program
    }

    /// Calls a function that may not ask; `within` is what it is called where it does. The meter continues its
    /// counts.
    pub(crate) fn call(
        &self,
        function: &'static str,
        within: &str,
        this: Value,
        arguments: &[Value],
    ) -> Result<Called, Error> {
        let mut machine = self.machine(function, this, arguments)?;
        let value = self.drive(&mut machine, within);
        self.ran(function, value).map(|value| self.done(machine, value))
    }

    /// What a machine that is done leaves; it is put away.
    pub(crate) fn done(&self, mut machine: Box<Machine>, value: Value) -> Called {
        let this = machine.take_state();
        self.put_away(machine);
        Called { value, this }
    }

    pub(crate) fn turn(
        &self,
        function: &'static str,
        machine: &mut Machine,
    ) -> Result<Turn, Error> {
        let turn = machine.run(&self.host);
        self.ran(function, turn)
    }

    /// What came of running a function: why it was stopped goes before what it returned.
    pub(crate) fn ran<T>(&self, function: &str, result: Result<T, Fault>) -> Result<T, Error> {
        let context = &self.host.context;
        if context.meter.is_halted() {
            let error = stopped(context, result.err().as_deref(), &self.sources);
            return Err(self.placed(error, function));
        }
        result.map_err(|fault| self.placed(self.error_of(&fault), function))
    }

    /// The functions that a machine is in, innermost first.
    pub(crate) fn calls(&self, machine: &Machine) -> Vec<Call> {
        let call = |(function, at): &(u16, Position)| Call {
            function: self.sources.plain_name(&self.program.functions[*function as usize].name),
            at: self.sources.locate(*at),
        };
        machine.sites().iter().rev().map(call).collect()
    }

    fn put_away(&self, machine: Box<Machine>) {
        let mut spare = self.spare.borrow_mut();
        if spare.len() < SPARE {
            spare.push(machine);
        }
    }

    pub(crate) fn machine(
        &self,
        function: &str,
        this: Value,
        arguments: &[Value],
    ) -> Result<Box<Machine>, Error> {
        let mut machine =
            self.spare.borrow_mut().pop().unwrap_or_else(|| Machine::new(&self.program).into());
        if machine.call(function, this, arguments) {
            machine.frames.iter().for_each(|frame| self.host.context.calls.enters(frame.function));
            return Ok(machine);
        }
        Err(contract(function, "is not there"))
    }

    /// Runs a machine to its end; it may not ask.
    pub(crate) fn drive(&self, machine: &mut Machine, within: &str) -> Result<Value, Fault> {
        loop {
            match machine.run(&self.host)? {
                Turn::Done(value) => return Ok(value),
                Turn::Events(texts) => self.host.announce(&texts),
                Turn::Asked => return Err(refused(machine, within)),
            }
        }
    }

    pub(crate) fn error_of(&self, fault: &Fault) -> Error {
        explain(fault, &self.sources).into()
    }

    /// Gives an error without a place that of the function that was called.
    pub(crate) fn placed(&self, mut error: Error, function: &str) -> Error {
        if let Error::Script(script) = &mut error
            && script.at.is_none()
        {
            script.at = match &mut script.fault {
                // In a campaign it is named as the function of an import.
                ScriptFault::Contract { function: named, .. } => {
                    let at = self.begins(named);
                    *named = self.sources.plain_name(named);
                    at
                }
                _ => self.begins(function),
            };
            point(script, &self.sources);
        }
        error
    }

    /// Where the body of a function begins.
    pub(crate) fn begins(&self, function: &str) -> Option<Location> {
        let named = self.program.functions.iter().find(|known| known.name == function);
        named.and_then(|known| self.sources.locate(known.begins))
    }
}

/// The error of a machine that asks within something that may not.
pub(crate) fn refused(machine: &Machine, within: &str) -> Fault {
    let Some(question) = machine.question() else {
        return fail("nothing is asked", Position::NONE);
    };
    let name = question.name();
    machine.traced(fail(format!("`{name}` cannot be asked in {within}"), question.at))
}
