//! Equilibria of a conflict: what each player should do, and what the conflict is then worth.
//!
//! [`GameKind`] finds out on the graph what kind of game it is. Games have three forms: the explored game as the sides
//! see it (`board`), where everything is seen; else the extensive form (`extensive_form`), and its sequences
//! (`sequences`). Methods: backward induction (`backward`), value iteration through cycles (`cycle`), tables of pure
//! strategies (`normal`) with support enumeration (`support`), programs of sequences (`sequences`), learning (`learner`),
//! and the best response (`strategy`).

mod backward;
mod board;
mod cycle;
mod efg;
mod exploit;
mod extensive_form;
mod learner;
mod matrix;
mod normal;
mod place_values;
mod sentences;
mod sequences;
mod solution;
mod solution_diff;
mod solve;
mod solve_result;
mod strategy;
mod strategy_lines;
mod support;
#[cfg(test)]
mod test_games;
#[cfg(test)]
mod tests;

pub use board::GameKind;
pub(crate) use board::Knowing;
pub(crate) use efg::efg;
pub use exploit::Exploit;
pub use extensive_form::{ExtensiveForm, StopCheck};
pub use learner::{Learner, LearningProgress, Until, solve_hidden};
pub(crate) use matrix::mixes_one_way;
#[cfg(test)]
pub(crate) use matrix::solve_equations;
pub use matrix::{PayoffMatrix, most_even, nearly};
pub(crate) use solution::UnsolvedReason;
pub use solution::{Choice, Solution, StrategyLine};
pub(crate) use solution_diff::Moved;
pub use solve::Solving;
pub use solve_result::Solved;
pub(crate) use solve_result::{curves, falling, named};
pub use strategy::Responder;
pub(crate) use support::subsets;
