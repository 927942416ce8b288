//! Calls a native for an instruction, and charges its reading and its work.

use rhai::Position;

use super::check_limits::LOOK;
use super::code::{CONSTANT, Path, Program, Reg, Site};
use super::host::{Host, no_such_call};
use super::natives::Native;
use super::paths::{Reading, Walked, walk, walk_on};
use super::run::Machine;
use super::value::{Value, fits};
use crate::script::primitives::Run;
use crate::script::sandbox::fault::Fault;

/// A place that calls a native, with its number.
pub(super) type At<'p> = (&'p Site, u16);

/// What it costs a native to read what it is given.
#[inline]
fn reading(site: &Site, on: &Value, rest: &[Value]) -> u64 {
    if site.light { on.letters() } else { given(rest) + on.size().reading() }
}

/// Charges a native that has much to read before it does so; what is left to be paid after it.
///
/// # Errors
/// Where too much was charged.
#[inline]
fn paid_before(work: u64, host: &Host, at: Position) -> Result<u64, Fault> {
    if work <= LOOK {
        return Ok(work);
    }
    host.charge(work, at).map(|()| 0)
}

/// What a native that only reads makes of its arguments where they are, and what is still to be paid for
/// it; nothing where it does not take them. `paid` says whether its reading was charged even so.
#[inline]
fn read(
    site: &Site,
    (on, rest): (&Value, &[Value]),
    program: &Program,
    (host, at): (&Host, Position),
    paid: &mut bool,
) -> Option<Result<(Value, u64), Fault>> {
    if let Native::Rhai | Native::Change(_) | Native::Loop(_) = site.native {
        return None;
    }
    let reading = reading(site, on, rest);
    let work = match paid_before(reading, host, at) {
        Ok(work) => work,
        Err(fault) => return Some(Err(fault)),
    };
    *paid = work < reading;
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
        (made, work + making)
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
        self.native_on(host, program, site, &mut on, (first + 1, false), at)
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
        let mut paid = false;
        if !site.0.changes {
            let reading =
                Reading { registers: &self.registers[base..], constants: &program.constants };
            let rest = self.rest(site.0, first, reading);
            let given = (reading.at(receiver), rest);
            if let Some(made) = read(site.0, given, program, (host, place), &mut paid) {
                return self.finish(host, site, first, made, place);
            }
            self.move_direct(program, site, base, first);
        }
        if receiver >= CONSTANT {
            let mut on = program.constants[(receiver - CONSTANT) as usize].clone();
            return self.native_on(host, program, site, &mut on, (first, paid), place);
        }
        let register = base + receiver as usize;
        let mut on = std::mem::take(&mut self.registers[register]);
        let result = self.native_on(host, program, site, &mut on, (first, paid), place);
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
        first: usize,
        made: Result<(Value, u64), Fault>,
        at: Position,
    ) -> Result<Value, Fault> {
        let (made, work) = made.map_err(|fault| placed(fault, at))?;
        if site.0.direct.is_none() {
            self.clear(first, site.0.beside());
        }
        fits(&made, at)?;
        host.charge(work, at)?;
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

    /// Calls a native on a value; its other arguments are from a register on, and are taken. Its reading may
    /// be paid already.
    pub(super) fn native_on(
        &mut self,
        host: &Host,
        program: &Program,
        site: At<'_>,
        on: &mut Value,
        (first, paid): (usize, bool),
        at: Position,
    ) -> Result<Value, Fault> {
        let rest = &self.registers[first..first + site.0.beside()];
        let mut work = if paid { 0 } else { paid_before(reading(site.0, on, rest), host, at)? };
        let value = self.ported_or_rhai(host, program, site, on, first, at)?;
        self.clear(first, site.0.beside());
        if !site.0.light {
            work += value.size().making();
        }
        fits(&value, at)?;
        if site.0.changes {
            fits(on, at)?;
        }
        host.charge(work, at)?;
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
            return self.change_along(host, program, site, path, (base, first), place);
        }
        let reading = Reading { registers: &self.registers[base..], constants: &program.constants };
        let mut paid = false;
        let mut on = match walk(reading.at(path.root), &path.steps, reading) {
            Walked::There(value) => {
                let rest = self.rest(site.0, first, reading);
                match read(site.0, (value, rest), program, (host, place), &mut paid) {
                    Some(made) => return self.finish(host, site, first, made, place),
                    None => value.clone(),
                }
            }
            Walked::Stuck(value, stuck) => {
                walk_on(value, &path.steps[stuck..], reading, host, &program.texts)?
            }
        };
        self.move_direct(program, site, base, first);
        self.native_on(host, program, site, &mut on, (first, paid), place)
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
