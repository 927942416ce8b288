//! How the values of compiled rules cross to Rhai's, and to plain data: what states, options and
//! outcomes must be.

use std::sync::Arc;

use rhai::{Array, Dynamic, FnPtr, Map as RhaiMap};

use super::interned_texts::Texts;
use super::value::{Map, NESTED, Range, Size, Text, Value};
use crate::game::{self, Outcome};
use crate::script::primitives::distribution::Dist;
use crate::script::setup::Reader;
use crate::script::value::{DEEPEST, check_data, to_value};

pub(crate) fn to_dynamic(value: &Value) -> Dynamic {
    match value {
        Value::Unit | Value::Unbound => Dynamic::UNIT,
        Value::Bool(truth) => (*truth).into(),
        Value::Int(number) => (*number).into(),
        Value::Float(number) => (*number).into(),
        Value::Char(letter) => (*letter).into(),
        Value::Text(text) => text.as_str().into(),
        Value::List(items) => items.iter().map(to_dynamic).collect::<Array>().into(),
        Value::Map(map) => map
            .iter()
            .map(|(key, item)| (key.as_str().into(), to_dynamic(item)))
            .collect::<RhaiMap>()
            .into(),
        Value::Distribution(made) => Dynamic::from(Dist(made.clone())),
        Value::Range(range) if range.inclusive => Dynamic::from(range.start..=range.end),
        Value::Range(range) => Dynamic::from(range.start..range.end),
        Value::Function(closure) => {
            // The name that the parser gives a closure is none that may be given.
            let named = FnPtr::new(closure.name.as_str());
            named.or_else(|_| FnPtr::new("closure")).map_or(Dynamic::UNIT, Dynamic::from)
        }
        Value::Reader(reader) => Dynamic::from((**reader).clone()),
    }
}

/// A value of Rhai's; nothing where a compiled script can hold no such value.
pub(crate) fn from_dynamic(value: &Dynamic, texts: &Texts) -> Option<Value> {
    converted(value, texts, NESTED)
}

fn converted(value: &Dynamic, texts: &Texts, levels: u32) -> Option<Value> {
    let part = |item: &Dynamic| converted(item, texts, levels.checked_sub(1)?);
    Some(if value.is_unit() {
        Value::Unit
    } else if let Ok(number) = value.as_int() {
        Value::Int(number)
    } else if let Ok(truth) = value.as_bool() {
        Value::Bool(truth)
    } else if let Ok(text) = value.as_immutable_string_ref() {
        Value::Text(texts.find(&text))
    } else if let Ok(items) = value.as_array_ref() {
        Value::list(items.iter().map(part).collect::<Option<_>>()?)
    } else if let Ok(map) = value.as_map_ref() {
        let mut entries = Vec::with_capacity(map.len());
        for (key, item) in map.iter() {
            entries.push((texts.find(key), part(item)?));
        }
        Value::map(Map::from_sorted(entries))
    } else if let Ok(number) = value.as_float() {
        Value::Float(number)
    } else if let Ok(letter) = value.as_char() {
        Value::Char(letter)
    } else if let Some(dist) = value.read_lock::<Dist>() {
        Value::Distribution(dist.0.clone())
    } else if let Some(range) = value.read_lock::<std::ops::Range<i64>>() {
        Value::Range(Arc::new(Range { start: range.start, end: range.end, inclusive: false }))
    } else if let Some(range) = value.read_lock::<std::ops::RangeInclusive<i64>>() {
        let (start, end) = (*range.start(), *range.end());
        Value::Range(Arc::new(Range { start, end, inclusive: true }))
    } else if let Some(reader) = value.read_lock::<Reader>() {
        Value::Reader(Arc::new(reader.clone()))
    } else {
        return None;
    })
}

pub(crate) fn from_plain(value: &game::Value, texts: &Texts) -> Value {
    match value {
        game::Value::Unit => Value::Unit,
        game::Value::Bool(truth) => Value::Bool(*truth),
        game::Value::Int(number) => Value::Int(*number),
        game::Value::Float(number) => Value::Float(*number),
        game::Value::Text(text) => Value::Text(texts.find(text)),
        game::Value::List(items) => {
            Value::list(items.iter().map(|item| from_plain(item, texts)).collect())
        }
        game::Value::Map(map) => {
            let entry = |(key, item): (&String, &game::Value)| -> (Text, Value) {
                (texts.find(key), from_plain(item, texts))
            };
            Value::map(map.iter().map(entry).collect())
        }
    }
}

/// Whether plain data of a script is the same as other plain data.
pub(crate) fn is_plain_as(value: &Value, plain: &game::Value) -> bool {
    match (value, plain) {
        (Value::Text(a), game::Value::Text(b)) => a.as_str() == b,
        (Value::List(a), game::Value::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_plain_as(a, b))
        }
        (Value::Map(a), game::Value::Map(b)) => {
            let same = |(key, value)| a.get(key).is_some_and(|known| is_plain_as(known, value));
            a.len() == b.len() && b.iter().map(|(key, value)| (key.as_str(), value)).all(same)
        }
        (Value::List(_) | Value::Map(_), _) | (_, game::Value::List(_) | game::Value::Map(_)) => {
            false
        }
        (value, plain) => to_plain(value) == *plain,
    }
}

/// A value as plain data; what is none becomes nothing.
pub(crate) fn to_plain(value: &Value) -> game::Value {
    match value {
        Value::Bool(truth) => game::Value::Bool(*truth),
        Value::Int(number) => game::Value::Int(*number),
        Value::Float(number) => game::Value::Float(*number),
        Value::Char(letter) => game::Value::Text(letter.to_string()),
        Value::Text(text) => game::Value::Text(text.as_str().to_owned()),
        Value::List(items) => game::Value::List(items.iter().map(to_plain).collect()),
        Value::Map(map) => game::Value::Map(
            map.iter().map(|(key, item)| (key.as_str().to_owned(), to_plain(item))).collect(),
        ),
        Value::Unit
        | Value::Unbound
        | Value::Distribution(_)
        | Value::Range(_)
        | Value::Function(_)
        | Value::Reader(_) => game::Value::Unit,
    }
}

/// Checks that a value is plain data: maps, lists, texts, whole numbers, truth values, `()`.
pub(crate) fn check(value: &Value, place: &str) -> Result<(), String> {
    if is_whole(value) {
        return Ok(());
    }
    check_data(&to_dynamic(value), place)
}

/// A value as plain data, in which numbers need not be whole.
pub(crate) fn plain(value: &Value, place: &str) -> Result<game::Value, String> {
    if is_whole(value) {
        return Ok(to_plain(value));
    }
    to_value(&to_dynamic(value), place)
}

pub(crate) fn outcome_of(returned: Value) -> Result<Outcome, String> {
    match &returned {
        Value::Map(map) if is_whole(&returned) => {
            let of = |key| map.get(key).map(to_plain);
            let (result, utility, parts) = (of("result"), of("utility"), of("parts"));
            Outcome::read(result, utility, parts, move || to_plain(&returned))
        }
        other => Outcome::new(plain(other, "outcome")?),
    }
}

/// Whether that can be said without a look into it; its size is never too small.
#[inline]
pub(in crate::script) fn is_whole(value: &Value) -> bool {
    is_whole_size(value.size())
}

/// The same of the size of a value.
#[inline]
pub(in crate::script) fn is_whole_size(size: Size) -> bool {
    size.strange == 0 && size.depth as usize <= DEEPEST
}
