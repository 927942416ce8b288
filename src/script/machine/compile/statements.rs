//! Compiles statements: variables, assignments, blocks, `if`, `return`, `throw`.

use rhai::{ASTFlags, BinaryExpr, Expr, FlowControl, Ident, OpAssignment, Position, Stmt};

use super::chains::{is_calm, is_chain};
use super::function::{Builder, Hole, OpenLoop};
use super::{Compiled, refuse};
use crate::script::assemble::function_uses::closure_in;
use crate::script::machine::code::{Binary, CONSTANT, Op, Path, Reg, THIS};

impl Builder<'_, '_> {
    /// Statements one after another; `to` takes the value of the last, where that is wanted.
    pub(super) fn statements(&mut self, statements: &[Stmt], to: Option<Reg>) -> Compiled<()> {
        let Some((last, before)) = statements.split_last() else {
            return self.nothing(to, Position::NONE);
        };
        for statement in before {
            self.statement(statement, None)?;
        }
        self.statement(last, to)
    }

    /// Statements whose last is what the function returns.
    pub(super) fn returned(&mut self, statements: &[Stmt], at: Position) -> Compiled<()> {
        let Some((last, before)) = statements.split_last() else {
            return self.return_nothing(at);
        };
        for statement in before {
            self.statement(statement, None)?;
        }
        match last {
            Stmt::Return(..) => self.statement(last, None),
            Stmt::Noop(_) | Stmt::Var(..) | Stmt::Assignment(_) => {
                self.statement(last, None)?;
                self.return_nothing(at)
            }
            Stmt::Block(block) => self.returned_block(block.statements(), at),
            Stmt::If(parts, _) => {
                let otherwise = self.jump_unless(&parts.expr)?;
                self.returned_block(parts.body.statements(), at)?;
                self.land_all(otherwise);
                self.returned_block(parts.branch.statements(), at)
            }
            Stmt::Expr(expression) => match &**expression {
                Expr::Stmt(block) if closure_in(block).is_none() => {
                    self.returned_block(block.statements(), at)
                }
                value => {
                    let mark = self.mark();
                    let from = self.operand(value)?;
                    self.emit(Op::Return { from }, at);
                    self.release(mark);
                    Ok(())
                }
            },
            other => {
                let from = self.take(at)?;
                self.statement(other, Some(from))?;
                self.emit(Op::Return { from }, at);
                Ok(())
            }
        }
    }

    fn returned_block(&mut self, statements: &[Stmt], at: Position) -> Compiled<()> {
        self.scoped(|inside| inside.returned(statements, at))
    }

    fn return_nothing(&mut self, at: Position) -> Compiled<()> {
        let from = self.constant(crate::script::machine::value::Value::Unit, at)?;
        self.emit(Op::Return { from }, at);
        Ok(())
    }

    pub(super) fn block(&mut self, statements: &[Stmt], to: Option<Reg>) -> Compiled<()> {
        self.scoped(|inside| inside.statements(statements, to))
    }

    pub(super) fn nothing(&mut self, to: Option<Reg>, at: Position) -> Compiled<()> {
        to.map_or(Ok(()), |to| self.unit(to, at))
    }

    fn statement(&mut self, statement: &Stmt, to: Option<Reg>) -> Compiled<()> {
        match statement {
            Stmt::Noop(at) => self.nothing(to, *at),
            Stmt::Expr(expression) => self.expression(expression, to),
            Stmt::FnCall(call, at) => match to {
                Some(to) => self.call(call, *at, to),
                None => self.unwanted(*at, |this, to| this.call(call, *at, to)),
            },
            Stmt::Block(block) => self.block(block.statements(), to),
            Stmt::If(parts, at) => self.if_else(parts, *at, to),
            Stmt::Switch(parts, at) => {
                let (on, cases) = &**parts;
                self.switch(on, cases, *at, to)
            }
            Stmt::While(parts, at) => self.while_loop(parts, *at, to),
            Stmt::Do(parts, flags, at) => self.do_loop(parts, *flags, *at, to),
            Stmt::For(parts, at) => {
                let (name, counter, parts) = &**parts;
                self.for_loop(name, counter.as_ref(), parts, *at, to)
            }
            Stmt::Var(parts, _, at) => {
                let (name, value, _) = &**parts;
                let register = self.take(*at)?;
                let mark = self.mark();
                self.value(value, register)?;
                self.release(mark);
                self.declare(&name.name, register);
                self.nothing(to, *at)
            }
            Stmt::Assignment(parts) => {
                let (operator, sides) = &**parts;
                self.assign(operator, sides)?;
                self.nothing(to, operator.position())
            }
            Stmt::BreakLoop(value, flags, at) => self.leave(value.as_deref(), *flags, *at),
            Stmt::Return(value, flags, at) => self.go_back(value.as_deref(), *flags, *at),
            Stmt::TryCatch(_, at) => refuse("rules may not use `try`", *at),
            Stmt::Share(names) => {
                let at = names.first().map_or(Position::NONE, |(name, _)| name.pos);
                self.nothing(to, at)
            }
            other => refuse("rules cannot use this kind of statement", other.position()),
        }
    }

