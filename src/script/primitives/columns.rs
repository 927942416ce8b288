//! How is a table read that lies in columns? A row is taken out, columns are laid side by side.
//!
//! Lists of the same length under keys, or maps with the same names, are smaller than a map for
//! each row, and quicker to walk.

use std::cmp::Reverse;

use rhai::Module;
use rhai::plugin::*;
use rhai::{Array, Dynamic, Map};

use super::values::{
    Changed, Checked, LIMIT, at_most_limit, entry, error, fail, find, show, texts,
};
use crate::script::meter::charge;

/// Adds this family to a module.
pub(super) fn register(module: &mut Module) {
    combine_with_exported_module!(module, "columns", functions);
}

#[export_module]
mod functions {
    use super::*;

    /// Takes a row out of columns: the first one that has a value in a column. Changes `columns` itself.
    ///
    /// `columns`: a map key -> list, all lists of the same length. `key`: the column to look in. `value`: what stands there.
    /// The result is a map key -> what stood in that row. Errors: no such column, no such value, a column that is shorter.
    ///
    /// # Example
    /// `take_row(#{ name: ["a", "b"], rating: [1, 2] }, "name", "b")` is `#{ name: "b", rating: 2 }`
    /// `let hand = #{ name: ["a", "b"], rating: [1, 2] }; hand.take_row("name", "a"); hand` is `#{ name: ["b"], rating: [2] }`
    #[rhai_fn(return_raw)]
    pub fn take_row(columns: &mut Changed<Map>, key: &str, value: Dynamic) -> Checked<Map> {
        let place = {
            let column = entry("take_row", "columns", columns, key)?;
            let column = column.read_lock::<Array>().ok_or_else(|| no_list(key, column))?;
            find("take_row", &format!("columns.{key}"), &column, &value)?
        };
        charge(columns.len() as u64);
        for (name, column) in columns.iter() {
            match column.read_lock::<Array>() {
                Some(list) if place < list.len() => {}
                Some(list) => {
                    let text = format!("`columns.{name}` has only {} rows", list.len());
                    return fail("take_row", text);
                }
                None => return Err(no_list(name, column)),
            }
        }
        let mut row = Map::new();
        for (name, column) in columns.iter_mut() {
            if let Some(mut list) = column.write_lock::<Array>() {
                row.insert(name.clone(), list.remove(place));
            }
        }
        Ok(row)
    }

    /// Lays maps side by side: each name with what every one of them has for it.
    ///
    /// `columns`: a map key -> map name -> value. `otherwise`: what stands under a key for a name that its map lacks.
    /// The result is a map name -> map key -> value, with every name that any of the maps has.
    /// Errors: something that is no map, a name that a map lacks whose key is not in `otherwise`.
    ///
    /// # Example
    /// `side_by_side(#{ age: #{ ann: 7, bo: 9 }, pet: #{ bo: "cat" } }, #{ pet: "none" })` is `#{ ann: #{ age: 7, pet: "none" }, bo: #{ age: 9, pet: "cat" } }`
    #[rhai_fn(return_raw)]
    pub fn side_by_side(columns: Map, otherwise: Map) -> Checked<Map> {
        let mut maps = Vec::with_capacity(columns.len());
        for (key, column) in &columns {
            let map = column.read_lock::<Map>().ok_or_else(|| {
                let text = format!("`columns.{key}` must be a map, got {}", show(column));
                error("side_by_side", text)
            })?;
            maps.push((key, map));
        }
        // Mostly one map has every name: that of most entries is gone through first.
        let mut order: Vec<usize> = (0..maps.len()).collect();
        order.sort_by_key(|&at| Reverse(maps[at].1.len()));
        let mut rows = Map::new();
        for &at in &order {
            for name in maps[at].1.keys() {
                if rows.contains_key(name) {
                    continue;
                }
                at_most_limit("side_by_side", (rows.len() * maps.len()) as i64)?;
                charge(maps.len() as u64);
                let mut row = Map::new();
                for (key, map) in &maps {
                    let value = match map.get(name) {
                        Some(value) => value,
                        None => entry("side_by_side", "otherwise", &otherwise, key)?,
                    };
                    row.insert((*key).clone(), value.clone());
                }
                rows.insert(name.clone(), row.into());
            }
        }
        Ok(rows)
    }

    /// A map in which every one of some names has the same value.
    ///
    /// `names`: a list of texts. `value`: any value, copied for each.
    ///
    /// # Example
    /// `map_of(["red", "blue"], 0)` is `#{ red: 0, blue: 0 }`
    #[rhai_fn(return_raw)]
    pub fn map_of(names: Array, value: Dynamic) -> Checked<Map> {
        if names.len() > LIMIT {
            at_most_limit("map_of", names.len() as i64)?;
        }
        let names = texts("map_of", "names", &names)?;
        Ok(names.into_iter().map(|name| (name.as_str().into(), value.clone())).collect())
    }
}

fn no_list(key: &str, column: &Dynamic) -> Box<EvalAltResult> {
    error("take_row", format!("`columns.{key}` must be a list, got {}", show(column)))
}
