//! Compiles conditions: comparisons, `&&`, `||` and `!`, fused with the jumps that they decide.

use rhai::{Expr, Position};

use super::Compiled;
use super::function::{Builder, Hole};
use crate::script::machine::code::{Binary, Op, Reg};
use crate::script::machine::value::Value;

impl Builder<'_, '_> {
    pub(super) fn jump_unless(&mut self, condition: &Expr) -> Compiled<Vec<Hole>> {
        self.jump(condition, false)
    }

    pub(super) fn jump_if(&mut self, condition: &Expr) -> Compiled<Vec<Hole>> {
        self.jump(condition, true)
    }

    /// Jumps where a condition comes out as `on`; falls through where it does not.
    fn jump(&mut self, condition: &Expr, on: bool) -> Compiled<Vec<Hole>> {
        match condition {
            Expr::BoolConstant(truth, at) if *truth == on => {
                Ok(vec![self.emit_jump(Op::Jump { to: 0 }, *at)])
            }
            Expr::BoolConstant(..) => Ok(Vec::new()),
            Expr::And(parts, _) => self.jump_parts(parts, on, false),
            Expr::Or(parts, _) => self.jump_parts(parts, on, true),
            Expr::FnCall(call, at) if call.op_token.is_some() => {
                match (Binary::written(&call.name), &call.args[..]) {
                    (Some(by), [a, b]) if by.compares() => {
                        let mark = self.mark();
                        let (a, b) = self.operands(a, b)?;
                        self.release(mark);
                        if let Some(known) = self.all.compared(by, a, b) {
                            let jumps = known == on;
                            let jump = jumps.then(|| self.emit_jump(Op::Jump { to: 0 }, *at));
                            return Ok(jump.into_iter().collect());
                        }
                        let op = Op::JumpCompared { by, wanted: on, a, b, to: 0 };
                        Ok(vec![self.emit_jump(op, *at)])
                    }
                    // A `!` in front of what can only be true or false.
                    (None, [inner]) if call.name == "!" && is_truth(inner) => self.jump(inner, !on),
                    (None, [inner]) if call.name == "!" => {
                        let at = condition.position();
                        self.jump_on_value(
                            inner,
                            |when| Op::JumpIfNot { wanted: on, when, to: 0 },
                            at,
                        )
                    }
                    _ => self.jump_on_truth(condition, on),
                }
            }
            _ => self.jump_on_truth(condition, on),
        }
    }

    /// `decides` is the truth value of a part that decides the whole.
    fn jump_parts(&mut self, parts: &[Expr], on: bool, decides: bool) -> Compiled<Vec<Hole>> {
        let mut jumps = Vec::new();
        let Some((last, before)) = parts.split_last() else { return Ok(jumps) };
        if on == decides {
            for part in before {
                jumps.extend(self.jump(part, on)?);
            }
            jumps.extend(self.jump(last, on)?);
        } else {
            let mut past = Vec::new();
            for part in before {
                past.extend(self.jump(part, decides)?);
            }
            jumps.extend(self.jump(last, on)?);
            self.land_all(past);
        }
        Ok(jumps)
    }

    fn jump_on_truth(&mut self, condition: &Expr, on: bool) -> Compiled<Vec<Hole>> {
        let jump = |when| Op::JumpIf { wanted: on, when, to: 0 };
        self.jump_on_value(condition, jump, condition.position())
    }

    fn jump_on_value(
        &mut self,
        value: &Expr,
        jump: impl FnOnce(Reg) -> Op,
        at: Position,
    ) -> Compiled<Vec<Hole>> {
        let mark = self.mark();
        let when = self.operand(value)?;
        self.release(mark);
        Ok(vec![self.emit_jump(jump(when), at)])
    }

    pub(super) fn truth(&mut self, expression: &Expr, to: Reg) -> Compiled<()> {
        let at = expression.position();
        let jumps = self.jump_unless(expression)?;
        let yes = self.constant(Value::Bool(true), at)?;
        self.emit(Op::Move { to, from: yes }, at);
        let end = self.emit_jump(Op::Jump { to: 0 }, at);
        self.land_all(jumps);
        let no = self.constant(Value::Bool(false), at)?;
        self.emit(Op::Move { to, from: no }, at);
        self.land(end);
        Ok(())
    }
}

/// Whether an expression has no value but true and false: of anything else `!` is an error with a
/// text of its own.
fn is_truth(expression: &Expr) -> bool {
    match expression {
        Expr::BoolConstant(..) => true,
        Expr::FnCall(call, _) if call.op_token.is_some() => {
            Binary::written(&call.name).is_some_and(Binary::compares)
                || call.name == "contains"
                || call.name == "!" && call.args.first().is_some_and(is_truth)
        }
        _ => false,
    }
}
