//! Reads tables that are kept in columns: takes a row out, lays columns side by side.
//!
//! Lists of the same length under keys, or maps with the same names, are smaller than a map for
//! each row, and quicker to walk.

use std::cmp::Reverse;

use crate::script::machine::value::{Map, Text, Value};
use macro_rules_attribute::apply;

use super::primitive::{Primitive, family, part, primitive};
use super::read_arguments::{Checked, at_most_limit, entry, find, texts};
use crate::script::sandbox::fuel::charge;

pub(super) const FAMILY: &[Primitive] = family! { take_row, side_by_side, map_of };

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
