//! Who answers a run's questions: agents in their seats, a generator, a case.
//!
//! Nothing here knows Rhai, a terminal, or a conflict system.

mod agent;
mod case_answers;
mod generator;
mod seated_agents;

pub(crate) use agent::Random;
#[cfg(test)]
pub(crate) use agent::Waiting;
pub use agent::{Agent, Answer, First, Standpoint, Weights, Worth};
pub use case_answers::CaseAnswers;
pub use generator::Generator;
pub use seated_agents::SeatedAgents;
