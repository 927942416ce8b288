//! Reads the ends of intervals, which are null in JSON where there is no bound.

use serde::{Deserialize, Deserializer};

/// The lower end of an interval; null is minus infinity.
pub(crate) fn low<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Option::deserialize(deserializer).map(|number| number.unwrap_or(f64::NEG_INFINITY))
}

/// The upper end of an interval; null is infinity.
pub(crate) fn high<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Option::deserialize(deserializer).map(|number| number.unwrap_or(f64::INFINITY))
}
