//! Compiles calls in the style of functions: operators, functions of the script, natives.

use rhai::{Expr, FnCallExpr, Position};

use super::chains::{is_chain, is_simple};
use super::function::Builder;
use super::{Compiled, refuse};
use crate::script::machine::code::{Binary, CONSTANT, Op, Reg, Site, THIS};
use crate::script::machine::natives::{LIGHT, changes, native};
use crate::script::questions::effects::Effect;
use crate::script::sandbox::limits::SHUT;

/// Functions of the language that look into the running script.
const INTO_THE_SCRIPT: [&str; 5] = ["is_def_var", "is_def_fn", "is_shared", "eval", "Fn"];

/// Primitives that take long: the distributions that they made are kept for whoever asks again.
const KEPT: [&str; 3] = ["dice", "successes", "pairs_won"];

impl Builder<'_, '_> {
    /// A call; `to` takes what it returns.
    pub(super) fn call(&mut self, call: &FnCallExpr, at: Position, to: Reg) -> Compiled<()> {
        let mark = self.mark();
        match &call.op_token {
            Some(_) => self.operator(call, at, to)?,
            None => self.named_call(call, at, to)?,
        }
        self.release(mark);
        Ok(())
    }

    fn operator(&mut self, call: &FnCallExpr, at: Position, to: Reg) -> Compiled<()> {
        match (&*call.name, &call.args[..]) {
            ("!", [inner]) => {
                let from = self.operand(inner)?;
                self.emit(Op::Not { to, from }, at);
            }
            ("-", [inner]) => {
                let from = self.operand(inner)?;
                self.emit(Op::Negate { to, from }, at);
            }
            ("+", [inner]) => self.value(inner, to)?,
            (symbol @ (".." | "..="), [a, b]) => {
                let (a, b) = self.operands(a, b)?;
                self.emit(Op::Range { to, a, b, inclusive: symbol == "..=" }, at);
            }
            (symbol, [a, b]) => match Binary::written(symbol) {
                Some(by) => {
                    let (a, b) = self.operands(a, b)?;
                    self.emit(Op::Binary { by, to, a, b }, at);
                }
                None => self.named_call(call, at, to)?,
            },
            (symbol, _) => return refuse(format!("rules cannot use `{symbol}`"), at),
        }
        Ok(())
    }

    fn named_call(&mut self, call: &FnCallExpr, at: Position, to: Reg) -> Compiled<()> {
        let name = &*call.name;
        if INTO_THE_SCRIPT.contains(&name) || SHUT.contains(&name) {
            return refuse(format!("rules may not use `{name}`"), at);
        }
        if let Some(function) = self.all.program.function(name, call.args.len()) {
            let window = self.take(at)?;
            self.one_after_another(call.args.iter(), at)?;
            self.emit(Op::Call { function, at: window, to }, at);
            return Ok(());
        }
        if let Some((first, rest)) = call.args.split_first() {
            if name == "call" {
                let window = self.take(at)?;
                self.value(first, window)?;
                let (_, count) = self.one_after_another(rest.iter(), at)?;
                self.emit(Op::CallValue { at: window, to, count }, at);
                return Ok(());
            }
            if let Some(what) = Effect::find(name, rest.len()) {
                let mut receiver = match first {
                    Expr::ThisPtr(_) => THIS,
                    other => self.operand(other)?,
                };
                if receiver >= CONSTANT {
                    let copy = self.take(at)?;
                    self.emit(Op::Move { to: copy, from: receiver }, at);
                    receiver = copy;
                }
                let (from, _) = self.one_after_another(rest.iter(), at)?;
                self.emit(Op::Ask { what, at: from, to, receiver }, at);
                return Ok(());
            }
            let constant = |parts: &Expr| matches!(parts, Expr::Variable(..));
            if changes(name)
                && constant(first)
                && self.at_hand(first)?.is_some_and(|at| at >= CONSTANT)
            {
                return refuse(format!("`{name}` would change a constant: copy it with `let`"), at);
            }
            if !changes(name)
                && rest.iter().all(is_simple)
                && is_chain(first)
                && self.native_at(first, (name, rest), at, to)?
            {
                return Ok(());
            }
            if let (Expr::ThisPtr(at), true) = (first, changes(name)) {
                self.change_this(*at)?;
            }
            if let Some(receiver) = self.called_on(name, first)? {
                let (from, direct) = self.native_arguments(name, rest, at)?;
                let site = self.native_site(name, call.args.len(), direct, at)?;
                self.emit(Op::NativeOn { site, at: from, to, receiver }, at);
                return Ok(());
            }
        }
        let (from, _) = self.one_after_another(call.args.iter(), at)?;
        let site = self.native_site(name, call.args.len(), None, at)?;
        self.emit(Op::Native { site, at: from, to }, at);
        Ok(())
    }

    /// A native is called on its first argument where that is a variable, as in the style of methods.
    fn called_on(&mut self, name: &str, first: &Expr) -> Compiled<Option<Reg>> {
        Ok(match first {
            Expr::ThisPtr(_) => Some(THIS),
            Expr::Variable(parts, _, at) if self.variable(&parts.1).is_some() => {
                match changes(name) {
                    true => self.changeable(&parts.1, *at)?,
                    false => self.at_hand(first)?,
                }
            }
            _ => None,
        })
    }

    /// The arguments of a native beside what it is called on: where they begin, and where the only one
    /// is already, if it need not be moved there.
    pub(super) fn native_arguments(
        &mut self,
        name: &str,
        rest: &[Expr],
        at: Position,
    ) -> Compiled<(Reg, Option<Reg>)> {
        if let ([only], false) = (rest, changes(name))
            && let Some(register) = self.at_hand(only)?
        {
            return Ok((self.take(at)?, Some(register)));
        }
        Ok((self.one_after_another(rest.iter(), at)?.0, None))
    }

    /// A place that calls a native.
    pub(super) fn native_site(
        &mut self,
        name: &str,
        count: usize,
        direct: Option<Reg>,
        at: Position,
    ) -> Compiled<u16> {
        let native = native(name, count);
        let changes = changes(name);
        let keeps = KEPT.contains(&name);
        let light = LIGHT.contains(&name);
        let (name, count) = (self.all.text(name), count as u16);
        self.all.site(Site { name, count, changes, light, keeps, direct, native }, at)
    }
}
