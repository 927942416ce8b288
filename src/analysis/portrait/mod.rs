//! The portrait of a conflict: how long it is, how much there is to decide, whether it is fair, decisive
//! and dramatic, what comes of luck and what of choice, and which clauses of the rules do it.
//!
//! [`Portrait`] is what is found, [`Measure`] one number of it. What can be expected at each place of
//! the graph is in [`ground`]; the measures on a graph are in [`length`], [`choice`], [`results`],
//! [`drama`] and [`luck`], those from playouts in [`playouts`] and [`courses`].

mod choice;
mod contrast;
mod courses;
mod drama;
mod find;
mod glossary;
mod length;
mod measure;
mod ordered_graph;
mod outlook;
mod parallel;
mod parts;
mod paths;
mod playouts;
mod replayed;
mod series;
mod skill;
mod strategy;
mod text;
mod wanted;
mod weight;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::Cut;
use choice::OptionUse;
pub(crate) use contrast::{
    Contrast, FunctionRuns, FunctionUse, capital, holm, side_by_side, under,
};
pub(crate) use find::NODES_A_PLAYOUT;
pub use find::Portraying;
pub(crate) use glossary::{GLOSSARY, Meaning};
use length::ClauseUse;
use measure::Measure;
use series::MeasureSeries;
pub use wanted::MeasureSelection;

/// The portrait of a conflict under the agents seated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Portrait {
    /// The scenario.
    pub scenario: String,
    /// The house rules laid over its rules.
    pub house: Vec<String>,
    /// Whether the whole graph was seen: what has no interval then is exact.
    pub exact: bool,
    /// Whether all was found that was wanted: nothing was stopped before its time.
    #[serde(default, rename = "complete", with = "super::complete")]
    #[schemars(with = "bool")]
    pub cut: Option<Cut>,
    /// The seed of all that was sampled.
    #[serde(deserialize_with = "super::estimate::read_seed")]
    pub seed: u64,
    /// How many playouts were counted; 0 on the graph.
    pub n: u64,
    /// The measures.
    pub measures: Vec<Measure>,
    /// The options of decisions.
    pub options: Vec<OptionUse>,
    /// The functions of the rules.
    pub clauses: Vec<ClauseUse>,
    /// Notes for the reader, one sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The measures of single playouts.
    #[serde(skip)]
    pub(crate) series: MeasureSeries,
}

impl Portrait {
    /// A measure by its name.
    pub fn measure(&self, name: &str) -> Option<&Measure> {
        self.measures.iter().find(|measure| measure.name == name)
    }
}
