//! What can sit in a seat? Agents by the word that names them.

mod scripted;
mod word;

pub use scripted::Scripted;
pub use word::{Found, HUMAN, find, names};
