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
    ("capture", 4, Native::Change(capture)),
    ("put_marker", 4, Native::Change(put_marker)),
    ("lose_markers", 3, Native::Change(lose_markers)),
    ("take_back", 2, Native::Change(take_back)),
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

/// A count of a map within a map.
fn count<'m>(markers: &'m mut Map, part: &str, name: &str) -> Option<&'m mut Value> {
    markers.get_mut(part)?.as_map_mut()?.get_mut(name)
}

/// What is looked up before anything is changed, so that what is odd is left to Rhai's own.
fn is_counted(markers: &Map, part: &str, name: &str) -> bool {
    let count = |part: &Value| part.as_map()?.get(name)?.as_int();
    markers.get(part).and_then(count).is_some_and(|count| (0..i64::MAX).contains(&count))
}

fn owner_of<'m>(markers: &'m Map, place: &str) -> Option<Option<&'m Text>> {
    match markers.get("owners")?.as_map()?.get(place) {
        Some(owner) => owner.as_text().map(Some),
        None => Some(None),
    }
}

fn capture(on: &mut Value, rest: &mut [Value], _: &Texts) -> Option<Value> {
    let [Value::Text(place), Value::Text(player), Value::Text(neutral)] = rest else { return None };
    let markers = on.as_map()?;
    let Some(owner) = owner_of(markers, place.as_str())?.cloned() else { return Some(Value::Unit) };
    if owner == *player {
        return Some(Value::Unit);
    }
    if !is_counted(markers, "kept", player.as_str())
        || !is_counted(markers, "supply", player.as_str())
    {
        return None;
    }
    let markers = on.as_map_mut()?;
    if owner != *neutral
        && let Some(Value::Int(kept)) = count(markers, "kept", player.as_str())
    {
        *kept += 1;
    }
    put(markers, place, player, neutral)?;
    Some(Value::Text(owner))
}

fn put_marker(on: &mut Value, rest: &mut [Value], _: &Texts) -> Option<Value> {
    let [Value::Text(place), Value::Text(player), Value::Text(neutral)] = rest else { return None };
    let markers = on.as_map()?;
    owner_of(markers, place.as_str())?;
    if !is_counted(markers, "supply", player.as_str()) {
        return None;
    }
    put(on.as_map_mut()?, place, player, neutral)
}

fn lose_markers(on: &mut Value, rest: &mut [Value], _: &Texts) -> Option<Value> {
    let [Value::Text(player), Value::Text(neutral)] = rest else { return None };
    let owners = on.as_map()?.get("owners")?.as_map()?;
    let mine = |(place, owner): (&Text, &Value)| {
        owner.as_text().is_some_and(|owner| owner == player).then(|| place.clone())
    };
    let lost: Vec<Text> = owners.iter().filter_map(mine).collect();
    let markers = on.as_map_mut()?;
    let owners = markers.get_mut("owners")?.as_map_mut()?;
    let before = owners.size();
    for place in &lost {
        owners.insert(place.clone(), Value::Text(neutral.clone()));
    }
    let more = owners.size().beyond(before);
    markers.size_mut().hold(more);
    Some(Value::Int(lost.len() as i64))
}

fn take_back(on: &mut Value, rest: &mut [Value], _: &Texts) -> Option<Value> {
    let markers = on.as_map()?;
    let supply = markers.get("supply")?.as_map()?;
    let mut taken: Vec<(Text, Vec<Value>)> =
        supply.iter().map(|(name, _)| (name.clone(), Vec::new())).collect();
    for place in rest[0].as_list()? {
        let Some(owner) = owner_of(markers, place.as_text()?.as_str())? else { continue };
        if let Some((name, places)) = taken.iter_mut().find(|(name, _)| name == owner) {
            let have = supply.get_text(name)?.as_int().filter(|have| *have >= 0)?;
            have.checked_add(rest[0].as_list()?.len() as i64)?;
            places.push(place.clone());
        }
    }
    let supply = on.as_map_mut()?.get_mut("supply")?.as_map_mut()?;
    for (name, places) in &taken {
        if let Some(Value::Int(left)) = supply.get_mut(name.as_str()) {
            *left += places.len() as i64;
        }
    }
    let lists = taken.into_iter().map(|(name, places)| (name, Value::list(places))).collect();
    Some(Value::map(Map::from_sorted(lists)))
}

fn put(markers: &mut Map, place: &Text, player: &Text, neutral: &Text) -> Option<Value> {
    let supply = count(markers, "supply", player.as_str())?;
    let left = supply.as_int()?;
    if left > 0 {
        *supply = Value::Int(left - 1);
    }
    let owner = if left > 0 { player } else { neutral };
    let owners = markers.get_mut("owners")?.as_map_mut()?;
    let before = owners.size();
    owners.insert(place.clone(), Value::Text(owner.clone()));
    let more = owners.size().beyond(before);
    markers.size_mut().hold(more);
    Some(Value::Bool(left > 0))
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
