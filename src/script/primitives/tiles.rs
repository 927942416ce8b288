//! Compares touching sides of tiles, and turns tiles.

use macro_rules_attribute::apply;

use super::grid::place_of;
use crate::script::machine::value::{Map, Text, Value};

use super::primitive::{Primitive, primitive};
use super::read_arguments::{Checked, error, fail, hint, show};

/// The primitives of this family.
pub(super) const FAMILY: &[Primitive] =
    &[compare_edges::PRIMITIVE, turn_tile::PRIMITIVE, side_of::PRIMITIVE];

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
#[apply(primitive!)]
pub fn compare_edges(attacker: &Value, defender: &Value, rules: &Map) -> Checked<bool> {
    TileRules::read(rules)?.beats(attacker, defender)
}

/// A tile's sides after turning it clockwise by quarters.
///
/// `sides`: a list, north, east, south, west (or as many sides as the tile has). `quarter_turns`: how often by one side, below 0 counterclockwise.
/// After one turn the north is the old west.
///
/// # Example
/// `turn_tile([1, 4, 7, 3], 1)` is `[3, 1, 4, 7]`
/// `turn_tile([1, 4, 7, 3], -1)` is `[4, 7, 3, 1]`
#[apply(primitive!)]
pub fn turn_tile(sides: &[Value], quarter_turns: i64) -> Vec<Value> {
    let mut turned = sides.to_vec();
    if !turned.is_empty() {
        let turns = quarter_turns.rem_euclid(turned.len() as i64);
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
#[apply(primitive!)]
pub fn side_of(sides: &[Value], direction: &Text) -> Checked<Value> {
    if sides.len() != 4 {
        return fail("side_of", format!("`sides` must be a list of 4, got {}", sides.len()));
    }
    Ok(sides[place_of("side_of", direction)?].clone())
}

/// The rules as read from the map, whose lists they only look at.
struct TileRules<'v> {
    map: &'v Map,
    never_attacks: &'v [Value],
    beats: Option<&'v Map>,
    never_beaten: &'v [Value],
    beats_all: &'v [Value],
    loses_to_all: &'v [Value],
    ties_win: bool,
}

const NAME: &str = "compare_edges";

const KEYS: [&str; 6] =
    ["never_attacks", "beats", "never_beaten", "beats_all", "loses_to_all", "ties_win"];

impl<'v> TileRules<'v> {
    fn read(map: &'v Map) -> Checked<TileRules<'v>> {
        let mut rules = TileRules {
            map,
            never_attacks: &[],
            beats: None,
            never_beaten: &[],
            beats_all: &[],
            loses_to_all: &[],
            ties_win: false,
        };
        let wrong = |key: &str, expected: &str, value: &Value| {
            error(NAME, format!("`rules.{key}` must be {expected}, got {}", show(value)))
        };
        let words = |key: &str, value: &'v Value| {
            value.as_list().ok_or_else(|| wrong(key, "a list", value))
        };
        for (key, value) in map.iter() {
            let key = key.as_str();
            match key {
                "never_attacks" => rules.never_attacks = words(key, value)?,
                "never_beaten" => rules.never_beaten = words(key, value)?,
                "beats_all" => rules.beats_all = words(key, value)?,
                "loses_to_all" => rules.loses_to_all = words(key, value)?,
                "beats" => {
                    let pairs = value.as_map().ok_or_else(|| wrong(key, "a map", value))?;
                    for (word, list) in pairs.iter() {
                        words(&format!("beats.{word}"), list)?;
                    }
                    rules.beats = Some(pairs);
                }
                "ties_win" => match value {
                    Value::Bool(truth) => rules.ties_win = *truth,
                    _ => return Err(wrong(key, "true or false", value)),
                },
                _ => {
                    let near = hint(key, KEYS);
                    return fail(NAME, format!("`rules` has no key `{key}`{near}"));
                }
            }
        }
        Ok(rules)
    }

    /// Does the attacking side beat the defending one?
    fn beats(&self, attacker: &Value, defender: &Value) -> Checked<bool> {
        self.known("attacker", attacker)?;
        self.known("defender", defender)?;
        if has(self.never_attacks, attacker) {
            return Ok(false);
        }
        if self.names(attacker, defender) {
            return Ok(true);
        }
        if has(self.never_beaten, defender) {
            return Ok(false);
        }
        if has(self.beats_all, attacker) || has(self.loses_to_all, defender) {
            return Ok(true);
        }
        let (role, word) = match (attacker, defender) {
            (Value::Int(attacker), Value::Int(defender)) => {
                return Ok(attacker > defender || (attacker == defender && self.ties_win));
            }
            (Value::Int(_), _) => ("defender", defender),
            _ => ("attacker", attacker),
        };
        fail(NAME, format!("`rules` do not say how {} does as {role}", show(word)))
    }

    /// Does the attacker's list under `beats` name the defender?
    fn names(&self, attacker: &Value, defender: &Value) -> bool {
        let list =
            self.beats.zip(attacker.as_text()).and_then(|(beats, word)| beats.get_text(word));
        list.and_then(Value::as_list).is_some_and(|list| has(list, defender))
    }

    /// Is a side a number, or a word of the rules?
    fn known(&self, role: &str, side: &Value) -> Checked<()> {
        let word = match side {
            Value::Int(_) => return Ok(()),
            Value::Text(word) => word,
            _ => {
                let got = show(side);
                return fail(NAME, format!("`{role}` must be a whole number or a word, got {got}"));
            }
        };
        let lists = [self.never_attacks, self.never_beaten, self.beats_all, self.loses_to_all];
        if lists.into_iter().any(|list| has(list, side)) {
            return Ok(());
        }
        let all = self.all_words();
        if all.contains(&word) {
            return Ok(());
        }
        let near = hint(word.as_str(), all.into_iter().map(Text::as_str));
        fail(NAME, format!("`{role}` `{word}` is not a word of `rules`{near}"))
    }

    /// Every word that the rules name.
    fn all_words(&self) -> Vec<&'v Text> {
        let words = |(_, list): (&'v Text, &'v Value)| {
            list.as_list().unwrap_or_default().iter().filter_map(Value::as_text)
        };
        let mut all: Vec<&Text> = self.map.iter().flat_map(words).collect();
        if let Some(beats) = self.beats {
            all.extend(beats.iter().flat_map(words));
            all.extend(beats.iter().map(|(word, _)| word));
        }
        all
    }
}

fn has(list: &[Value], value: &Value) -> bool {
    list.iter().any(|item| item.same(value))
}
