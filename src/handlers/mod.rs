//! Handlers: interpreters that answer a script's questions, each in a small file of its own.
//!
//! Nothing here knows Rhai, a terminal, or a conflict system.

mod agent;
mod answer;
mod answers;
#[cfg(test)]
mod fake;
mod first;
mod forward;
mod generator;
mod random;
mod record;
mod replay;
mod sample;
mod seated_agents;
mod skip;
mod standpoint;
#[cfg(test)]
mod waiting;

pub use agent::{Agent, Worth};
pub use answer::{Answer, Weights};
pub use answers::Answers;
pub use first::First;
pub use generator::Generator;
pub(crate) use random::Random;
pub use record::{Record, TimedEvent};
pub use replay::{End, Replay};
pub use sample::Sampler;
pub use seated_agents::SeatedAgents;
pub(crate) use skip::Skip;
pub use standpoint::Standpoint;
#[cfg(test)]
pub(crate) use waiting::Waiting;
