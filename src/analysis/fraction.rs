//! How does a number of the rules become an exact fraction?

use num_bigint::BigInt;
use num_rational::Ratio;

use crate::game::Value;

/// An exact number with a sign. Its text is in lowest terms: `1`, `-1/18`.
pub type Fraction = Ratio<BigInt>;

/// The exact fraction of a number; nothing for any other value, or a float that is not finite.
pub fn fraction(value: &Value) -> Option<Fraction> {
    match value {
        Value::Int(number) => Some(Fraction::from_integer((*number).into())),
        Value::Float(number) => fraction_of_decimal(*number),
        _ => None,
    }
}

/// What the author of a float wrote: its shortest decimal text, so that 0.1 is 1/10 and not the
/// binary number beside it. Nothing if it is not finite.
pub fn fraction_of_decimal(number: f64) -> Option<Fraction> {
    if !number.is_finite() {
        return None;
    }
    // `-1.25e-3` is -125 · 10^-5.
    let text = format!("{number:e}");
    let (digits, exponent) = text.split_once('e')?;
    let (whole, places) = digits.split_once('.').unwrap_or((digits, ""));
    let digits: BigInt = format!("{whole}{places}").parse().ok()?;
    let exponent = exponent.parse::<i64>().ok()? - i64::try_from(places.len()).ok()?;
    let power = BigInt::from(10).pow(u32::try_from(exponent.unsigned_abs()).ok()?);
    Some(match exponent < 0 {
        true => Fraction::new(digits, power),
        false => Fraction::from_integer(digits * power),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_float_is_the_decimal_that_was_written() {
        let text = |number: f64| fraction_of_decimal(number).unwrap().to_string();
        assert_eq!(
            [0.1, -1.5, 2.0, 0.0, -0.0, 1e21, 1.25e-3, 0.3].map(text),
            ["1/10", "-3/2", "2", "0", "0", "1000000000000000000000", "1/800", "3/10"]
        );
        assert!(fraction_of_decimal(f64::NAN).is_none());
        assert!(fraction_of_decimal(f64::INFINITY).is_none());
        // The least and the greatest of all floats have fractions too.
        for number in [5e-324, f64::MAX] {
            assert!(text(number).len() > 300);
        }
    }

    #[test]
    fn texts_are_in_lowest_terms() {
        let fraction = |value: Value| fraction(&value);
        assert_eq!(fraction(Value::Int(1)).unwrap().to_string(), "1");
        assert_eq!(Fraction::new((-2).into(), 36.into()).to_string(), "-1/18");
        assert!(fraction(Value::from("1")).is_none());
    }
}
