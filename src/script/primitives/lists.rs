//! Finds, picks and replaces items of lists and entries of maps, and rows of tables that are kept in columns.
//!
//! Lists of the same length under keys, or maps with the same names, are smaller than a map for each row, and quicker
//! to walk.

use std::cmp::Reverse;

use crate::script::machine::value::{Map, Text, Value};
use macro_rules_attribute::apply;

use super::primitive::{Primitive, family, part, primitive};
use super::read_arguments::{Checked, at_most_limit, bound, column, entry, find, items, texts};
use crate::report::{colour_names, colours_for};
use crate::script::sandbox::fuel::charge;
use crate::script::sandbox::limits::TEXT;

pub(super) const LISTS: &[Primitive] = family! {
    names_of, index_in, all_by, replaced, without, only, map_without as without, map_only as only,
    join, colours,
};
pub(super) const COLUMNS: &[Primitive] = family! { take_row, side_by_side, map_of };

/// What each map of a list has under a key.
///
/// `list`: maps that all have the key. Error: one that lacks it.
///
/// # Example
/// `names_of([#{ name: "ayla" }, #{ name: "bran" }], "name")` is `["ayla", "bran"]`
#[apply(primitive!)]
pub fn names_of(list: &[Value], key: &Text) -> Checked<Vec<Value>> {
    Ok(column(list, key)?.into_iter().cloned().collect())
}

/// The place of a value in a list, from 0. Of several alike the first counts.
///
/// `list`: a list of anything. Error: the value is not in it.
///
/// # Example
/// `index_in(["red", "blue"], "blue")` is `1`
#[apply(primitive!)]
pub fn index_in(list: &[Value], value: &Value) -> Checked<i64> {
    Ok(find("list", list, value)? as i64)
}

/// A colour for each name, as a `drawing` has them: its own where it is that of a colour, else the next that is nobody's.
///
/// `names`: names of players or the like. More than there are colours share them.
///
/// # Example
/// `colours(["ayla", "red", "bran"])` is `#{ ayla: "blue", red: "red", bran: "orange" }`
#[apply(primitive!)]
pub fn colours(names: &[Value]) -> Checked<Map> {
    charge(16 * names.len() as u64);
    let names = texts("names", names)?;
    let words: Vec<&str> = names.iter().map(|name| name.as_str()).collect();
    let colours = colours_for(&words, colour_names());
    let pair = |(name, colour): (&Text, &str)| (Text::clone(name), Value::text(colour));
    Ok(names.into_iter().zip(colours).map(pair).collect())
}

/// All maps in a list that have a value under a key, in their order. They are copies.
///
/// `list`: maps that all have the key.
///
/// # Example
/// `all_by([#{ n: 1, team: "a" }, #{ n: 2, team: "b" }], "team", "b")` is `[#{ n: 2, team: "b" }]`
#[apply(primitive!)]
pub fn all_by(list: &[Value], key: &Text, value: &Value) -> Checked<Vec<Value>> {
    let values = column(list, key)?;
    let found = list.iter().zip(values).filter(|(_, this)| this.same(value));
    Ok(found.map(|(item, _)| item.clone()).collect())
}

/// The values of a list or a map, with another value in the place of each that equals one. The names of a map stay.
///
/// `values`: a list or a map. `value`: what is replaced. `instead`: the new value.
///
/// # Example
/// `replaced(#{ red: "flag", blue: 4 }, "flag", 0)` is `#{ red: 0, blue: 4 }`
/// `replaced([1, 2, 1], 1, 3)` is `[3, 2, 3]`
#[apply(primitive!)]
pub fn replaced(values: &Value, value: &Value, instead: &Value) -> Checked<Value> {
    let all = items(values)?;
    bound(std::slice::from_ref(value), all.clone().count())?;
    let swap = |item: &Value| if item.same(value) { instead.clone() } else { item.clone() };
    Ok(match values {
        Value::Map(map) => {
            let swapped = map.iter().map(|(name, item)| (name.clone(), swap(item)));
            Value::map(Map::from_sorted(swapped.collect()))
        }
        _ => Value::list(all.map(swap).collect()),
    })
}

/// A list without a value, or without every value of a second list, at all places.
///
/// `list`: a list of anything. `values`: a value, or a list of values; what does not occur is no error.
///
/// # Example
/// `without(["a", "b", "c"], "b")` is `["a", "c"]`
/// `without(["a", "b", "c"], ["a", "c"])` is `["b"]`
#[apply(primitive!)]
pub fn without(list: &[Value], values: &Value) -> Checked<Vec<Value>> {
    keep(list, values.as_list().unwrap_or(std::slice::from_ref(values)), false)
}

/// The items of a list that are also in a second list, in the order of the first.
///
/// `list`: a list of anything. `values`: a list of values.
///
/// # Example
/// `only(["a", "b", "c"], ["c", "a"])` is `["a", "c"]`
#[apply(primitive!)]
pub fn only(list: &[Value], values: &[Value]) -> Checked<Vec<Value>> {
    keep(list, values, true)
}

/// The entries of a map whose names are not among some names.
///
/// `map`: any map. `names`: a list of names; what is not there is no error.
///
/// # Example
/// `without(#{ red: 2, blue: 1 }, ["red"])` is `#{ blue: 1 }`
#[apply(primitive!)]
pub fn map_without(map: &Map, names: &[Value]) -> Checked<Map> {
    keep_entries(map, names, false)
}

/// The entries of a map whose names are among some names.
///
/// `map`: any map. `names`: a list of names; what is not there is no error.
///
/// # Example
/// `only(#{ red: 2, blue: 1 }, ["red", "green"])` is `#{ red: 2 }`
#[apply(primitive!)]
pub fn map_only(map: &Map, names: &[Value]) -> Checked<Map> {
    keep_entries(map, names, true)
}

