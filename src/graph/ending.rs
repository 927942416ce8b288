//! Endings of a conflict: result and utilities, kept once for all nodes that end alike.

use indexmap::IndexMap;

use super::question::{write_text, write_value};
use crate::game::{Outcome, Value};

/// What matters of an outcome: its result in a word, and each player's number, exactly as the
/// rules gave it.
#[derive(Clone, Debug, PartialEq)]
pub struct Ending {
    /// The result in a word.
    pub result: String,
    /// Player -> utility: a whole number, a float, or a fraction as a pair.
    pub utility: IndexMap<String, Value>,
}

impl Ending {
    /// What matters of an outcome.
    pub fn of(outcome: &Outcome) -> Ending {
        Ending { result: outcome.result.clone(), utility: outcome.exact.clone() }
    }

    /// What distinguishes this ending from others.
    pub(super) fn key(&self) -> Vec<u8> {
        let mut key = Vec::with_capacity(64);
        write_text(&self.result, &mut key);
        for (player, number) in &self.utility {
            write_text(player, &mut key);
            write_value(number, &mut key);
        }
        key
    }
}