    /// Something that is done for what it does; its value goes nowhere.
    pub(super) fn unwanted(
        &mut self,
        at: Position,
        inside: impl FnOnce(&mut Self, Reg) -> Compiled<()>,
    ) -> Compiled<()> {
        let mark = self.mark();
        let to = self.take(at)?;
        let outer = self.unwanted.replace(to);
        inside(self, to)?;
        self.unwanted = outer;
        self.release(mark);
        Ok(())
    }

    pub(super) fn expression(&mut self, expression: &Expr, to: Option<Reg>) -> Compiled<()> {
        match (expression, to) {
            (Expr::Stmt(block), None) if closure_in(block).is_none() => {
                self.block(block.statements(), None)
            }
            (_, Some(to)) => self.value(expression, to),
            (_, None) => {
                self.unwanted(expression.position(), |this, to| this.value(expression, to))
            }
        }
    }

    fn if_else(&mut self, parts: &FlowControl, at: Position, to: Option<Reg>) -> Compiled<()> {
        let otherwise = self.jump_unless(&parts.expr)?;
        self.block(parts.body.statements(), to)?;
        if parts.branch.is_empty() && to.is_none() {
            self.land_all(otherwise);
            return Ok(());
        }
        let end = self.emit_jump(Op::Jump { to: 0 }, at);
        self.land_all(otherwise);
        self.block(parts.branch.statements(), to)?;
        self.land(end);
        Ok(())
    }

    fn go_back(&mut self, value: Option<&Expr>, flags: ASTFlags, at: Position) -> Compiled<()> {
        let mark = self.mark();
        let from = match value {
            Some(value) => self.operand(value)?,
            None => self.constant(crate::script::machine::value::Value::Unit, at)?,
        };
        let throws = flags.contains(ASTFlags::BREAK);
        self.emit(if throws { Op::Throw { from } } else { Op::Return { from } }, at);
        self.release(mark);
        Ok(())
    }

    fn assign(&mut self, operator: &OpAssignment, sides: &BinaryExpr) -> Compiled<()> {
        let at = operator.position();
        let by = match operator.get_op_assignment_info() {
            None => None,
            Some((.., symbol)) => match Binary::written(symbol) {
                Some(by) => Some(by),
                None => return refuse(format!("rules cannot use `{symbol}=`"), at),
            },
        };
        let mark = self.mark();
        match &sides.lhs {
            Expr::Variable(parts, _, place) => {
                let Some(register) = self.changeable(&parts.1, *place)? else {
                    return self.unknown_variable(&parts.1, true, *place);
                };
                match by {
                    Some(by) => {
                        let b = self.operand(&sides.rhs)?;
                        self.emit(Op::Change { by, to: register, b }, at);
                    }
                    None => self.assign_variable(register, &sides.rhs)?,
                }
            }
            Expr::ThisPtr(place) => {
                self.change_this(*place)?;
                let from = self.operand(&sides.rhs)?;
                let path = Path { root: THIS, steps: Box::default() };
                let path = self.all.path(path, *place)?;
                self.emit(write(by, path, from, self.is_unnamed(from)), at);
            }
            chain if is_chain(chain) => {
                let mut from = self.operand(&sides.rhs)?;
                if from < CONSTANT && !self.is_unnamed(from) && !is_calm(chain) {
                    from = self.copy(from, at)?;
                }
                let is_unnamed = self.is_unnamed(from);
                self.write_at(chain, at, |path| write(by, path, from, is_unnamed))?;
            }
            other => return refuse("nothing can be assigned to this", other.position()),
        }
        self.release(mark);
        Ok(())
    }

    fn assign_variable(&mut self, register: Reg, value: &Expr) -> Compiled<()> {
        if super::expressions::writes_last(value) {
            return self.value(value, register);
        }
        let from = self.take(value.position())?;
        self.value(value, from)?;
        self.emit(Op::Take { to: register, from }, value.position());
        Ok(())
    }
}

fn write(by: Option<Binary>, path: u16, from: Reg, take: bool) -> Op {
    match by {
        Some(by) => Op::Modify { by, path, from },
        None => Op::Write { path, from, take },
    }
}

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
                let number = this.copy(state + 1, at)?;
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
