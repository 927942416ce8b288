//! Jump tables of `switch`: the instruction for each value; many cases are hashed.

use hashbrown::HashMap;

use super::value::{Range, Text, Value};

#[derive(Clone, Debug, Default)]
pub(crate) struct SwitchTable {
    cases: Vec<(Value, u32)>,
    /// The same cases by what distinguishes them; those that are lists or maps are not in it.
    hashed: HashMap<SwitchCase, u32>,
    odd: usize,
    pub(crate) ranges: Vec<(Range, u32)>,
    pub otherwise: u32,
}

/// A case that can be hashed. `1.0` is no `1` here.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum SwitchCase {
    Unit,
    Bool(bool),
    Int(i64),
    Char(char),
    Text(Text),
}

impl SwitchCase {
    fn of(value: &Value) -> Option<SwitchCase> {
        Some(match value {
            Value::Unit => SwitchCase::Unit,
            Value::Bool(truth) => SwitchCase::Bool(*truth),
            Value::Int(number) => SwitchCase::Int(*number),
            Value::Char(letter) => SwitchCase::Char(*letter),
            Value::Text(text) => SwitchCase::Text(text.clone()),
            _ => return None,
        })
    }
}

/// So few cases are looked through; among more, hashing is faster.
const FEW: usize = 12;

impl SwitchTable {
    /// Adds a case; of equal ones the first counts.
    pub(crate) fn add(&mut self, value: Value, to: u32) {
        match SwitchCase::of(&value) {
            Some(case) => _ = self.hashed.entry(case).or_insert(to),
            None => self.odd += 1,
        }
        self.cases.push((value, to));
    }

    #[inline]
    pub(crate) fn target(&self, value: &Value) -> u32 {
        let found = if self.cases.len() <= FEW { self.walked(value) } else { self.found(value) };
        found.or_else(|| self.within(value)).unwrap_or(self.otherwise)
    }

    #[inline]
    fn walked(&self, value: &Value) -> Option<u32> {
        let found = match value {
            Value::Text(text) => self.cases.iter().find(|(case, _)| match case {
                Value::Text(case) => case == text,
                _ => false,
            }),
            _ => self.cases.iter().find(|(case, _)| {
                std::mem::discriminant(case) == std::mem::discriminant(value) && case.same(value)
            }),
        };
        found.map(|(_, to)| *to)
    }

    fn found(&self, value: &Value) -> Option<u32> {
        match SwitchCase::of(value) {
            Some(case) => self.hashed.get(&case).copied(),
            None if self.odd > 0 => self.walked(value),
            None => None,
        }
    }

    fn within(&self, value: &Value) -> Option<u32> {
        let holds = |range: &Range| match value {
            Value::Int(number) => range.holds(*number),
            Value::Float(number) => {
                let (start, end) = (range.start as f64, range.end as f64);
                start <= *number && (*number < end || range.inclusive && *number == end)
            }
            _ => false,
        };
        self.ranges.iter().find(|(range, _)| holds(range)).map(|(_, to)| *to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_cases_go_on_where_few_do() {
        for count in [3, 40] {
            let mut table = SwitchTable { otherwise: 999, ..SwitchTable::default() };
            for number in 0..count {
                table.add(Value::Int(number), number as u32);
                table.add(Value::text(format!("{number}")), 100 + number as u32);
            }
            table.add(Value::Float(0.5), 500);
            table.add(Value::Int(1), 501);
            table.ranges.push((Range { start: 60, end: 70, inclusive: false }, 600));
            let target = |value: Value| table.target(&value);
            assert_eq!([target(Value::Int(1)), target(Value::text("2"))], [1, 102]);
            assert_eq!([target(Value::Float(0.5)), target(Value::Float(1.0))], [500, 999]);
            assert_eq!([target(Value::Int(65)), target(Value::Float(65.5))], [600, 600]);
            assert_eq!([target(Value::Int(70)), target(Value::Unit)], [999, 999]);
        }
    }
}
