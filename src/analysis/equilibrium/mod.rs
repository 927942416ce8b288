//! Equilibria of a conflict: what each player should do, and what the conflict is then worth.
//!
//! [`Kind`] finds out on the graph what kind of game it is; each method is a file of its own. Games
//! in which everything is seen, decided in turn or at once, are solved on a board (`board.rs`);
//! games with hidden information are learned on a [`Tree`].

mod advice;
mod answer;
mod arena;
mod around;
mod backward;
mod best_response;
mod board;
mod bounds;
mod checkpoint;
mod convergence;
mod correlated;
mod cycle;
mod dominance;
mod enclosed;
mod endings;
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
mod normal;
mod observed;
mod open;
mod opponent;
mod plan;
mod program;
mod pure;
#[cfg(test)]
mod random;
mod realized;
mod recall;
mod regret;
mod sampling;
mod save;
mod seated;
mod sequence_form;
mod sequences;
mod shared_draw;
mod solution;
mod solution_diff;
mod solve;
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

pub use best_response::{Responder, Response};
pub use checkpoint::Checkpoint;
pub use convergence::{curves, falling};
pub use correlated::Correlated;
pub use exploit::Exploit;
pub use exploited::{Beyond, Exploited};
pub use figure::Figure;
pub use hidden::{Learning, solve_hidden};
pub use kind::{Kind, Knowing};
pub use learner::{Learner, Tell, Told, Until};
pub use matrix::{Mixed, Table, exactly, nearly};
pub use plan::{Plan, TreeError};
pub use recall::Recall;
pub use regret::Regret;
pub use sampling::Sampling;
pub use shared_draw::Drawn;
pub use solution::{Choice, Line, Solution};
pub use solution_diff::Moved;
pub use solve::{Solved, Solving, Stage};
pub use strategy::Strategy;
pub use tree::{Role, Set, Tree};
pub use unfold::{Unfolded, unfold};
pub use wanted::Wanted;
pub use why::Why;
