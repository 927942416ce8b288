//! Finds the places that hold names. Places are a map place -> list of names.

use crate::script::machine::value::{Map, Value};
use macro_rules_attribute::apply;

use super::primitive::{Primitive, primitive};
use super::read_arguments::{Checked, entry, fail, show, text, texts};
use crate::script::sandbox::fuel::charge;

pub(super) const FAMILY: &[Primitive] = &[places_of::PRIMITIVE];

/// The places that hold all of some names, in an order.
///
/// `places`: place -> list of names. `names`: a list of texts. `order`: a list of places; others are passed over. Error: a place that is not there.
///
/// # Example
/// `places_of(#{ ford: ["red", "blue"], hills: ["blue"], marsh: ["blue", "red"] }, ["red", "blue"], ["marsh", "hills", "ford"])` is `["marsh", "ford"]`
#[apply(primitive!)]
pub fn places_of(places: &Map, names: &[Value], order: &[Value]) -> Checked<Vec<Value>> {
    const NAME: &str = "places_of";
    let names = texts(NAME, "names", names)?;
    let mut found = Vec::new();
    for place in order {
        let there = at(NAME, places, place)?;
        charge((there.len() as u64).saturating_mul(names.len() as u64));
        if names.iter().all(|name| there.iter().any(|one| one.as_text() == Some(name))) {
            found.push(place.clone());
        }
    }
    Ok(found)
}

fn at<'v>(function: &str, places: &'v Map, place: &Value) -> Checked<&'v [Value]> {
    let place = text(function, "order", place)?;
    let names = entry(function, "places", places, place)?;
    let Some(list) = names.as_list() else {
        return fail(function, format!("`places.{place}` must be a list, got {}", show(names)));
    };
    charge(1 + list.len() as u64 / 4);
    Ok(list)
}
