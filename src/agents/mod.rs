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

pub use agent_spec::{AgentSpec, HUMAN, check, find};
pub(crate) use agent_spec::{built_in, meaning, warnings};
pub(crate) use information::look_alikes;
pub(crate) use scripted::Scripted;
pub(crate) use solved::SavedHeader;
pub use solved::SavedStrategy;
pub use surroundings::Surroundings;
pub(crate) use surroundings::beside_thoughts;
pub use thinker::{Thinker, ThinkingPlan};
