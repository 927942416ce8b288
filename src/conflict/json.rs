//! A conflict as JSON for programs: its scenario, its outcome, its history and its events.

use serde_json::{Value as Json, json};

use super::{Play, Standing};
use crate::game::{Action, Actor};

impl Play {
    /// The conflict for programs; without an outcome where it is not over.
    pub fn as_json(&self) -> Json {
        let outcome = match self.standing() {
            Standing::Over { outcome, .. } => Some(outcome.value()),
            Standing::Asked(_) => None,
        };
        let history: Vec<Json> = self.history().actions().map(action_as_json).collect();
        let events: Vec<&str> = self.events().iter().map(|heard| heard.text.as_str()).collect();
        json!({
            "system": self.conflict.scenario.system,
            "scenario": self.conflict.scenario.name,
            "seed": self.seed,
            "outcome": outcome,
            "history": history,
            "events": events,
        })
    }
}

fn action_as_json(action: &Action) -> Json {
    let (key, who) = match &action.actor {
        Actor::Player(player) => ("player", player),
        Actor::Chance(roller) => ("chance", roller),
    };
    json!({ key: who, "name": action.name, "action": action.value })
}
