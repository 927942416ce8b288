//! Rhai's natives on lists, ported to the machine's values.

use std::sync::Arc;

use super::basic_values::{Native, Ported};
use crate::script::machine::arithmetic::is_plain;
use crate::script::machine::interned_texts::Texts;
use crate::script::machine::value::{Map, Value};
use crate::script::sandbox::fuel::charge;
use crate::script::sandbox::limits::ITEMS;

/// As many items are moved in the time of an operation.
const MOVED: u64 = 32;

pub(super) const PORTED: &[Ported] = &[
    ("contains", 2, Native::Reads(contains)),
    ("is_empty", 1, Native::Reads(is_empty)),
    ("len", 1, Native::Reads(len)),
    ("push", 2, Native::Change(push)),
    ("pop", 1, Native::Change(pop)),
    ("insert", 3, Native::Change(insert)),
    ("set", 3, Native::Change(set)),
    ("shift", 1, Native::Change(shift)),
    ("remove", 2, Native::Change(remove)),
    ("reverse", 1, Native::Change(reverse)),
    ("clear", 1, Native::Change(clear)),
    ("pad", 3, Native::Change(pad)),
];

fn contains(on: &Value, rest: &[&Value], _: &Texts) -> Option<Value> {
    let found = match (on, rest[0]) {
        (Value::List(_), value) => place_of(on, value)?.is_some(),
        (Value::Map(map), Value::Text(key)) => map.get_text(key).is_some(),
        (Value::Text(text), Value::Text(part)) => {
            charge(on.searching() + rest[0].searching());
            text.as_str().contains(part.as_str())
        }
        (Value::Range(range), Value::Int(number)) => range.holds(*number),
        _ => return None,
    };
    Some(Value::Bool(found))
}

/// The place of the first item of a list that is the same as a value, if all of it is plain data.
fn place_of(on: &Value, value: &Value) -> Option<Option<usize>> {
    let items = on.as_list().filter(|_| is_plain(on) && is_plain(value))?;
    Some(items.iter().position(|item| item.same(value)))
}

pub(in crate::script::machine) fn index_of(on: &Value, rest: &[&Value]) -> Option<Value> {
    let [value] = rest else { return None };
    Some(Value::Int(place_of(on, value)?.map_or(-1, |place| place as i64)))
}

fn is_empty(on: &Value, _: &[&Value], _: &Texts) -> Option<Value> {
    Some(Value::Bool(match on {
        Value::List(items) => items.is_empty(),
        Value::Map(map) => map.is_empty(),
        Value::Text(text) => text.as_str().is_empty(),
        _ => return None,
    }))
}

fn len(on: &Value, _: &[&Value], _: &Texts) -> Option<Value> {
    Some(Value::Int(match on {
        Value::List(items) => items.len(),
        Value::Map(map) => map.len(),
        Value::Text(text) => text.as_str().chars().count(),
        _ => return None,
    } as i64))
}

fn push(on: &mut Value, rest: &[&Value], _: &Texts) -> Option<Value> {
    let items = on.as_list_mut().filter(|items| items.len() < ITEMS)?;
    items.push(rest[0].clone());
    Some(Value::Unit)
}

fn pop(on: &mut Value, _: &[&Value], _: &Texts) -> Option<Value> {
    Some(on.as_list_mut()?.pop().unwrap_or_default())
}

fn insert(on: &mut Value, rest: &[&Value], _: &Texts) -> Option<Value> {
    let place = usize::try_from(rest[0].as_int()?).ok()?;
    let items = on.as_list_mut().filter(|items| items.len() < ITEMS && place <= items.len())?;
    charge((items.len() - place) as u64 / MOVED);
    items.insert(place, rest[1].clone());
    Some(Value::Unit)
}

fn set(on: &mut Value, rest: &[&Value], _: &Texts) -> Option<Value> {
    let [place, value] = rest else { return None };
    match (on, *place) {
        (Value::Map(map), Value::Text(key)) => {
            Arc::make_mut(map).insert(key.clone(), (*value).clone());
        }
        (Value::List(items), Value::Int(place)) => {
            let place = usize::try_from(*place).ok().filter(|place| *place < items.len())?;
            Arc::make_mut(items).set(place, (*value).clone());
        }
        _ => return None,
    }
    Some(Value::Unit)
}

fn shift(on: &mut Value, _: &[&Value], _: &Texts) -> Option<Value> {
    let items = on.as_list_mut()?;
    Some(if items.is_empty() { Value::Unit } else { items.remove(0) })
}

fn remove(on: &mut Value, rest: &[&Value], _: &Texts) -> Option<Value> {
    match (on, rest[0]) {
        (Value::Map(map), Value::Text(key)) => {
            Some(Arc::make_mut(map).remove(key.as_str()).unwrap_or_default())
        }
        (Value::List(items), Value::Int(index)) => {
            let place = usize::try_from(*index).ok().filter(|place| *place < items.len())?;
            Some(Arc::make_mut(items).remove(place))
        }
        _ => None,
    }
}

fn reverse(on: &mut Value, _: &[&Value], _: &Texts) -> Option<Value> {
    on.as_list_mut()?.reverse();
    Some(Value::Unit)
}

/// However large the value is, every place shares the same one: nothing of it is copied.
fn pad(on: &mut Value, rest: &[&Value], _: &Texts) -> Option<Value> {
    let length = usize::try_from(rest[0].as_int()?.max(0)).ok().filter(|len| *len <= ITEMS)?;
    let items = on.as_list_mut()?;
    while items.len() < length {
        items.push(rest[1].clone());
    }
    Some(Value::Unit)
}

fn clear(on: &mut Value, _: &[&Value], _: &Texts) -> Option<Value> {
    match on {
        Value::List(_) => *on = Value::list(Vec::new()),
        Value::Map(_) => *on = Value::map(Map::default()),
        _ => return None,
    }
    Some(Value::Unit)
}
