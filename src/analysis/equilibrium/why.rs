//! Why has a conflict no solution, or none that can be found?

use super::board::Board;
use crate::graph::Graph;

/// What stands in the way.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Why {
    /// Somebody wanted it to stop.
    #[error("interrupted while it was worked out")]
    Stopped,

    /// Floats did not settle a joint decision.
    #[error("rounding leaves a joint decision open")]
    Rounded,

    /// More places lead back to each other than can be solved together.
    #[error("{size} states lead back to each other, more than {most}")]
    Large {
        /// How many they are.
        size: usize,
        /// How many are solved.
        most: usize,
        /// One of them.
        place: usize,
    },

    /// The players can go on for ever, and what that is worth no rule says.
    #[error("the players may go on for ever among {size} states that lead back to each other")]
    Endless {
        /// How many they are.
        size: usize,
        /// One of them.
        place: usize,
    },

    /// A cycle in a game in which what one side wins the other need not lose.
    #[error("{size} states lead back to each other, and utilities sum to no constant of two sides")]
    Cycle {
        /// How many they are.
        size: usize,
        /// One of them.
        place: usize,
    },

    /// Joint decisions in a cycle: their values need be no fractions.
    #[error(
        "{size} states with joint decisions lead back to each other: no fractions need fit them"
    )]
    Irrational {
        /// How many they are.
        size: usize,
        /// One of them.
        place: usize,
    },

    /// A cycle where sides are to be followed through all that they may do.
    #[error("{size} states lead back to each other in a conflict in which not all is seen in turn")]
    Around {
        /// How many they are.
        size: usize,
        /// One of them.
        place: usize,
    },

    /// A player who does not know any more what they did or saw.
    #[error(
        "a player forgets what they did or saw: there is no strategy to speak of without perfect recall"
    )]
    Forgets {
        /// Where.
        place: usize,
    },

    /// More to be tried than is worth while.
    #[error(
        "there is no pure equilibrium, and more than {most} sets of options that mixed ones may use"
    )]
    Wide {
        /// How many are tried.
        most: usize,
    },

    /// Too many pure strategies for a table, and too much for their sequences.
    #[error("the sides have {} and {} pure strategies, {beyond}", counts[0], counts[1])]
    Strategies {
        /// How many each side has.
        counts: [String; 2],
        /// What is more than which number.
        beyond: String,
    },

    /// What regret minimisation says that stands in its way.
    #[error("{0}")]
    Hidden(String),

    /// No method fits this kind of game.
    #[error("no other method fits {words}")]
    Kind {
        /// The kind in words.
        words: String,
    },

    /// What is best changed round and round.
    #[error("among {size} states that lead back to each other what is best does not settle")]
    Unsettled {
        /// How many they are.
        size: usize,
        /// One of them.
        place: usize,
    },
}

impl Why {
    /// In words, with the question that is asked there.
    pub fn told(&self, board: &Board, graph: &Graph) -> String {
        let place = match self {
            Why::Stopped | Why::Hidden(_) | Why::Rounded | Why::Wide { .. } => {
                return self.to_string();
            }
            Why::Strategies { .. } | Why::Kind { .. } => return self.to_string(),
            Why::Large { place, .. }
            | Why::Endless { place, .. }
            | Why::Cycle { place, .. }
            | Why::Irrational { place, .. }
            | Why::Around { place, .. }
            | Why::Forgets { place }
            | Why::Unsettled { place, .. } => *place,
        };
        match board.question(graph, place) {
            Some(question) => format!("{self} (`{}` asked of `{}`)", question.name, question.who),
            None => self.to_string(),
        }
    }
}
