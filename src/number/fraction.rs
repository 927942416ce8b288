//! Exact fractions of the numbers that rules give, and the simplest fraction between two others.

use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::Zero;

use crate::game::Value;

/// An exact number with a sign. Its text is in lowest terms: `1`, `-1/18`.
pub type Fraction = Ratio<BigInt>;

/// The exact fraction of a number, or of a pair of whole numbers as of `ratio(1, 3)`; `None` for
/// any other value, or a float that is not finite.
pub fn fraction(value: &Value) -> Option<Fraction> {
    match value {
        Value::Int(number) => Some(Fraction::from_integer((*number).into())),
        Value::Float(number) => fraction_of_decimal(*number),
        other => other.as_pair().map(|(part, whole)| Fraction::new(part.into(), whole.into())),
    }
}

/// The number that the author of a float wrote: its shortest decimal text, so that 0.1 is 1/10 and
/// not the binary number beside it. `None` if it is not finite.
pub(crate) fn fraction_of_decimal(number: f64) -> Option<Fraction> {
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

/// The fraction of the least denominator between two, both included; of those the least in size.
pub(crate) fn simplest_between(low: &Fraction, high: &Fraction) -> Fraction {
    if *high < Fraction::zero() {
        return -simplest_between(&-high, &-low);
    }
    if *low <= Fraction::zero() {
        return Fraction::zero();
    }
    // What the continued fractions of both have in common (Stern and Brocot).
    let mut wholes = Vec::new();
    let (mut low, mut high) = (low.clone(), high.clone());
    let last = loop {
        let whole = low.floor();
        if whole == low || whole < high.floor() {
            break low.ceil();
        }
        (low, high) = ((&high - &whole).recip(), (&low - &whole).recip());
        wholes.push(whole);
    };
    wholes.into_iter().rev().fold(last, |rest, whole| whole + rest.recip())
}

/// Whether a float is surely the whole number that was meant: larger ones are rounded.
pub(crate) fn is_whole(float: f64) -> bool {
    float.fract() == 0.0 && float.abs() < 2f64.powi(53)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_float_that_may_be_a_rounded_number_is_not_surely_whole() {
        // 2^53 + 1 is no float: it is rounded to 2^53.
        assert!(is_whole(9_007_199_254_740_991.0) && !is_whole(9_007_199_254_740_992.0));
    }

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
        let pair = |a: i64, b: i64| fraction(Value::List(vec![a.into(), b.into()]));
        assert_eq!(pair(2, -6).unwrap().to_string(), "-1/3");
        assert!(pair(1, 0).is_none());
    }

    #[test]
    fn the_simplest_fraction_between_two_is_found() {
        let of = |part: i64, whole: i64| Fraction::new(part.into(), whole.into());
        let between = |low, high| simplest_between(&low, &high).to_string();
        assert_eq!(between(of(3, 10), of(7, 20)), "1/3");
        assert_eq!(between(of(-7, 20), of(-3, 10)), "-1/3");
        assert_eq!(between(of(-1, 10), of(1, 10)), "0");
        assert_eq!(between(of(999_999, 1_000_000), of(1_000_001, 1_000_000)), "1");
        assert_eq!(between(of(5, 7), of(5, 7)), "5/7");
        // Between 3.14 and 3.15 is 22/7, and nothing of a lesser denominator.
        assert_eq!(between(of(314, 100), of(315, 100)), "22/7");
    }
}
