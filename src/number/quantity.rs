//! `Quantity`: a number with what is known of it, exactly, within proven bounds, or from a sample.

use std::cmp::Ordering;
use std::ops::Not;
use std::sync::Arc;

use num_traits::{ToPrimitive, Zero};
use serde::{Deserialize, Serialize};

use super::{Fraction, Interval, fraction};
use crate::game::Value;
use crate::report;

/// A probability, a utility or a measure, with what is known of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "QuantityJson", try_from = "Value")]
pub struct Quantity {
    /// The number: rounded, in the middle of its bounds, or the mean of the sample.
    pub value: f64,
    /// The number as a fraction, where it is exact.
    pub fraction: Option<Arc<Fraction>>,
    /// The lower end of the 95 % interval, or the proven bound; minus infinity where there is none.
    pub low: f64,
    /// The upper end of the 95 % interval, or the proven bound; infinity where there is none.
    pub high: f64,
    /// Where it is from.
    pub basis: Basis,
}

/// Ends that are closer than this, in relation to the number, are not shown.
const CLOSE: f64 = 1e-9;

/// Why a number is what it is said to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// It is a fraction, and both ends are its value.
    Exact,
    /// It is proven to be between the ends.
    Proven,
    /// It was estimated, with its 95 % interval, from a sample of this size; 0 where that is not known.
    Sampled {
        /// The size.
        n: u64,
    },
    /// It was computed in floats: what certifies the whole that it is part of says how near it is. Both ends are its
    /// value.
    Near,
}

impl Basis {
    /// That of a number that was written down and is no fraction.
    fn read(proven: bool) -> Basis {
        if proven { Basis::Proven } else { Basis::Sampled { n: 0 } }
    }
}

impl Quantity {
    /// Exactly this, with the float nearest to it.
    pub fn exact(fraction: Fraction) -> Quantity {
        let value = fraction.to_f64().unwrap_or(f64::NAN);
        let fraction = Some(Arc::new(fraction));
        Quantity { value, fraction, low: value, high: value, basis: Basis::Exact }
    }

    pub(crate) fn zero() -> Quantity {
        Quantity::exact(Fraction::default())
    }

    /// Surely between these bounds.
    pub fn proven(bounds: Interval) -> Quantity {
        let Interval { low, high } = bounds;
        Quantity { value: bounds.middle(), fraction: None, low, high, basis: Basis::Proven }
    }

    /// Estimated from a sample of size `n`, with its 95 % interval.
    pub fn sampled(n: u64, value: f64, (low, high): (f64, f64)) -> Quantity {
        Quantity { value, fraction: None, low, high, basis: Basis::Sampled { n } }
    }

    /// Estimated with half of its 95 % interval to either side.
    pub(crate) fn give_or_take(n: u64, value: f64, half: f64) -> Quantity {
        Quantity::sampled(n, value, (value - half, value + half))
    }

    /// Estimated from a sample that says nothing of how far it is off: the interval has no ends.
    pub(crate) fn unbounded(n: u64, value: f64) -> Quantity {
        Quantity::sampled(n, value, (f64::NEG_INFINITY, f64::INFINITY))
    }

    /// The size of the sample; 0 where there is none.
    pub(crate) fn n(&self) -> u64 {
        match self.basis {
            Basis::Sampled { n } => n,
            Basis::Exact | Basis::Proven | Basis::Near => 0,
        }
    }

    pub(crate) fn is_sampled(&self) -> bool {
        matches!(self.basis, Basis::Sampled { .. })
    }

    /// Whether it is a mean of playouts that all gave the same: its interval has no ends.
    pub(crate) fn is_unvaried(&self) -> bool {
        self.is_sampled() && !self.low.is_finite()
    }

    /// Which of two numbers is less, as far as that is known.
    pub(crate) fn compare(&self, other: &Quantity) -> Ordering {
        match (&self.fraction, &other.fraction) {
            (Some(one), Some(other)) => one.cmp(other),
            _ => self.value.total_cmp(&other.value),
        }
    }

    /// Whether it is known that it is not 0.
    pub(crate) fn is_clear(&self) -> bool {
        match &self.fraction {
            Some(fraction) => !fraction.is_zero(),
            None => self.low > 0.0 || self.high < 0.0,
        }
    }

    /// Whether it is known so nearly that it is as good as exact for people.
    pub(crate) fn is_close(&self) -> bool {
        self.high - self.low <= CLOSE * self.value.abs().max(1.0)
    }

    /// The ends of its interval.
    pub fn range(&self) -> (f64, f64) {
        (self.low, self.high)
    }

