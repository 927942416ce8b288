//! Which items of a list are meant, and in which place do they stand?

use std::collections::HashSet;

use rhai::Module;
use rhai::plugin::*;
use rhai::{Array, Dynamic, INT, Map};

use super::values::{Checked, bound, column, fail, find, items, same, show, texts};

/// Adds this family to a module.
pub(super) fn register(module: &mut Module) {
    combine_with_exported_module!(module, "lists", functions);
}

#[export_module]
mod functions {
    use super::*;

    /// What each map of a list has under a key.
    ///
    /// `list`: maps that all have the key. Error: one that lacks it.
    ///
    /// # Example
    /// `names_of([#{ name: "ayla" }, #{ name: "bran" }], "name")` is `["ayla", "bran"]`
    #[rhai_fn(return_raw, pure)]
    pub fn names_of(list: &mut Array, key: &str) -> Checked<Array> {
        column("names_of", list, key)
    }

    /// The place of a value in a list, from 0. Of several alike the first counts.
    ///
    /// `list`: a list of anything. Error: the value is not in it.
    ///
    /// # Example
    /// `index_in(["red", "blue"], "blue")` is `1`
    #[rhai_fn(return_raw, pure)]
    pub fn index_in(list: &mut Array, value: Dynamic) -> Checked<INT> {
        place("index_in", list, &value)
    }

    /// The place of the first map in a list that has a value under a key, from 0; for changing that map.
    ///
    /// `list`: maps that all have the key. Error: none has the value.
    ///
    /// # Example
    /// `index_by([#{ name: "ayla" }, #{ name: "bran" }], "name", "bran")` is `1`
    #[rhai_fn(return_raw, pure)]
    pub fn index_by(list: &mut Array, key: &str, value: Dynamic) -> Checked<INT> {
        place("index_by", &column("index_by", list, key)?, &value)
    }

    /// The first map in a list that has a value under a key. It is a copy: to change the map use `index_by`.
    ///
    /// `list`: maps that all have the key. Error: none has the value.
    ///
    /// # Example
    /// `find_by([#{ name: "ayla", team: 1 }], "name", "ayla")` is `#{ name: "ayla", team: 1 }`
    #[rhai_fn(return_raw, pure)]
    pub fn find_by(list: &mut Array, key: &str, value: Dynamic) -> Checked<Dynamic> {
        let found = place("find_by", &column("find_by", list, key)?, &value)?;
        Ok(usize::try_from(found).ok().and_then(|i| list.get(i)).cloned().unwrap_or_default())
    }

    /// All maps in a list that have a value under a key, in their order. They are copies.
    ///
    /// `list`: maps that all have the key.
    ///
    /// # Example
    /// `all_by([#{ n: 1, team: "a" }, #{ n: 2, team: "b" }], "team", "b")` is `[#{ n: 2, team: "b" }]`
    #[rhai_fn(return_raw, pure)]
    pub fn all_by(list: &mut Array, key: &str, value: Dynamic) -> Checked<Array> {
        let values = column("all_by", list, key)?;
        Ok(list
            .iter()
            .zip(&values)
            .filter(|(_, this)| same(this, &value))
            .map(|(item, _)| item.clone())
            .collect())
    }

    /// The values of a list or a map, with another value in the place of each that equals one. The names of a map stay.
    ///
    /// `values`: a list or a map. `value`: what is replaced. `instead`: what stands there then.
    ///
    /// # Example
    /// `replaced(#{ red: "flag", blue: 4 }, "flag", 0)` is `#{ red: 0, blue: 4 }`
    /// `replaced([1, 2, 1], 1, 3)` is `[3, 2, 3]`
    #[rhai_fn(return_raw, pure)]
    pub fn replaced(values: &mut Dynamic, value: Dynamic, instead: Dynamic) -> Checked<Dynamic> {
        const NAME: &str = "replaced";
        bound(NAME, std::slice::from_ref(&value), items(NAME, values)?.len())?;
        let swap = |item: &Dynamic| if same(item, &value) { instead.clone() } else { item.clone() };
        if let Ok(map) = values.as_map_ref() {
            let swapped: Map = map.iter().map(|(name, item)| (name.clone(), swap(item))).collect();
            return Ok(swapped.into());
        }
        Ok(items(NAME, values)?.iter().map(swap).collect::<Array>().into())
    }

