//! The basic types of a game: values, decisions, chance, histories, outcomes, and the `Handler` trait.
//! Nothing here knows Rhai, a terminal, or randomness.

mod asked;
mod distribution;
mod history;
mod outcome;
mod question;
mod value;

pub use asked::Asked;
pub(crate) use asked::{LISTED, between};
pub use distribution::{Distribution, DistributionError};
pub(crate) use history::Actor;
pub use history::{Action, Entry, History};
pub use outcome::Outcome;
pub(crate) use question::option_name;
pub use question::{Chance, Decision, Handler, OptionWording, Options, Scene, Stop, Wording};
pub use value::Value;
pub(crate) use value::brief;
