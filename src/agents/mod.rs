//! Agents: created from the word that names them (`random`, `search:1000`, a script's name).

mod account;
mod agent_spec;
mod determinize;
mod forecast;
mod greedy;
mod information;
mod payoffs;
mod scripted;
mod search;
mod search_graph;
mod solved;
mod surroundings;
mod thinker;
mod tree;

pub use agent_spec::{Found, HUMAN, built_in, check, find, meaning, names, warnings};
pub use information::look_alikes;
pub use scripted::Scripted;
pub use solved::{SavedHeader, SavedStrategy};
pub use surroundings::{Surroundings, beside_thoughts};
pub use thinker::{Plan, Thinker};
