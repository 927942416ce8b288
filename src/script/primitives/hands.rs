//! Draws cards from a hand. A hand is a list.

use crate::script::machine::value::{List, Value};
use macro_rules_attribute::apply;

use super::primitive::{Primitive, primitive};
use super::read_arguments::{Checked, find};

pub(super) const FAMILY: &[Primitive] = &[draw::PRIMITIVE];

/// Takes a card from a hand and returns the card. Changes `hand` itself.
///
/// `hand`: a list. `card`: what to take; of several alike the first goes. Error: it is not there.
///
/// # Example
/// `let hand = ["salt", "ochre"]; let card = hand.draw("salt"); [card, hand]` is `["salt", ["ochre"]]`
#[apply(primitive!)]
pub fn draw(hand: &mut List, card: &Value) -> Checked<Value> {
    let place = find("draw", "hand", hand, card)?;
    Ok(hand.remove(place))
}
