//! Handlers: interpreters that answer a script's questions.
//!
//! Nothing here knows Rhai, a terminal, or a conflict system.

mod agent;
mod case_answers;
#[cfg(test)]
mod fake;
mod generator;
mod record;
mod replay;
mod sample;
mod seated_agents;
mod skip;

pub(crate) use agent::Random;
#[cfg(test)]
pub(crate) use agent::Waiting;
pub use agent::{Agent, Answer, First, Standpoint, Weights, Worth};
pub use case_answers::CaseAnswers;
pub use generator::Generator;
pub use record::{Record, TimedEvent};
pub use replay::{End, Replay};
pub use sample::Sampler;
pub use seated_agents::SeatedAgents;
pub(crate) use skip::Skip;
