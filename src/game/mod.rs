//! The ground: players, decisions, chance, histories, outcomes and the one trait that answers.
//! Nothing here knows Rhai, a terminal, or randomness.

mod distribution;
mod handler;
mod history;
mod outcome;
mod question;
mod value;
mod wording;

pub use distribution::{Distribution, DistributionError};
pub use handler::{Handler, Stop};
pub use history::{Action, Actor, Entry, History};
pub use outcome::Outcome;
pub use question::{Asked, Chance, Decision, LISTED, Options, Scene};
pub use value::{Value, brief};
pub use wording::{OptionWording, Wording, option_name};
