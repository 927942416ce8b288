//! The basic types of a game: values, decisions, chance, histories, outcomes, and the `Handler` trait.
//! Nothing here knows Rhai, a terminal, or randomness.

mod distribution;
mod handler;
mod history;
mod outcome;
mod question;
mod value;

pub use distribution::{Distribution, DistributionError};
pub use handler::{Handler, Stop};
pub(crate) use history::Actor;
pub use history::{Action, Entry, History};
pub use outcome::Outcome;
pub(crate) use question::option_name;
pub use question::{Asked, Chance, Decision, Options, Scene};
pub(crate) use question::{LISTED, between};
pub use question::{OptionWording, Wording};
pub use value::Value;
pub(crate) use value::brief;
