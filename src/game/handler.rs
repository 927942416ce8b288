//! The `Handler` trait, which every interpreter of a script implements to answer its questions.

use super::{Chance, Decision};
use crate::error::Error;

/// Why a handler does not answer.
#[derive(Debug)]
pub enum Stop {
    /// It wants the playout to unwind here: a person takes back, the prompt waits.
    Pause,
    /// It cannot answer, and the playout fails with this error.
    Fail(Box<Error>),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Fail(Box::new(error))
    }
}

impl From<Stop> for Error {
    /// A playout's end without an outcome; a pause ends it too if nobody can resume it.
    fn from(stop: Stop) -> Error {
        match stop {
            Stop::Fail(error) => *error,
            Stop::Pause => Error::Interrupted,
        }
    }
}

/// Answers what a script asks. Every answer is an index into what was offered.
pub trait Handler {
    /// Answers a player's decision with the index of an option.
    ///
    /// # Errors
    /// [`Stop`] ends the playout here.
    fn decide(&mut self, decision: &Decision<'_>) -> Result<usize, Stop>;

    /// Answers decisions that players take in secret at the same time, one index each. By default
    /// each is answered as if it were alone.
    ///
    /// # Errors
    /// [`Stop`] ends the playout here.
    fn decide_together(&mut self, decisions: &[Decision<'_>]) -> Result<Vec<usize>, Stop> {
        decisions.iter().map(|decision| self.decide(decision)).collect()
    }

    /// Answers chance with the index of a value of the distribution.
    ///
    /// # Errors
    /// [`Stop`] ends the playout here.
    fn roll(&mut self, chance: &Chance<'_>) -> Result<usize, Stop>;

    /// Hears an event. Called only where [`Handler::listens`].
    fn event(&mut self, _text: &str) {}

    /// Whether events are heard.
    fn listens(&self) -> bool {
        false
    }

    /// Whether an answer may take long (people, search): the script's deadline is paused meanwhile.
    fn deliberates(&self) -> bool {
        false
    }
}