    /// Whether a map has a list under a key, and a value is in it.
    ///
    /// `lists`: a map name -> list. `key`: a name; one that is not there has no list. `value`: any value.
    ///
    /// # Example
    /// `has_in(#{ fire: ["red", "blue"] }, "fire", "red")` is `true`
    /// `has_in(#{ fire: ["red", "blue"] }, "ice", "red")` is `false`
    #[rhai_fn(return_raw, pure)]
    pub fn has_in(lists: &mut Map, key: &str, value: Dynamic) -> Checked<bool> {
        let Some(list) = lists.get(key) else { return Ok(false) };
        let Ok(list) = list.as_array_ref() else {
            return fail("has_in", format!("`lists.{key}` must be a list, got {}", show(list)));
        };
        bound("has_in", &list, 1)?;
        Ok(list.iter().any(|item| same(item, &value)))
    }

    /// A list without a value, or without every value of a second list, wherever it occurs.
    ///
    /// `list`: a list of anything. `values`: a value, or a list of values; what does not occur is no error.
    ///
    /// # Example
    /// `without(["a", "b", "c"], "b")` is `["a", "c"]`
    /// `without(["a", "b", "c"], ["a", "c"])` is `["b"]`
    #[rhai_fn(return_raw, pure)]
    pub fn without(list: &mut Array, values: Dynamic) -> Checked<Array> {
        keep("without", list, values, false)
    }

    /// The items of a list that are also in a second list, in the order of the first.
    ///
    /// `list`: a list of anything. `values`: a list of values.
    ///
    /// # Example
    /// `only(["a", "b", "c"], ["c", "a"])` is `["a", "c"]`
    #[rhai_fn(return_raw, pure)]
    pub fn only(list: &mut Array, values: Array) -> Checked<Array> {
        keep("only", list, values.into(), true)
    }

    /// The entries of a map whose names are not among some names.
    ///
    /// `map`: any map. `names`: a list of names; what is not there is no error.
    ///
    /// # Example
    /// `without(#{ red: 2, blue: 1 }, ["red"])` is `#{ blue: 1 }`
    #[rhai_fn(name = "without", return_raw, pure)]
    pub fn map_without(map: &mut Map, names: Array) -> Checked<Map> {
        keep_entries("without", map, &names, false)
    }

    /// The entries of a map whose names are among some names.
    ///
    /// `map`: any map. `names`: a list of names; what is not there is no error.
    ///
    /// # Example
    /// `only(#{ red: 2, blue: 1 }, ["red", "green"])` is `#{ red: 2 }`
    #[rhai_fn(name = "only", return_raw, pure)]
    pub fn map_only(map: &mut Map, names: Array) -> Checked<Map> {
        keep_entries("only", map, &names, true)
    }
}

fn place(function: &str, list: &Array, value: &Dynamic) -> Checked<INT> {
    find(function, "list", list, value).map(|place| place as INT)
}

fn keep(function: &str, list: &Array, values: Dynamic, found: bool) -> Checked<Array> {
    let values =
        if values.is_array() { values.into_array().unwrap_or_default() } else { vec![values] };
    bound(function, list, values.len())?;
    Ok(list
        .iter()
        .filter(|item| values.iter().any(|value| same(item, value)) == found)
        .cloned()
        .collect())
}

fn keep_entries(function: &str, map: &Map, list: &Array, found: bool) -> Checked<Map> {
    let names: HashSet<_> = texts(function, "names", list)?.into_iter().collect();
    Ok(map
        .iter()
        .filter(|(key, _)| names.contains(key.as_str()) == found)
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect())
}
