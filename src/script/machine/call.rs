//! Calls a native for an instruction, and charges its reading and its work.

use rhai::Position;

use super::code::{Path, Program, Site};
use super::host::{Host, no_such_call};
use super::long_instructions::sized;
use super::natives::{Loop, Native, index_of};
use super::paths::{Reading, walk, walk_on};
use super::rhai_call::rhai_native;
use super::run::Machine;
use super::value::Value;
use crate::script::primitives::PrimitiveBody;
use crate::script::sandbox::fault::Fault;
use crate::script::sandbox::fuel::LOOK;

/// A place that calls a native, with its number.
pub(super) type At<'p> = (&'p Site, u16);

/// Almost all natives have no more arguments beside what they are called on.
const FEW: usize = 6;

const NOTHING: &Value = &Value::Unit;

impl Site {
    /// The arguments beside what the native is called on, where they are, and what is to be paid for reading all of
    /// it.
    #[inline(always)]
    fn given<'a, 'r>(
        &self,
        on: &Value,
        reading: Reading<'r>,
        few: &'a mut [&'r Value; FEW],
        many: &'a mut Vec<&'r Value>,
    ) -> (&'a [&'r Value], u64) {
        let mut due = if self.light { on.letters() } else { on.reading() };
        let places = if self.rest.len() <= FEW {
            &mut few[..self.rest.len()]
        } else {
            many.resize(self.rest.len(), NOTHING);
            &mut many[..]
        };
        for (place, register) in places.iter_mut().zip(&self.rest) {
            let value = reading.at(*register);
            *place = value;
            if !value.is_weightless() {
                // What a light one keeps of them is shared.
                let size = value.size();
                due += if self.light { size.copying() } else { size.reading() };
            }
        }
        (places, due)
    }

    /// Charges for what the native made, and for what is due.
    #[inline(always)]
    fn charge_making(
        &self,
        made: Value,
        due: u64,
        (host, at): (&Host, Position),
    ) -> Result<Value, Fault> {
        let mut work = due;
        if !made.is_weightless() {
            let size = made.size();
            size.fits(at)?;
            work += if self.light { size.copying() } else { size.making() };
        }
        host.charge(work, at)?;
        Ok(made)
    }
}

/// Pays for much before it is read; returns what is left to be paid afterwards.
#[inline(always)]
fn paid_before(due: u64, host: &Host, at: Position) -> Result<u64, Fault> {
    if due <= LOOK { Ok(due) } else { host.charge(due, at).map(|()| 0) }
}

/// An error at the place of the call.
fn placed(mut fault: Fault, at: Position) -> Fault {
    if fault.position().is_none() {
        fault.set_position(at);
    }
    fault
}

impl Machine {
    /// Calls a native on the value at a path.
    #[inline(never)]
    pub(super) fn native(
        &mut self,
        host: &Host,
        program: &Program,
        site: At<'_>,
        (base, path): (usize, &Path),
        at: Position,
    ) -> Result<Value, Fault> {
        let value = match site.0.changes {
            true => self.at_path(host, program, (base, at), path, false, |this, on| {
                sized(on, |on| this.changed(host, program, site, (base, on), at))
            })?,
            false => self.made(host, program, site, (base, path), at)?,
        };
        // Whoever else has what lay between need not copy it to change it.
        let (first, count) = site.0.between;
        self.clear(base + first as usize, count as usize);
        Ok(value)
    }

