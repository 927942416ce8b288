//! Compiles loops: `for`, `while`, `loop`, `do`, with `break` and `continue`.

use rhai::{ASTFlags, Expr, FlowControl, Ident, Position};

use super::function::{Builder, Hole, OpenLoop};
use super::{Compiled, refuse};
use crate::script::machine::code::{Op, Reg};

impl Builder<'_, '_> {
    /// The body of a loop; returns the jumps of its `break`s. Its `continue`s go behind the body.
    fn repeated(&mut self, parts: &FlowControl, to: Option<Reg>) -> Compiled<Vec<Hole>> {
        self.loops.push(OpenLoop { to, breaks: Vec::new(), continues: Vec::new() });
        let done = self.block(parts.body.statements(), None);
        let Some(ended) = self.loops.pop() else { return Ok(Vec::new()) };
        done?;
        self.land_all(ended.continues);
        Ok(ended.breaks)
    }

    pub(super) fn while_loop(
        &mut self,
        parts: &FlowControl,
        at: Position,
        to: Option<Reg>,
    ) -> Compiled<()> {
        self.nothing(to, at)?;
        let start = self.here();
        // `loop` has no condition.
        let ends = match &parts.expr {
            Expr::Unit(_) => Vec::new(),
            condition => self.jump_unless(condition)?,
        };
        let breaks = self.repeated(parts, to)?;
        // An endless loop that does nothing is stopped where it begins.
        let again = if ends.is_empty() { parts.body.position() } else { at };
        self.emit(Op::Jump { to: start }, again);
        self.land_all(ends);
        self.land_all(breaks);
        Ok(())
    }

    pub(super) fn do_loop(
        &mut self,
        parts: &FlowControl,
        flags: ASTFlags,
        at: Position,
        to: Option<Reg>,
    ) -> Compiled<()> {
        self.nothing(to, at)?;
        let start = self.here();
        let breaks = self.repeated(parts, to)?;
        // `until` continues while the condition does not hold.
        let again = if flags.contains(ASTFlags::NEGATED) {
            self.jump_unless(&parts.expr)?
        } else {
            self.jump_if(&parts.expr)?
        };
        for hole in again {
            self.aim(hole, start);
        }
        self.land_all(breaks);
        Ok(())
    }

    pub(super) fn for_loop(
        &mut self,
        name: &Ident,
        counter: Option<&Ident>,
        parts: &FlowControl,
        at: Position,
        to: Option<Reg>,
    ) -> Compiled<()> {
        self.nothing(to, at)?;
        self.scoped(|this| {
            let state = this.take_several(2, at)?;
            let range = match &parts.expr {
                Expr::FnCall(call, _) if counter.is_none() && call.name == ".." => Some(&call.args),
                _ => None,
            };
            match range {
                Some(ends) => {
                    // Numbers are counted without a range being made.
                    this.value(&ends[0], state)?;
                    this.value(&ends[1], state + 1)?;
                }
                None => {
                    this.value(&parts.expr, state)?;
                    this.emit(Op::Each { state }, parts.expr.start_position());
                }
            }
            let item = this.take(at)?;
            let start = this.here();
            let place = parts.expr.start_position();
            let end = match range {
                Some(_) => this.emit_jump(Op::Count { state, to: item, end: 0 }, place),
                None => this.emit_jump(Op::Next { state, to: item, end: 0 }, place),
            };
            this.declare_in_loop(name, item);
            if let Some(counter) = counter {
                // A copy: the body may change it.
                let number = this.take(at)?;
                this.emit(Op::Move { to: number, from: state + 1 }, at);
                this.declare_in_loop(counter, number);
            }
            let breaks = this.repeated(parts, to)?;
            this.emit(Op::Jump { to: start }, at);
            this.land(end);
            this.land_all(breaks);
            if range.is_none() {
                this.emit(Op::Clear { at: state }, at);
            }
            Ok(())
        })
    }

    /// The variable of a loop is another one each time.
    fn declare_in_loop(&mut self, name: &Ident, register: Reg) {
        self.declare(&name.name, register);
        if let Some(variable) = self.variable(&name.name) {
            variable.loops += 1;
        }
    }

    pub(super) fn leave(
        &mut self,
        value: Option<&Expr>,
        flags: ASTFlags,
        at: Position,
    ) -> Compiled<()> {
        let Some(to) = self.loops.last().map(|innermost| innermost.to) else {
            return refuse("`break` and `continue` belong in a loop", at);
        };
        let is_break = flags.contains(ASTFlags::BREAK);
        if let (Some(value), true) = (value, is_break) {
            match to {
                Some(to) => self.value(value, to)?,
                None => self.unwanted(at, |this, to| this.value(value, to))?,
            }
        }
        let hole = self.emit_jump(Op::Jump { to: 0 }, at);
        if let Some(innermost) = self.loops.last_mut() {
            let holes = if is_break { &mut innermost.breaks } else { &mut innermost.continues };
            holes.push(hole);
        }
        Ok(())
    }
}
