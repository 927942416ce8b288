//! How are lists kept under names, where most names have none? A name without a list has no entry.

use rhai::Module;
use rhai::plugin::*;
use rhai::{Array, Dynamic, DynamicWriteLock, INT, Map};

use super::values::{Checked, error, fail, no_entry, show};

/// Adds this family to a module.
pub(super) fn register(module: &mut Module) {
    combine_with_exported_module!(module, "shelves", functions);
}

#[export_module]
mod functions {
    use super::*;

    /// Puts a value at the end of the list under a name; the list is made if there is none. Changes `lists` itself.
    ///
    /// `lists`: a map name -> list. `name`: a text. `value`: any value. Error: what is under the name is no list.
    ///
    /// # Example
    /// `let boons = #{}; boons.put_under("ann", 2); boons.put_under("ann", 1); boons` is `#{ ann: [2, 1] }`
    #[rhai_fn(return_raw)]
    pub fn put_under(lists: &mut Map, name: &str, value: Dynamic) -> Checked<()> {
        if !lists.contains_key(name) {
            lists.insert(name.into(), Dynamic::from_array(Array::new()));
        }
        list_at("put_under", lists, name)?.push(value);
        Ok(())
    }

    /// Takes a value out of the list under a name and returns it; with the last value the list goes. Changes `lists` itself.
    ///
    /// `lists`: a map name -> list. `name`: a text. `place`: where the value stands in the list, from 0.
    /// Errors: no list under the name, no such place in it.
    ///
    /// # Example
    /// `let boons = #{ ann: [2, 1] }; [boons.take_from_under("ann", 0), boons]` is `[2, #{ ann: [1] }]`
    /// `let boons = #{ ann: [2] }; boons.take_from_under("ann", 0); boons` is `#{}`
    #[rhai_fn(return_raw)]
    pub fn take_from_under(lists: &mut Map, name: &str, place: INT) -> Checked<Dynamic> {
        let (value, empty) = {
            let mut list = list_at("take_from_under", lists, name)?;
            match usize::try_from(place) {
                Ok(at) if at < list.len() => (list.remove(at), list.is_empty()),
                _ => {
                    let text = format!("`lists.{name}` has no place {place}");
                    return fail("take_from_under", text);
                }
            }
        };
        if empty {
            lists.remove(name);
        }
        Ok(value)
    }

    /// The list under a name, an empty one if there is none. It is a copy.
    ///
    /// `lists`: a map name -> list. `name`: a text. Error: what is under the name is no list.
    ///
    /// # Example
    /// `list_under(#{ ann: [2, 1] }, "ann")` is `[2, 1]`
    /// `list_under(#{ ann: [2, 1] }, "bo")` is `[]`
    #[rhai_fn(return_raw, pure)]
    pub fn list_under(lists: &mut Map, name: &str) -> Checked<Array> {
        match lists.get(name) {
            None => Ok(Array::new()),
            Some(list) => match list.read_lock::<Array>() {
                Some(list) => Ok(list.clone()),
                None => Err(no_list("list_under", name, list)),
            },
        }
    }
}

/// The list under a name, to be changed.
fn list_at<'a>(
    function: &str,
    lists: &'a mut Map,
    name: &str,
) -> Checked<DynamicWriteLock<'a, Array>> {
    match lists.get(name) {
        None => return Err(no_entry(function, "lists", lists, name)),
        Some(list) if !list.is_array() => return Err(no_list(function, name, list)),
        Some(_) => {}
    }
    let list = lists.get_mut(name).and_then(|list| list.write_lock::<Array>());
    list.ok_or_else(|| error(function, format!("`lists.{name}` is in use")))
}

fn no_list(function: &str, name: &str, value: &Dynamic) -> Box<EvalAltResult> {
    error(function, format!("`lists.{name}` must be a list, got {}", show(value)))
}
