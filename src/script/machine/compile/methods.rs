//! Compiles calls in the style of methods: functions of the script, natives, questions.

use rhai::{Expr, FnCallExpr, Position};

use super::chains::{Ahead, ChainPlace};
use super::function::Builder;
use super::{Compiled, refuse};
use crate::script::machine::code::{CONSTANT, Op, Path, Reg, THIS};
use crate::script::machine::natives::changes;
use crate::script::questions::effects::Effect;

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
                let copy = self.take(at)?;
                self.emit(Op::Move { to: copy, from: place.root }, at);
                place.root = copy;
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
