//! A number with its certainty: exact, enclosed between two floats, or estimated from a sample.

use serde_json::{Value as Json, json};

use super::{Estimate, Fraction, Interval};
use crate::render;

/// A probability or a utility, with its certainty.
#[derive(Clone, Debug, PartialEq)]
pub enum Number {
    /// Exactly this.
    Exact(Fraction),
    /// Surely between these.
    Enclosed(Interval),
    /// The mean of a sample, with its 95 % interval.
    Sampled(Estimate),
}

impl Number {
    /// The number as a float, or the middle of its range.
    pub fn middle(&self) -> f64 {
        match self {
            Number::Exact(fraction) => Interval::of_fraction(fraction).middle(),
            Number::Enclosed(interval) => interval.middle(),
            Number::Sampled(estimate) => estimate.mean,
        }
    }

    /// The range of the number: proven, or at 95 %. For an exact number both ends are equal.
    pub fn range(&self) -> (f64, f64) {
        match self {
            Number::Exact(_) => (self.middle(), self.middle()),
            Number::Enclosed(interval) => (interval.low, interval.high),
            Number::Sampled(estimate) => (estimate.low, estimate.high),
        }
    }

    /// The exact fraction, if it is known.
    pub fn exact(&self) -> Option<&Fraction> {
        match self {
            Number::Exact(fraction) => Some(fraction),
            _ => None,
        }
    }

    /// For programs: a fraction as text in lowest terms, else mean, low and high.
    pub fn as_json(&self) -> Json {
        match self {
            Number::Exact(fraction) => fraction.to_string().into(),
            other => {
                let (low, high) = other.range();
                json!({ "mean": other.middle(), "low": finite(low), "high": finite(high) })
            }
        }
    }

    /// For people, in a column of probabilities.
    pub fn as_share(&self) -> String {
        match self {
            Number::Exact(fraction) => render::share(&fraction.to_string(), self.middle()),
            Number::Enclosed(_) => render::close_share(self.middle()),
            other => render::shares_between(other.middle(), other.range()),
        }
    }

    /// For people, in a column of differences between probabilities, in percentage points.
    pub fn as_points(&self) -> String {
        match self {
            Number::Exact(fraction) => render::percent_points(&fraction.to_string(), self.middle()),
            other => render::points_between(other.middle(), other.range()),
        }
    }

    /// For people, in a column of utilities.
    pub fn as_utility(&self) -> String {
        match self {
            Number::Exact(fraction) => render::exact(&fraction.to_string(), self.middle()),
            Number::Enclosed(_) => render::close(self.middle()),
            other => render::between(other.middle(), other.range()),
        }
    }
}

/// One sample says nothing of the spread: there is no bound to print.
fn finite(bound: f64) -> Json {
    if bound.is_finite() { bound.into() } else { Json::Null }
}
