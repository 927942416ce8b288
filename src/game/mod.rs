//! The basic types of a game: values, decisions, chance, histories, outcomes, and the `Handler` trait.
//! Nothing here knows Rhai, a terminal, or randomness.

mod distribution;
mod history;
mod outcome;
mod question;
mod value;

pub use distribution::{Distribution, DistributionError};
pub(crate) use history::Actor;
pub use history::{Action, Entry, History};
pub use outcome::Outcome;
pub use question::{
    Asked, Chance, Decision, Handler, OptionWording, Options, Scene, Stop, Wording,
};
pub(crate) use question::{LISTED, between, option_name};
pub use value::Value;
pub(crate) use value::brief;
