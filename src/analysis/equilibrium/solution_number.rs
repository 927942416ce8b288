//! A number of a solution: an exact fraction, or a float.

use std::cmp::Ordering;
use std::sync::Arc;

use num_traits::ToPrimitive;
use serde::{Deserialize, Serialize};

use crate::number::Fraction;
use crate::report;

/// A value, a weight or a utility of a solution.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "SolutionNumberJson", try_from = "SolutionNumberJson")]
pub enum SolutionNumber {
    /// Exactly this.
    Exact(Arc<Fraction>),
    /// About this; the exploitability says how near.
    Near(f64),
}

impl SolutionNumber {
    /// The number as a float.
    pub fn about(&self) -> f64 {
        match self {
            SolutionNumber::Exact(fraction) => fraction.to_f64().unwrap_or(f64::NAN),
            SolutionNumber::Near(number) => *number,
        }
    }

    /// Which of two numbers is less, as far as that is known.
    pub(crate) fn compare(&self, other: &SolutionNumber) -> Ordering {
        match (self, other) {
            (SolutionNumber::Exact(one), SolutionNumber::Exact(other)) => one.cmp(other),
            _ => self.about().total_cmp(&other.about()),
        }
    }

    /// Whether it is 0.
    pub fn is_zero(&self) -> bool {
        self.about() == 0.0
    }

    /// For people, in a column of utilities.
    pub(crate) fn as_utility(&self) -> String {
        match self {
            SolutionNumber::Exact(fraction) => report::exact(&fraction.to_string(), self.about()),
            other => report::tidy(other.about()),
        }
    }

    /// For people, in a column of probabilities.
    pub(crate) fn as_share(&self) -> String {
        match self {
            SolutionNumber::Exact(fraction) => report::share(&fraction.to_string(), self.about()),
            other => report::share_percent(other.about()),
        }
    }
}

impl From<f64> for SolutionNumber {
    fn from(number: f64) -> SolutionNumber {
        SolutionNumber::Near(number)
    }
}

impl From<Fraction> for SolutionNumber {
    fn from(fraction: Fraction) -> SolutionNumber {
        SolutionNumber::Exact(Arc::new(fraction))
    }
}

/// A number of a solution as programs get it.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum SolutionNumberJson {
    /// Exactly this: a fraction in lowest terms, such as `17/36` or `2`.
    Exact(String),
    /// About this.
    About(f64),
}

impl From<SolutionNumber> for SolutionNumberJson {
    fn from(figure: SolutionNumber) -> SolutionNumberJson {
        match &figure {
            SolutionNumber::Exact(fraction) => SolutionNumberJson::Exact(fraction.to_string()),
            other => SolutionNumberJson::About(other.about()),
        }
    }
}

impl TryFrom<SolutionNumberJson> for SolutionNumber {
    type Error = String;

    fn try_from(written: SolutionNumberJson) -> Result<SolutionNumber, String> {
        match written {
            SolutionNumberJson::About(number) => Ok(SolutionNumber::Near(number)),
            SolutionNumberJson::Exact(text) => match text.parse() {
                Ok(fraction) => Ok(SolutionNumber::Exact(Arc::new(fraction))),
                Err(_) => Err(format!("`{text}` is not a fraction")),
            },
        }
    }
}
