//! A number with its certainty: exact, enclosed between two floats, or estimated from a sample; and the trait
//! of those that hold probabilities and expected counts.

use num_bigint::BigUint;
use serde::{Deserialize, Serialize, Serializer};

use super::interval::quotient;
use super::{Estimate, Fraction, Interval, fraction};
use crate::game::Value;
use crate::render;

/// A probability, or an expected number of times: never below 0.
///
/// There is no subtraction. Sums, products and quotients of positive numbers keep their relative
/// error small in floating point, and enclosures narrow; one subtraction can lose both.
pub trait Amount: Clone {
    /// None.
    fn zero() -> Self;

    /// One, or certainty.
    fn one() -> Self;

    /// `part / whole`; `whole` must be above 0.
    fn ratio(part: &BigUint, whole: &BigUint) -> Self;

    /// Adds another amount.
    fn add_assign(&mut self, other: &Self);

    /// The product.
    #[must_use]
    fn mul(&self, other: &Self) -> Self;

    /// The quotient; `other` must be above 0.
    #[must_use]
    fn div(&self, other: &Self) -> Self;

    /// Whether it is known to be 0.
    fn is_zero(&self) -> bool;

    /// Brings the amount into its shortest form, where it has several. Called where results are
    /// used over and over, as within cycles: there, forms that are not the shortest would grow.
    fn settle(&mut self) {}
}

/// A probability or a utility, with its certainty.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "NumberJson", try_from = "Value")]
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

    /// The wider half of its range.
    pub(crate) fn half_width(&self) -> f64 {
        let ((low, high), middle) = (self.range(), self.middle());
        (high - middle).max(middle - low)
    }

    /// Whether it is a mean of playouts that all gave the same: its interval has no ends.
    pub(crate) fn is_unvaried(&self) -> bool {
        matches!(self, Number::Sampled(Estimate { low, .. }) if !low.is_finite())
    }

    /// The exact fraction, if it is known.
    pub fn exact(&self) -> Option<&Fraction> {
        match self {
            Number::Exact(fraction) => Some(fraction),
            _ => None,
        }
    }

    /// The interval that holds it: proven, or at 95 %.
    pub(super) fn enclosing(&self) -> Interval {
        match self {
            Number::Exact(fraction) => Interval::of_fraction(fraction),
            Number::Enclosed(interval) => *interval,
            Number::Sampled(Estimate { low, high, .. }) => Interval { low: *low, high: *high },
        }
    }

    /// The number less another: of what is exact a fraction, else what is between the bounds.
    pub(super) fn less(&self, other: &Number) -> Number {
        match (self.exact(), other.exact()) {
            (Some(number), Some(other)) => Number::Exact(number - other),
            _ => Number::Enclosed(self.enclosing().minus(other.enclosing())),
        }
    }

    /// Reads a number of a result: a number, a fraction as text, or a mean with the ends of its
    /// interval.
    pub fn read(value: &Value) -> Option<Number> {
        match value {
            Value::Text(text) => text.parse::<Fraction>().ok().map(Number::Exact),
            Value::Int(_) | Value::Float(_) => fraction(value).map(Number::Exact),
            Value::Map(map) => {
                let part = |key: &str, otherwise: f64| match map.get(key) {
                    Some(Value::Unit) => Some(otherwise),
                    Some(number) => number.as_number(),
                    None => None,
                };
                let mean = map.get("mean")?.as_number()?;
                let (low, high) = (part("low", f64::NEG_INFINITY)?, part("high", f64::INFINITY)?);
                Some(Number::Sampled(Estimate { n: 0, mean, low, high }))
            }
            _ => None,
        }
    }

    /// For people, in a column of probabilities.
    pub(crate) fn as_share(&self) -> String {
        match self {
            Number::Exact(fraction) => render::share(&fraction.to_string(), self.middle()),
            Number::Enclosed(_) => render::close_share(self.middle()),
            other => render::shares_between(other.middle(), other.range()),
        }
    }

    /// For people, where there is little room: a probability in percent alone, where it is known so well.
    pub(crate) fn as_short_share(&self) -> String {
        self.known(render::share_percent).unwrap_or_else(|| self.as_share())
    }

    /// A number that is proven, where all that it may be is printed the same.
    pub(crate) fn known(&self, print: fn(f64) -> String) -> Option<String> {
        let (low, high) = self.range();
        let printed = print(low);
        let proven = !matches!(self, Number::Sampled(_));
        (proven && printed == print(high)).then_some(printed)
    }

    /// For people, in a column of differences between probabilities, in percentage points.
    pub(crate) fn as_points(&self) -> String {
        match self {
            Number::Exact(fraction) => render::percent_points(&fraction.to_string(), self.middle()),
            other => render::points_between(other.middle(), other.range()),
        }
    }

    /// For people, in a column of utilities.
    pub(crate) fn as_utility(&self) -> String {
        match self {
            Number::Exact(fraction) => render::exact(&fraction.to_string(), self.middle()),
            Number::Enclosed(_) => render::close(self.middle()),
            Number::Sampled(Estimate { n, mean, .. }) if self.is_unvaried() => {
                render::unvaried(render::tidy(*mean), *n)
            }
            other => render::between(other.middle(), other.range()),
        }
    }
}

