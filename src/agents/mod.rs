//! Agents: created from the word that names them (`random`, `search:1000`, a script's name).

mod forecast;
mod greedy;
mod mind;
mod outlook;
mod payoffs;
mod scripted;
mod search;
mod solved;
mod surroundings;
mod thinker;
mod tree;
mod word;
mod worlds;

pub use outlook::look_alikes;
pub use scripted::Scripted;
pub use solved::{SavedHeader, SavedStrategy};
pub use surroundings::{Surroundings, beside_thoughts};
pub use thinker::{Plan, Thinker};
pub use word::{Found, HUMAN, built_in, check, find, meaning, names, warnings};
