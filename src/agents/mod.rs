//! Agents: created from the word that names them (`random`, `search:1000`, a script's name).

mod agent_spec;
mod child_process;
mod decision_view;
mod determinize;
mod greedy;
mod program;
mod program_agent;
mod saved_strategy;
mod scripted;
mod search;
mod search_graph;
mod shared_thinking;
mod thinker;

pub use crate::catalog::HUMAN;
pub use agent_spec::AgentSpec;
pub(crate) use agent_spec::{BUILT_IN, meaning};
pub(crate) use child_process::end_programs;
pub(crate) use decision_view::{LookAlikes, look_alikes};
pub use program::AgentCommand;
pub(crate) use program::{AskedDecision, Crew, LONGEST_NAME, MOST_MS, ProgramFaults, unread};
pub(crate) use saved_strategy::SavedHeader;
pub use saved_strategy::SavedStrategy;
pub use scripted::CompiledAgents;
pub use shared_thinking::SharedThinking;
pub(crate) use shared_thinking::beside_thoughts;
pub use thinker::{Thinker, ThinkingPlan};