    /// The wider half of its interval.
    pub fn half_width(&self) -> f64 {
        (self.high - self.value).max(self.value - self.low)
    }

    /// The interval that holds it: proven, or at 95 %.
    pub fn bounds(&self) -> Interval {
        match &self.fraction {
            Some(fraction) => Interval::of_fraction(fraction),
            None => Interval { low: self.low, high: self.high },
        }
    }

    /// A number of a sample with the ends within these, and the value too.
    #[must_use]
    pub(crate) fn clamped(self, least: f64, most: f64) -> Quantity {
        let [value, low, high] =
            [self.value, self.low, self.high].map(|one| one.clamp(least, most));
        Quantity { value, low, high, ..self }
    }

    /// A point of a plot, with its interval where it is not exact.
    pub(crate) fn point(&self, x: f64) -> report::Point {
        let range = self.fraction.is_none().then(|| self.range());
        report::Point { x, y: self.value, range, proven: self.basis == Basis::Proven }
    }

    // What is computed from two numbers is a fraction where both are, else between bounds. Neither may be of a sample,
    // whose interval proves nothing, or near.

    fn proof(&self) -> Interval {
        debug_assert!(matches!(self.basis, Basis::Exact | Basis::Proven), "it proves nothing");
        self.bounds()
    }

    #[must_use]
    pub(crate) fn plus(&self, other: &Quantity) -> Quantity {
        match (&self.fraction, &other.fraction) {
            (Some(number), Some(other)) => Quantity::exact(&**number + &**other),
            _ => Quantity::proven(self.proof().plus(other.proof())),
        }
    }

    #[must_use]
    pub(crate) fn minus(&self, other: &Quantity) -> Quantity {
        match (&self.fraction, &other.fraction) {
            (Some(number), Some(other)) => Quantity::exact(&**number - &**other),
            _ => Quantity::proven(self.proof().minus(other.proof())),
        }
    }

    #[must_use]
    pub(crate) fn times(&self, other: &Quantity) -> Quantity {
        match (&self.fraction, &other.fraction) {
            (Some(number), Some(other)) => Quantity::exact(&**number * &**other),
            _ => Quantity::proven(self.proof().times(other.proof())),
        }
    }

    /// The quotient of numbers of 0 or more; `None` over 0.
    pub(crate) fn over(&self, whole: &Quantity) -> Option<Quantity> {
        match (&self.fraction, &whole.fraction) {
            (Some(part), Some(whole)) => {
                (!whole.is_zero()).then(|| Quantity::exact(&**part / &**whole))
            }
            _ => {
                let at_least_0 =
                    |Interval { low, high }| Interval { low: low.max(0.0), high: high.max(0.0) };
                let (part, whole) = (at_least_0(self.proof()), at_least_0(whole.proof()));
                (whole.high > 0.0).then(|| Quantity::proven(part.over(whole)))
            }
        }
    }

    /// Reads a number of a result: a number, a fraction as text, or a mean with the ends of its
    /// interval.
    pub fn read(value: &Value) -> Option<Quantity> {
        match value {
            Value::Text(text) => text.parse().ok().map(Quantity::exact),
            Value::Int(_) | Value::Float(_) => fraction(value).map(Quantity::exact),
            Value::Map(map) => {
                let part = |key: &str, otherwise: f64| match map.get(key) {
                    Some(Value::Unit) => Some(otherwise),
                    Some(number) => number.as_number(),
                    None => None,
                };
                let mean = map.get("mean")?.as_number()?;
                let (low, high) = (part("low", f64::NEG_INFINITY)?, part("high", f64::INFINITY)?);
                let proven = map.get("proven") == Some(&Value::Bool(true));
                Some(Quantity {
                    value: mean,
                    fraction: None,
                    low,
                    high,
                    basis: Basis::read(proven),
                })
            }
            _ => None,
        }
    }

    // For people an exact number is a fraction with its value, one that is proven its digits or `low to high`, and
    // one that is estimated `value (low to high)`.

    /// For people, in a column of probabilities.
    pub(crate) fn as_share(&self) -> String {
        match (&self.fraction, self.basis) {
            (Some(fraction), _) => report::share(&fraction.to_string(), self.value),
            (None, Basis::Near) => report::share_percent(self.value),
            (None, Basis::Proven) if self.is_close() => report::close_share(self.value),
            (None, Basis::Proven) => {
                format!("{} %", report::ends((100.0 * self.low, 100.0 * self.high)))
            }
            (None, _) => report::shares_between(self.value, self.range()),
        }
    }

