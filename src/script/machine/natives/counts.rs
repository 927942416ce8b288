//! Natives on counts and places, ported: maps from names to numbers, and from places to names.

use super::{Native, Ported};
use crate::script::machine::code::Texts;
use crate::script::machine::map::Map;
use crate::script::machine::value::{Text, Value};

pub(super) const PORTED: &[Ported] = &[
    ("worth", 2, Native::Reads(worth)),
    ("empty_places", 2, Native::Reads(empty_places)),
    ("count_values", 1, Native::Reads(count_values)),
    ("fewest_first", 1, Native::Reads(fewest_first)),
    ("most_first", 1, Native::Reads(most_first)),
    ("take_up_to", 3, Native::Change(take_up_to)),
    ("replaced", 3, Native::Reads(replaced)),
];

/// A whole number of 0 or more.
fn amount(value: &Value) -> Option<i64> {
    value.as_int().filter(|number| *number >= 0)
}

fn worth(on: &Value, rest: &[Value], _: &Texts) -> Option<Value> {
    let resources = on.as_map()?;
    let mut sum = 0i64;
    for (name, rate) in rest[0].as_map()?.iter() {
        let have = amount(resources.get_text(name)?)?;
        sum = sum.saturating_add(have.saturating_mul(amount(rate)?));
    }
    Some(Value::Int(sum))
}

fn empty_places(on: &Value, rest: &[Value], _: &Texts) -> Option<Value> {
    let places = on.as_map()?;
    let mut found = Vec::new();
    for place in rest[0].as_list()? {
        if places.get_text(place.as_text()?)?.as_list()?.is_empty() {
            found.push(place.clone());
        }
    }
    Some(Value::list(found))
}

fn count_values(on: &Value, _: &[Value], _: &Texts) -> Option<Value> {
    let mut counts = Map::default();
    for value in on.as_list()? {
        // A name that is too long to be one is refused by Rhai's own.
        let name = value.as_text().filter(|name| name.as_str().len() <= 100)?;
        match counts.get_mut(name.as_str()) {
            Some(Value::Int(count)) => *count += 1,
            _ => counts.insert(name.clone(), Value::Int(1)),
        }
    }
    Some(Value::map(counts))
}

fn fewest_first(on: &Value, _: &[Value], _: &Texts) -> Option<Value> {
    let mut rows = counted(on)?;
    rows.sort_by_key(|(count, _)| *count);
    Some(groups(&rows))
}

fn most_first(on: &Value, _: &[Value], _: &Texts) -> Option<Value> {
    let mut rows = counted(on)?;
    rows.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    Some(groups(&rows))
}

fn counted(on: &Value) -> Option<Vec<(i64, &Text)>> {
    let mut rows = Vec::new();
    for (name, count) in on.as_map()?.iter() {
        let count = amount(count)?;
        if count > 0 {
            rows.push((count, name));
        }
    }
    Some(rows)
}

fn groups(rows: &[(i64, &Text)]) -> Value {
    let names = |group: &[(i64, &Text)]| {
        Value::list(group.iter().map(|(_, name)| Value::Text((*name).clone())).collect())
    };
    Value::list(rows.chunk_by(|(a, _), (b, _)| a == b).map(names).collect())
}

fn take_up_to(on: &mut Value, rest: &mut [Value], _: &Texts) -> Option<Value> {
    let what = rest[0].as_text()?.clone();
    let have = amount(on.as_map()?.get_text(&what)?)?;
    let taken = have.min(amount(&rest[1])?);
    on.as_map_mut()?.insert(what, Value::Int(have - taken));
    Some(Value::Int(taken))
}

fn replaced(on: &Value, rest: &[Value], _: &Texts) -> Option<Value> {
    let swap = |item: &Value| if item.same(&rest[0]) { rest[1].clone() } else { item.clone() };
    match on {
        Value::Map(map) if map.len() <= 1000 => {
            let entries = map.iter().map(|(name, item)| (name.clone(), swap(item)));
            Some(Value::map(Map::from_sorted(entries.collect())))
        }
        Value::List(items) if items.len() <= 1000 => {
            Some(Value::list(items.iter().map(swap).collect()))
        }
        _ => None,
    }
}
