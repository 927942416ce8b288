//! Who stands where, and who holds how much of it? Places are a map place -> list of names.

use rhai::Module;
use rhai::plugin::*;
use rhai::{Array, Dynamic, INT, ImmutableString, Map};

use super::values::{Checked, entry, error, fail, show, text, texts};
use crate::script::meter::charge;

/// Adds this family to a module.
pub(super) fn register(module: &mut Module) {
    combine_with_exported_module!(module, "places", functions);
}

#[export_module]
mod functions {
    use super::*;

    /// What a name holds of some places: so much for each where it stands alone, and so much for each where others stand too.
    ///
    /// `places`: place -> list of names. `name`: a text. `alone`, `shared`: whole numbers.
    ///
    /// # Example
    /// `held_by(#{ ford: ["red", "blue"], hills: ["red"], marsh: [] }, "red", 2, 1)` is `3`
    #[rhai_fn(return_raw, pure)]
    pub fn held_by(places: &mut Map, name: &str, alone: INT, shared: INT) -> Checked<INT> {
        const NAME: &str = "held_by";
        let mut sum: INT = 0;
        for (place, names) in places.iter() {
            let names = list(NAME, place, names)?;
            if stands(&names, name) {
                let worth = if names.len() == 1 { alone } else { shared };
                sum = sum
                    .checked_add(worth)
                    .ok_or_else(|| error(NAME, format!("`{name}` holds too much")))?;
            }
        }
        Ok(sum)
    }

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