    /// For people, where there is little room: a probability in percent alone, where it is known so well.
    pub(crate) fn as_short_share(&self) -> String {
        self.known(report::share_percent).unwrap_or_else(|| self.as_share())
    }

    /// A number that is proven, where all that it may be is printed the same.
    pub(crate) fn known(&self, print: fn(f64) -> String) -> Option<String> {
        let printed = print(self.low);
        (!self.is_sampled() && printed == print(self.high)).then_some(printed)
    }

    /// For people, in a column of differences between probabilities, in percentage points.
    pub(crate) fn as_points(&self) -> String {
        match (&self.fraction, self.basis) {
            (Some(fraction), _) => report::percent_points(&fraction.to_string(), self.value),
            (None, Basis::Proven) if self.is_close() => format!("{:+.10}", 100.0 * self.value),
            (None, Basis::Proven) => report::signed_ends((100.0 * self.low, 100.0 * self.high)),
            (None, _) => report::points_between(self.value, self.range()),
        }
    }

    /// For people, in a column of utilities.
    pub(crate) fn as_utility(&self) -> String {
        match (&self.fraction, self.basis) {
            (Some(fraction), _) => report::exact(&fraction.to_string(), self.value),
            (None, Basis::Near) => report::tidy(self.value),
            (None, Basis::Proven) if self.is_close() => report::close(self.value),
            (None, Basis::Proven) => report::ends(self.range()),
            (None, Basis::Sampled { n }) if self.is_unvaried() => {
                report::unvaried(report::tidy(self.value), n)
            }
            (None, _) => report::between(self.value, self.range()),
        }
    }

    /// For people, in a column of measures of which each has a unit of its own.
    pub(crate) fn as_measure(&self, is_share: bool) -> String {
        let print = if is_share { report::share_percent } else { report::tidy };
        match self.basis {
            _ if self.is_unvaried() => report::unvaried(print(self.value), self.n()),
            _ if !self.high.is_finite() => format!("{} or more", report::tidy(self.low)),
            _ if self.fraction.is_some() || !self.is_close() => match is_share {
                true => self.as_share(),
                false => self.as_utility(),
            },
            // What is rounded and no fraction is not to be taken for one.
            Basis::Proven => format!("about {}", print(self.value)),
            _ => print(self.value),
        }
    }

    /// For people, where the interval is as far to either side: a mean with half of it, where it is sampled.
    pub(crate) fn as_margin(&self) -> String {
        let half = self.half_width();
        report::with_margin(self.value, (self.is_sampled() && half.is_finite()).then_some(half))
    }
}

/// Computed in floats.
impl From<f64> for Quantity {
    fn from(value: f64) -> Quantity {
        Quantity { value, fraction: None, low: value, high: value, basis: Basis::Near }
    }
}

impl From<Fraction> for Quantity {
    fn from(fraction: Fraction) -> Quantity {
        Quantity::exact(fraction)
    }
}

/// A number as programs get it.
#[derive(Serialize)]
#[serde(untagged)]
enum QuantityJson {
    /// Exactly this: a fraction in lowest terms, such as `17/36` or `2`.
    Exact(String),
    /// Near this.
    Near(f64),
    /// Not exactly, with the interval around it, and whether that is proven.
    Within {
        mean: f64,
        low: f64,
        high: f64,
        #[serde(skip_serializing_if = "Not::not")]
        proven: bool,
    },
}

impl From<Quantity> for QuantityJson {
    fn from(Quantity { value, fraction, low, high, basis }: Quantity) -> QuantityJson {
        match fraction {
            Some(fraction) => QuantityJson::Exact(fraction.to_string()),
            None if basis == Basis::Near => QuantityJson::Near(value),
            None => QuantityJson::Within { mean: value, low, high, proven: basis == Basis::Proven },
        }
    }
}

impl TryFrom<Value> for Quantity {
    type Error = String;

    fn try_from(value: Value) -> Result<Quantity, String> {
        let number = value.as_number().map(Quantity::from).or_else(|| Quantity::read(&value));
        number.ok_or_else(|| format!("`{value}` is not a number"))
    }
}

