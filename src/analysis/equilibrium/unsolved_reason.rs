//! The reasons why a conflict has no solution, or none that can be found.

use super::forms::board::Board;
use crate::error::Error;
use crate::graph::Graph;

/// The reason why a conflict is not solved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum UnsolvedReason {
    /// The caller stopped it.
    #[error("interrupted while it was computed")]
    Stopped,

    /// Floats did not settle a joint decision.
    #[error("a joint decision cannot be solved: floats are too coarse for its numbers")]
    Rounded,

    /// A cycle of more places than can be solved together.
    #[error("{size} states form a cycle, more than the {most} that can be solved together")]
    Large {
        size: usize,
        /// The most that are solved.
        most: usize,
        place: usize,
    },

    /// The players can play for ever, and no rule gives that a value.
    #[error("the players may play for ever in a cycle of {size} states")]
    Endless { size: usize, place: usize },

    /// A cycle in a game in which what one side wins the other need not lose.
    #[error("{size} states form a cycle, and what one side wins the other need not lose")]
    Cycle { size: usize, place: usize },

    /// Joint decisions in a cycle: their values need not be fractions.
    #[error("{size} states with joint decisions form a cycle: their values need not be fractions")]
    Irrational { size: usize, place: usize },

    /// A cycle, while sides have to be followed through all that they may do.
    #[error("{size} states form a cycle in a conflict without perfect information")]
    Around { size: usize, place: usize },

    /// A player who does not know any more what they did or saw.
    #[error(
        "a player forgets what they did or saw: without perfect recall there is no strategy to compute"
    )]
    Forgets { place: usize },

    /// More sets of options than are tried.
    #[error(
        "there is no pure equilibrium, and more than {most} sets of options that mixed ones may use"
    )]
    Wide {
        /// The most that are tried.
        most: usize,
    },

    /// Too many pure strategies for a table, and too much for their sequences.
    #[error("the sides have {} and {} pure strategies, {beyond}", counts[0], counts[1])]
    Strategies {
        /// The number of each side.
        counts: [String; 2],
        /// The limit that is exceeded, in words.
        beyond: String,
    },

    /// The reason that regret minimisation gives.
    #[error("{0}")]
    Hidden(String),

    /// No method fits this kind of game.
    #[error("no method fits {words}")]
    Kind { words: String },

    /// The best choice keeps changing in a circle.
    #[error("in a cycle of {size} states the best choice does not converge")]
    Unsettled { size: usize, place: usize },
}

impl From<Error> for UnsolvedReason {
    fn from(error: Error) -> UnsolvedReason {
        match error {
            Error::Interrupted | Error::Bound(_) => UnsolvedReason::Stopped,
            Error::Unsolved { message } => UnsolvedReason::Hidden(message),
            error => UnsolvedReason::Hidden(error.to_string()),
        }
    }
}

impl UnsolvedReason {
    /// In words, with the question that is asked there.
    pub(crate) fn in_words(&self, board: &Board, graph: &Graph) -> String {
        let place = match self {
            UnsolvedReason::Large { place, .. }
            | UnsolvedReason::Endless { place, .. }
            | UnsolvedReason::Cycle { place, .. }
            | UnsolvedReason::Irrational { place, .. }
            | UnsolvedReason::Around { place, .. }
            | UnsolvedReason::Forgets { place }
            | UnsolvedReason::Unsettled { place, .. } => *place,
            _ => return self.to_string(),
        };
        format!("{self}{}", board.game.asked_in_brackets(graph, place))
    }
}
