//! Calls a native or a closure for an instruction, and charges its reading and its work; natives of Rhai on copies
//! of the values.

use rhai::{EvalAltResult, Position};

use super::arithmetic::COMPARING;
use super::code::{Place, Program, Reg, Site, THIS};
use super::convert::to_dynamic;
use super::distribution_cache::MakingCall;
use super::host::{Host, no_such_call};
use super::long_instructions::sized;
use super::natives::{Loop, Native, index_of};
use super::paths::{Reading, walk, walk_on};
use super::run::{Frame, Machine, ThisSource, Turn};
use super::value::{Closure, Value};
use crate::script::sandbox::fuel::LOOK;
use crate::script::sandbox::limits::{Fault, fail};

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

    #[inline(never)]
    fn making(&self, made: &Value, at: Position) -> Result<u64, Fault> {
        let size = made.size();
        size.fits(at)?;
        Ok(if self.light { size.copying() } else { size.making() })
    }

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
                Native::Primitive(forms) => forms.iter().find_map(|form| form.read(on, rest)),
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
            Native::Primitive(forms) => forms.iter().find_map(|form| form.call(on, rest)),
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

pub(super) fn rhai_native(
    host: &Host,
    program: &Program,
    site: &Site,
    on: &mut Value,
    rest: &[&Value],
    at: Position,
) -> Result<Value, Fault> {
    // Paid before anything is copied: each item is made anew for Rhai, and read back; in texts something is mostly
    // looked for.
    let each = match site.name.as_str() {
        // In a text letters are compared, which is paid as searching.
        _ if on.as_list().is_none() => 1,
        "contains" | "dedup" | "index_of" => COMPARING,
        "order" | "order_desc" | "sort" | "sort_desc" => u64::from(on.size().items.max(2).ilog2()),
        _ => 1,
    };
    let work = |value: &Value| each * value.size().converting() + value.searching();
    host.charge(rest.iter().fold(work(on), |sum, value| sum + work(value)), at)?;
    if site.keeps {
        let call = MakingCall { name: &site.name, first: on, rest };
        if let Some((made, work)) = host.made.borrow().get(call) {
            // As if it were made anew: what ran before must not decide how far a playout comes.
            host.charge(work, at)?;
            return Ok(Value::Distribution(made));
        }
    }
    let left = host.left();
    let mut arguments = Vec::with_capacity(site.count as usize);
    for argument in std::iter::once(&*on).chain(rest.iter().copied()).take(site.count as usize) {
        if matches!(argument, Value::Function(_)) {
            let of = if on.as_map().is_some() { " of a map" } else { "" };
            return Err(fail(format!("`{}`{of} takes no closure: write a loop", site.name), at));
        }
        arguments.push(to_dynamic(argument));
    }
    let value = host.native(site.name.as_str(), &mut arguments, at)?;
    if site.changes && site.count > 0 {
        *on = host.value(&arguments[0], &program.texts, at)?;
    }
    let value = host.value(&value, &program.texts, at)?;
    if site.keeps {
        // Counted as it is where it is at hand already, so that both stop at the same place.
        let work = left.saturating_sub(host.left());
        host.set_left(left);
        host.charge(work, at)?;
        if let Value::Distribution(made) = &value {
            let call = MakingCall { name: &site.name, first: on, rest };
            host.made.borrow_mut().keep(call, made, work);
        }
    }
    Ok(value)
}

impl Machine {
    /// Runs a closure on as many of the arguments as it takes, on top of the function that runs. One
    /// that takes none is called on the first.
    pub(super) fn invoke(
        &mut self,
        host: &Host,
        program: &Program,
        closure: &Closure,
        arguments: &[Value],
        (site, at): (u16, Position),
    ) -> Result<Value, Fault> {
        if self.frames.len() >= crate::script::sandbox::limits::CALLS {
            return Err(rhai::EvalAltResult::ErrorStackOverflow(at).into());
        }
        let floor = self.frames.len();
        let Some(top) = self.frames.last().copied() else { return Ok(Value::Unit) };
        let free = program.functions[top.function as usize].registers;
        let result = top.base as usize + free as usize;
        let base = result + 1;
        let function = &program.functions[closure.function as usize];
        let wanted = (function.params as usize).saturating_sub(closure.captured.len());
        if wanted > arguments.len() {
            return Err(no_such_call(closure.name.as_str(), arguments.iter(), at));
        }
        let needed = base + function.registers as usize;
        if self.registers.len() < needed {
            self.registers.resize(needed, Value::Unit);
        }
        let this = arguments.first().filter(|_| wanted == 0).unwrap_or(&closure.this);
        self.registers[base] = this.clone();
        let given = closure.captured.iter().chain(&arguments[..wanted]);
        for (register, value) in self.registers[base + 1..].iter_mut().zip(given) {
            host.charge(value.size().copying(), at)?;
            *register = value.clone();
        }
        let frame = Frame {
            function: closure.function,
            back: ThisSource::Native(site),
            to: free,
            next: 0,
            base: base as u32,
        };
        self.frames.push(frame);
        loop {
            match self.run_above(host, floor)? {
                Turn::Done(_) => return Ok(std::mem::take(&mut self.registers[result])),
                Turn::Events(texts) => host.announce(&texts),
                Turn::Asked => {
                    return Err(fail("nobody can be asked in a closure: write a loop", at));
                }
            }
        }
    }

    /// Lays the arguments of a closure out behind what it captured; returns its function.
    pub(super) fn prepare(
        &mut self,
        program: &Program,
        first: usize,
        count: usize,
        at: Position,
    ) -> Result<u16, Fault> {
        let closure = match &self.registers[first] {
            Value::Function(closure) => closure.clone(),
            _ => {
                let all = &self.registers[first..=first + count];
                return Err(no_such_call("call", all.iter(), at));
            }
        };
        let captured = closure.captured.len();
        if program.functions[closure.function as usize].params as usize != captured + count {
            let all = &self.registers[first + 1..=first + count];
            return Err(no_such_call(closure.name.as_str(), all.iter(), at));
        }
        let needed = first + 1 + captured + count;
        if self.registers.len() < needed {
            self.registers.resize(needed, Value::Unit);
        }
        if captured > 0 {
            for i in (0..count).rev() {
                self.registers.swap(first + 1 + i, first + 1 + captured + i);
            }
            self.registers[first + 1..=first + captured].clone_from_slice(&closure.captured);
        }
        self.registers[first] = closure.this.clone();
        Ok(closure.function)
    }
}
