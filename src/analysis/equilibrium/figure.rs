//! A number of a solution: an exact fraction, a float, or proven bounds.

use indexmap::IndexMap;
use num_traits::ToPrimitive;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::analysis::{Fraction, Interval};
use crate::render;

/// A value, a weight or a utility of a solution.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(into = "Written", try_from = "Written")]
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
    pub(crate) fn half_width(&self) -> f64 {
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
    pub(crate) fn is_apart(&self) -> bool {
        matches!(self, Figure::Within(bounds) if bounds.width() > 1e-4)
    }

    /// The proven bounds of the number, if there are any.
    pub fn bounds(&self) -> Option<Interval> {
        match self {
            Figure::Within(bounds) => Some(*bounds),
            _ => None,
        }
    }

    /// Whether it is 0.
    pub fn is_zero(&self) -> bool {
        self.about() == 0.0
    }

    /// For people, in a column of utilities.
    pub(crate) fn as_utility(&self) -> String {
        match self {
            Figure::Exact(fraction) => render::exact(&fraction.to_string(), self.about()),
            Figure::Within(bounds) if self.is_apart() => {
                format!("{} to {}", render::tidy(bounds.low), render::tidy(bounds.high))
            }
            other => render::tidy(other.about()),
        }
    }

    /// For people, in a column of probabilities.
    pub(crate) fn as_share(&self) -> String {
        match self {
            Figure::Exact(fraction) => render::share(&fraction.to_string(), self.about()),
            other => render::share_percent(other.about()),
        }
    }
}

/// The proven bounds of the values of sides, if there are any.
pub(super) fn bounds(value: &IndexMap<String, Figure>) -> Option<IndexMap<String, Interval>> {
    let bounds = value.iter().filter_map(|(side, value)| Some((side.clone(), value.bounds()?)));
    Some(bounds.collect()).filter(|bounds: &IndexMap<_, _>| !bounds.is_empty())
}

/// Reads values by their bounds.
pub(super) fn enclose(
    value: &mut IndexMap<String, Figure>,
    bounds: &Option<IndexMap<String, Interval>>,
) {
    let bounds = bounds.iter().flatten();
    value.extend(bounds.map(|(side, bounds)| (side.clone(), Figure::Within(*bounds))));
}

/// For people: how precise values are that are known within bounds.
pub(super) fn proven(value: &IndexMap<String, Figure>) -> Option<String> {
    let within = value.values().filter(|value| matches!(value, Figure::Within(_)));
    let widest = within.map(Figure::half_width).reduce(f64::max)?;
    let most = render::at_most(widest + render::ROUNDING);
    Some(format!("states lead back to each other: no value is further off than {most}, proven"))
}

impl From<Interval> for Figure {
    fn from(bounds: Interval) -> Figure {
        Figure::Within(bounds)
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

/// A number of a solution as programs get it.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Written {
    /// Exactly this: a fraction in lowest terms, such as `17/36` or `2`.
    Exact(String),
    /// About this: the nearest number, or the middle of proven bounds.
    About(f64),
}

impl From<Figure> for Written {
    fn from(figure: Figure) -> Written {
        match &figure {
            Figure::Exact(fraction) => Written::Exact(fraction.to_string()),
            other => Written::About(other.about()),
        }
    }
}

impl TryFrom<Written> for Figure {
    type Error = String;

    fn try_from(written: Written) -> Result<Figure, String> {
        match written {
            Written::About(number) => Ok(Figure::Near(number)),
            Written::Exact(text) => match text.parse() {
                Ok(fraction) => Ok(Figure::Exact(fraction)),
                Err(_) => Err(format!("`{text}` is no fraction")),
            },
        }
    }
}
