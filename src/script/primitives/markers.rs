//! Whose marker lies where? Markers come out of supplies, lie on places, and are captured.
//!
//! All functions work on one map: `owners`, place -> the name whose marker lies there, or the word
//! for a place that bears none; `supply`, name -> markers left; `kept`, name -> markers captured.
//! What else the map holds is left alone.

use rhai::Module;
use rhai::plugin::*;
use rhai::{Array, Dynamic, INT, ImmutableString, Map};

use super::values::{Changed, Checked, amount, entry, error, fail, no_entry, show, texts};
use crate::script::meter::charge;

/// Adds this family to a module.
pub(super) fn register(module: &mut Module) {
    combine_with_exported_module!(module, "markers", functions);
}

#[export_module]
mod functions {
    use super::*;

    /// Puts a marker out of a player's supply on a place; with none left the place is neutral. Says whether there was one. Changes `markers` itself.
    ///
    /// `markers`: a map with `owners`, place -> name, and `supply`, name -> whole number of 0 or more.
    /// `place`: a text. `player`: a name that the supply has. `neutral`: the word for a place without a marker.
    ///
    /// # Example
    /// `let m = #{ owners: #{}, supply: #{ red: 1 } }; m.put_marker("hill", "red", "-"); m` is `#{ owners: #{ hill: "red" }, supply: #{ red: 0 } }`
    /// `let m = #{ owners: #{}, supply: #{ red: 0 } }; [m.put_marker("hill", "red", "-"), m.owners]` is `[false, #{ hill: "-" }]`
    #[rhai_fn(return_raw)]
    pub fn put_marker(
        markers: &mut Changed<Map>,
        place: &str,
        player: ImmutableString,
        neutral: ImmutableString,
    ) -> Checked<bool> {
        put("put_marker", markers, place, player, neutral)
    }

    /// Captures a place that bears somebody else's marker: the player keeps that marker and puts one of their own there. Changes `markers` itself.
    ///
    /// `markers`: as for `put_marker`, and with `kept`, name -> whole number. `place`, `player`, `neutral`: as there.
    /// A neutral place gives no marker to keep. With no marker left the place is neutral.
    /// The result is who owned the place. Where there is nothing to capture, no entry in `owners` or the player's own, it is `()` and nothing changes.
    ///
    /// # Example
    /// `let m = #{ owners: #{ hill: "blue" }, supply: #{ red: 2 }, kept: #{ red: 0 } }; m.capture("hill", "red", "-"); m` is `#{ owners: #{ hill: "red" }, supply: #{ red: 1 }, kept: #{ red: 1 } }`
    /// `let m = #{ owners: #{ hill: "red" }, supply: #{ red: 2 }, kept: #{ red: 0 } }; m.capture("hill", "red", "-")` is `()`
    #[rhai_fn(return_raw)]
    pub fn capture(
        markers: &mut Changed<Map>,
        place: &str,
        player: ImmutableString,
        neutral: ImmutableString,
    ) -> Checked<Dynamic> {
        let owner = {
            let owners = part("capture", markers, "owners")?;
            match owners.get(place) {
                Some(owner) => name("capture", place, owner)?,
                None => return Ok(Dynamic::UNIT),
            }
        };
        if owner == player {
            return Ok(Dynamic::UNIT);
        }
        if owner != neutral {
            add("capture", markers, "kept", &player, 1)?;
        }
        put("capture", markers, place, player, neutral)?;
        Ok(owner.into())
    }

    /// Takes every marker of a player off its place, which is neutral then, and returns how many. They go to nobody. Changes `markers` itself.
    ///
    /// `markers`: a map with `owners`, place -> name. `player`: a name. `neutral`: the word for a place without a marker.
    ///
    /// # Example
    /// `let m = #{ owners: #{ hill: "red", ford: "blue" } }; [m.lose_markers("red", "-"), m.owners]` is `[1, #{ hill: "-", ford: "blue" }]`
    #[rhai_fn(return_raw)]
    pub fn lose_markers(
        markers: &mut Changed<Map>,
        player: ImmutableString,
        neutral: ImmutableString,
    ) -> Checked<INT> {
        let mut owners = part_mut("lose_markers", markers, "owners")?;
        charge(owners.len() as u64 / 4);
        let mut lost = 0;
        for owner in owners.values_mut() {
            if owner.as_immutable_string_ref().is_ok_and(|owner| *owner == player) {
                *owner = neutral.clone().into();
                lost += 1;
            }
        }
        Ok(lost)
    }

