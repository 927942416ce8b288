//! The course of a line of play: its history, its events and its current position.

use std::cell::RefCell;
use std::rc::Rc;

use super::people::{Desk, Halt};
use super::{Play, Position};
use crate::error::Error;
use crate::game::History;
use crate::handlers::{Replay, TimedEvent};

/// A line of play from its start to its current position.
#[derive(Clone, Debug)]
pub struct Course {
    /// What was decided and what fell.
    pub history: History,
    /// What was announced.
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
        let desk = Rc::new(RefCell::new(Desk::default()));
        let replay = Replay::new(history, Halt(desk.clone()));
        let (position, history, events) = self.follow_to_end(replay, &desk)?;
        Ok(Course { history, events, position })
    }
}
