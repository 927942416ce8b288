//! What lies next to what? Links are a map name -> list of names; one direction suffices.

use std::collections::{BTreeMap, HashSet};

use rhai::Module;
use rhai::plugin::*;
use rhai::{Array, ImmutableString, Map};

use super::values::{Checked, Ranks, error, hint, list, no_entry, show, texts};

/// Adds this family to a module.
pub(super) fn register(module: &mut Module) {
    combine_with_exported_module!(module, "links", functions);
}

#[export_module]
mod functions {
    use super::*;

    /// What is linked with a name, in either direction: first what it names, then what names it, in alphabetical order.
    ///
    /// `name`: a key of the links. `links`: a map name -> list of names, each of them a key.
    /// Errors: a name that is no key.
    ///
    /// # Example
    /// `neighbours_of("hills", #{ ford: ["hills", "marsh"], hills: [], marsh: [] })` is `["ford"]`
    #[rhai_fn(return_raw)]
    pub fn neighbours_of(name: &str, links: Map) -> Checked<Array> {
        Ok(list(around("neighbours_of", name, &links)?))
    }

    /// What is linked with a name, in either direction, in an order.
    ///
    /// `name`: a key of the links. `links`: a map name -> list of names, each of them a key. `order`: a list with all keys.
    /// Errors: a name that is no key, or not in the order.
    ///
    /// # Example
    /// `neighbours_of("ford", #{ ford: ["marsh"], hills: ["ford"], marsh: [] }, ["hills", "ford", "marsh"])` is `["hills", "marsh"]`
    #[rhai_fn(name = "neighbours_of", return_raw)]
    pub fn neighbours_in(name: &str, links: Map, order: Array) -> Checked<Array> {
        let mut found = around("neighbours_of", name, &links)?;
        Ranks::new("neighbours_of", &order)?.sort("neighbours_of", &mut found)?;
        Ok(list(found))
    }

    /// Links with both directions written out. What one names comes first, then what names it, in alphabetical order.
    ///
    /// `links`: a map name -> list of names, each of them a key. Nothing is changed; the result is a new map.
    /// Error: a name that is no key.
    ///
    /// # Example
    /// `link_both_ways(#{ ford: ["hills"], hills: [] })` is `#{ ford: ["hills"], hills: ["ford"] }`
    #[rhai_fn(return_raw, pure)]
    pub fn link_both_ways(links: &mut Map) -> Checked<Map> {
        let all = both_ways("link_both_ways", links)?;
        Ok(all.into_iter().map(|(name, to)| (name.as_str().into(), list(to).into())).collect())
    }

    /// Links with both directions written out, every list in an order.
    ///
    /// `links`: a map name -> list of names, each of them a key. `order`: a list with all keys. Nothing is changed; the result is a new map.
    ///
    /// # Example
    /// `link_both_ways(#{ ford: ["marsh"], hills: ["ford"], marsh: [] }, ["hills", "ford", "marsh"])` is `#{ ford: ["hills", "marsh"], hills: ["ford"], marsh: ["ford"] }`
    #[rhai_fn(name = "link_both_ways", return_raw, pure)]
    pub fn link_both_ways_in(links: &mut Map, order: Array) -> Checked<Map> {
        let ranks = Ranks::new("link_both_ways", &order)?;
        let mut result = Map::new();
        for (name, mut to) in both_ways("link_both_ways", links)? {
            ranks.sort("link_both_ways", &mut to)?;
            result.insert(name.as_str().into(), list(to).into());
        }
        Ok(result)
    }
}

fn around(function: &str, name: &str, links: &Map) -> Checked<Vec<ImmutableString>> {
    if !links.contains_key(name) {
        return Err(no_entry(function, "links", links, name));
    }
    Ok(both_ways(function, links)?.remove(name).unwrap_or_default())
}

fn both_ways(
    function: &str,
    links: &Map,
) -> Checked<BTreeMap<ImmutableString, Vec<ImmutableString>>> {
    let mut there: BTreeMap<ImmutableString, Vec<ImmutableString>> = BTreeMap::new();
    let mut back: BTreeMap<ImmutableString, Vec<ImmutableString>> = BTreeMap::new();
    for (from, to) in links {
        let from: ImmutableString = from.as_str().into();
        let place = format!("links.{from}");
        let to = to
            .as_array_ref()
            .map_err(|_| error(function, format!("`{place}` must be a list, got {}", show(to))))?;
        let to = texts(function, &place, &to)?;
        for name in &to {
            if !links.contains_key(name.as_str()) {
                let near = hint(name, links.keys().map(|key| key.as_str()));
                return Err(error(
                    function,
                    format!("`{place}` names `{name}`, which `links` lacks{near}"),
                ));
            }
            back.entry(name.clone()).or_default().push(from.clone());
        }
        there.insert(from, to);
    }
    for (name, from) in back {
        there.entry(name).or_default().extend(from);
    }
    for to in there.values_mut() {
        let mut seen = HashSet::new();
        to.retain(|name| seen.insert(name.clone()));
    }
    Ok(there)
}
