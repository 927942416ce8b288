//! What is in a hand of cards, and how is one taken from it? A hand is a list.

use rhai::Module;
use rhai::plugin::*;
use rhai::{Array, Dynamic, INT};

use super::values::{Changed, Checked, bound, find, same};

/// Adds this family to a module.
pub(super) fn register(module: &mut Module) {
    combine_with_exported_module!(module, "hands", functions);
}

#[export_module]
mod functions {
    use super::*;

    /// Takes a card from a hand and returns the card. Changes `hand` itself.
    ///
    /// `hand`: a list. `card`: what to take; of several alike the first goes. Error: it is not there.
    ///
    /// # Example
    /// `let hand = ["salt", "ochre"]; let card = hand.draw("salt"); [card, hand]` is `["salt", ["ochre"]]`
    #[rhai_fn(return_raw)]
    pub fn draw(hand: &mut Changed<Array>, card: Dynamic) -> Checked<Dynamic> {
        let place = find("draw", "hand", hand, &card)?;
        Ok(hand.remove(place))
    }

    /// The different cards of a hand, each with how many of it there are: weights for a draw at random.
    ///
    /// `hand`: a list. The result is a list of `[card, count]`, in the order in which they first occur.
    ///
    /// # Example
    /// `hand_weights(["salt", "ochre", "salt"])` is `[["salt", 2], ["ochre", 1]]`
    #[rhai_fn(return_raw, pure)]
    pub fn hand_weights(hand: &mut Array) -> Checked<Array> {
        let mut kinds: Vec<(Dynamic, INT)> = Vec::new();
        for card in hand.iter() {
            match kinds.iter_mut().find(|(kind, _)| same(kind, card)) {
                Some((_, count)) => *count += 1,
                None => {
                    kinds.push((card.clone(), 1));
                    // Weighing the hand again at each doubling is enough.
                    if kinds.len().is_power_of_two() {
                        bound("hand_weights", hand, kinds.len())?;
                    }
                }
            }
        }
        Ok(kinds
            .into_iter()
            .map(|(card, count)| Dynamic::from_array(vec![card, Dynamic::from_int(count)]))
            .collect())
    }
}
