//! Natives on lists, ported: Rhai's own, and the primitives that pick and count items.

use std::sync::Arc;

use super::{Native, Ported};
use crate::script::engine::ITEMS;
use crate::script::machine::arithmetic::is_plain;
use crate::script::machine::code::Texts;
use crate::script::machine::map::Map;
use crate::script::machine::value::{Text, Value};

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
    ("without", 2, Native::Reads(without)),
    ("only", 2, Native::Reads(only)),
    ("count_of", 2, Native::Reads(count_of)),
    ("index_in", 2, Native::Reads(index_in)),
    ("total", 1, Native::Reads(total)),
    ("least", 1, Native::Reads(least)),
    ("greatest", 1, Native::Reads(greatest)),
    ("by_most", 2, Native::Reads(by_most)),
    ("in_order", 2, Native::Reads(in_order)),
    ("names_of", 2, Native::Reads(names_of)),
    ("numbers", 2, Native::Reads(numbers)),
];

fn contains(on: &Value, rest: &[Value], _: &Texts) -> Option<Value> {
    let found = match (on, &rest[0]) {
        (Value::List(items), Value::Text(text)) => {
            // A letter is equal to a text of one.
            if items.iter().any(|item| matches!(item, Value::Char(_))) {
                return None;
            }
            items.iter().any(|item| matches!(item, Value::Text(known) if known == text))
        }
        (Value::List(items), Value::Int(number)) => {
            // A number with a fraction may be equal too.
            if items.iter().any(|item| !matches!(item, Value::Int(_))) {
                return None;
            }
            items.iter().any(|item| item.as_int() == Some(*number))
        }
        (Value::List(items), value) if is_plain(on) && is_plain(value) => {
            items.iter().any(|item| item.same(value))
        }
        (Value::Map(map), Value::Text(key)) => map.get_text(key).is_some(),
        (Value::Text(text), Value::Text(part)) => text.as_str().contains(part.as_str()),
        (Value::Range(range), Value::Int(number)) => range.holds(*number),
        _ => return None,
    };
    Some(Value::Bool(found))
}

fn is_empty(on: &Value, _: &[Value], _: &Texts) -> Option<Value> {
    Some(Value::Bool(match on {
        Value::List(items) => items.is_empty(),
        Value::Map(map) => map.is_empty(),
        Value::Text(text) => text.as_str().is_empty(),
        _ => return None,
    }))
}

fn len(on: &Value, _: &[Value], _: &Texts) -> Option<Value> {
    Some(Value::Int(match on {
        Value::List(items) => items.len(),
        Value::Map(map) => map.len(),
        Value::Text(text) => text.as_str().chars().count(),
        _ => return None,
    } as i64))
}

fn push(on: &mut Value, rest: &mut [Value], _: &Texts) -> Option<Value> {
    let items = on.as_list_mut().filter(|items| items.len() < ITEMS)?;
    items.push(std::mem::take(&mut rest[0]));
    Some(Value::Unit)
}

fn pop(on: &mut Value, _: &mut [Value], _: &Texts) -> Option<Value> {
    Some(on.as_list_mut()?.pop().unwrap_or_default())
}

fn insert(on: &mut Value, rest: &mut [Value], _: &Texts) -> Option<Value> {
    let place = usize::try_from(rest[0].as_int()?).ok()?;
    let items = on.as_list_mut().filter(|items| items.len() < ITEMS && place <= items.len())?;
    items.insert(place, std::mem::take(&mut rest[1]));
    Some(Value::Unit)
}

fn set(on: &mut Value, rest: &mut [Value], _: &Texts) -> Option<Value> {
    let [place, value] = rest else { return None };
    match (on, &*place) {
        (Value::Map(map), Value::Text(key)) => {
            Arc::make_mut(map).insert(key.clone(), std::mem::take(value));
        }
        (Value::List(items), Value::Int(place)) => {
            let place = usize::try_from(*place).ok().filter(|place| *place < items.len())?;
            Arc::make_mut(items).set(place, std::mem::take(value));
        }
        _ => return None,
    }
    Some(Value::Unit)
}

fn shift(on: &mut Value, _: &mut [Value], _: &Texts) -> Option<Value> {
    let items = on.as_list_mut()?;
    Some(if items.is_empty() { Value::Unit } else { items.remove(0) })
}

