//! What is kept of a conflict? Its saved history, from which it replays on its own.
//!
//! Nothing here runs a script.

mod inline;
mod reader;
mod replace;
mod saved;
mod text;

pub use saved::{Saved, digest};
