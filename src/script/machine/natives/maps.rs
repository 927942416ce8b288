//! Natives on maps, ported: Rhai's own, and the primitives on counts, markers, columns and grids.

use std::sync::Arc;

use super::{Native, Ported};
use crate::script::machine::code::Texts;
use crate::script::machine::map::Map;
use crate::script::machine::value::{Text, Value};

pub(super) const PORTED: &[Ported] = &[
    ("get", 2, Native::Reads(get)),
    ("keys", 1, Native::Reads(keys)),
    ("values", 1, Native::Reads(values)),
    ("mixin", 2, Native::Change(mixin)),
    ("has_in", 3, Native::Reads(has_in)),
    ("take_row", 3, Native::Change(take_row)),
    ("side_by_side", 2, Native::Reads(side_by_side)),
    ("map_of", 2, Native::Reads(map_of)),
    ("add_token", 2, Native::Change(add_token)),
    ("add_token", 3, Native::Change(add_token)),
    ("add_each", 2, Native::Change(add_each)),
    ("change_since", 2, Native::Reads(change_since)),
    ("at_least", 2, Native::Reads(at_least)),
];

fn get(on: &Value, rest: &[Value], _: &Texts) -> Option<Value> {
    Some(on.as_map()?.get_text(rest[0].as_text()?).cloned().unwrap_or_default())
}

fn keys(on: &Value, _: &[Value], _: &Texts) -> Option<Value> {
    let map = on.as_map()?;
    Some(Value::list(map.iter().map(|(key, _)| Value::Text(key.clone())).collect()))
}

fn values(on: &Value, _: &[Value], _: &Texts) -> Option<Value> {
    Some(Value::list(on.as_map()?.iter().map(|(_, value)| value.clone()).collect()))
}

fn mixin(on: &mut Value, rest: &mut [Value], _: &Texts) -> Option<Value> {
    let (Value::Map(map), Value::Map(more)) = (on, &rest[0]) else { return None };
    Arc::make_mut(map).mix_in(more);
    Some(Value::Unit)
}

fn has_in(on: &Value, rest: &[Value], _: &Texts) -> Option<Value> {
    let Some(list) = on.as_map()?.get_text(rest[0].as_text()?) else {
        return Some(Value::Bool(false));
    };
    let list = list.as_list().filter(|list| list.len() <= 1000)?;
    Some(Value::Bool(list.iter().any(|item| item.same(&rest[1]))))
}

fn take_row(on: &mut Value, rest: &mut [Value], _: &Texts) -> Option<Value> {
    let columns = on.as_map()?;
    let column = columns.get_text(rest[0].as_text()?)?.as_list()?;
    let place = column.iter().take(1000).position(|item| item.same(&rest[1]))?;
    let reaches = |list: &Value| list.as_list().is_some_and(|list| place < list.len());
    if !columns.iter().all(|(_, list)| reaches(list)) {
        return None;
    }
    let names: Vec<Text> = columns.iter().map(|(name, _)| name.clone()).collect();
    let columns = on.as_map_mut()?;
    let mut row = Vec::with_capacity(names.len());
    for name in names {
        let value = columns.get_mut(name.as_str())?.as_list_mut()?.remove(place);
        row.push((name, value));
    }
    Some(Value::map(Map::from_sorted(row)))
}

fn side_by_side(on: &Value, rest: &[Value], _: &Texts) -> Option<Value> {
    let (columns, otherwise) = (on.as_map()?, rest[0].as_map()?);
    let maps: Vec<(&Text, &Map)> =
        columns.iter().map(|(key, map)| Some((key, map.as_map()?))).collect::<Option<_>>()?;
    let mut names: Vec<&Text> =
        maps.iter().flat_map(|(_, map)| map.iter().map(|(name, _)| name)).collect();
    names.sort_unstable();
    names.dedup();
    if names.len() * maps.len() > 10_000 {
        return None;
    }
    let mut rows = Vec::with_capacity(names.len());
    for name in names {
        let mut row = Vec::with_capacity(maps.len());
        for (key, map) in &maps {
            let value = map.get_text(name).or_else(|| otherwise.get_text(key))?;
            row.push(((*key).clone(), value.clone()));
        }
        rows.push((name.clone(), Value::map(Map::from_sorted(row))));
    }
    Some(Value::map(Map::from_sorted(rows)))
}

fn map_of(on: &Value, rest: &[Value], _: &Texts) -> Option<Value> {
    let names = on.as_list().filter(|names| names.len() <= 1000)?;
    let entry = |name: &Value| Some((name.as_text()?.clone(), rest[0].clone()));
    let map: Option<Map> = names.iter().map(entry).collect();
    map.map(Value::map)
}

fn add_token(on: &mut Value, rest: &mut [Value], _: &Texts) -> Option<Value> {
    let what = rest[0].as_text()?.clone();
    let number = rest.get(1).map_or(Some(1), Value::as_int).filter(|number| *number >= 0)?;
    let have = match on.as_map()?.get_text(&what) {
        Some(have) => have.as_int().filter(|have| *have >= 0)?,
        None => 0,
    };
    let sum = have.checked_add(number)?;
    on.as_map_mut()?.insert(what, Value::Int(sum));
    Some(on.clone())
}

fn add_each(on: &mut Value, rest: &mut [Value], _: &Texts) -> Option<Value> {
    let counts = on.as_map()?;
    let mut sums = Vec::new();
    for (name, number) in rest[0].as_map()?.iter() {
        let number = number.as_int().filter(|number| *number >= 0)?;
        let have = counts.get_text(name)?.as_int().filter(|have| *have >= 0)?;
        sums.push((name.clone(), have.checked_add(number)?));
    }
    let counts = on.as_map_mut()?;
    for (name, sum) in sums {
        counts.insert(name, Value::Int(sum));
    }
    Some(on.clone())
}

fn change_since(on: &Value, rest: &[Value], _: &Texts) -> Option<Value> {
    let (now, before) = (on.as_map()?, rest[0].as_map()?);
    let mut changes = Vec::with_capacity(now.len());
    for (name, value) in now.iter() {
        let then = before.get_text(name).map_or(Some(0), Value::as_int)?;
        changes.push((name.clone(), Value::Int(value.as_int()?.checked_sub(then)?)));
    }
    Some(Value::map(Map::from_sorted(changes)))
}

fn at_least(on: &Value, rest: &[Value], _: &Texts) -> Option<Value> {
    let number = rest[0].as_int()?;
    let mut found = Vec::new();
    for (name, count) in on.as_map()?.iter() {
        if count.as_int().filter(|count| *count >= 0)? >= number {
            found.push(Value::Text(name.clone()));
        }
    }
    Some(Value::list(found))
}
