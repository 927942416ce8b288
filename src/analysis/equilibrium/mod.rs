//! What should a player do, and what is the conflict worth then? Equilibria of the graph.
//!
//! What kind of game it is, [`Kind`] finds out on the graph; each method is a file of its own.

mod best_response;
mod board;
mod checkpoint;
mod correlated;
mod draw;
mod exploit;
mod figure;
mod hidden;
mod kind;
mod learner;
#[cfg(test)]
mod random;
mod recall;
mod regret;
mod sampling;
mod save;
mod sees;
mod solution;
mod strategy;
#[cfg(test)]
mod tests;
mod tree;
mod unfold;

use std::time::Duration;

pub use best_response::{Responder, Response};
pub use board::{Board, Joint, Spot};
pub use checkpoint::Checkpoint;
pub use correlated::Correlated;
pub use draw::Drawn;
pub use exploit::Exploit;
pub use figure::Figure;
pub use hidden::{Learning, solve_hidden};
pub use kind::{Kind, Knowing, Knowledge};
pub use learner::{Learner, Tell, Told, Until};
pub use recall::Recall;
pub use regret::Regret;
pub use sampling::Sampling;
pub use sees::sees;
pub use solution::{Choice, Line, Solution};
pub use strategy::Strategy;
pub use tree::{Plan, Role, Set, Tree, TreeError};
pub use unfold::{Unfolded, unfold};

/// How near, and how, a conflict is to be solved.
#[derive(Clone, Copy, Debug)]
pub struct Solving {
    /// In fractions wherever it can be done.
    pub exact: bool,
    /// Regret minimisation goes on until the exploitability is within so much.
    pub within: f64,
    /// Or until so much time has gone into it.
    pub time: Option<Duration>,
    /// How many threads explore.
    pub threads: usize,
    /// How many nodes are seen at most.
    pub nodes: u64,
}
