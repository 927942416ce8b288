//! Which of two touching sides beats the other, and how do a tile's sides lie when it is turned?

use rhai::Module;
use rhai::plugin::*;
use rhai::{Array, Dynamic, INT, ImmutableString, Map};

use super::grid::place_of;
use super::values::{Checked, error, fail, hint, same, show};

/// Adds this family to a module.
pub(super) fn register(module: &mut Module) {
    combine_with_exported_module!(module, "tiles", functions);
}

#[export_module]
mod functions {
    use super::*;

    /// Says whether the attacking side beats the defending one; of the rules the first that fits decides.
    ///
    /// `attacker`, `defender`: a whole number, or a word that the rules name.
    /// `rules`: a map; each key may be left out. In this order:
    /// 1. `never_attacks`: a list. An attacker in it loses.
    /// 2. `beats`: a map word -> list. An attacker beats what its list names.
    /// 3. `never_beaten`: a list. Against a defender in it the attacker loses.
    /// 4. `beats_all`: a list. An attacker in it wins.
    /// 5. `loses_to_all`: a list. Against a defender in it the attacker wins.
    /// 6. Numbers: the greater wins; equal ones by `ties_win` (`false` if left out).
    ///
    /// Errors: a word that the rules do not name, a word where only numbers are left to decide, an unknown key.
    ///
    /// # Example
    /// `compare_edges(5, 3, #{})` is `true`
    /// `compare_edges(5, 5, #{ ties_win: true })` is `true`
    /// `compare_edges(5, "barrier", #{ never_attacks: ["barrier"], never_beaten: ["barrier"] })` is `false`
    /// `compare_edges("piercer", "barrier", #{ beats: #{ piercer: ["barrier"] }, never_beaten: ["barrier"] })` is `true`
    #[rhai_fn(return_raw)]
    pub fn compare_edges(attacker: Dynamic, defender: Dynamic, rules: Map) -> Checked<bool> {
        let rules = Rules::read(&rules)?;
        rules.known("attacker", &attacker)?;
        rules.known("defender", &defender)?;
        if has(&rules.never_attacks, &attacker) {
            return Ok(false);
        }
        if rules.beats.iter().any(|(word, list)| is(&attacker, word) && has(list, &defender)) {
            return Ok(true);
        }
        if has(&rules.never_beaten, &defender) {
            return Ok(false);
        }
        if has(&rules.beats_all, &attacker) || has(&rules.loses_to_all, &defender) {
            return Ok(true);
        }
        match (attacker.as_int(), defender.as_int()) {
            (Ok(attacker), Ok(defender)) => {
                Ok(attacker > defender || (attacker == defender && rules.ties_win))
            }
            (attack, _) => {
                let (role, word) =
                    if attack.is_err() { ("attacker", &attacker) } else { ("defender", &defender) };
                fail(
                    "compare_edges",
                    format!("`rules` do not say how {} does as {role}", show(word)),
                )
            }
        }
    }

    /// A tile's sides after turning it clockwise by quarters.
    ///
    /// `sides`: a list, north, east, south, west (or as many sides as the tile has). `quarter_turns`: how often by one side, below 0 counterclockwise.
    /// After one turn the north is the old west.
    ///
    /// # Example
    /// `turn_tile([1, 4, 7, 3], 1)` is `[3, 1, 4, 7]`
    /// `turn_tile([1, 4, 7, 3], -1)` is `[4, 7, 3, 1]`
    #[rhai_fn(pure)]
    pub fn turn_tile(sides: &mut Array, quarter_turns: INT) -> Array {
        let mut turned = sides.clone();
        if !turned.is_empty() {
            let turns = quarter_turns.rem_euclid(turned.len() as INT);
            turned.rotate_right(turns as usize);
        }
        turned
    }

    /// A tile's side in a direction.
    ///
    /// `sides`: a list of four, north, east, south, west. `direction`: one of these words. Errors: not four sides, an unknown direction.
    ///
    /// # Example
    /// `side_of([5, 2, "barrier", "piercer"], "south")` is `"barrier"`
    #[rhai_fn(return_raw, pure)]
    pub fn side_of(sides: &mut Array, direction: &str) -> Checked<Dynamic> {
        if sides.len() != 4 {
            return fail("side_of", format!("`sides` must be a list of 4, got {}", sides.len()));
        }
        Ok(sides[place_of("side_of", direction)?].clone())
    }
}

/// The rules as read from the map.
#[derive(Default)]
struct Rules {
    never_attacks: Array,
    beats: Vec<(ImmutableString, Array)>,
    never_beaten: Array,
    beats_all: Array,
    loses_to_all: Array,
    ties_win: bool,
}

const KEYS: [&str; 6] =
    ["never_attacks", "beats", "never_beaten", "beats_all", "loses_to_all", "ties_win"];

impl Rules {
    fn read(map: &Map) -> Checked<Rules> {
        let mut rules = Rules::default();
        for (key, value) in map {
            match key.as_str() {
                "never_attacks" => rules.never_attacks = words(key, value)?,
                "never_beaten" => rules.never_beaten = words(key, value)?,
                "beats_all" => rules.beats_all = words(key, value)?,
                "loses_to_all" => rules.loses_to_all = words(key, value)?,
                "beats" => {
                    let pairs = value.as_map_ref().map_err(|_| wrong(key, "a map", value))?;
                    for (word, list) in pairs.iter() {
                        let place = format!("beats.{word}");
                        rules.beats.push((word.as_str().into(), words(&place, list)?));
                    }
                }
                "ties_win" => {
                    rules.ties_win =
                        value.as_bool().map_err(|_| wrong(key, "true or false", value))?;
                }
                _ => {
                    let near = hint(key, KEYS);
                    return fail("compare_edges", format!("`rules` has no key `{key}`{near}"));
                }
            }
        }
        Ok(rules)
    }

    /// Is a side a number, or a word of the rules?
    fn known(&self, role: &str, side: &Dynamic) -> Checked<()> {
        if side.is_int() {
            return Ok(());
        }
        let Ok(word) = side.clone().into_immutable_string() else {
            return fail(
                "compare_edges",
                format!("`{role}` must be a whole number or a word, got {}", show(side)),
            );
        };
        let lists = [&self.never_attacks, &self.never_beaten, &self.beats_all, &self.loses_to_all];
        let listed = lists.into_iter().chain(self.beats.iter().map(|(_, list)| list));
        let mut all: Vec<ImmutableString> =
            listed.flatten().filter_map(|item| item.clone().into_immutable_string().ok()).collect();
        all.extend(self.beats.iter().map(|(word, _)| word.clone()));
        if all.contains(&word) {
            return Ok(());
        }
        let near = hint(&word, all.iter().map(ImmutableString::as_str));
        fail("compare_edges", format!("`{role}` `{word}` is no word of `rules`{near}"))
    }
}

fn words(key: &str, value: &Dynamic) -> Checked<Array> {
    value.as_array_ref().map(|list| list.clone()).map_err(|_| wrong(key, "a list", value))
}

fn wrong(key: &str, expected: &str, value: &Dynamic) -> Box<EvalAltResult> {
    error("compare_edges", format!("`rules.{key}` must be {expected}, got {}", show(value)))
}

fn has(list: &Array, value: &Dynamic) -> bool {
    list.iter().any(|item| same(item, value))
}

fn is(value: &Dynamic, word: &ImmutableString) -> bool {
    value.as_immutable_string_ref().is_ok_and(|value| *value == *word)
}
