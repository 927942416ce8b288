//! Changes scripts one place at a time and finds out which changes no case and no law notices.

mod code;
mod mutant;
mod search;
mod survivors;

pub use mutant::{Change, Mutant};
pub use search::Mutating;
pub use survivors::{ClauseScore, Mutation, Survivor};