/// A number as programs get it.
#[derive(Serialize)]
#[serde(untagged)]
enum NumberJson {
    /// Exactly this: a fraction in lowest terms, such as `17/36` or `2`.
    Exact(String),
    /// Not exactly, with the interval around it.
    Within(Estimate),
}

impl From<Number> for NumberJson {
    fn from(number: Number) -> NumberJson {
        match &number {
            Number::Exact(fraction) => NumberJson::Exact(fraction.to_string()),
            Number::Sampled(estimate) => NumberJson::Within(*estimate),
            Number::Enclosed(Interval { low, high }) => {
                NumberJson::Within(Estimate { n: 0, mean: number.middle(), low: *low, high: *high })
            }
        }
    }
}

impl TryFrom<Value> for Number {
    type Error = String;

    fn try_from(value: Value) -> Result<Number, String> {
        Number::read(&value).ok_or_else(|| format!("`{value}` is not a number"))
    }
}

// How programs read and write what JSON has no word for: work that was cut, one of two types, an interval
// without an end.

/// Whether work came to its end: a `bool` in place of the reason why it did not.
pub(super) mod complete {
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::error::Cut;

    /// Whether nothing cut the work.
    pub(crate) fn serialize<S: Serializer>(
        cut: &Option<Cut>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_bool(cut.is_none())
    }

    /// A script of the lab knows no reason, only that there was one.
    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Cut>, D::Error> {
        Ok((!bool::deserialize(deserializer)?).then_some(Cut::Interrupted))
    }
}

/// The ends of intervals, which are null where there is no bound.
pub(super) mod open_end {
    use serde::{Deserialize, Deserializer};

    /// The lower end of an interval; null is minus infinity.
    pub(crate) fn low<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        Option::deserialize(deserializer).map(|number| number.unwrap_or(f64::NEG_INFINITY))
    }

    /// The upper end of an interval; null is infinity.
    pub(crate) fn high<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        Option::deserialize(deserializer).map(|number| number.unwrap_or(f64::INFINITY))
    }
}

/// Writes the one or the other, without a word for which.
pub(super) fn either<T: Serialize, E: Serialize, S: Serializer>(
    found: &Result<T, E>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match found {
        Ok(found) => found.serialize(serializer),
        Err(missing) => missing.serialize(serializer),
    }
}

impl Amount for Interval {
    fn zero() -> Interval {
        Interval::exact(0.0)
    }

    fn one() -> Interval {
        Interval::exact(1.0)
    }

    fn ratio(part: &BigUint, whole: &BigUint) -> Interval {
        Interval::of_ratio(part, whole)
    }

    fn add_assign(&mut self, other: &Interval) {
        *self = self.plus(*other);
    }

    fn mul(&self, other: &Interval) -> Interval {
        self.times(*other)
    }

    fn div(&self, other: &Interval) -> Interval {
        Interval {
            low: quotient(self.low, other.high).low.max(0.0),
            high: match other.low > 0.0 {
                true => quotient(self.high, other.low).high,
                // The divisor is above 0, but by less than floats can represent.
                false => f64::INFINITY,
            },
        }
    }

    fn is_zero(&self) -> bool {
        self.high == 0.0
    }
}
