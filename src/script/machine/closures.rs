//! Calls closures on a machine, for natives and for the script.

use rhai::Position;

use super::code::Program;
use super::host::{Host, fail, no_such_call};
use super::run::{Frame, Machine, ThisSource, Turn};
use super::value::{Closure, Value};
use crate::script::sandbox::fault::Fault;

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
