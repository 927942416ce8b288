//! A number of a solution: an exact fraction, a float, or proven bounds.

use indexmap::IndexMap;
use num_traits::ToPrimitive;
use serde_json::{Map, Value as Json, json};

use crate::analysis::{Fraction, Interval};
use crate::render;

/// A value, a weight or a utility of a solution.
#[derive(Clone, Debug, PartialEq)]
pub enum Figure {
    /// Exactly this.
    Exact(Fraction),
    /// About this; the exploitability says how near.
    Near(f64),
    /// Surely between these.
    Within(Interval),
}

impl Figure {
    /// The number as a float.
    pub fn about(&self) -> f64 {
        match self {
            Figure::Exact(fraction) => fraction.to_f64().unwrap_or(f64::NAN),
            Figure::Near(number) => *number,
            Figure::Within(bounds) => bounds.middle(),
        }
    }

    /// The greatest distance of the number from the one printed; infinite if it is not proven.
    pub fn half_width(&self) -> f64 {
        match self {
            Figure::Exact(_) => 0.0,
            Figure::Near(_) => f64::INFINITY,
            Figure::Within(bounds) => {
                let middle = bounds.middle();
                let off = |bound: f64| Interval::exact(bound).minus(Interval::exact(middle));
                off(bounds.high).high.max(-off(bounds.low).low)
            }
        }
    }

    /// Whether its bounds are so far apart that people see it.
    pub fn is_apart(&self) -> bool {
        matches!(self, Figure::Within(bounds) if bounds.width() > 1e-4)
    }

    /// For programs: the proven bounds of the number, if there are any.
    pub fn bounds(&self) -> Option<Json> {
        match self {
            Figure::Within(Interval { low, high }) => Some(json!({ "low": low, "high": high })),
            _ => None,
        }
    }

    /// Whether it is 0.
    pub fn is_zero(&self) -> bool {
        self.about() == 0.0
    }

    /// For programs: a fraction as text in lowest terms, else a number.
    pub fn as_json(&self) -> Json {
        match self {
            Figure::Exact(fraction) => fraction.to_string().into(),
            other => other.about().into(),
        }
    }

    /// For people, in a column of utilities.
    pub fn as_utility(&self) -> String {
        match self {
            Figure::Exact(fraction) => render::exact(&fraction.to_string(), self.about()),
            Figure::Within(bounds) if self.is_apart() => {
                format!("{} to {}", render::tidy(bounds.low), render::tidy(bounds.high))
            }
            other => render::tidy(other.about()),
        }
    }

    /// For people, in a column of probabilities.
    pub fn as_share(&self) -> String {
        match self {
            Figure::Exact(fraction) => render::share(&fraction.to_string(), self.about()),
            other => render::share_percent(other.about()),
        }
    }
}

/// For programs: the proven bounds of the values of sides, if there are any.
pub fn bounds_as_json(value: &IndexMap<String, Figure>) -> Option<Json> {
    let bounds = value.iter().filter_map(|(side, value)| Some((side.clone(), value.bounds()?)));
    let bounds: Map<String, Json> = bounds.collect();
    (!bounds.is_empty()).then_some(Json::Object(bounds))
}

/// For people: how precise values are that are known within bounds.
pub fn proven(value: &IndexMap<String, Figure>) -> Option<String> {
    let within = value.values().filter(|value| matches!(value, Figure::Within(_)));
    let widest = within.map(Figure::half_width).reduce(f64::max)?;
    let most = render::at_most(widest + render::ROUNDING);
    Some(format!("states lead back to each other: no value is further off than {most}, proven"))
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
