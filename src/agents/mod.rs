//! Agents: created from the word that names them (`random`, `search:1000`, a script's name).

mod account;
mod agent_spec;
mod determinize;
mod greedy;
mod information;
mod search;
mod search_graph;
mod solved;
mod thinker;

pub use agent_spec::{AgentSpec, HUMAN, check, find};
pub(crate) use agent_spec::{built_in, meaning, warnings};
pub use information::Surroundings;
pub(crate) use information::beside_thoughts;
pub(crate) use information::look_alikes;
pub(crate) use solved::SavedHeader;
pub use solved::SavedStrategy;
pub(crate) use thinker::Scripted;
pub use thinker::{Thinker, ThinkingPlan};
