//! Compiles calls in the style of functions and of methods: operators, functions of the script, natives, questions.

use rhai::{Expr, FnCallExpr, Position};

use super::chains::{Ahead, ChainPlace, is_calm, is_chain, is_simple};
use super::function::Builder;
use super::{Compiled, add, refuse};
use crate::script::machine::call::FEW;
use crate::script::machine::code::{Binary, CONSTANT, Op, Path, Reg, Site, THIS};
use crate::script::machine::natives::{LIGHT, Native, changes, native};
use crate::script::machine::value::Value;
use crate::script::questions::effects::Effect;
use crate::script::sandbox::limits::SHUT;

/// Functions of the language that look into the running script.
const INTO_THE_SCRIPT: [&str; 5] = ["is_def_var", "is_def_fn", "is_shared", "eval", "Fn"];

/// Primitives that take long: the distributions that they made are kept for whoever asks again.
const KEPT: [&str; 3] = ["dice", "successes", "pairs_won"];

impl Builder<'_, '_> {
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
                    receiver = self.copy(receiver, at)?;
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
        }
        let between = self.mark();
        let (root, rest) = match call.args.split_first() {
            Some((first, rest)) => (self.called_on(name, first)?, rest),
            // Without arguments it is called on nothing.
            None => (self.constant(Value::Unit, at)?, &[][..]),
        };
        let rest = self.native_arguments(name, rest, root)?;
        let place = ChainPlace { root, steps: Vec::new(), at };
        self.native((name, call.args.len()), place, (rest, between), at, to)
    }

    /// What a native is called on: its first argument, where it is a variable that very one, as in the style of
    /// methods.
    fn called_on(&mut self, name: &str, first: &Expr) -> Compiled<Reg> {
        let found = match first {
            Expr::ThisPtr(_) => Some(THIS),
            Expr::Variable(parts, _, at) if changes(name) => self.changeable(&parts.1, *at)?,
            _ if changes(name) => None,
            _ => self.at_hand(first)?,
        };
        found.map_or_else(|| self.between(first), Ok)
    }

    fn between(&mut self, expression: &Expr) -> Compiled<Reg> {
        let register = self.take(expression.position())?;
        self.value(expression, register)?;
        Ok(register)
    }

    /// Where the arguments of a native are beside what it is called on: where they are already, unless what follows
    /// may change them, or the native what they are in.
    pub(super) fn native_arguments(
        &mut self,
        name: &str,
        rest: &[Expr],
        on: Reg,
    ) -> Compiled<Box<[Reg]>> {
        let mut registers = Vec::with_capacity(rest.len());
        for (i, argument) in rest.iter().enumerate() {
            let calm = rest[i + 1..].iter().all(is_calm);
            let stays = |register: &Reg| {
                *register >= CONSTANT || calm && !(changes(name) && *register == on)
            };
            registers.push(match self.at_hand(argument)?.filter(stays) {
                Some(register) => register,
                None => self.between(argument)?,
            });
        }
        Ok(registers.into())
    }

    /// Calls a native on the value at a place. Its other arguments are found out, and intermediate values are in
    /// registers from `between` on.
    pub(super) fn native(
        &mut self,
        (name, count): (&str, usize),
        place: ChainPlace,
        (rest, between): (Box<[Reg]>, Reg),
        at: Position,
        to: Reg,
    ) -> Compiled<()> {
        let site = Site {
            name: self.all.text(name),
            count: count as u16,
            changes: changes(name),
            light: LIGHT.contains(&name),
            keeps: KEPT.contains(&name),
            rest,
            between: (between, self.mark() - between),
            native: native(name, count),
        };
        debug_assert!(site.rest.len() <= FEW || matches!(site.native, Native::Rhai));
        let site = add(&mut self.all.program.sites, site, at)?;
        let path = self.path_of(place)?;
        let to = if self.unwanted == Some(to) { THIS } else { to };
        self.emit(Op::Native { site, path, to }, at);
        Ok(())
    }
}

