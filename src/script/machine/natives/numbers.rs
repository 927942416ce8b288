//! Rhai's natives on numbers, ported to the machine's values.

use super::{Native, Ported};
use crate::script::engine::ITEMS;
use crate::script::machine::code::Texts;
use crate::script::machine::value::{Range, Value};

pub(super) const PORTED: &[Ported] = &[
    ("range", 2, Native::Reads(range)),
    ("range", 3, Native::Reads(stepped)),
    ("min", 2, Native::Reads(min)),
    ("max", 2, Native::Reads(max)),
    ("abs", 1, Native::Reads(abs)),
];

fn range(on: &Value, rest: &[Value], _: &Texts) -> Option<Value> {
    let (start, end) = (on.as_int()?, rest[0].as_int()?);
    Some(Value::Range(Range { start, end, inclusive: false }.into()))
}

/// The numbers from one towards another, by steps.
fn stepped(on: &Value, rest: &[Value], _: &Texts) -> Option<Value> {
    let (start, end, step) = (on.as_int()?, rest[0].as_int()?, rest[1].as_int()?);
    if step == 0 {
        return None;
    }
    let goes_on = |number: &i64| if step > 0 { *number < end } else { *number > end };
    let all = std::iter::successors(Some(start), |number| number.checked_add(step));
    // One more than there may be is enough to be refused.
    Some(Value::list(all.take_while(goes_on).take(ITEMS + 1).map(Value::Int).collect()))
}

fn two(on: &Value, rest: &[Value]) -> Option<(i64, i64)> {
    Some((on.as_int()?, rest[0].as_int()?))
}

fn min(on: &Value, rest: &[Value], _: &Texts) -> Option<Value> {
    two(on, rest).map(|(a, b)| Value::Int(a.min(b)))
}

fn max(on: &Value, rest: &[Value], _: &Texts) -> Option<Value> {
    two(on, rest).map(|(a, b)| Value::Int(a.max(b)))
}

fn abs(on: &Value, _: &[Value], _: &Texts) -> Option<Value> {
    on.as_int()?.checked_abs().map(Value::Int)
}
