//! How can a conflict end? Result and utilities, kept once for all nodes that end so.

use indexmap::IndexMap;

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
        let table = outcome.value().get("utility").and_then(Value::as_map);
        Ending { result: outcome.result.clone(), utility: table.cloned().unwrap_or_default() }
    }

    /// What tells this ending from others.
    pub(super) fn key(&self) -> Vec<u8> {
        let mut key = Value::from(&*self.result).literal();
        for (player, number) in &self.utility {
            key.push_str(&Value::from(&**player).literal());
            key.push_str(&number.literal());
        }
        key.into_bytes()
    }
}
