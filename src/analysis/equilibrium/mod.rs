//! Equilibria of a conflict: what each player should do, and what the conflict is then worth.
//!
//! [`GameKind`] finds out on the graph what kind of game it is; each method is a file of its own. Games
//! in which everything is seen, decided in turn or at once, are solved on the explored game (`forms/board.rs`);
//! games with hidden information on a `Tree`, by their sequences or by learning.

mod efg;
mod exploit;
mod matrix;
mod solution;
mod solve;
mod stop_check;
#[cfg(test)]
mod test_games;
#[cfg(test)]
mod tests;

/// The forms of a game that methods work on: the graph as its sides see it, as places that may lead back
/// to each other; in extensive form with information sets, and the sequences of answers of that.
mod forms {
    pub(super) mod board;
    pub(super) mod extensive_form;
    pub(super) mod game_kind;
    pub(super) mod place_values;
    pub(super) mod sequences;
    pub(super) mod strategy;
    pub(super) mod strategy_lines;
    pub(super) mod tree;
}

/// The methods that solve games, each with its source, and what certifies their results.
mod methods {
    pub(super) mod backward;
    pub(super) mod best_response;
    pub(super) mod cycle;
    pub(super) mod hidden_games;
    pub(super) mod learner;
    pub(super) mod normal;
    pub(super) mod open_games;
    pub(super) mod sequence_program;
    pub(super) mod support;
}

/// What is found, for people and for programs: as text, in sentences, and beside the solution under other
/// rules.
mod report {
    pub(super) mod sentences;
    pub(super) mod solution_diff;
    pub(super) mod solve_result;
}

pub(crate) use efg::efg;
pub use exploit::Exploit;
pub use forms::extensive_form::ExtensiveForm;
pub use forms::game_kind::GameKind;
pub(crate) use forms::game_kind::Knowing;
pub(crate) use matrix::mixes_one_way;
pub use matrix::{PayoffMatrix, most_even, nearly};
pub use methods::best_response::Responder;
pub use methods::hidden_games::solve_hidden;
pub use methods::learner::{Learner, LearningProgress, Until};
pub(crate) use methods::support::subsets;
pub(crate) use report::solution_diff::Moved;
pub use report::solve_result::Solved;
pub(crate) use report::solve_result::{curves, falling, named};
pub(crate) use solution::UnsolvedReason;
pub use solution::{Choice, Solution, StrategyLine};
pub use solve::Solving;
pub use stop_check::StopCheck;