impl Builder<'_, '_> {
    fn arguments(&mut self, call: &FnCallExpr, at: Position, ahead: &Ahead) -> Compiled<Reg> {
        let from = self.take_several(call.args.len(), at)?;
        for (i, argument) in call.args.iter().enumerate() {
            let to = from + i as Reg;
            match ahead.get(i).copied().flatten() {
                Some(register) => self.emit(Op::Take { to, from: register }, at),
                None => self.value(argument, to)?,
            }
        }
        Ok(from)
    }

    /// A call on a place; `to` takes what it returns.
    pub(super) fn method(
        &mut self,
        call: &FnCallExpr,
        at: Position,
        place: ChainPlace,
        ahead: &Ahead,
        to: Reg,
    ) -> Compiled<()> {
        let name = &*call.name;
        let count = call.args.len();
        let mut place = place;
        if place.root >= CONSTANT && changes(name) {
            return refuse(format!("`{name}` would change a constant: copy it with `let`"), at);
        }
        if let Some(function) = self.all.program.function(name, count) {
            if place.root >= CONSTANT {
                // What is called may change its copy.
                place.root = self.copy(place.root, at)?;
            }
            let window = self.take(at)?;
            self.arguments(call, at, ahead)?;
            self.call_on(place.root, function, at);
            let op = if !place.steps.is_empty() {
                let path = self.path_of(place)?;
                Op::CallAt { function, at: window, to, path }
            } else {
                Op::CallOn { function, at: window, to, receiver: place.root }
            };
            self.emit(op, at);
            return Ok(());
        }
        if name == "call" {
            let window = self.take(at)?;
            self.read(window, place)?;
            self.arguments(call, at, ahead)?;
            self.emit(Op::CallValue { at: window, to, count: count as u16 }, at);
            return Ok(());
        }
        if let Some(what) = Effect::find(name, count) {
            return self.ask(what, call, at, place, ahead, to);
        }
        if changes(name) {
            self.refuse_captured(place.root, at)?;
            if place.root == THIS {
                self.change_this(at)?;
            }
        }
        let between = self.mark();
        let rest = match ahead.iter().all(Option::is_none) {
            true => self.native_arguments(name, &call.args, place.root)?,
            false => {
                let from = self.arguments(call, at, ahead)?;
                (from..from + count as Reg).collect()
            }
        };
        self.native((name, count + 1), place, (rest, between), at, to)
    }

    fn ask(
        &mut self,
        what: Effect,
        call: &FnCallExpr,
        at: Position,
        place: ChainPlace,
        ahead: &Ahead,
        to: Reg,
    ) -> Compiled<()> {
        let receiver = if place.steps.is_empty() && place.root < CONSTANT {
            place.root
        } else if what.fills_a_list() {
            return refuse(format!("`{}` is called on `this` or a variable", what.name()), at);
        } else {
            let copy = self.take(at)?;
            self.read(copy, place)?;
            copy
        };
        if let (Effect::Emit, [Expr::InterpolatedString(parts, _)], [] | [None]) =
            (what, &call.args[..], &ahead[..])
        {
            let (from, count) = self.one_after_another(parts.iter(), at)?;
            self.emit(Op::Announce { to, from, count, receiver }, at);
            return Ok(());
        }
        let from = self.arguments(call, at, ahead)?;
        self.emit(Op::Ask { what, at: from, to, receiver }, at);
        Ok(())
    }

    pub(super) fn read(&mut self, to: Reg, place: ChainPlace) -> Compiled<()> {
        let at = place.at;
        let path = self.path_of(place)?;
        self.emit(Op::Read { to, path }, at);
        Ok(())
    }

    pub(super) fn path_of(&mut self, place: ChainPlace) -> Compiled<u16> {
        self.all.path(Path { root: place.root, steps: place.steps.into() }, place.at)
    }

    fn refuse_captured(&mut self, root: Reg, at: Position) -> Compiled<()> {
        let name = self.variable_in(root).map(|variable| variable.name.clone());
        name.map_or(Ok(()), |name| self.changeable(&name, at).map(|_| ()))
    }
}
