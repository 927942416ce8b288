//! Converts results and script values to plain data: maps, lists and numbers, as in the JSON of the
//! commands.

use rhai::{Array, Dynamic, INT, Map};
use serde::Serialize;

use crate::error::Error;
use crate::game::Value;
use crate::number::Quantity;

/// Deeper than this no result is nested.
const DEEPEST: usize = 64;

/// A result as plain data. A whole number past 63 bits, as a seed may be, is a text.
pub(super) fn of_found(found: &impl Serialize) -> Value {
    // No map of ours has keys that are no texts, and nothing else can fail.
    serde_json::to_value(found).map(|json| of_json(&json)).unwrap_or_default()
}

pub(super) fn of_json(json: &serde_json::Value) -> Value {
    use serde_json::Value as Json;
    match json {
        Json::Null => Value::Unit,
        Json::Bool(truth) => Value::Bool(*truth),
        Json::Number(number) => match (number.as_i64(), number.as_u64(), number.as_f64()) {
            (Some(whole), ..) => Value::Int(whole),
            (None, Some(large), _) => Value::Text(large.to_string()),
            (None, None, other) => Value::Float(other.unwrap_or(f64::NAN)),
        },
        Json::String(text) => Value::Text(text.clone()),
        Json::Array(items) => Value::List(items.iter().map(of_json).collect()),
        Json::Object(fields) => {
            let fields = fields.iter().map(|(key, item)| (key.clone(), of_json(item)));
            Value::Map(fields.collect())
        }
    }
}

/// What a script hands over, as plain data; a range of whole numbers is the list of them.
pub(super) fn of_dynamic(value: &Dynamic, what: &str) -> Result<Value, Error> {
    read(value, what, 0).map_err(Error::usage)
}

fn read(value: &Dynamic, what: &str, depth: usize) -> Result<Value, String> {
    if depth > DEEPEST {
        return Err(format!("{what} is nested deeper than {DEEPEST} levels"));
    }
    if let Some(map) = value.read_lock::<Map>() {
        let entries = map.iter().map(|(key, item)| {
            read(item, &format!("{what}.{key}"), depth + 1).map(|item| (key.to_string(), item))
        });
        return entries.collect::<Result<_, _>>().map(Value::Map);
    }
    if let Some(items) = value.read_lock::<Array>() {
        let items = items
            .iter()
            .enumerate()
            .map(|(number, item)| read(item, &format!("{what}[{number}]"), depth + 1));
        return items.collect::<Result<_, _>>().map(Value::List);
    }
    if let Some(range) = value.read_lock::<std::ops::Range<INT>>() {
        return listed(range.start, range.end.saturating_sub(1), what);
    }
    if let Some(range) = value.read_lock::<std::ops::RangeInclusive<INT>>() {
        return listed(*range.start(), *range.end(), what);
    }
    crate::script::to_value(value, what)
}

/// A range longer than this is not a list that anybody wants.
const LONGEST: i64 = 100_000;

fn listed(first: INT, last: INT, what: &str) -> Result<Value, String> {
    if last.saturating_sub(first) >= LONGEST {
        return Err(format!("{what} is a range of more than {LONGEST} numbers"));
    }
    Ok(Value::List((first..=last).map(Value::Int).collect()))
}

/// A whole number of playouts, rows, … that a script named.
pub(super) fn count(number: INT, what: &str) -> Result<u64, Error> {
    match u64::try_from(number) {
        Ok(count) if count > 0 => Ok(count),
        _ => Err(Error::usage(format!("{what} must be a whole number of 1 or more, got {number}"))),
    }
}

pub(super) fn seed(number: INT) -> Result<u64, Error> {
    u64::try_from(number).map_err(|_| {
        Error::usage(format!("a seed must be a whole number of 0 or more, got {number}"))
    })
}

/// The number in a value of a result, as scripts compute with it.
pub(super) fn float_of(value: &Value) -> Result<f64, Error> {
    Quantity::read(value).map(|number| number.value).ok_or_else(|| {
        Error::usage(format!("`{value}` is not a number, a fraction or a mean with an interval"))
    })
}
