//! How a machine calls natives, and natives call closures on it.

use rhai::Position;

use super::code::{Path, Program, Site};
use super::convert::to_dynamic;
use super::host::{Fault, Host, fail, no_such_call};
use super::natives::{Loop, Native};
use super::paths::{Reading, Walked, grow_along, walk, walk_mut, walk_on, why_not};
use super::run::{Back, Frame, Machine, Turn};
use super::size::fits;
use super::value::{Closure, Value};

/// A place that calls a native, with its number.
type At<'p> = (&'p Site, u16);

impl Machine {
    /// Calls a native whose arguments lie from a register on.
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
        self.native_on(host, program, site, &mut on, first + 1, at)
    }

    /// Calls a native on a value; its other arguments lie from a register on, and are taken.
    pub(super) fn native_on(
        &mut self,
        host: &Host,
        program: &Program,
        site: At<'_>,
        on: &mut Value,
        first: usize,
        at: Position,
    ) -> Result<Value, Fault> {
        let rest = &self.registers[first..first + (site.0.count as usize).max(1) - 1];
        let given = |arguments: &[Value]| arguments.iter().map(|a| a.size().work()).sum::<u64>();
        let mut work = if site.0.light { on.letters() } else { given(rest) };
        let mut value = self.ported_or_rhai(host, program, site, on, first, at)?;
        self.let_go(site, first);
        if !site.0.light {
            work += on.size().work() + value.size().work();
        }
        fits(&mut value, at)?;
        if site.0.changes {
            fits(on, at)?;
        }
        host.charge(work, at)?;
        Ok(value)
    }

    /// Calls a native on the value at a path.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn native_at(
        &mut self,
        host: &Host,
        program: &Program,
        site: At<'_>,
        path: &Path,
        base: usize,
        first: usize,
        at: Position,
    ) -> Result<Value, Fault> {
        let root = base + path.root as usize;
        if site.0.changes {
            let mut whole = std::mem::take(&mut self.registers[root]);
            let reading =
                Reading { registers: &self.registers[base..], constants: &program.constants };
            let result = match walk_mut(&mut whole, &path.steps, reading, false) {
                Ok(place) => {
                    let before = place.size();
                    let result = self.native_on(host, program, site, place, first, at);
                    let more = place.size().beyond(before);
                    result.map(|value| (value, more))
                }
                Err(stuck) => {
                    Err(why_not(&whole, &path.steps, stuck, reading, host, &program.texts))
                }
            };
            let result = result.and_then(|(value, more)| {
                if !more.is_nothing() {
                    let registers = &self.registers[base..];
                    let reading = Reading { registers, constants: &program.constants };
                    grow_along(&mut whole, &path.steps, reading, more);
                    fits(&mut whole, at)?;
                }
                Ok(value)
            });
            self.registers[root] = whole;
            return result;
        }
        let reading = Reading { registers: &self.registers[base..], constants: &program.constants };
        let mut on = match walk(reading.at(path.root), &path.steps, reading) {
            Walked::There(value) => {
                if let Native::Reads(run) = site.0.native {
                    let rest = &self.registers[first..first + site.0.count as usize - 1];
                    if let Some(mut made) = run(value, rest, &program.texts) {
                        let work = if site.0.light { value.letters() } else { value.size().work() };
                        self.let_go(site, first);
                        fits(&mut made, at)?;
                        host.charge(work, at)?;
                        return Ok(made);
                    }
                }
                value.clone()
            }
            Walked::Stuck(value, stuck) => {
                walk_on(value, &path.steps[stuck..], reading, host, &program.texts)?
            }
        };
        self.native_on(host, program, site, &mut on, first, at)
    }

    /// Lets go of the arguments, so that nothing in them must be copied to be changed.
    #[inline]
    fn let_go(&mut self, site: At<'_>, first: usize) {
        for register in &mut self.registers[first..first + (site.0.count as usize).max(1) - 1] {
            if !register.is_small() {
                *register = Value::Unit;
            }
        }
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
        let rest = first..first + (site.0.count as usize).max(1) - 1;
        let done = match site.0.native {
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

    /// The closure that a map holds under the name of what is called on it.
    fn closure_of(&self, site: At<'_>, on: &Value) -> Option<std::sync::Arc<Closure>> {
        match on.as_map()?.get_text(&site.0.name)? {
            Value::Function(closure) => Some(closure.clone()),
            _ => None,
        }
    }

    /// Calls one of Rhai's natives on copies of the values.
    fn rhai_native(
        &mut self,
        host: &Host,
        program: &Program,
        site: At<'_>,
        on: &mut Value,
        first: usize,
        at: Position,
    ) -> Result<Value, Fault> {
        let rest = &self.registers[first..first + (site.0.count as usize).max(1) - 1];
        if site.0.keeps
            && let Some((made, work)) = host.made(site.0.name.as_str(), on, rest)
        {
            // As if it were made anew: what ran before must not decide how far a playout comes.
            host.charge(work, at)?;
            return Ok(made);
        }
        let before = host.charged();
        let all = std::iter::once(&*on).chain(rest).take(site.0.count as usize);
        let mut arguments = Vec::with_capacity(site.0.count as usize);
        for argument in all {
            if matches!(argument, Value::Function(_)) {
                return Err(fail(format!("`{}` takes no closure: write a loop", site.0.name), at));
            }
            arguments.push(to_dynamic(argument));
        }
        let value = host.native(site.0.name.as_str(), &mut arguments, at)?;
        if site.0.changes && site.0.count > 0 {
            *on = host.value(&arguments[0], &program.texts, at)?;
        }
        let value = host.value(&value, &program.texts, at)?;
        if site.0.keeps {
            let work = host.charged() - before;
            host.keep(site.0.name.as_str(), on, rest, (&value, work));
        }
        Ok(value)
    }

    #[allow(clippy::too_many_arguments)]
    fn native_loop(
        &mut self,
        host: &Host,
        program: &Program,
        site: At<'_>,
        kind: Loop,
        on: &mut Value,
        first: usize,
        at: Position,
    ) -> Result<Value, Fault> {
        let (Value::List(_), Value::Function(closure)) = (&*on, &self.registers[first]) else {
            return self.rhai_native(host, program, site, on, first, at);
        };
        let closure = closure.clone();
        let start = if site.0.count > 2 {
            std::mem::take(&mut self.registers[first + 1])
        } else {
            Value::Unit
        };
        let within = std::mem::replace(&mut self.within_native, true);
        let result = kind.run(on, start, &mut |arguments| {
            self.invoke(host, program, &closure, arguments, (site.1, at))
        });
        self.within_native = within;
        result
    }

    /// Runs a closure on as many of the arguments as it takes, on top of the function that runs. One
    /// that takes none is called on the first.
    fn invoke(
        &mut self,
        host: &Host,
        program: &Program,
        closure: &Closure,
        arguments: &[Value],
        (site, at): (u16, Position),
    ) -> Result<Value, Fault> {
        if self.frames.len() >= crate::script::engine::CALLS {
            return Err(rhai::EvalAltResult::ErrorStackOverflow(at).into());
        }
        let floor = self.frames.len();
        let Some(top) = self.frames.last().copied() else { return Ok(Value::Unit) };
        let free = program.functions[top.function as usize].registers;
        let base = top.base as usize + free as usize;
        let function = &program.functions[closure.function as usize];
        let wanted = (function.params as usize).saturating_sub(closure.captured.len());
        if wanted > arguments.len() {
            return Err(no_such_call(closure.name.as_str(), arguments.iter(), at));
        }
        let needed = base + function.registers as usize;
        if self.registers.len() < needed {
            self.registers.resize(needed, Value::Unit);
        }
        let this = arguments.first().filter(|_| wanted == 0);
        self.registers[base] = this.cloned().unwrap_or(Value::Unbound);
        let given = closure.captured.iter().chain(&arguments[..wanted]);
        for (register, value) in self.registers[base + 1..].iter_mut().zip(given) {
            *register = value.clone();
        }
        let frame = Frame {
            function: closure.function,
            back: Back::Native(site),
            to: free,
            next: 0,
            base: base as u32,
        };
        self.frames.push(frame);
        loop {
            match self.run_above(host, floor)? {
                Turn::Done(_) => return Ok(std::mem::take(&mut self.registers[base])),
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
        self.registers[first] = Value::Unbound;
        Ok(closure.function)
    }
}
