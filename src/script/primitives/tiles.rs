//! Which of two touching sides beats the other, and how do sides lie when turned?

use rhai::Module;
use rhai::plugin::*;
use rhai::{Array, Dynamic, DynamicReadLock, INT, ImmutableString, Map};

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
        Rules::read("compare_edges", &rules)?.beats(&attacker, &defender)
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

/// The rules as read from the map, whose lists they only look at.
struct Rules<'a> {
    function: &'static str,
    map: &'a Map,
    never_attacks: Words<'a>,
    beats: Option<DynamicReadLock<'a, Map>>,
    never_beaten: Words<'a>,
    beats_all: Words<'a>,
    loses_to_all: Words<'a>,
    ties_win: bool,
}

/// A list of words, or none.
type Words<'a> = Option<DynamicReadLock<'a, Array>>;

const KEYS: [&str; 6] =
    ["never_attacks", "beats", "never_beaten", "beats_all", "loses_to_all", "ties_win"];

impl<'a> Rules<'a> {
    fn read(function: &'static str, map: &'a Map) -> Checked<Rules<'a>> {
        let mut rules = Rules {
            function,
            map,
            never_attacks: None,
            beats: None,
            never_beaten: None,
            beats_all: None,
            loses_to_all: None,
            ties_win: false,
        };
        let wrong = |key: &str, expected: &str, value: &Dynamic| {
            error(function, format!("`rules.{key}` must be {expected}, got {}", show(value)))
        };
        let words = |key: &str, value: &'a Dynamic| {
            let list = value.read_lock::<Array>();
            list.map(Some).ok_or_else(|| wrong(key, "a list", value))
        };
        for (key, value) in map {
            match key.as_str() {
                "never_attacks" => rules.never_attacks = words(key, value)?,
                "never_beaten" => rules.never_beaten = words(key, value)?,
                "beats_all" => rules.beats_all = words(key, value)?,
                "loses_to_all" => rules.loses_to_all = words(key, value)?,
                "beats" => {
                    let pairs =
                        value.read_lock::<Map>().ok_or_else(|| wrong(key, "a map", value))?;
                    if let Some((word, other)) = pairs.iter().find(|(_, list)| !list.is_array()) {
                        return Err(wrong(&format!("beats.{word}"), "a list", other));
                    }
                    rules.beats = Some(pairs);
                }
                "ties_win" => {
                    rules.ties_win =
                        value.as_bool().map_err(|_| wrong(key, "true or false", value))?;
                }
                _ => {
                    let near = hint(key, KEYS);
                    return fail(function, format!("`rules` has no key `{key}`{near}"));
                }
            }
        }
        Ok(rules)
    }

    /// Does the attacking side beat the defending one?
    fn beats(&self, attacker: &Dynamic, defender: &Dynamic) -> Checked<bool> {
        self.known("attacker", attacker)?;
        self.known("defender", defender)?;
        if has(&self.never_attacks, attacker) {
            return Ok(false);
        }
        if self.names(attacker, defender) {
            return Ok(true);
        }
        if has(&self.never_beaten, defender) {
            return Ok(false);
        }
        if has(&self.beats_all, attacker) || has(&self.loses_to_all, defender) {
            return Ok(true);
        }
        match (attacker.as_int(), defender.as_int()) {
            (Ok(attacker), Ok(defender)) => {
                Ok(attacker > defender || (attacker == defender && self.ties_win))
            }
            (attack, _) => {
                let (role, word) =
                    if attack.is_err() { ("attacker", attacker) } else { ("defender", defender) };
                fail(self.function, format!("`rules` do not say how {} does as {role}", show(word)))
            }
        }
    }

    /// Does the attacker's list under `beats` name the defender?
    fn names(&self, attacker: &Dynamic, defender: &Dynamic) -> bool {
        let Some(beats) = &self.beats else { return false };
        attacker
            .as_immutable_string_ref()
            .ok()
            .and_then(|word| beats.get(word.as_str()))
            .and_then(|list| list.read_lock::<Array>())
            .is_some_and(|list| list.iter().any(|item| same(item, defender)))
    }

    /// Is a side a number, or a word of the rules?
    fn known(&self, role: &str, side: &Dynamic) -> Checked<()> {
        if side.is_int() {
            return Ok(());
        }
        let Ok(word) = side.as_immutable_string_ref() else {
            return fail(
                self.function,
                format!("`{role}` must be a whole number or a word, got {}", show(side)),
            );
        };
        let lists = [&self.never_attacks, &self.never_beaten, &self.beats_all, &self.loses_to_all];
        if lists.into_iter().any(|list| has(list, side)) {
            return Ok(());
        }
        let all = self.all_words();
        if all.contains(&*word) {
            return Ok(());
        }
        let near = hint(&word, all.iter().map(ImmutableString::as_str));
        fail(self.function, format!("`{role}` `{}` is no word of `rules`{near}", word.as_str()))
    }

    /// Every word that the rules name.
    fn all_words(&self) -> Vec<ImmutableString> {
        let mut all = Vec::new();
        let mut add = |list: &Dynamic| {
            if let Some(list) = list.read_lock::<Array>() {
                all.extend(
                    list.iter().filter_map(|item| item.clone().into_immutable_string().ok()),
                );
            }
        };
        self.map.values().for_each(&mut add);
        if let Some(beats) = &self.beats {
            beats.values().for_each(&mut add);
            all.extend(beats.keys().map(|word| ImmutableString::from(word.as_str())));
        }
        all
    }
}

fn has(list: &Words, value: &Dynamic) -> bool {
    list.as_ref().is_some_and(|list| list.iter().any(|item| same(item, value)))
}
