//! Draws cards from a hand, which is a list; finds what is next to what, by links, a map name -> list of names of which
//! one direction suffices; and finds the places that hold names, in a map place -> list of names.

use std::collections::{BTreeMap, HashSet};

use crate::script::machine::value::{List, Map, Text, Value};
use crate::script::sandbox::fuel::charge;
use macro_rules_attribute::apply;

use super::primitive::{Primitive, family, part, primitive};
use super::read_arguments::{Checked, Ranks, entry, find, hint, list, text, texts};

pub(super) const HANDS: &[Primitive] = family! { draw };
pub(super) const LINKS: &[Primitive] = family! {
    link_both_ways, link_both_ways_in as link_both_ways,
};
pub(super) const PLACES: &[Primitive] = family! { places_of };

/// Takes a card from a hand and returns the card. Changes `hand` itself.
///
/// `hand`: a list. `card`: what to take; of several alike the first goes. Error: it is not there.
///
/// # Example
/// `let hand = ["salt", "ochre"]; let card = hand.draw("salt"); [card, hand]` is `["salt", ["ochre"]]`
#[apply(primitive!)]
pub fn draw(hand: &mut List, card: &Value) -> Checked<Value> {
    let place = find("hand", hand, card)?;
    Ok(hand.remove(place))
}

/// Links with both directions written out. What one names comes first, then what names it, in alphabetical order.
///
/// `links`: a map name -> list of names, each of them a key. Nothing is changed; the result is a new map.
/// Error: a name that is no key.
///
/// # Example
/// `link_both_ways(#{ ford: ["hills"], hills: [] })` is `#{ ford: ["hills"], hills: ["ford"] }`
#[apply(primitive!)]
pub fn link_both_ways(links: &Map) -> Checked<Map> {
    let all = both_ways(links)?;
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
    let ranks = Ranks::new(order)?;
    let mut result = Map::default();
    for (name, to) in both_ways(links)? {
        let to = ranks.sort(to)?;
        result.insert(name.clone(), Value::list(list(to)));
    }
    Ok(result)
}

fn both_ways(links: &Map) -> Checked<BTreeMap<&Text, Vec<&Text>>> {
    charge(links.len() as u64);
    let mut there: BTreeMap<&Text, Vec<&Text>> = BTreeMap::new();
    let mut back: BTreeMap<&Text, Vec<&Text>> = BTreeMap::new();
    for (from, to) in links.iter() {
        let place = format!("links.{from}");
        let to = texts(&place, part(&place, to)?)?;
        for name in &to {
            if links.get_text(name).is_none() {
                let near = hint(name.as_str(), links.iter().map(|(key, _)| key.as_str()));
                return Err(format!("`{place}` names `{name}`, which `links` lacks{near}"));
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

/// The places that hold all of some names, in an order.
///
/// `places`: place -> list of names. `names`: a list of texts. `order`: a list of places; others are passed over. Error: a place that is not there.
///
/// # Example
/// `places_of(#{ ford: ["red", "blue"], hills: ["blue"], marsh: ["blue", "red"] }, ["red", "blue"], ["marsh", "hills", "ford"])` is `["marsh", "ford"]`
#[apply(primitive!)]
pub fn places_of(places: &Map, names: &[Value], order: &[Value]) -> Checked<Vec<Value>> {
    let names = texts("names", names)?;
    let mut found = Vec::new();
    for place in order {
        let there = at(places, place)?;
        charge((there.len() as u64).saturating_mul(names.len() as u64));
        if names.iter().all(|name| there.iter().any(|one| one.as_text() == Some(name))) {
            found.push(place.clone());
        }
    }
    Ok(found)
}

fn at<'v>(places: &'v Map, place: &Value) -> Checked<&'v [Value]> {
    let place = text("order", place)?;
    let names = entry("places", places, place)?;
    let list: &[Value] = part(format_args!("places.{place}"), names)?;
    charge(1 + list.len() as u64 / 4);
    Ok(list)
}
