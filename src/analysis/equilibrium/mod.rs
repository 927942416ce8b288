//! What should a player do, and what is the conflict worth then? Equilibria of the graph.
//!
//! What kind of game it is, [`Kind`] finds out on the graph; each method is a file of its own.

mod board;
mod figure;
mod kind;
mod solution;

use std::time::Duration;

pub use board::{Board, Joint, Spot};
pub use figure::Figure;
pub use kind::{Kind, Knowing, Knowledge};
pub use solution::{Choice, Line, Solution};

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
