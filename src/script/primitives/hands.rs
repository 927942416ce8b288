//! Draws cards from a hand, and weighs it. A hand is a list.

use crate::script::machine::value::{List, Value};
use macro_rules_attribute::apply;

use super::primitive::{Primitive, primitive};
use super::read_arguments::{Checked, bound, find};

/// The primitives of this family.
pub(super) const FAMILY: &[Primitive] = &[draw::PRIMITIVE, hand_weights::PRIMITIVE];

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

/// The different cards of a hand, each with how many of it there are: weights for a draw at random.
///
/// `hand`: a list. The result is a list of `[card, count]`, in the order in which they first occur.
///
/// # Example
/// `hand_weights(["salt", "ochre", "salt"])` is `[["salt", 2], ["ochre", 1]]`
#[apply(primitive!)]
pub fn hand_weights(hand: &[Value]) -> Checked<Vec<Value>> {
    let mut kinds: Vec<(&Value, i64)> = Vec::new();
    for card in hand {
        match kinds.iter_mut().find(|(kind, _)| kind.same(card)) {
            Some((_, count)) => *count += 1,
            None => {
                kinds.push((card, 1));
                // Weighing the hand again at each doubling is enough.
                if kinds.len().is_power_of_two() {
                    bound("hand_weights", hand, kinds.len())?;
                }
            }
        }
    }
    let weight = |(card, count): (&Value, i64)| Value::list(vec![card.clone(), Value::Int(count)]);
    Ok(kinds.into_iter().map(weight).collect())
}
