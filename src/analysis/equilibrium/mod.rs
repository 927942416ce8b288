//! Equilibria of a conflict: what each player should do, and what the conflict is then worth.
//!
//! [`Kind`] finds out on the graph what kind of game it is; each method is a file of its own. Games
//! in which everything is seen, decided in turn or at once, are solved on a board (`board.rs`);
//! games with hidden information are learned on a `Tree`.

mod advice;
mod answer;
mod arena;
mod around;
mod backward;
mod best_response;
mod board;
mod bounds;
mod checkpoint;
mod correlated;
mod dominance;
mod enclosed;
mod exploit;
mod exploited;
mod figure;
mod hidden;
mod kind;
mod lasting;
mod learner;
mod lines;
mod lot;
mod matrix;
mod meaning;
mod normal;
mod observed;
mod open;
mod place_values;
mod plan;
mod program;
mod pure;
#[cfg(test)]
mod random;
mod realized;
mod recall;
mod regret;
mod sampling;
mod sequence_form;
mod sequence_weights;
mod sequences;
mod shared_draw;
mod solution;
mod solution_diff;
mod solve;
mod solved;
mod sparse;
mod strategy;
mod support;
#[cfg(test)]
mod tests;
mod text;
mod tree;
mod unfold;
mod wanted;
mod why;
mod worth;
mod zero_sum;

pub use best_response::Responder;
pub use checkpoint::Checkpoint;
pub use exploit::Exploit;
pub use exploited::Exploited;
pub use figure::Figure;
pub use hidden::{Learning, solve_hidden};
pub use kind::Kind;
pub use learner::{Learner, Told, Until};
pub use matrix::{Table, nearly};
pub use plan::Plan;
pub use regret::Regret;
pub use sampling::Sampling;
pub use shared_draw::Drawn;
pub use solution::{Choice, Line, Solution};
pub(crate) use solution_diff::Moved;
pub use solve::{Solving, Stage};
pub use solved::Solved;
pub(crate) use solved::{curves, falling};
pub use wanted::Wanted;
pub(crate) use why::Why;
