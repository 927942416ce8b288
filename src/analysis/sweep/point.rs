//! One point of a sweep: values of the parameters, and the odds there, exact or from playouts.

use indexmap::IndexMap;
use serde::Serialize;

use crate::analysis::estimate::so_far;
use crate::analysis::{Chances, CountedEndings, Estimated, FoundOdds};
use crate::error::Cut;
use crate::game::Value;
use crate::number::Quantity;

/// Values of the parameters with the odds there.
#[derive(Clone, Debug, Serialize)]
pub struct SweepPoint {
    /// Parameter -> its value, in the order of the sweep.
    pub values: IndexMap<String, Value>,
    /// The odds.
    #[serde(flatten)]
    pub found: PointOdds,
}

/// Odds that are exact, or sampled.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum PointOdds {
    /// The whole graph was explored; dice without a last value are cut off.
    Exact(FoundOdds),
    /// Playouts were made.
    Sampled {
        #[serde(flatten)]
        estimated: Estimated,
        #[serde(skip)]
        tally: CountedEndings,
        /// The reason why the odds are not exact.
        #[serde(skip)]
        why: String,
    },
}

impl SweepPoint {
    /// The odds, whether exact or not.
    pub fn chances(&self) -> &Chances {
        match &self.found {
            PointOdds::Exact(odds) => &odds.chances,
            PointOdds::Sampled { estimated, .. } => &estimated.chances,
        }
    }

    /// What it says, in a line for somebody who waits for the others.
    pub(super) fn so_far(&self) -> String {
        let at: Vec<String> =
            self.values.iter().map(|(name, value)| format!("{name}={value}")).collect();
        format!("at {} {}", at.join(", "), so_far(self.chances(), Quantity::as_share))
    }

    /// What stopped it before all its playouts were made, if anything did.
    pub fn cut(&self) -> Option<Cut> {
        match &self.found {
            PointOdds::Exact(_) => None,
            PointOdds::Sampled { estimated, .. } => estimated.cut,
        }
    }

    /// Whether the odds are exact.
    pub fn is_exact(&self) -> bool {
        matches!(self.found, PointOdds::Exact(_))
    }
}
