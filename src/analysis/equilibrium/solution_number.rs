//! A number of a solution: an exact fraction, a float, or proven bounds.

use std::cmp::Ordering;

use indexmap::IndexMap;
use num_traits::ToPrimitive;
use serde::{Deserialize, Serialize};

use crate::number::{Fraction, Interval, Quantity};
use crate::report;

/// A value, a weight or a utility of a solution.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "SolutionNumberJson", from = "SolutionNumberJson")]
pub enum SolutionNumber {
    /// Exactly this.
    Exact(Fraction),
    /// About this; the exploitability says how near.
    Near(f64),
    /// Surely between these.
    Within(Interval),
}

impl SolutionNumber {
    /// The number as a float.
    pub fn about(&self) -> f64 {
        match self {
            SolutionNumber::Exact(fraction) => fraction.to_f64().unwrap_or(f64::NAN),
            SolutionNumber::Near(number) => *number,
            SolutionNumber::Within(bounds) => bounds.middle(),
        }
    }

    /// Which of two numbers is less, as far as that is known.
    pub(crate) fn compare(&self, other: &SolutionNumber) -> Ordering {
        match (self, other) {
            (SolutionNumber::Exact(one), SolutionNumber::Exact(other)) => one.cmp(other),
            _ => self.about().total_cmp(&other.about()),
        }
    }

    /// The greatest distance of the number from the one printed; infinite if it is not proven.
    pub(crate) fn half_width(&self) -> f64 {
        match self {
            SolutionNumber::Exact(_) => 0.0,
            SolutionNumber::Near(_) => f64::INFINITY,
            SolutionNumber::Within(bounds) => {
                let middle = bounds.middle();
                let off = |bound: f64| Interval::exact(bound).minus(Interval::exact(middle));
                off(bounds.high).high.max(-off(bounds.low).low)
            }
        }
    }

    /// Whether its bounds are so far apart that people see it.
    pub(crate) fn is_apart(&self) -> bool {
        matches!(self, SolutionNumber::Within(bounds) if bounds.width() > 1e-4)
    }

    /// Its proven bounds, where they are so far apart, else the number twice.
    pub(crate) fn ends(&self) -> [f64; 2] {
        match self {
            SolutionNumber::Within(bounds) if self.is_apart() => [bounds.low, bounds.high],
            other => [other.about(); 2],
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
            SolutionNumber::Within(bounds) if self.is_apart() => {
                format!("{} to {}", report::tidy(bounds.low), report::tidy(bounds.high))
            }
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

/// For people: how precise values are that are known within bounds.
pub(super) fn proven(value: &IndexMap<String, SolutionNumber>) -> Option<String> {
    let within = value.values().filter(|value| matches!(value, SolutionNumber::Within(_)));
    let widest = within.map(SolutionNumber::half_width).reduce(f64::max)?;
    let most = report::at_most(widest + report::ROUNDING);
    Some(format!("states form cycles: every value is proven to within {most}"))
}

impl From<Interval> for SolutionNumber {
    fn from(bounds: Interval) -> SolutionNumber {
        SolutionNumber::Within(bounds)
    }
}

impl From<f64> for SolutionNumber {
    fn from(number: f64) -> SolutionNumber {
        SolutionNumber::Near(number)
    }
}

impl From<Fraction> for SolutionNumber {
    fn from(fraction: Fraction) -> SolutionNumber {
        SolutionNumber::Exact(fraction)
    }
}

/// A number of a solution as programs get it.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum SolutionNumberJson {
    /// About this.
    About(f64),
    /// Exactly this, or surely between these.
    Known(Quantity),
}

impl From<SolutionNumber> for SolutionNumberJson {
    fn from(number: SolutionNumber) -> SolutionNumberJson {
        match number {
            SolutionNumber::Exact(fraction) => SolutionNumberJson::Known(Quantity::exact(fraction)),
            SolutionNumber::Near(number) => SolutionNumberJson::About(number),
            SolutionNumber::Within(bounds) => SolutionNumberJson::Known(Quantity::proven(bounds)),
        }
    }
}

impl From<SolutionNumberJson> for SolutionNumber {
    fn from(written: SolutionNumberJson) -> SolutionNumber {
        match written {
            SolutionNumberJson::About(number) => SolutionNumber::Near(number),
            SolutionNumberJson::Known(Quantity { fraction: Some(fraction), .. }) => {
                SolutionNumber::Exact(fraction)
            }
            SolutionNumberJson::Known(number) => SolutionNumber::Within(number.bounds()),
        }
    }
}