/// A module that writes a number among the keys of what has it: its value under a name, `fraction` (null where it is
/// none), `low` and `high` (null where there is no end), and whether these are `proven`, not estimated from a sample.
macro_rules! keys {
    ($value:ident) => {
        use serde::{Deserialize, Deserializer, Serialize, Serializer};

        use super::{Arc, Basis, Fraction, Quantity, open_end};

        #[derive(Serialize, Deserialize)]
        struct NumberKeys {
            #[serde(deserialize_with = "open_end::unknown")]
            $value: f64,
            fraction: Option<String>,
            #[serde(deserialize_with = "open_end::low")]
            low: f64,
            #[serde(deserialize_with = "open_end::high")]
            high: f64,
            #[serde(default)]
            proven: bool,
        }

        pub(crate) fn serialize<S: Serializer>(
            quantity: &Quantity,
            serializer: S,
        ) -> Result<S::Ok, S::Error> {
            let (&Quantity { value, low, high, .. }, proven) = (quantity, !quantity.is_sampled());
            let fraction = quantity.fraction.as_ref().map(ToString::to_string);
            NumberKeys { $value: value, fraction, low, high, proven }.serialize(serializer)
        }

        pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
            deserializer: D,
        ) -> Result<Quantity, D::Error> {
            let NumberKeys { $value: value, fraction, low, high, proven } =
                NumberKeys::deserialize(deserializer)?;
            let fraction: Option<Fraction> = fraction.and_then(|fraction| fraction.parse().ok());
            let fraction = fraction.map(Arc::new);
            let basis = if fraction.is_some() { Basis::Exact } else { Basis::read(proven) };
            Ok(Quantity { value, fraction, low, high, basis })
        }
    };
}

/// A number whose value is under `value`.
pub(crate) mod fields {
    keys!(value);
}

/// A number whose value is under `difference`.
pub(crate) mod difference {
    keys!(difference);
}

/// The ends of intervals, which are null where there is no bound.
pub(crate) mod open_end {
    use serde::{Deserialize, Deserializer};

    /// The lower end of an interval; null is minus infinity.
    pub(crate) fn low<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        Option::deserialize(deserializer).map(|number| number.unwrap_or(f64::NEG_INFINITY))
    }

    /// The upper end of an interval; null is infinity.
    pub(crate) fn high<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        Option::deserialize(deserializer).map(|number| number.unwrap_or(f64::INFINITY))
    }

    /// A number; null where it is not known.
    pub(crate) fn unknown<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        Option::deserialize(deserializer).map(|number| number.unwrap_or(f64::NAN))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{from_value, json, to_value};

    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Row {
        name: String,
        #[serde(flatten, with = "fields")]
        number: Quantity,
    }

    #[test]
    fn what_is_exact_proven_or_sampled_is_the_same_after_it_is_read_back() {
        let half = Quantity::exact("1/2".parse().unwrap());
        let proven = Quantity::proven(Interval { low: 0.25, high: 0.75 });
        let sampled = Quantity::sampled(0, 0.5, (0.25, 0.75));
        let open = Quantity::unbounded(0, 2.0);
        for (number, written, among) in [
            (
                half,
                json!("1/2"),
                json!({"value": 0.5, "fraction": "1/2", "low": 0.5, "high": 0.5, "proven": true}),
            ),
            (
                proven,
                json!({"mean": 0.5, "low": 0.25, "high": 0.75, "proven": true}),
                json!({"value": 0.5, "fraction": null, "low": 0.25, "high": 0.75, "proven": true}),
            ),
            (
                sampled,
                json!({"mean": 0.5, "low": 0.25, "high": 0.75}),
                json!({"value": 0.5, "fraction": null, "low": 0.25, "high": 0.75, "proven": false}),
            ),
            (
                open,
                json!({"mean": 2.0, "low": null, "high": null}),
                json!({"value": 2.0, "fraction": null, "low": null, "high": null, "proven": false}),
            ),
        ] {
            assert_eq!(to_value(&number).unwrap(), written);
            assert_eq!(from_value::<Quantity>(written).unwrap(), number);
            let row = Row { name: "one".to_owned(), number };
            let mut json = to_value(&row).unwrap();
            assert_eq!(from_value::<Row>(json.clone()).unwrap(), row);
            json.as_object_mut().unwrap().remove("name");
            assert_eq!(json, among);
        }
    }

    #[test]
    fn a_long_fraction_and_what_is_proven_and_rounded_are_printed_apart() {
        let long = "250000000000000000000001/1000000000000000000000000".parse().unwrap();
        let close = Quantity::proven(Interval { low: 0.25 - 1e-12, high: 0.25 + 1e-12 });
        let printed = |number: &Quantity| [true, false].map(|is_share| number.as_measure(is_share));
        assert_eq!(printed(&Quantity::exact(long)), ["25.00 %", "0.25"]);
        assert_eq!(printed(&close), ["about 25.00 %", "about 0.25"]);
    }
}
