//! Calls a native for an instruction, and charges its reading and its work.

use rhai::Position;

use super::check_limits::LOOK;
use super::code::{CONSTANT, Path, Program, Reg, Site};
use super::host::{Host, no_such_call};
use super::natives::Native;
use super::paths::{Reading, walk, walk_on};
use super::run::Machine;
use super::value::{Value, fits};
use crate::script::primitives::Run;
use crate::script::sandbox::fault::Fault;

/// A place that calls a native, with its number.
pub(super) type At<'p> = (&'p Site, u16);

/// Charges a native for reading what it is given, before it does so where that is much; returns what is left
/// to be charged after it.
///
/// # Errors
/// Where too much was charged.
#[inline]
fn charge_reading(
    site: &Site,
    (on, rest): (&Value, &[Value]),
    (host, at): (&Host, Position),
) -> Result<u64, Fault> {
    let work = if site.light { on.letters() } else { given(rest) + on.size().reading() };
    if work <= LOOK {
        return Ok(work);
    }
    host.charge(work, at).map(|()| 0)
}

/// What a native that only reads makes of its arguments where they are, and what making it costs; nothing
/// where it does not take them.
#[inline]
fn read(
    site: &Site,
    (on, rest): (&Value, &[Value]),
    program: &Program,
) -> Option<Result<(Value, u64), Fault>> {
    let made = match site.native {
        Native::Reads(run) => Ok(run(on, rest, &program.texts)?),
        Native::Primitive(forms) => forms.iter().find_map(|form| match form.run {
            Run::Reads(run) => run(on, rest),
            Run::Changes(_) => None,
        })?,
        _ => return None,
    };
    Some(made.map(|made| {
        let making = if site.light { 0 } else { made.size().making() };
        (made, making)
    }))
}

/// An error at the place of the call.
fn placed(mut fault: Fault, at: Position) -> Fault {
    if fault.position().is_none() {
        fault.set_position(at);
    }
    fault
}

impl Machine {
    /// Calls a native whose arguments are from a register on.
    pub(super) fn native(
        &mut self,
        host: &Host,
        program: &Program,
        site: At<'_>,
        first: usize,
        at: Position,
    ) -> Result<Value, Fault> {
        if site.0.count == 0 {
            return self.ported_or_rhai(host, program, site, &mut Value::Unit, first, at);
        }
        let mut on = std::mem::take(&mut self.registers[first]);
        self.read_and_call(host, program, site, &mut on, first + 1, at)
    }

    /// Calls a native on the value in a register; its other arguments are from `at` on.
    #[inline(never)]
    pub(super) fn native_in(
        &mut self,
        host: &Host,
        program: &Program,
        site: At<'_>,
        (base, receiver, at): (usize, Reg, Reg),
        place: Position,
    ) -> Result<Value, Fault> {
        let first = base + at as usize;
        let reading = Reading { registers: &self.registers[base..], constants: &program.constants };
        let given = (reading.at(receiver), self.rest(site.0, first, reading));
        let due = charge_reading(site.0, given, (host, place))?;
        if !site.0.changes {
            if let Some(made) = read(site.0, given, program) {
                return self.finish(host, site, (first, due), made, place);
            }
            self.move_direct(program, site, base, first);
        }
        if receiver >= CONSTANT {
            let mut on = program.constants[(receiver - CONSTANT) as usize].clone();
            return self.native_on(host, program, site, &mut on, (first, due), place);
        }
        let register = base + receiver as usize;
        let mut on = std::mem::take(&mut self.registers[register]);
        let result = self.native_on(host, program, site, &mut on, (first, due), place);
        self.registers[register] = on;
        result
    }

    /// The arguments beside what a native is called on.
    #[inline]
    fn rest<'r>(&'r self, site: &Site, first: usize, reading: Reading<'r>) -> &'r [Value] {
        match site.direct {
            Some(register) => std::slice::from_ref(reading.at(register)),
            None => &self.registers[first..first + site.beside()],
        }
    }

    /// Charges for what a native made, and lets go of its arguments.
    #[inline]
    fn finish(
        &mut self,
        host: &Host,
        site: At<'_>,
        (first, due): (usize, u64),
        made: Result<(Value, u64), Fault>,
        at: Position,
    ) -> Result<Value, Fault> {
        let (made, making) = made.map_err(|fault| placed(fault, at))?;
        if site.0.direct.is_none() {
            self.clear(first, site.0.beside());
        }
        fits(&made, at)?;
        host.charge(due + making, at)?;
        Ok(made)
    }