/// The texts of a list as one, with a text between each two.
///
/// `list`: a list of texts. `between`: a text, which may be empty. Error: an item that is no text.
///
/// # Example
/// `join(["red", "blue"], ", ")` is `"red, blue"`
/// `["north", "south"].map(|way| way.to_upper()).join(" | ")` is `"NORTH | SOUTH"`
/// `[].join(", ")` is `""`
#[apply(primitive!)]
pub fn join(list: &[Value], between: &Text) -> Checked<String> {
    bound(list, 1)?;
    let mut joined = String::new();
    for (i, item) in list.iter().enumerate() {
        let item: &Text = part(format_args!("list[{i}]"), item)?;
        joined.push_str(if i > 0 { between.as_str() } else { "" });
        joined.push_str(item.as_str());
        if joined.len() > TEXT {
            return Err(format!("the text would be longer than {TEXT} bytes"));
        }
    }
    charge(joined.len() as u64 / LETTERS);
    Ok(joined)
}

/// As many letters are written in the time of an operation.
const LETTERS: u64 = 16;

fn keep(list: &[Value], values: &[Value], found: bool) -> Checked<Vec<Value>> {
    bound(list, values.len())?;
    let stays = |item: &&Value| values.iter().any(|value| item.same(value)) == found;
    Ok(list.iter().filter(stays).cloned().collect())
}

fn keep_entries(map: &Map, names: &[Value], found: bool) -> Checked<Map> {
    let mut names = texts("names", names)?;
    names.sort_unstable();
    let stays = |(name, _): &(&Text, &Value)| names.binary_search(name).is_ok() == found;
    let kept = map.iter().filter(stays).map(|(name, value)| (name.clone(), value.clone()));
    Ok(Map::from_sorted(kept.collect()))
}

/// Takes a row out of columns: the first one that has a value in a column. Changes `columns` itself.
///
/// `columns`: a map key -> list, all lists of the same length. `key`: the column to look in. `value`: the value to look for.
/// The result is a map key -> value of that row. Errors: no such column, no such value, a column that is shorter.
///
/// # Example
/// `take_row(#{ name: ["a", "b"], rating: [1, 2] }, "name", "b")` is `#{ name: "b", rating: 2 }`
/// `let hand = #{ name: ["a", "b"], rating: [1, 2] }; hand.take_row("name", "a"); hand` is `#{ name: ["b"], rating: [2] }`
#[apply(primitive!)]
pub fn take_row(columns: &mut Map, key: &Text, value: &Value) -> Checked<Map> {
    let rows = part(format_args!("columns.{key}"), entry("columns", columns, key)?)?;
    let place = find(format_args!("columns.{key}"), rows, value)?;
    charge(columns.len() as u64);
    for (name, column) in columns.iter() {
        let list: &[Value] = part(format_args!("columns.{name}"), column)?;
        if place >= list.len() {
            return Err(format!("`columns.{name}` has only {} rows", list.len()));
        }
    }
    let mut row = Vec::with_capacity(columns.len());
    columns.change_each(|name, column| {
        if let Some(list) = column.as_list_mut() {
            row.push((name.clone(), list.remove(place)));
        }
    });
    Ok(Map::from_sorted(row))
}

/// Lays maps side by side: each name with what every one of them has for it.
///
/// `columns`: a map key -> map name -> value. `otherwise`: the value for a name that a map lacks.
/// The result is a map name -> map key -> value, with every name that any of the maps has.
/// Errors: something that is not a map, a name that a map lacks whose key is not in `otherwise`.
///
/// # Example
/// `side_by_side(#{ age: #{ ann: 7, bo: 9 }, pet: #{ bo: "cat" } }, #{ pet: "none" })` is `#{ ann: #{ age: 7, pet: "none" }, bo: #{ age: 9, pet: "cat" } }`
#[apply(primitive!)]
pub fn side_by_side(columns: &Map, otherwise: &Map) -> Checked<Map> {
    let mut maps: Vec<(&Text, &Map)> = Vec::with_capacity(columns.len());
    for (key, column) in columns.iter() {
        maps.push((key, part(format_args!("columns.{key}"), column)?));
    }
    // Mostly one map has every name: that of most entries is gone through first.
    let mut order: Vec<&Map> = maps.iter().map(|(_, map)| *map).collect();
    order.sort_by_key(|map| Reverse(map.len()));
    let mut rows: Vec<(Text, Value)> = Vec::with_capacity(order.first().map_or(0, |map| map.len()));
    for map in order {
        for (name, _) in map.iter() {
            let Err(place) = rows.binary_search_by(|(known, _)| known.cmp(name)) else { continue };
            at_most_limit((rows.len() * maps.len()) as i64)?;
            charge(maps.len() as u64);
            let mut row = Vec::with_capacity(maps.len());
            for (key, map) in &maps {
                let value = match map.get_text(name) {
                    Some(value) => value,
                    None => entry("otherwise", otherwise, key)?,
                };
                row.push((Text::clone(key), value.clone()));
            }
            rows.insert(place, (name.clone(), Value::map(Map::from_sorted(row))));
        }
    }
    Ok(Map::from_sorted(rows))
}

/// A map in which every one of some names has the same value.
///
/// `names`: a list of texts. `value`: any value, copied for each.
///
/// # Example
/// `map_of(["red", "blue"], 0)` is `#{ red: 0, blue: 0 }`
#[apply(primitive!)]
pub fn map_of(names: &[Value], value: &Value) -> Checked<Map> {
    at_most_limit(names.len() as i64)?;
    let names = texts("names", names)?;
    Ok(names.into_iter().map(|name| (name.clone(), value.clone())).collect())
}
