//! The kinds of natives, and Rhai's natives on maps, texts and numbers, ported to the machine's values.

use std::sync::Arc;

use crate::script::machine::interned_texts::Texts;
use crate::script::machine::value::{Range, Value};
use crate::script::primitives::Primitive;
use crate::script::sandbox::limits::ITEMS;

pub(super) const PORTED: &[Ported] = &[
    ("get", 2, Native::Reads(get)),
    ("keys", 1, Native::Reads(keys)),
    ("values", 1, Native::Reads(values)),
    ("mixin", 2, Native::Change(mixin)),
    ("type_of", 1, Native::Reads(type_of)),
    ("to_string", 1, Native::Reads(to_string)),
    ("range", 2, Native::Reads(range)),
    ("range", 3, Native::Reads(stepped)),
    ("min", 2, Native::Reads(min)),
    ("max", 2, Native::Reads(max)),
    ("abs", 1, Native::Reads(abs)),
];

fn get(on: &Value, rest: &[&Value], _: &Texts) -> Option<Value> {
    Some(on.as_map()?.get_text(rest[0].as_text()?).cloned().unwrap_or_default())
}

fn keys(on: &Value, _: &[&Value], _: &Texts) -> Option<Value> {
    let map = on.as_map()?;
    Some(Value::list(map.iter().map(|(key, _)| Value::Text(key.clone())).collect()))
}

fn values(on: &Value, _: &[&Value], _: &Texts) -> Option<Value> {
    Some(Value::list(on.as_map()?.iter().map(|(_, value)| value.clone()).collect()))
}

fn mixin(on: &mut Value, rest: &[&Value], _: &Texts) -> Option<Value> {
    let (Value::Map(map), Value::Map(more)) = (on, rest[0]) else { return None };
    Arc::make_mut(map).mix_in(more);
    Some(Value::Unit)
}

fn type_of(on: &Value, _: &[&Value], texts: &Texts) -> Option<Value> {
    Some(Value::Text(texts.find(on.type_name())))
}

fn to_string(on: &Value, _: &[&Value], texts: &Texts) -> Option<Value> {
    match on {
        Value::Text(_) => Some(on.clone()),
        Value::Int(number) => Some(Value::Text(texts.find(&number.to_string()))),
        _ => None,
    }
}

fn range(on: &Value, rest: &[&Value], _: &Texts) -> Option<Value> {
    let (start, end) = (on.as_int()?, rest[0].as_int()?);
    Some(Value::Range(Range { start, end, inclusive: false }.into()))
}

/// The numbers from one towards another, by steps.
fn stepped(on: &Value, rest: &[&Value], _: &Texts) -> Option<Value> {
    let (start, end, step) = (on.as_int()?, rest[0].as_int()?, rest[1].as_int()?);
    if step == 0 {
        return None;
    }
    let within = |number: &i64| if step > 0 { *number < end } else { *number > end };
    let all = std::iter::successors(Some(start), |number| number.checked_add(step));
    // One more than there may be is enough to be refused.
    Some(Value::list(all.take_while(within).take(ITEMS + 1).map(Value::Int).collect()))
}

fn two(on: &Value, rest: &[&Value]) -> Option<(i64, i64)> {
    Some((on.as_int()?, rest[0].as_int()?))
}

fn min(on: &Value, rest: &[&Value], _: &Texts) -> Option<Value> {
    two(on, rest).map(|(a, b)| Value::Int(a.min(b)))
}

fn max(on: &Value, rest: &[&Value], _: &Texts) -> Option<Value> {
    two(on, rest).map(|(a, b)| Value::Int(a.max(b)))
}

fn abs(on: &Value, _: &[&Value], _: &Texts) -> Option<Value> {
    on.as_int()?.checked_abs().map(Value::Int)
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Native {
    /// A primitive: the forms that take as many arguments.
    Primitive(&'static [Primitive]),
    /// One of Rhai's that is ported and changes nothing. Nothing where it does not know what to do: Rhai's own does.
    Reads(fn(&Value, &[&Value], &Texts) -> Option<Value>),
    /// One of Rhai's that is ported and changes what it is called on, unless it does not know what to do.
    Change(fn(&mut Value, &[&Value], &Texts) -> Option<Value>),
    /// One that calls a closure for each item.
    Loop(Loop),
    Rhai,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loop {
    All,
    Filter,
    Find,
    FindMap,
    IndexOf,
    Map,
    Reduce,
    Retain,
    Some,
    Sort,
}

/// A ported native: its name, how many arguments it has with what it is called on.
pub(super) type Ported = (&'static str, usize, Native);
