//! Finds what is next to what. Links are a map name -> list of names; one direction suffices.

use std::collections::{BTreeMap, HashSet};

use crate::script::machine::value::{Map, Text, Value};
use crate::script::sandbox::fuel::charge;
use macro_rules_attribute::apply;

use super::primitive::{Primitive, primitive};
use super::read_arguments::{Checked, Ranks, fail, hint, list, show, texts};

pub(super) const FAMILY: &[Primitive] =
    &[link_both_ways::PRIMITIVE, link_both_ways_in::PRIMITIVE.named("link_both_ways")];

/// Links with both directions written out. What one names comes first, then what names it, in alphabetical order.
///
/// `links`: a map name -> list of names, each of them a key. Nothing is changed; the result is a new map.
/// Error: a name that is no key.
///
/// # Example
/// `link_both_ways(#{ ford: ["hills"], hills: [] })` is `#{ ford: ["hills"], hills: ["ford"] }`
#[apply(primitive!)]
pub fn link_both_ways(links: &Map) -> Checked<Map> {
    let all = both_ways("link_both_ways", links)?;
    Ok(all.into_iter().map(|(name, to)| (name.clone(), Value::list(list(to)))).collect())
}

/// Links with both directions written out, every list in an order.
///
/// `links`: a map name -> list of names, each of them a key. `order`: a list with all keys. Nothing is changed; the result is a new map.
///
/// # Example
/// `link_both_ways(#{ ford: ["marsh"], hills: ["ford"], marsh: [] }, ["hills", "ford", "marsh"])` is `#{ ford: ["hills", "marsh"], hills: ["ford"], marsh: ["ford"] }`
#[apply(primitive!)]
pub fn link_both_ways_in(links: &Map, order: &[Value]) -> Checked<Map> {
    let ranks = Ranks::new("link_both_ways", order)?;
    let mut result = Map::default();
    for (name, to) in both_ways("link_both_ways", links)? {
        let to = ranks.sort("link_both_ways", to)?;
        result.insert(name.clone(), Value::list(list(to)));
    }
    Ok(result)
}

fn both_ways<'v>(function: &str, links: &'v Map) -> Checked<BTreeMap<&'v Text, Vec<&'v Text>>> {
    charge(links.len() as u64);
    let mut there: BTreeMap<&Text, Vec<&Text>> = BTreeMap::new();
    let mut back: BTreeMap<&Text, Vec<&Text>> = BTreeMap::new();
    for (from, to) in links.iter() {
        let place = format!("links.{from}");
        let Some(to) = to.as_list() else {
            return fail(function, format!("`{place}` must be a list, got {}", show(to)));
        };
        let to = texts(function, &place, to)?;
        for name in &to {
            if links.get_text(name).is_none() {
                let near = hint(name.as_str(), links.iter().map(|(key, _)| key.as_str()));
                return fail(
                    function,
                    format!("`{place}` names `{name}`, which `links` lacks{near}"),
                );
            }
            back.entry(name).or_default().push(from);
        }
        there.insert(from, to);
    }
    for (name, from) in back {
        there.entry(name).or_default().extend(from);
    }
    for to in there.values_mut() {
        let mut seen = HashSet::new();
        to.retain(|name| seen.insert(*name));
    }
    Ok(there)
}
