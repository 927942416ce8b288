//! The ground: players, decisions, chance, histories, outcomes and the one trait that answers.
//! Nothing here knows Rhai, a terminal, or randomness.

mod distribution;
mod handler;
mod history;
mod outcome;
mod question;
mod value;
mod wording;

pub use distribution::Distribution;
pub(crate) use distribution::DistributionError;
pub use handler::{Handler, Stop};
pub(crate) use history::{Action, Actor};
pub use history::{Entry, History};
pub use outcome::Outcome;
pub(crate) use question::{Asked, LISTED};
pub use question::{Chance, Decision, Options, Scene};
pub use value::Value;
pub(crate) use value::brief;
pub(crate) use wording::{OptionWording, Wording, option_name};
