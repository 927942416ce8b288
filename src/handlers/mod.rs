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
mod seats;
mod skip;
mod standpoint;
mod waiting;

pub use agent::{Agent, Worth};
pub use answer::{Answer, Weights};
pub use answers::{Answers, Laid};
pub use first::First;
pub use generator::Generator;
pub use random::Random;
pub use record::{Record, TimedEvent};
pub use replay::{End, Pause, Replay};
pub use sample::Sampler;
pub use seats::Seats;
pub use skip::Skip;
pub use standpoint::Standpoint;
pub use waiting::Waiting;
