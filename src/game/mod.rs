//! The basic types of a game: values, decisions, chance, histories, outcomes, random numbers, and how a history
//! is written and followed.
//! Nothing here knows Rhai, a terminal, or a conflict system.

mod asked;
mod distribution;
#[cfg(test)]
mod fake;
mod follow;
mod generator;
mod history;
mod outcome;
mod question;
mod value;

pub use asked::Asked;
pub(crate) use asked::{LISTED, SOME, between, some_of, ticked};
pub use distribution::{Distribution, DistributionError};
#[cfg(test)]
pub(crate) use fake::{Fake, failure};
pub(crate) use follow::asks;
pub use follow::{Follow, Record, TimedEvent};
pub use generator::{Answer, Generator, Weights};
pub(crate) use history::Actor;
pub use history::{Action, Entry, History};
pub use outcome::Outcome;
pub use question::{Chance, Decision, OptionWording, Options, Question, Scene, Stop, Wording};
pub use value::Value;
pub(crate) use value::{brief, literal, option_name};
