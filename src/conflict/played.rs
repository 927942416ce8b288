//! What is known of a conflict as programs get it: its scenario, outcome, history and events.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Play, Position};
use crate::game::{Action, Value};
use crate::render::ErrorReport;

/// A conflict that was played, or the part of it that was.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Played {
    /// The system.
    pub system: String,
    /// The scenario.
    pub scenario: String,
    /// The seed of chance and of agents.
    pub seed: u64,
    /// The outcome as the rules gave it; null where it is not over.
    pub outcome: Option<Value>,
    /// All answers of players and of chance; those to one joint decision follow each other.
    pub history: Vec<Action>,
    /// What the rules announced, in order.
    pub events: Vec<String>,
    /// Why a saved history does not continue as it did, if it does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorReport>,
    /// Whether a saved history has the outcome that it had; left out where it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same: Option<bool>,
}

impl Play {
    /// The outcome as the rules gave it, where it is over.
    pub fn outcome(&self) -> Option<&Value> {
        match self.position() {
            Position::Over { outcome, .. } => Some(outcome.value()),
            Position::Asked(_) => None,
        }
    }

    /// What was played so far.
    pub fn played(&self) -> Played {
        Played {
            system: self.conflict.scenario.system.clone(),
            scenario: self.conflict.scenario.name.clone(),
            seed: self.seed,
            outcome: self.outcome().cloned(),
            history: self.history().actions().cloned().collect(),
            events: self.events().iter().map(|heard| heard.text.clone()).collect(),
            error: None,
            same: None,
        }
    }
}
