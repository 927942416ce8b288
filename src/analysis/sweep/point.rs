//! One point of a sweep: values of the parameters, and the odds there, exact or from playouts.

use indexmap::IndexMap;
use serde::Serialize;

use crate::analysis::estimate::so_far;
use crate::analysis::{Chances, CountedEndings, Known};
use crate::error::Cut;
use crate::game::Value;
use crate::number::Quantity;

/// Values of the parameters with the odds there.
#[derive(Clone, Debug, Serialize)]
pub struct SweepPoint {
    /// Parameter -> its value, in the order of the sweep.
    pub values: IndexMap<String, Value>,
    /// The odds, exact but for dice without a last value, or from playouts.
    #[serde(flatten)]
    pub found: Known,
    /// How the playouts ended.
    #[serde(skip)]
    pub tally: CountedEndings,
    /// The reason why the odds are not exact, if they are not.
    #[serde(skip)]
    pub why: Option<String>,
}

impl SweepPoint {
    /// The odds, whether exact or not.
    pub fn chances(&self) -> &Chances {
        self.found.chances()
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
            Known::Odds(_) => None,
            Known::Estimated(estimated) => estimated.cut,
        }
    }

    /// Whether the odds are exact.
    pub fn is_exact(&self) -> bool {
        matches!(self.found, Known::Odds(_))
    }
}
