//! Calls a native for an instruction, and charges its reading and its work.

use rhai::{EvalAltResult, Position};

use super::code::{Place, Program, Reg, Site, THIS};
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

/// The most arguments that a native has beside what it is called on, unless it is Rhai's own.
pub(super) const FEW: usize = 6;

const NOTHING: &Value = &Value::Unit;

#[derive(Clone, Copy)]
struct NativeCall<'p> {
    site: &'p Site,
    number: u16,
    base: usize,
    at: Position,
}

impl Site {
    /// The arguments beside what the native is called on, where they are; what is to be paid for reading them is
    /// added to `due`.
    #[inline(always)]
    fn given<'a, 'r>(
        &self,
        reading: Reading<'r>,
        few: &'a mut [&'r Value; FEW],
        due: &mut u64,
    ) -> &'a [&'r Value] {
        let mut count = 0;
        for (place, register) in few.iter_mut().zip(&self.rest) {
            let value = reading.at(*register);
            *place = value;
            count += 1;
            if !value.is_weightless() {
                *due += self.reading(value);
            }
        }
        &few[..count]
    }

    /// What is to be paid for reading an argument: what a light native keeps of it is shared.
    #[inline(never)]
    fn reading(&self, value: &Value) -> u64 {
        if self.light { value.size().copying() } else { value.reading() }
    }

    /// What is to be paid for what the native made.
    #[inline(never)]
    fn making(&self, made: &Value, at: Position) -> Result<u64, Fault> {
        let size = made.size();
        size.fits(at)?;
        Ok(if self.light { size.copying() } else { size.making() })
    }

    /// Charges for what the native made, and for what is due.
    #[inline(always)]
    fn charge_making(
        &self,
        made: &Value,
        due: u64,
        (host, at): (&Host, Position),
    ) -> Result<(), Fault> {
        let work = if made.is_weightless() { due } else { due + self.making(made, at)? };
        host.charge(work, at)
    }
}

/// Pays for much before it is read; returns what is left to be paid afterwards.
#[inline(always)]
fn paid_before(due: u64, host: &Host, at: Position) -> Result<u64, Fault> {
    if due <= LOOK { Ok(due) } else { host.charge(due, at).map(|()| 0) }
}

#[cold]
fn placed(mut fault: Fault, at: Position) -> Fault {
    if fault.position().is_none() {
        fault.set_position(at);
    }
    fault
}

impl Machine {
    /// Calls a native on the value at a path; a register takes what it returns.
    #[inline(never)]
    pub(super) fn native(
        &mut self,
        host: &Host,
        program: &Program,
        place: &Place,
        base: usize,
        (number, path, to): (u16, u16, Reg),
    ) -> Result<(), Fault> {
        let (site, path) = (&program.sites[number as usize], &program.paths[path as usize]);
        let call = NativeCall { site, number, base, at: place.at };
        let reading = Reading { registers: &self.registers[base..], constants: &program.constants };
        let root = reading.at(path.root);
        if let Value::Unbound = root {
            return Err(EvalAltResult::ErrorUnboundThis(place.root).into());
        }
        let value = if site.changes {
            self.at_path(host, program, (base, place.at), path, false, |this, on| {
                sized(on, |on| this.changed(host, program, call, on))
            })?
        } else {
            let odd;
            let on = match walk(root, &path.steps, reading) {
                (value, []) => value,
                (value, rest) => {
                    odd = walk_on(value, rest, reading, host, &program.texts)?;
                    &odd
                }
            };
            let mut due = if site.light { on.letters() } else { on.reading() };
            let mut few = [NOTHING; FEW];
            let rest = site.given(reading, &mut few, &mut due);
            let due = paid_before(due, host, call.at)?;
            let made = match site.native {
                Native::Reads(run) => run(on, rest, &program.texts).map(Ok),
                Native::Loop(Loop::IndexOf) => index_of(on, rest).map(Ok),
                Native::Primitive(forms) => forms.iter().find_map(|form| match form.run {
                    PrimitiveBody::Reads(run) => run(on, rest),
                    PrimitiveBody::Changes(_) => None,
                }),
                _ => None,
            };
            let value = match made {
                Some(Ok(value)) => value,
                Some(Err(fault)) => return Err(placed(fault, call.at)),
                None => {
                    let mut copy = on.clone();
                    self.otherwise(host, program, call, &mut copy)?
                }
            };
            site.charge_making(&value, due, (host, call.at))?;
            value
        };
        // Whoever else has what lay between need not copy it to change it.
        let (first, count) = site.between;
        self.clear(base + first as usize, count as usize);
        // The result is nobody's where it would be `this`: what it shares with others need not be copied to be changed.
        if to != THIS {
            self.registers[base + to as usize].set(value);
        }
        Ok(())
    }

    /// What a native returns that changes what it is called on.
    fn changed(
        &mut self,
        host: &Host,
        program: &Program,
        call: NativeCall<'_>,
        on: &mut Value,
    ) -> Result<Value, Fault> {
        let (site, at) = (call.site, call.at);
        let reading =
            Reading { registers: &self.registers[call.base..], constants: &program.constants };
        let mut due = if site.light { on.letters() } else { on.reading() };
        let mut few = [NOTHING; FEW];
        let rest = site.given(reading, &mut few, &mut due);
        let due = paid_before(due, host, at)?;
        let made = match site.native {
            Native::Change(run) => run(on, rest, &program.texts).map(Ok),
            Native::Primitive(forms) => forms.iter().find_map(|form| match form.run {
                PrimitiveBody::Reads(run) => run(on, rest),
                PrimitiveBody::Changes(run) => run(on, rest),
            }),
            _ => None,
        };
        let value = match made {
            Some(Ok(value)) => value,
            Some(Err(fault)) => return Err(placed(fault, at)),
            None => self.otherwise(host, program, call, on)?,
        };
        site.charge_making(&value, due, (host, at))?;
        Ok(value)
    }

    /// Calls a closure where the native does so, or what a map has under its name; else Rhai's own native.
    fn otherwise(
        &mut self,
        host: &Host,
        program: &Program,
        call: NativeCall<'_>,
        on: &mut Value,
    ) -> Result<Value, Fault> {
        let NativeCall { site, number, base, at } = call;
        let reading = Reading { registers: &self.registers[base..], constants: &program.constants };
        let rest: Vec<&Value> = site.rest.iter().map(|register| reading.at(*register)).collect();
        let rest = &rest[..];
        let (kind, closure) = match (site.native, &*on, rest) {
            (Native::Loop(kind), Value::List(_), [Value::Function(closure), ..]) => {
                (Some(kind), closure.clone())
            }
            (Native::Rhai, Value::Map(map), _) => match map.get_text(&site.name) {
                Some(Value::Function(closure)) => (None, closure.clone()),
                _ => return rhai_native(host, program, site, on, rest, at),
            },
            _ => return rhai_native(host, program, site, on, rest, at),
        };
        let rest: Vec<Value> = rest.iter().copied().cloned().collect();
        let call = |machine: &mut Machine, arguments: &[Value]| {
            machine.invoke(host, program, &closure, arguments, (number, at))
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
                    false => Err(no_such_call(site.name.as_str(), rest.iter(), at)),
                }
            }
        };
        self.within_native = within;
        result
    }
}
