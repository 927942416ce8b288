//! Equilibria of a conflict: what each player should do, and what the conflict is then worth.
//!
//! [`GameKind`] finds out on the graph what kind of game it is; each method is a file of its own. Games
//! in which everything is seen, decided in turn or at once, are solved on a board (`forms/board.rs`);
//! games with hidden information are learned on a `Tree`.

mod exploit;
mod exploited;
mod figure;
mod forms;
mod matrix;
mod methods;
mod report;
mod solution;
mod solve;
mod stop_check;
#[cfg(test)]
mod test_games;
#[cfg(test)]
mod tests;
mod why;

pub use exploit::Exploit;
pub use exploited::Exploited;
pub use figure::SolutionNumber;
pub use forms::extensive_form::ExtensiveForm;
pub use forms::kind::GameKind;
pub use matrix::{PayoffMatrix, nearly};
pub use methods::best_response::Responder;
pub use methods::checkpoint::Checkpoint;
pub use methods::hidden::{Learning, solve_hidden};
pub use methods::learner::{Learner, LearningProgress, Until};
pub use methods::regret::Regret;
pub use methods::sampling::SampledRegrets;
pub(crate) use report::solution_diff::Moved;
pub use report::solved::Solved;
pub(crate) use report::solved::{curves, falling};
pub use solution::{Choice, Solution, StrategyLine};
pub use solve::Solving;
pub use stop_check::StopCheck;
pub(crate) use why::UnsolvedReason;
