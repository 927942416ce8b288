//! Tuning: which values of parameters and which house rules make a conflict what is wanted.
//!
//! [`Wishes`] are measures of a portrait within bounds, [`CandidateGrid`] are the candidates; [`Tuning`] measures
//! them in [`search`], all where they are few, else by successive halving; [`rank`] puts them in order.

mod grid;
mod rank;
mod reading;
mod search;
mod tell;
mod text;
mod wish;
mod wish_reader;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::Cut;
use crate::game::Value;
pub use grid::CandidateGrid;
pub use rank::WishCertainty;
pub(crate) use reading::WishValue;
pub(crate) use search::BrokenCandidate;
pub use search::{CommandFormat, Tuning};
pub use wish::Wishes;
pub(crate) use wish_reader::WISHES;

/// What came of a tuning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Tuned {
    /// The scenario.
    pub scenario: String,
    /// Whether nothing of what is here was sampled.
    pub exact: bool,
    /// Whether all was done: nothing was stopped before its time.
    #[serde(default, rename = "complete", with = "super::complete")]
    #[schemars(with = "bool")]
    pub cut: Option<Cut>,
    /// The seed of all that was sampled, the same for all candidates.
    #[serde(deserialize_with = "super::estimate::read_seed")]
    pub seed: u64,
    /// How many playouts a candidate that is too large for its graph to be seen gets at last.
    pub n: u64,
    /// The wishes.
    pub wishes: Vec<Wanting>,
    /// How many candidates there are.
    pub candidates: u64,
    /// How many of them were measured.
    pub measured: u64,
    /// How many of those that were measured to the end hold all wishes, as far as the values say.
    pub hold: u64,
    /// How many candidates are on the Pareto front, where wishes conflict and `best` are the first of those;
    /// null where they do not.
    pub front: Option<u64>,
    /// The ten best that differ, the best first.
    pub best: Vec<Best>,
    /// The command that resumes it, where it was stopped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goes_on: Option<String>,
    /// Notes for the reader, one sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A wish.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Wanting {
    /// As it was written.
    pub wish: String,
    /// The measure that it is about, or the group of measures by seat.
    pub measure: String,
    /// Whether it is about how far the measures of the seats are apart.
    pub spread: bool,
    /// Whether it is a share of something.
    pub share: bool,
}

/// One of the best candidates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Best {
    /// Its number among all candidates, from 1.
    pub candidate: u64,
    /// The parameters that are varied, with their values.
    pub values: IndexMap<String, Value>,
    /// The house rules that it lays, of those that are varied.
    pub house: Vec<String>,
    /// The other candidates with the very same numbers, which are not listed.
    pub alike: Vec<u64>,
    /// How many playouts it was measured with; 0 on the graph.
    pub n: u64,
    /// How sure it is that all wishes hold.
    pub certainty: WishCertainty,
    /// The probability of numbers as good as these if some wish did not hold, corrected by Holm for the
    /// number of candidates; null where nothing was sampled.
    pub p: Option<f64>,
    /// What is known of each wish, in their order.
    pub wishes: Vec<WishValue>,
    /// The command that shows its portrait; null where no command can.
    pub command: Option<String>,
}
