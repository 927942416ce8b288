//! Operators on two values: whole numbers, texts and truth values at once, all else as Rhai does it.

use std::cmp::Ordering;
use std::sync::Arc;

use rhai::Position;

use super::code::{Binary, Program};
use super::host::Host;
use super::value::{Map, Size, Text, Value, fits};
use crate::script::sandbox::limits::{Fault, TEXT, too_large};

/// Whether a comparison of two values of one kind holds; nothing for others.
#[inline]
pub(super) fn compare(by: Binary, a: &Value, b: &Value) -> Option<bool> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) if by.compares() => Some(by.holds(a.cmp(b))),
        (Value::Text(a), Value::Text(b))
            if matches!(by, Binary::Equal | Binary::NotEqual) && a.is_kept() && b.is_kept() =>
        {
            Some(a.is(b) == (by == Binary::Equal))
        }
        _ => compare_others(by, a, b),
    }
}

#[inline(never)]
fn compare_others(by: Binary, a: &Value, b: &Value) -> Option<bool> {
    let order = match (a, b) {
        (Value::Text(a), Value::Text(b)) if a.as_str().len() > LONG && !a.is(b) => return None,
        (Value::Text(a), Value::Text(b)) => match by {
            Binary::Equal => return Some(a == b),
            Binary::NotEqual => return Some(a != b),
            _ => a.cmp(b),
        },
        (Value::Bool(a), Value::Bool(b)) if matches!(by, Binary::Equal | Binary::NotEqual) => {
            a.cmp(b)
        }
        (Value::Unit, Value::Unit) if matches!(by, Binary::Equal | Binary::NotEqual) => {
            Ordering::Equal
        }
        (
            Value::Unit,
            Value::Int(_) | Value::Text(_) | Value::Bool(_) | Value::List(_) | Value::Map(_),
        )
        | (
            Value::Int(_) | Value::Text(_) | Value::Bool(_) | Value::List(_) | Value::Map(_),
            Value::Unit,
        )
        | (Value::Int(_), Value::Text(_))
        | (Value::Text(_), Value::Int(_)) => match by {
            Binary::Equal => return Some(false),
            Binary::NotEqual => return Some(true),
            _ => return None,
        },
        _ => return None,
    };
    by.compares().then(|| by.holds(order))
}

/// Longer texts are compared for a charge.
const LONG: usize = 256;

impl Binary {
    #[inline]
    fn holds(self, order: Ordering) -> bool {
        match self {
            Binary::Equal => order.is_eq(),
            Binary::NotEqual => order.is_ne(),
            Binary::Less => order.is_lt(),
            Binary::LessOrEqual => order.is_le(),
            Binary::Greater => order.is_gt(),
            _ => order.is_ge(),
        }
    }
}

/// Two values combined, where that is plain.
#[inline]
pub(super) fn combine(by: Binary, a: &Value, b: &Value) -> Option<Value> {
    if let (Value::Int(a), Value::Int(b)) = (a, b) {
        let (a, b) = (*a, *b);
        let number = match by {
            Binary::Add => a.checked_add(b),
            Binary::Subtract => a.checked_sub(b),
            Binary::Multiply => a.checked_mul(b),
            Binary::Divide => a.checked_div(b),
            Binary::Remainder => a.checked_rem(b),
            _ => return compare(by, &Value::Int(a), &Value::Int(b)).map(Value::Bool),
        };
        return number.map(Value::Int);
    }
    compare(by, a, b).map(Value::Bool)
}

/// Two values combined in any other way.
pub(super) fn different(
    by: Binary,
    a: &Value,
    b: &Value,
    host: &Host,
    program: &Program,
    at: Position,
) -> Result<Value, Fault> {
    host.charge(a.size().reading() + b.size().reading(), at)?;
    match (by, a, b) {
        (_, Value::Text(a), Value::Text(b)) if by.compares() => {
            let order = a.cmp(b);
            Ok(Value::Bool(by.holds(order)))
        }
        (Binary::Add, Value::Text(a), Value::Text(b)) => Ok(Value::Text(joined(a, b, at)?)),
        (Binary::Add, Value::Text(a), Value::Int(b)) => {
            Ok(Value::Text(joined(a, &Text::new(b.to_string()), at)?))
        }
        (Binary::Add, Value::List(a), Value::List(b)) => {
            let list = Value::list([&a[..], &b[..]].concat());
            fits(&list, at)?;
            Ok(list)
        }
        (Binary::Add, Value::Map(a), Value::Map(b)) => {
            let mut map = Map::clone(a);
            map.mix_in(b);
            let map = Value::map(map);
            fits(&map, at)?;
            Ok(map)
        }
        (
            Binary::Equal | Binary::NotEqual,
            Value::List(_) | Value::Map(_),
            Value::List(_) | Value::Map(_),
        ) if is_plain(a) && is_plain(b) => Ok(Value::Bool(a.same(b) == (by == Binary::Equal))),
        _ => {
            host.charge(in_rhai(by, a, b), at)?;
            host.binary("by", by, a, b, &program.texts, at)
        }
    }
}

/// What it takes to convert two values for the language to combine them; it takes a text out of another by looking for
/// it, and compares items by functions that it finds by their types each time.
fn in_rhai(by: Binary, a: &Value, b: &Value) -> u64 {
    let converting = a.size().converting() + b.size().converting();
    match by {
        Binary::Subtract => converting + a.searching() + b.searching(),
        Binary::Equal | Binary::NotEqual => converting * COMPARING,
        _ => converting,
    }
}

/// The operations that it takes the language to compare two items.
pub(super) const COMPARING: u64 = 64;

/// Changes a whole number by another: `+=` and its like. False where that is not plain.
#[inline]
pub(super) fn change_number(by: Binary, value: &mut Value, other: &Value) -> bool {
    if let (Value::Int(_), Value::Int(_)) = (&*value, other)
        && let Some(combined) = combine(by, value, other)
    {
        *value = combined;
        return true;
    }
    false
}

pub(super) fn change(
    by: Binary,
    value: &mut Value,
    other: &Value,
    host: &Host,
    program: &Program,
    at: Position,
) -> Result<(), Fault> {
    host.charge(other.size().reading(), at)?;
    match (by, &mut *value, other) {
        (Binary::Add, Value::List(items), Value::List(more)) => {
            Arc::make_mut(items).extend(more);
        }
        (
            Binary::Add,
            Value::List(items),
            item @ (Value::Int(_) | Value::Text(_) | Value::Bool(_)),
        ) => {
            Arc::make_mut(items).push(item.clone());
        }
        (Binary::Add, Value::Text(a), Value::Text(b)) => {
            // The text is copied with what is added.
            host.charge(Size::of_text(a.as_str()).reading(), at)?;
            *value = Value::Text(joined(a, b, at)?);
        }
        (Binary::Add, Value::Map(map), Value::Map(more)) => Arc::make_mut(map).mix_in(more),
        _ => {
            host.charge(in_rhai(by, value, other), at)?;
            *value = host.binary("change", by, value, other, &program.texts, at)?;
        }
    }
    fits(value, at)
}

pub(super) fn is_plain(value: &Value) -> bool {
    value.size().strange == 0
}

fn joined(a: &Text, b: &Text, at: Position) -> Result<Text, Fault> {
    let (a, b) = (a.as_str(), b.as_str());
    if a.len() + b.len() > TEXT {
        return Err(too_large("Length of string", at));
    }
    Ok(Text::new([a, b].concat()))
}
