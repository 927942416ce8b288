//! Who plays the games? Whoever can: a tournament knows its referees by this trait alone.

use indexmap::IndexMap;

use super::{Exact, Game, GameResult, Seating};
use crate::error::Error;

/// Plays games, one after another. It never leaves its thread.
pub trait Referee {
    /// Plays a game to its end. The same game always ends the same way.
    ///
    /// An agent that errs is no error: it forfeits, and the result says so.
    ///
    /// # Errors
    /// What ends the whole tournament: rules that fail; [`Error::Interrupted`] keeps what there is.
    fn play(&self, game: &Game) -> Result<GameResult, Error>;

    /// All ends of a seating with their probabilities, where they can be had without sampling.
    ///
    /// # Errors
    /// As [`Referee::play`].
    fn exact(&self, _seating: &Seating) -> Result<Option<Exact>, Error> {
        Ok(None)
    }
}

/// Where referees come from: each thread calls for its own.
pub trait Panel: Sync {
    /// A new referee, for the thread that calls.
    ///
    /// # Errors
    /// Rules or agents that do not load.
    fn referee(&self) -> Result<Box<dyn Referee + '_>, Error>;
}

/// What a tournament is held under, beside its spec: what must be the same for results to belong
/// together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conditions {
    /// The version of fracas.
    pub version: String,
    /// The digest of each script and scenario, by the name of its file.
    pub scripts: IndexMap<String, String>,
    /// Scenario -> the names of its seats, in order; at least two each.
    pub seats: Vec<Vec<String>>,
}

impl Conditions {
    /// How many seats each scenario has.
    pub fn seat_counts(&self) -> Vec<usize> {
        self.seats.iter().map(Vec::len).collect()
    }
}