    /// Moves an argument that was left where it lay to where natives look for it that take their
    /// arguments.
    #[cold]
    fn move_direct(&mut self, program: &Program, site: At<'_>, base: usize, first: usize) {
        if let Some(register) = site.0.direct {
            let registers = &self.registers[base..];
            let value = Reading { registers, constants: &program.constants }.at(register).clone();
            self.registers[first] = value;
        }
    }

    /// Charges a native for its reading, and calls it on a value; its other arguments are from a register on,
    /// and are taken.
    pub(super) fn read_and_call(
        &mut self,
        host: &Host,
        program: &Program,
        site: At<'_>,
        on: &mut Value,
        first: usize,
        at: Position,
    ) -> Result<Value, Fault> {
        let rest = &self.registers[first..first + site.0.beside()];
        let due = charge_reading(site.0, (on, rest), (host, at))?;
        self.native_on(host, program, site, on, (first, due), at)
    }

    /// The same where its reading is charged, but for what is due after it.
    fn native_on(
        &mut self,
        host: &Host,
        program: &Program,
        site: At<'_>,
        on: &mut Value,
        (first, mut due): (usize, u64),
        at: Position,
    ) -> Result<Value, Fault> {
        let value = self.ported_or_rhai(host, program, site, on, first, at)?;
        self.clear(first, site.0.beside());
        if !site.0.light {
            due += value.size().making();
        }
        fits(&value, at)?;
        if site.0.changes {
            fits(on, at)?;
        }
        host.charge(due, at)?;
        Ok(value)
    }

    /// Calls a native on the value at a path.
    #[inline(never)]
    pub(super) fn native_at(
        &mut self,
        host: &Host,
        program: &Program,
        site: At<'_>,
        path: &Path,
        (base, at): (usize, Reg),
        place: Position,
    ) -> Result<Value, Fault> {
        let first = base + at as usize;
        if site.0.changes {
            return self.at_path(host, program, (base, place), path, false, |this, on| {
                this.read_and_call(host, program, site, on, first, place)
            });
        }
        let reading = Reading { registers: &self.registers[base..], constants: &program.constants };
        let (mut on, due) = match walk(reading.at(path.root), &path.steps, reading) {
            Ok(value) => {
                let given = (value, self.rest(site.0, first, reading));
                let due = charge_reading(site.0, given, (host, place))?;
                match read(site.0, given, program) {
                    Some(made) => return self.finish(host, site, (first, due), made, place),
                    None => (value.clone(), due),
                }
            }
            Err((value, stuck)) => {
                let on = walk_on(value, &path.steps[stuck..], reading, host, &program.texts)?;
                let given = (&on, self.rest(site.0, first, reading));
                let due = charge_reading(site.0, given, (host, place))?;
                (on, due)
            }
        };
        self.move_direct(program, site, base, first);
        self.native_on(host, program, site, &mut on, (first, due), place)
    }

    fn ported_or_rhai(
        &mut self,
        host: &Host,
        program: &Program,
        site: At<'_>,
        on: &mut Value,
        first: usize,
        at: Position,
    ) -> Result<Value, Fault> {
        let rest = first..first + site.0.beside();
        let done = match site.0.native {
            Native::Primitive(forms) => {
                let arguments = &self.registers[rest.clone()];
                let made = forms.iter().find_map(|form| match form.run {
                    Run::Reads(run) => run(on, arguments),
                    Run::Changes(run) => run(on, arguments),
                });
                match made {
                    Some(made) => return made.map_err(|fault| placed(fault, at)),
                    None => None,
                }
            }
            Native::Reads(run) => run(on, &self.registers[rest.clone()], &program.texts),
            Native::Change(run) => run(on, &mut self.registers[rest.clone()], &program.texts),
            Native::Loop(kind) => {
                return self.native_loop(host, program, site, kind, on, first, at);
            }
            Native::Rhai => {
                return match self.closure_of(site, on) {
                    Some(closure) => {
                        let given = rest.len() + closure.captured.len();
                        let function = &program.functions[closure.function as usize];
                        if function.params as usize != given {
                            let arguments = self.registers[rest].iter();
                            return Err(no_such_call(site.0.name.as_str(), arguments, at));
                        }
                        let arguments = self.registers[rest].to_vec();
                        let site = (site.1, at);
                        let within = std::mem::replace(&mut self.within_native, true);
                        let result = self.invoke(host, program, &closure, &arguments, site);
                        self.within_native = within;
                        result
                    }
                    None => self.rhai_native(host, program, site, on, first, at),
                };
            }
        };
        match done {
            Some(value) => Ok(value),
            None => self.rhai_native(host, program, site, on, first, at),
        }
    }
}

/// What it costs to read the arguments.
fn given(arguments: &[Value]) -> u64 {
    arguments.iter().map(|argument| argument.size().reading()).sum()
}
