//! What should a player do, and what is the conflict worth then? Equilibria of the graph.
//!
//! What kind of game it is, [`Kind`] finds out on the graph; each method is a file of its own.

mod backward;
mod board;
mod cycle;
mod dominance;
mod figure;
mod kind;
mod lines;
mod matrix;
mod moved;
mod normal;
mod open;
mod pure;
mod sequences;
mod solution;
mod solve;
mod support;
mod text;
mod why;
mod worth;

pub use figure::Figure;
pub use kind::{Kind, Knowing};
pub use matrix::{Mixed, Table, exactly, nearly};
pub use moved::Moved;
pub use solution::{Choice, Line, Solution};
pub use solve::{Solved, Solving, Stage};
pub use why::Why;