    /// What a native makes that changes nothing: of its arguments where they are, if it takes them.
    fn made(
        &mut self,
        host: &Host,
        program: &Program,
        site: At<'_>,
        (base, path): (usize, &Path),
        at: Position,
    ) -> Result<Value, Fault> {
        let reading = Reading { registers: &self.registers[base..], constants: &program.constants };
        let odd;
        let on = match walk(reading.at(path.root), &path.steps, reading) {
            (value, []) => value,
            (value, rest) => {
                odd = walk_on(value, rest, reading, host, &program.texts)?;
                &odd
            }
        };
        let (mut few, mut many) = ([NOTHING; FEW], Vec::new());
        let (rest, due) = site.0.given(on, reading, &mut few, &mut many);
        let due = paid_before(due, host, at)?;
        let made = match site.0.native {
            Native::Reads(run) => run(on, rest, &program.texts).map(Ok),
            Native::Loop(Loop::IndexOf) => index_of(on, rest).map(Ok),
            Native::Primitive(forms) => forms.iter().find_map(|form| match form.run {
                PrimitiveBody::Reads(run) => run(on, rest),
                PrimitiveBody::Changes(_) => None,
            }),
            _ => None,
        };
        let value = match made {
            Some(made) => made.map_err(|fault| placed(fault, at))?,
            None => {
                let mut copy = on.clone();
                self.otherwise(host, program, site, (base, &mut copy), at)?
            }
        };
        site.0.charge_making(value, due, (host, at))
    }

    /// What a native returns that changes what it is called on.
    fn changed(
        &mut self,
        host: &Host,
        program: &Program,
        site: At<'_>,
        (base, on): (usize, &mut Value),
        at: Position,
    ) -> Result<Value, Fault> {
        let reading = Reading { registers: &self.registers[base..], constants: &program.constants };
        let (mut few, mut many) = ([NOTHING; FEW], Vec::new());
        let (rest, due) = site.0.given(on, reading, &mut few, &mut many);
        let due = paid_before(due, host, at)?;
        let made = match site.0.native {
            Native::Change(run) => run(on, rest, &program.texts).map(Ok),
            Native::Primitive(forms) => forms.iter().find_map(|form| match form.run {
                PrimitiveBody::Reads(run) => run(on, rest),
                PrimitiveBody::Changes(run) => run(on, rest),
            }),
            _ => None,
        };
        let value = match made {
            Some(made) => made.map_err(|fault| placed(fault, at))?,
            None => self.otherwise(host, program, site, (base, on), at)?,
        };
        site.0.charge_making(value, due, (host, at))
    }

    /// Calls a closure where the native does so, or what a map has under its name; else Rhai's own native.
    fn otherwise(
        &mut self,
        host: &Host,
        program: &Program,
        site: At<'_>,
        (base, on): (usize, &mut Value),
        at: Position,
    ) -> Result<Value, Fault> {
        let reading = Reading { registers: &self.registers[base..], constants: &program.constants };
        let (mut few, mut many) = ([NOTHING; FEW], Vec::new());
        let (rest, _) = site.0.given(on, reading, &mut few, &mut many);
        let (kind, closure) = match (site.0.native, &*on, rest) {
            (Native::Loop(kind), Value::List(_), [Value::Function(closure), ..]) => {
                (Some(kind), closure.clone())
            }
            (Native::Rhai, Value::Map(map), _) => match map.get_text(&site.0.name) {
                Some(Value::Function(closure)) => (None, closure.clone()),
                _ => return rhai_native(host, program, site.0, on, rest, at),
            },
            _ => return rhai_native(host, program, site.0, on, rest, at),
        };
        let rest: Vec<Value> = rest.iter().copied().cloned().collect();
        let call = |machine: &mut Machine, arguments: &[Value]| {
            machine.invoke(host, program, &closure, arguments, (site.1, at))
        };
        let within = std::mem::replace(&mut self.within_native, true);
        let result = match kind {
            Some(kind) => {
                let start = rest.get(1).cloned().unwrap_or_default();
                drop(rest);
                kind.run(on, start, &mut |arguments| call(self, arguments))
            }
            None => {
                let params = program.functions[closure.function as usize].params as usize;
                match params == rest.len() + closure.captured.len() {
                    true => call(self, &rest),
                    false => Err(no_such_call(site.0.name.as_str(), rest.iter(), at)),
                }
            }
        };
        self.within_native = within;
        result
    }
}
