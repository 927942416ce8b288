//! Compiles closures. What one captures it copies: a captured variable may not change afterwards,
//! so a machine can be cloned with all its closures.

use std::sync::Arc;

use rhai::{Dynamic, Expr, FnCallExpr, FnPtr, Position};

use super::function::Builder;
use super::{Compiled, Compiler, refuse};
use crate::script::assemble::function_uses::closure_name;
use crate::script::machine::code::{Op, Reg};
use crate::script::machine::value::{Closure, Value};

impl Compiler<'_> {
    /// A function, if that is what a value is; what it captured is known by now.
    pub(super) fn function_of(&mut self, value: &Dynamic, at: Position) -> Compiled<Option<Value>> {
        let Some(pointer) = value.read_lock::<FnPtr>() else { return Ok(None) };
        let known = self.program.named.get(pointer.fn_name()).and_then(|known| known.first());
        let Some((_, function)) = known.copied() else {
            return refuse(format!("there is no function `{}`", pointer.fn_name()), at);
        };
        let name = self.program.texts.intern(pointer.fn_name());
        let captured = pointer.iter_curry().map(|value| self.literal(value, at));
        let captured = captured.collect::<Compiled<Vec<Value>>>()?;
        Ok(Some(Value::Function(Arc::new(Closure::new(function, name, captured)))))
    }
}

impl Builder<'_, '_> {
    pub(super) fn closure(&mut self, call: &FnCallExpr, at: Position, to: Reg) -> Compiled<()> {
        let Some((made, captured)) = call.args.split_first() else {
            return refuse("rules cannot use this kind of closure", at);
        };
        let Some(Value::Function(closure)) = self.literal(made)? else {
            return refuse("rules cannot bind arguments to functions: write a closure", at);
        };
        for variable in captured {
            if let Expr::Variable(parts, _, place) = variable
                && let Some(variable) = self.variable(&parts.1)
            {
                let name = &parts.1;
                let why =
                    format!("`{name}` changes in this loop and a closure captures it: copy it");
                if variable.changes {
                    return refuse(why, *place);
                }
                variable.captured = true;
                for function in std::mem::take(&mut variable.called) {
                    self.all.refuse_if(function, why.clone(), *place);
                }
            }
        }
        let from = self.take_several(captured.len(), at)?;
        for (variable, register) in captured.iter().zip(from..) {
            let named = match variable {
                Expr::Variable(parts, ..) if self.all.has_params(&parts.1) => Some(&parts.1),
                _ => None,
            };
            if let Some(name) = named {
                let hides = self.variable(name).is_some();
                // Closures that read alike are one function.
                if *self.all.hides.entry(closure.function).or_insert(hides) != hides {
                    return refuse(format!("give another name to the variable `{name}`"), at);
                }
                if !hides {
                    continue;
                }
            }
            self.value(variable, register)?;
        }
        let count = captured.len() as u16;
        self.emit(Op::Closure { to, from, function: closure.function, count }, at);
        Ok(())
    }

    /// Whether an expression is a closure that captures `this` alone.
    pub(super) fn binds_this(&self, made: &Expr) -> bool {
        closure_name(made).is_some_and(|name| self.all.with_this.contains(&name))
    }

    pub(super) fn closure_with_this(&mut self, made: &Expr, to: Reg) -> Compiled<()> {
        let at = made.position();
        match self.literal(made)? {
            Some(Value::Function(closure)) => {
                self.emit(Op::Closure { to, from: to, function: closure.function, count: 0 }, at);
                Ok(())
            }
            _ => refuse("rules cannot use this kind of closure", at),
        }
    }
}
