//! Compiles `switch`: a table of values and ranges, each with its target.

use rhai::{Expr, Position, RangeCase, SwitchCasesCollection};

use super::function::{Builder, Hole};
use super::{Compiled, refuse};
use crate::script::machine::code::{Op, Reg};
use crate::script::machine::jump_table::SwitchTable;
use crate::script::machine::value::Range;

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
        let number = self.all.table(SwitchTable::default(), at)?;
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
            Some(index) => self.arm(&cases.expressions[index].rhs, to)?,
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
                    self.arm(&body.rhs, arms.to)?;
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

    fn arm(&mut self, body: &Expr, to: Option<Reg>) -> Compiled<()> {
        match (body, to) {
            (Expr::Stmt(block), to) if !super::closures::makes_closure(block) => {
                self.block(block.statements(), to)
            }
            (_, Some(to)) => self.value(body, to),
            (_, None) => self.unwanted(body.position(), |this, to| this.value(body, to)),
        }
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
