//! Compares touching sides of tiles, and turns tiles.

use macro_rules_attribute::apply;

use super::grid::place_of;
use crate::script::machine::value::{Text, Value};

use super::primitive::{Primitive, family, primitive};
use super::read_arguments::{Checked, hint, must_be, show};

pub(super) const FAMILY: &[Primitive] = family! { compare_edges, turn_tile, side_of };

/// By how much the attacking side beats the defending one: below 0 it loses, at 0 they are equal.
///
/// `attacker`, `defender`: a whole number, or a word of `precedence`.
/// `precedence`: a list of rows `[attacker, defender, margin]`, of which the first that fits decides. A
/// row names a number, a word, or `"any"`, which fits every side. Where no row fits, the margin is the
/// attacker's number less the defender's.
///
/// Errors: a row of another shape, a word that no row names, a word where no row fits, a difference too large.
///
/// # Example
/// `compare_edges(3, 5, [])` is `-2`
/// `compare_edges(5, "barrier", [["any", "barrier", -1]])` is `-1`
/// `compare_edges("piercer", "barrier", [["piercer", "barrier", 9], ["any", "barrier", -1]])` is `9`
#[apply(primitive!)]
pub fn compare_edges(attacker: &Value, defender: &Value, precedence: &[Value]) -> Checked<i64> {
    let mut decided = None;
    let mut known = [check_side("attacker", attacker)?, check_side("defender", defender)?];
    for (i, row) in precedence.iter().enumerate() {
        let Some([first, second, Value::Int(margin)]) = row.as_list() else {
            let wanted = "`[attacker, defender, margin]`, with a whole number as margin";
            return Err(must_be(wanted, format_args!("precedence[{i}]"), row));
        };
        known[0] = known[0] || first.same(attacker) || second.same(attacker);
        known[1] = known[1] || first.same(defender) || second.same(defender);
        if decided.is_none() && fits(first, attacker) && fits(second, defender) {
            decided = Some(*margin);
        }
    }
    for (side, known) in [attacker, defender].into_iter().zip(known) {
        if !known {
            let near = hint(side.as_text().map_or("", Text::as_str), words(precedence));
            return Err(format!("no row of `precedence` names {}{near}", show(side)));
        }
    }
    match (decided, attacker, defender) {
        (Some(margin), ..) => Ok(margin),
        (None, Value::Int(attacker), Value::Int(defender)) => {
            attacker.checked_sub(*defender).ok_or_else(|| "the difference is too large".to_owned())
        }
        _ => {
            let (attacker, defender) = (show(attacker), show(defender));
            Err(format!("no row of `precedence` fits {attacker} against {defender}"))
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
        return Err(format!("`sides` must be a list of 4, got {}", sides.len()));
    }
    Ok(sides[place_of(direction)?].clone())
}

/// Fits every side in a row of precedence.
const ANY: &str = "any";

/// Whether a side is a number, which needs no row.
fn check_side(role: &str, side: &Value) -> Checked<bool> {
    match side {
        Value::Int(_) => Ok(true),
        Value::Text(word) if word.as_str() != ANY => Ok(false),
        _ => Err(must_be("a whole number or a word", role, side)),
    }
}

fn fits(pattern: &Value, side: &Value) -> bool {
    pattern.as_text().is_some_and(|word| word.as_str() == ANY) || pattern.same(side)
}

/// Every word that the rows name.
fn words(precedence: &[Value]) -> impl Iterator<Item = &str> {
    let sides = precedence.iter().filter_map(Value::as_list).flat_map(|row| row.iter());
    sides.filter_map(Value::as_text).map(Text::as_str)
}
