//! The trait that plays games: a tournament knows its referees by this trait alone.

use indexmap::IndexMap;

use super::{Exact, Game, GameResult, Lineup};
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

    /// All ends of a lineup with their probabilities, where they can be had without sampling.
    fn exact(&self, _lineup: &Lineup) -> Result<Option<Exact>, Error> {
        Ok(None)
    }
}

/// Where referees come from: each thread calls for its own.
pub trait RefereeFactory: Sync {
    /// A new referee, for the thread that calls.
    ///
    /// # Errors
    /// Rules or agents that do not load.
    fn referee(&self) -> Result<Box<dyn Referee + '_>, Error>;

    /// What may be spent on the exact ends of a lineup, by a measure of the panel's own: what was
    /// found within a bound is not looked for again within a larger one, nor what was not found
    /// within a smaller one.
    fn bound(&self, _lineup: &Lineup) -> u64 {
        0
    }

    /// The command that plays the games of a lineup again, but for `--seed` and the game's seed.
    fn command(&self, _lineup: &Lineup) -> Option<String> {
        None
    }
}

/// What a tournament is held under, beside its spec: what must be the same for results to belong
/// together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conditions {
    /// The version of fracas.
    pub version: String,
    /// The digest of each script and scenario, by the name of its file.
    pub scripts: IndexMap<String, String>,
    /// Scenario -> the digest of its rules, parameters, house rules and setup.
    pub scenarios: Vec<String>,
    /// Scenario -> agent -> the digest of what the agent consists of there.
    pub agents: Vec<Vec<String>>,
    /// Scenario -> the names of its seats, in order; at least two each.
    pub seats: Vec<Vec<String>>,
}

impl Conditions {
    /// How many seats each scenario has.
    pub(crate) fn seat_counts(&self) -> Vec<usize> {
        self.seats.iter().map(Vec::len).collect()
    }
}
