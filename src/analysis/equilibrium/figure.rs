//! How is a number of a solution known? As a fraction, or as near as floats come.

use num_traits::ToPrimitive;
use serde_json::Value as Json;

use crate::analysis::Fraction;
use crate::render;

/// A value, a weight or a utility of a solution.
#[derive(Clone, Debug, PartialEq)]
pub enum Figure {
    /// Exactly this.
    Exact(Fraction),
    /// About this; how near, the exploitability says.
    Near(f64),
}

impl Figure {
    /// The number as a float.
    pub fn about(&self) -> f64 {
        match self {
            Figure::Exact(fraction) => fraction.to_f64().unwrap_or(f64::NAN),
            Figure::Near(number) => *number,
        }
    }

    /// Whether it is known to be nothing.
    pub fn is_zero(&self) -> bool {
        self.about() == 0.0
    }

    /// For programs: a fraction as text in lowest terms, else a number.
    pub fn as_json(&self) -> Json {
        match self {
            Figure::Exact(fraction) => fraction.to_string().into(),
            Figure::Near(number) => (*number).into(),
        }
    }

    /// For people, in a column of utilities.
    pub fn as_utility(&self) -> String {
        match self {
            Figure::Exact(fraction) => render::exact(&fraction.to_string(), self.about()),
            Figure::Near(number) => render::tidy(*number),
        }
    }

    /// For people, in a column of probabilities.
    pub fn as_share(&self) -> String {
        match self {
            Figure::Exact(fraction) => render::share(&fraction.to_string(), self.about()),
            Figure::Near(number) => render::share_percent(*number),
        }
    }
}

impl From<f64> for Figure {
    fn from(number: f64) -> Figure {
        Figure::Near(number)
    }
}

impl From<Fraction> for Figure {
    fn from(fraction: Fraction) -> Figure {
        Figure::Exact(fraction)
    }
}
