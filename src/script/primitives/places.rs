//! Who stands where, and where does nobody? Places are a map place -> list of names.

use rhai::Module;
use rhai::plugin::*;
use rhai::{Array, Dynamic, ImmutableString, Map};

use super::values::{Checked, entry, fail, show, text, texts};
use crate::script::meter::charge;

/// Adds this family to a module.
pub(super) fn register(module: &mut Module) {
    combine_with_exported_module!(module, "places", functions);
}

#[export_module]
mod functions {
    use super::*;

    /// The places where all of some names stand, in an order.
    ///
    /// `places`: place -> list of names. `names`: a list of texts. `order`: a list of places; others are passed over. Error: a place that is not there.
    ///
    /// # Example
    /// `places_of(#{ ford: ["red", "blue"], hills: ["blue"], marsh: ["blue", "red"] }, ["red", "blue"], ["marsh", "hills", "ford"])` is `["marsh", "ford"]`
    #[rhai_fn(return_raw, pure)]
    pub fn places_of(places: &mut Map, names: Array, order: Array) -> Checked<Array> {
        const NAME: &str = "places_of";
        let names = texts(NAME, "names", &names)?;
        let mut found = Array::new();
        for place in order {
            let place: ImmutableString = text(NAME, "order", &place)?;
            let there = list(NAME, &place, entry(NAME, "places", places, &place)?)?;
            charge((there.len() as u64).saturating_mul(names.len() as u64));
            if names.iter().all(|name| stands(&there, name)) {
                found.push(place.into());
            }
        }
        Ok(found)
    }

    /// The places where nobody stands, in an order.
    ///
    /// `places`: place -> list of names. `order`: a list of places; others are passed over. Error: a place that is not there.
    ///
    /// # Example
    /// `empty_places(#{ ford: ["red"], hills: [], marsh: [] }, ["marsh", "ford"])` is `["marsh"]`
    #[rhai_fn(return_raw, pure)]
    pub fn empty_places(places: &mut Map, order: Array) -> Checked<Array> {
        const NAME: &str = "empty_places";
        let mut found = Array::new();
        for place in order {
            let name = text(NAME, "order", &place)?;
            if list(NAME, &name, entry(NAME, "places", places, &name)?)?.is_empty() {
                found.push(place);
            }
        }
        Ok(found)
    }
}

/// The names at a place.
fn list<'a>(
    function: &str,
    place: &str,
    names: &'a Dynamic,
) -> Checked<impl std::ops::Deref<Target = Array> + 'a> {
    let Ok(list) = names.as_array_ref() else {
        return fail(function, format!("`places.{place}` must be a list, got {}", show(names)));
    };
    charge(1 + list.len() as u64 / 4);
    Ok(list)
}

fn stands(names: &Array, name: &str) -> bool {
    names.iter().any(|one| one.as_immutable_string_ref().is_ok_and(|one| one.as_str() == name))
}