    /// Takes the markers off some places back into their owners' supplies, and says which lay where. Changes `markers` itself.
    ///
    /// `markers`: a map with `owners`, place -> name, and `supply`, name -> whole number. `places`: a list of texts, each once.
    /// The result is a map name -> places, in the order given, with every name that the supply has.
    /// Places that bear no marker of such a name are passed over. Those that did stay under the old name until a marker is put there.
    ///
    /// # Example
    /// `let m = #{ owners: #{ hill: "red", ford: "-" }, supply: #{ red: 0, blue: 3 } }; [m.take_back(["ford", "hill", "moor"]), m.supply]` is `[#{ red: ["hill"], blue: [] }, #{ red: 1, blue: 3 }]`
    #[rhai_fn(return_raw)]
    pub fn take_back(markers: &mut Changed<Map>, places: Array) -> Checked<Map> {
        let mut taken: Map = part("take_back", markers, "supply")?
            .keys()
            .map(|name| (name.clone(), Dynamic::from_array(Array::new())))
            .collect();
        for place in texts("take_back", "places", &places)? {
            let owner = {
                let owners = part("take_back", markers, "owners")?;
                match owners.get(place.as_str()) {
                    Some(owner) => name("take_back", &place, owner)?,
                    None => continue,
                }
            };
            if let Some(mut list) =
                taken.get_mut(owner.as_str()).and_then(|l| l.write_lock::<Array>())
            {
                list.push(place.into());
                add("take_back", markers, "supply", &owner, 1)?;
            }
        }
        Ok(taken)
    }
}

type Part<'a> = rhai::DynamicReadLock<'a, Map>;
type PartMut<'a> = rhai::DynamicWriteLock<'a, Map>;

/// A map within the markers, to look at.
fn part<'a>(function: &str, markers: &'a Map, key: &str) -> Checked<Part<'a>> {
    let part = entry(function, "markers", markers, key)?;
    part.read_lock::<Map>().ok_or_else(|| no_map(function, key, part))
}

/// A map within the markers, to change.
fn part_mut<'a>(function: &str, markers: &'a mut Map, key: &str) -> Checked<PartMut<'a>> {
    if let Some(part) = markers.get_mut(key).and_then(|part| part.write_lock::<Map>()) {
        return Ok(part);
    }
    fail(function, format!("`markers` must have a map `{key}`"))
}

fn no_map(function: &str, key: &str, part: &Dynamic) -> Box<EvalAltResult> {
    error(function, format!("`markers.{key}` must be a map, got {}", show(part)))
}

fn name(function: &str, place: &str, owner: &Dynamic) -> Checked<ImmutableString> {
    match owner.as_immutable_string_ref() {
        Ok(owner) => Ok(owner.clone()),
        Err(_) => {
            fail(function, format!("`markers.owners.{place}` must be a text, got {}", show(owner)))
        }
    }
}

/// Adds to a player's count; returns what it was.
fn add(function: &str, markers: &mut Map, key: &str, player: &str, more: INT) -> Checked<INT> {
    let mut counts = part_mut(function, markers, key)?;
    let Some(count) = counts.get_mut(player) else {
        return Err(no_entry(function, key, &counts, player));
    };
    let before = amount(function, format_args!("markers.{key}.{player}"), count)?;
    let Some(after) = before.checked_add(more) else {
        return fail(function, format!("`markers.{key}.{player}` is too large"));
    };
    if after >= 0 {
        *count = after.into();
    }
    Ok(before)
}

fn put(
    function: &str,
    markers: &mut Map,
    place: &str,
    player: ImmutableString,
    neutral: ImmutableString,
) -> Checked<bool> {
    let there = add(function, markers, "supply", &player, -1)? > 0;
    let owner = if there { player } else { neutral };
    let mut owners = part_mut(function, markers, "owners")?;
    match owners.get_mut(place) {
        Some(before) => *before = owner.into(),
        None => {
            owners.insert(place.into(), owner.into());
        }
    }
    Ok(there)
}
