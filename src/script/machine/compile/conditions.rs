//! Compiles conditions: comparisons, `&&`, `||` and `!`, fused with the jumps that they decide; and `switch`, as
//! a table of values and ranges.

use rhai::{Expr, Position, RangeCase, SwitchCasesCollection};

use super::function::{Builder, Hole};
use super::{Compiled, add, refuse};
use crate::script::machine::code::{Binary, Op, Reg};
use crate::script::machine::jump_table::SwitchTable;
use crate::script::machine::value::{Range, Value};

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

struct Arms<'e> {
    cases: &'e SwitchCasesCollection,
    to: Option<Reg>,
    at: Position,
    /// Where each body begins, once it has been compiled.
    bodies: Vec<Option<u32>>,
    /// Where the bodies of a value begin, so that values with the same bodies share them.
    entries: Vec<(Vec<usize>, u32)>,
    /// Jumps to the end of the `switch`, and to the arm for all else.
    ends: Vec<Hole>,
    otherwise: Vec<Hole>,
}

impl Builder<'_, '_> {
    pub(super) fn switch(
        &mut self,
        on: &Expr,
        cases: &SwitchCasesCollection,
        at: Position,
        to: Option<Reg>,
    ) -> Compiled<()> {
        let mark = self.mark();
        let register = self.operand(on)?;
        let number = add(&mut self.all.program.tables, SwitchTable::default(), at)?;
        self.emit(Op::Switch { on: register, table: number }, at);
        self.release(mark);

        let mut table = SwitchTable::default();
        let bodies = vec![None; cases.expressions.len()];

        // A value's bodies in the order of the text: the first counts whose condition holds.
        let mut values: Vec<_> = cases.cases.values().collect();
        values.sort_by_key(|case| case.blocks.first().copied());
        let mut arms = Arms {
            cases,
            to,
            at,
            bodies,
            entries: Vec::new(),
            ends: Vec::new(),
            otherwise: Vec::new(),
        };
        for case in values {
            let value = self.all.literal(&case.value, at)?;
            let start = self.entry(&case.blocks, &mut arms)?;
            table.add(value, start);
        }
        for case in &cases.ranges {
            let start = self.entry(&[case.index()], &mut arms)?;
            table.ranges.push((range_of(case), start));
        }
        if !arms.otherwise.is_empty() && !cases.ranges.is_empty() {
            return refuse(
                "a `switch` has either ranges or conditions: write `if` for one of them",
                at,
            );
        }
        let Arms { ends, otherwise, .. } = arms;
        table.otherwise = self.here();
        self.land_all(otherwise);
        match cases.def_case {
            Some(index) => self.expression(&cases.expressions[index].rhs, to)?,
            None => self.nothing(to, at)?,
        }
        self.land_all(ends);
        self.all.program.tables[number as usize] = table;
        Ok(())
    }

    /// Where some bodies begin, of which the first counts whose condition holds.
    fn entry(&mut self, blocks: &[usize], arms: &mut Arms<'_>) -> Compiled<u32> {
        if let Some((_, start)) = arms.entries.iter().find(|(known, _)| known == blocks) {
            return Ok(*start);
        }
        let start = self.here();
        let mut always = false;
        for &index in blocks {
            let body = &arms.cases.expressions[index];
            always |= matches!(body.lhs, Expr::BoolConstant(true, _));
            let unless = self.jump_unless(&body.lhs)?;
            match arms.bodies[index] {
                Some(known) => {
                    let hole = self.emit_jump(Op::Jump { to: 0 }, arms.at);
                    self.aim(hole, known);
                }
                None => {
                    arms.bodies[index] = Some(self.here());
                    self.expression(&body.rhs, arms.to)?;
                    arms.ends.push(self.emit_jump(Op::Jump { to: 0 }, arms.at));
                }
            }
            self.land_all(unless);
        }
        if !always {
            arms.otherwise.push(self.emit_jump(Op::Jump { to: 0 }, arms.at));
        }
        arms.entries.push((blocks.to_vec(), start));
        Ok(start)
    }
}

fn range_of(case: &RangeCase) -> Range {
    match case {
        RangeCase::ExclusiveInt(range, _) => {
            Range { start: range.start, end: range.end, inclusive: false }
        }
        RangeCase::InclusiveInt(range, _) => {
            Range { start: *range.start(), end: *range.end(), inclusive: true }
        }
    }
}
