//! Reads numbers from results: exact ones are texts such as `17/36`, sampled ones maps with a mean.

use crate::analysis::{Estimate, Fraction, Number, fraction};
use crate::error::Error;
use crate::game::Value;

/// The number in a value of a result: a number, a fraction as text, or a mean with the ends of its
/// interval.
pub fn number_of(value: &Value) -> Option<Number> {
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

/// The number in a value of a result, as scripts compute with it.
///
/// # Errors
/// [`Error::Usage`] for a value without one.
pub fn float_of(value: &Value) -> Result<f64, Error> {
    number_of(value).map(|number| number.middle()).ok_or_else(|| {
        Error::usage(format!("`{value}` is no number, no fraction and no mean with an interval"))
    })
}
