//! What programs get of a line of play: history, events, position, outcome.

use serde::Serialize;

use super::{Play, Position};
use crate::error::Error;
use crate::game::{Action, History, Record, TimedEvent, Value};
use crate::report::ErrorReport;

/// A line of play from its start to its current position.
#[derive(Clone, Debug)]
pub struct Course {
    /// What was decided and what fell.
    pub history: History,
    pub(crate) events: Vec<TimedEvent>,
    /// The current position.
    pub position: Position,
}

impl Play {
    /// The course of the line that is played.
    pub fn course(&self) -> Course {
        let (events, position) = (self.events().to_vec(), self.position().clone());
        Course { history: self.history(), events, position }
    }

    /// The course of another line; the one that is played does not change.
    pub(crate) fn course_of(&self, name: &str) -> Result<Course, Error> {
        if name == self.line_name() {
            return Ok(self.course());
        }
        let known = || self.lines().into_iter().map(|(name, ..)| name);
        let line = self.line(name).ok_or_else(|| Error::unknown("fork", name, known()))?;
        self.course_after(line.played())
    }

    /// Where a history leads.
    pub(super) fn position_after(&self, history: &History) -> Result<Position, Error> {
        self.course_after(history.clone()).map(|course| course.position)
    }

    fn course_after(&self, history: History) -> Result<Course, Error> {
        let ran = self.run(history, None)?;
        let (position, Record { history, events, .. }) = (ran.position(), ran.record);
        Ok(Course { history, events, position })
    }
}

/// A conflict that was played, or the part of it that was.
#[derive(Clone, Debug, Serialize)]
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
