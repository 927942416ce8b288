//! Agents: created from the word that names them (`random`, `search:1000`, a script's name).

mod agent_spec;
mod decision_view;
mod determinize;
mod greedy;
mod search;
mod search_graph;
mod solved;
mod surroundings;
mod thinker;
mod thought_cost;

pub use agent_spec::{AgentSpec, HUMAN, check, find};
pub(crate) use agent_spec::{built_in, meaning, warnings};
pub(crate) use decision_view::look_alikes;
pub(crate) use solved::SavedHeader;
pub use solved::SavedStrategy;
pub use surroundings::Surroundings;
pub(crate) use surroundings::beside_thoughts;
pub(crate) use thinker::Scripted;
pub use thinker::{Thinker, ThinkingPlan};