fn remove(on: &mut Value, rest: &mut [Value], _: &Texts) -> Option<Value> {
    match (on, &rest[0]) {
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

fn reverse(on: &mut Value, _: &mut [Value], _: &Texts) -> Option<Value> {
    on.as_list_mut()?.reverse();
    Some(Value::Unit)
}

fn clear(on: &mut Value, _: &mut [Value], _: &Texts) -> Option<Value> {
    match on {
        Value::List(_) => *on = Value::list(Vec::new()),
        Value::Map(_) => *on = Value::map(Map::default()),
        _ => return None,
    }
    Some(Value::Unit)
}

/// Whether so many comparisons take no time worth a charge.
pub(super) fn few(items: usize, values: usize) -> bool {
    items.saturating_mul(values) <= 1000
}

fn without(on: &Value, rest: &[Value], _: &Texts) -> Option<Value> {
    match (on, &rest[0]) {
        (Value::List(items), Value::List(values)) if few(items.len(), values.len()) => {
            Some(kept(items, values, false))
        }
        (Value::Map(map), Value::List(names)) => among(map, names, false),
        (Value::List(items), value) if !matches!(value, Value::List(_)) => {
            let stays = |item: &&Value| !item.same(value);
            few(items.len(), 1).then(|| Value::list(items.iter().filter(stays).cloned().collect()))
        }
        _ => None,
    }
}

fn only(on: &Value, rest: &[Value], _: &Texts) -> Option<Value> {
    match (on, &rest[0]) {
        (Value::List(items), Value::List(values)) if few(items.len(), values.len()) => {
            Some(kept(items, values, true))
        }
        (Value::Map(map), Value::List(names)) => among(map, names, true),
        _ => None,
    }
}

/// The entries of a map whose names are among some names, or are not.
fn among(map: &Map, names: &[Value], found: bool) -> Option<Value> {
    let names = texts_of(names).filter(|names| few(names.len(), map.len()))?;
    let keep = |(name, _): &(&Text, &Value)| names.contains(name) == found;
    let entries = map.iter().filter(keep).map(|(name, value)| (name.clone(), value.clone()));
    Some(Value::map(Map::from_sorted(entries.collect())))
}

fn kept(items: &[Value], values: &[Value], found: bool) -> Value {
    let keep = |item: &&Value| values.iter().any(|value| item.same(value)) == found;
    Value::list(items.iter().filter(keep).cloned().collect())
}

fn count_of(on: &Value, rest: &[Value], _: &Texts) -> Option<Value> {
    let items = on.as_list().filter(|items| few(items.len(), 1))?;
    Some(Value::Int(items.iter().filter(|item| item.same(&rest[0])).count() as i64))
}

fn index_in(on: &Value, rest: &[Value], _: &Texts) -> Option<Value> {
    let items = on.as_list().filter(|items| few(items.len(), 1))?;
    items.iter().position(|item| item.same(&rest[0])).map(|place| Value::Int(place as i64))
}

/// The whole numbers of a list or map; nothing where one is not whole.
pub(super) fn whole(on: &Value) -> Option<Vec<i64>> {
    match on {
        Value::List(items) => items.iter().map(Value::as_int).collect(),
        Value::Map(map) => map.iter().map(|(_, item)| item.as_int()).collect(),
        _ => None,
    }
}

fn total(on: &Value, _: &[Value], _: &Texts) -> Option<Value> {
    whole(on)?.into_iter().try_fold(0i64, i64::checked_add).map(Value::Int)
}

fn least(on: &Value, _: &[Value], _: &Texts) -> Option<Value> {
    whole(on)?.into_iter().min().map(Value::Int)
}

fn greatest(on: &Value, _: &[Value], _: &Texts) -> Option<Value> {
    whole(on)?.into_iter().max().map(Value::Int)
}

fn texts_of(items: &[Value]) -> Option<Vec<Text>> {
    items.iter().map(|item| item.as_text().cloned()).collect()
}

fn by_most(on: &Value, rest: &[Value], _: &Texts) -> Option<Value> {
    let counts = rest[0].as_map()?;
    let counted = |name: Text| Some((counts.get_text(&name)?.as_int()?, name));
    let mut rows: Vec<(i64, Text)> =
        texts_of(on.as_list()?)?.into_iter().map(counted).collect::<Option<_>>()?;
    rows.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    Some(Value::list(rows.into_iter().map(|(_, name)| Value::Text(name)).collect()))
}

fn in_order(on: &Value, rest: &[Value], _: &Texts) -> Option<Value> {
    let order = texts_of(rest[0].as_list().filter(|order| order.len() <= 16)?)?;
    let place = |name: Text| Some((order.iter().position(|known| *known == name)?, name));
    let mut rows: Vec<(usize, Text)> =
        texts_of(on.as_list()?)?.into_iter().map(place).collect::<Option<_>>()?;
    rows.sort_by_key(|(place, _)| *place);
    Some(Value::list(rows.into_iter().map(|(_, name)| Value::Text(name)).collect()))
}

fn names_of(on: &Value, rest: &[Value], _: &Texts) -> Option<Value> {
    let key = rest[0].as_text()?;
    let of = |row: &Value| row.as_map()?.get_text(key).cloned();
    on.as_list()?.iter().map(of).collect::<Option<Vec<Value>>>().map(Value::list)
}

fn numbers(on: &Value, rest: &[Value], _: &Texts) -> Option<Value> {
    let (from, to) = (on.as_int()?, rest[0].as_int()?);
    let few = to.saturating_sub(from) <= 1000;
    few.then(|| Value::list((from..=to).map(Value::Int).collect()))
}
