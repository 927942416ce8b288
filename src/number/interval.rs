//! Interval arithmetic: a number enclosed between two floats.
//!
//! Outward rounding after Moore, Kearfott and Cloud, Introduction to Interval Analysis, 2009. A
//! sum, product or quotient of floats is rounded to the nearest; the exact error of the operation
//! shows on which side the true number is, or that the float is exact (Knuth's two-sum; for
//! products and quotients a fused multiply-add). So only the bound that was rounded inwards moves,
//! and numbers that floats can hold stay exact.

use num_bigint::{BigUint, Sign};
use num_integer::Integer;
use num_traits::{ToPrimitive, Zero};
use serde::{Deserialize, Serialize};

use super::Fraction;

/// Two bounds around a number, `low` at most `high`. `low` may be minus infinity and `high`
/// infinity, beyond the range of floats.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The number is at least this.
    pub low: f64,
    /// The number is at most this.
    pub high: f64,
}

impl Interval {
    /// Exactly this float.
    pub const fn exact(number: f64) -> Interval {
        Interval { low: number, high: number }
    }

    /// The narrowest enclosure of a fraction of numbers of any length.
    pub(crate) fn of_ratio(part: &BigUint, whole: &BigUint) -> Interval {
        match (small(part), small(whole)) {
            (Some(part), Some(whole)) => quotient(part, whole),
            _ => enclosed(part, whole),
        }
    }

    /// The narrowest enclosure of a fraction with a sign.
    pub(crate) fn of_fraction(fraction: &Fraction) -> Interval {
        let size = Interval::of_ratio(fraction.numer().magnitude(), fraction.denom().magnitude());
        if fraction.numer().sign() == Sign::Minus { size.negative() } else { size }
    }

    #[must_use]
    pub(crate) fn negative(self) -> Interval {
        Interval { low: -self.high, high: -self.low }
    }

    #[must_use]
    pub(crate) fn plus(self, other: Interval) -> Interval {
        Interval { low: sum(self.low, other.low).low, high: sum(self.high, other.high).high }
    }

    #[must_use]
    pub(crate) fn minus(self, other: Interval) -> Interval {
        self.plus(other.negative())
    }

    /// The product, for numbers of any sign.
    #[must_use]
    pub fn times(self, other: Interval) -> Interval {
        if self.low >= 0.0 && other.low >= 0.0 {
            let low = product(self.low, other.low).low.max(0.0);
            return Interval { low, high: product(self.high, other.high).high };
        }
        let corners = [
            product(self.low, other.low),
            product(self.low, other.high),
            product(self.high, other.low),
            product(self.high, other.high),
        ];
        Interval {
            low: corners.iter().fold(f64::INFINITY, |low, corner| low.min(corner.low)),
            high: corners.iter().fold(f64::NEG_INFINITY, |high, corner| high.max(corner.high)),
        }
    }

    /// The quotient of numbers of 0 or more; `other` must be above 0.
    #[must_use]
    pub(crate) fn over(self, other: Interval) -> Interval {
        Interval {
            low: quotient(self.low, other.high).low.max(0.0),
            high: match other.low > 0.0 {
                true => quotient(self.high, other.low).high,
                // The divisor is above 0, but by less than floats can represent.
                false => f64::INFINITY,
            },
        }
    }

    /// The distance of the bounds, rounded up.
    pub fn width(self) -> f64 {
        sum(self.high, -self.low).high
    }

    /// The float half-way between the bounds.
    pub fn middle(self) -> f64 {
        match self.low == self.high {
            true => self.low,
            // Halved first, since the sum of two large bounds is no float.
            false => (self.low / 2.0 + self.high / 2.0).clamp(self.low, self.high),
        }
    }

    /// Whether a float is within the bounds.
    pub fn contains(self, number: f64) -> bool {
        (self.low..=self.high).contains(&number)
    }
}

/// The float half-way between the bounds of a fraction.
pub(crate) fn about(fraction: &Fraction) -> f64 {
    Interval::of_fraction(fraction).middle()
}

/// The float nearest to a number, moved by one to the side where the number is: `error` has the
/// sign of the true number less `nearest`, or is NaN if the sign is unknown.
fn around(nearest: f64, error: f64) -> Interval {
    if error == 0.0 {
        Interval::exact(nearest)
    } else if error > 0.0 {
        Interval { low: nearest, high: nearest.next_up() }
    } else if error < 0.0 {
        Interval { low: nearest.next_down(), high: nearest }
    } else {
        Interval { low: nearest.next_down(), high: nearest.next_up() }
    }
}

/// Knuth's two-sum: the error of a sum of floats is a float (volume 2, section 4.2.2).
fn sum(a: f64, b: f64) -> Interval {
    let nearest = a + b;
    if a == 0.0 || b == 0.0 {
        return Interval::exact(nearest);
    }
    let share = nearest - a;
    around(nearest, (a - (nearest - share)) + (b - share))
}

/// Products below this may have an error that is too small for a float.
const TINY: f64 = 1e-270;

/// The product of two floats, with its error, which is a float unless the product is near 0.
fn product(a: f64, b: f64) -> Interval {
    if a == 0.0 || b == 0.0 {
        return Interval::exact(0.0);
    }
    let nearest = a * b;
    let error = if nearest.abs() < TINY { f64::NAN } else { a.mul_add(b, -nearest) };
    around(nearest, error)
}

/// A quotient of positive numbers: the remainder of the division has the sign of the error.
fn quotient(a: f64, b: f64) -> Interval {
    if a == 0.0 {
        return Interval::exact(0.0);
    }
    let nearest = a / b;
    let left = if nearest < TINY || a < TINY { f64::NAN } else { nearest.mul_add(-b, a) };
    around(nearest, left)
}

/// The number as a float, if that is exact for sure.
fn small(number: &BigUint) -> Option<f64> {
    number
        .to_u64()
        .filter(|number| *number <= 1 << f64::MANTISSA_DIGITS)
        .map(|number| number as f64)
}

/// The enclosure of a fraction by division of whole numbers; `whole` is above 0.
fn enclosed(part: &BigUint, whole: &BigUint) -> Interval {
    if part.is_zero() {
        return Interval::exact(0.0);
    }
    // The fraction is shifted so that its whole part has 54 or 55 binary digits.
    const DIGITS: u64 = f64::MANTISSA_DIGITS as u64 + 1;
    let up = (whole.bits() + DIGITS).saturating_sub(part.bits());
    let down = part.bits().saturating_sub(whole.bits() + DIGITS);
    let (digits, left) = (part << up).div_rem(&(whole << down));
    let digits = digits.to_u64().unwrap_or(u64::MAX);
    let exponent = match (i64::try_from(down), i64::try_from(up)) {
        (Ok(down), Ok(up)) => down - up,
        _ => return Interval { low: 0.0, high: f64::INFINITY },
    };
    // Digits beyond those of a float are dropped, more of them for numbers next to 0.
    let surplus = i64::from(u64::BITS - digits.leading_zeros()) - i64::from(f64::MANTISSA_DIGITS);
    let dropped = surplus.max(LEAST - exponent).max(0);
    let kept = if dropped < 64 { digits >> dropped } else { 0 };
    let exact = left.is_zero() && dropped < 64 && kept << dropped == digits;
    let low = shifted_float(kept, exponent + dropped);
    match exact && low.is_finite() {
        true => Interval::exact(low),
        false if low.is_finite() => Interval { low, high: low.next_up() },
        false => Interval { low: f64::MAX, high: f64::INFINITY },
    }
}

/// The exponent of the least float above 0.
const LEAST: i64 = -1074;

/// `digits · 2^exponent`, which a float must be able to hold, or infinity.
fn shifted_float(digits: u64, exponent: i64) -> f64 {
    // A power of two may be beyond floats where the product is not, so it comes in two halves.
    let Ok(exponent) = i32::try_from(exponent.min(2 * f64::MAX_EXP as i64)) else { return 0.0 };
    let half = exponent / 2;
    digits as f64 * 2f64.powi(half) * 2f64.powi(exponent - half)
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;
    use num_rational::Ratio;
    use proptest::prelude::*;

    use super::*;
    use crate::number::Amount;

    impl Interval {
        /// Whether a fraction is within the bounds, exactly.
        pub(crate) fn encloses(self, fraction: &Fraction) -> bool {
            let below = Ratio::<BigInt>::from_float(self.low).is_none_or(|low| low <= *fraction);
            let above = Ratio::<BigInt>::from_float(self.high).is_none_or(|high| high >= *fraction);
            below && above
        }
    }

    #[test]
    fn what_floats_can_hold_stays_exact() {
        let half = Interval::of_ratio(&1u8.into(), &2u8.into());
        assert_eq!(half, Interval::exact(0.5));
        assert_eq!(half.times(half).plus(half), Interval::exact(0.75));
        assert_eq!(half.minus(half), Interval::zero());
        assert_eq!(Interval::one().div(&Interval::exact(4.0)), Interval::exact(0.25));
        let third = Interval::of_ratio(&1u8.into(), &3u8.into());
        assert_eq!(third.low.next_up(), third.high);
        assert_eq!(third.times(Interval::one()), third);
        assert!(third.times(Interval::zero()).is_zero());
        assert!(third.contains(1.0 / 3.0) && third.contains(third.middle()));
        assert_eq!(third.width(), third.high - third.low);
    }

    #[test]
    fn numbers_of_thousands_of_digits_are_enclosed_by_neighbours() {
        let long = BigUint::from(7776u32).pow(2000);
        for (part, whole) in [
            (&long / 3u8, long.clone()),
            (long.clone(), &long / 7u8 + 1u8),
            (&long + 1u8, long.clone()),
            (1u8.into(), long.clone()),
            (long.clone(), 1u8.into()),
            // Below the least of the numbers that have all digits, where a float has fewer.
            (1u8.into(), BigUint::from(2u8).pow(1070) * 3u8),
            (5u8.into(), BigUint::from(2u8).pow(1074)),
        ] {
            let interval = Interval::of_ratio(&part, &whole);
            assert!(interval.encloses(&Fraction::new(part.into(), whole.into())), "{interval:?}");
            assert!(interval.high <= interval.low.next_up(), "{interval:?}");
        }
        let five = Interval::of_ratio(&5u8.into(), &BigUint::from(2u8).pow(1074));
        assert_eq!(five, Interval::exact(5.0 * f64::from_bits(1)));
    }

    #[test]
    fn beyond_floats_there_is_infinity_but_no_nonsense() {
        let large = Interval::exact(f64::MAX);
        let beyond = large.times(large);
        assert_eq!((beyond.low, beyond.high), (f64::MAX, f64::INFINITY));
        assert_eq!(beyond.times(Interval::zero()), Interval::zero());
        let least = Interval::exact(f64::from_bits(1));
        assert_eq!(least.times(least), Interval { low: 0.0, high: f64::from_bits(1) });
        let beside = Interval::one().div(&least.times(least));
        assert!(beside.low > 1e300 && beside.high == f64::INFINITY);
        assert!(beyond.minus(beyond).low == f64::NEG_INFINITY);
    }

    proptest! {
        #[test]
        fn a_calculation_is_enclosed_with_its_exact_fraction(
            start in (any::<i64>(), 1i64..),
            steps in prop::collection::vec((0u8..3, any::<i64>(), 1i64..), 0..20),
        ) {
            let mut exact = Fraction::new(start.0.into(), start.1.into());
            let mut interval = Interval::of_fraction(&exact);
            for (operation, part, whole) in steps {
                let by = Fraction::new(part.into(), whole.into());
                let around = Interval::of_fraction(&by);
                (exact, interval) = match operation {
                    0 => (exact + by, interval.plus(around)),
                    1 => (exact - by, interval.minus(around)),
                    _ => (exact * by, interval.times(around)),
                };
                prop_assert!(interval.encloses(&exact), "{interval:?} {exact}");
                prop_assert!(interval.contains(interval.middle()));
            }
        }

        #[test]
        fn amounts_are_enclosed_and_hardly_widen(
            steps in prop::collection::vec((0u8..3, 1u64.., 1u64..), 1..30),
        ) {
            let mut exact = Fraction::new(1.into(), 1.into());
            let mut interval = Interval::one();
            for (operation, part, whole) in steps {
                let by = Fraction::new(part.into(), whole.into());
                let around = Interval::ratio(&part.into(), &whole.into());
                match operation {
                    0 => { exact += by; interval.add_assign(&around) }
                    1 => { exact *= by; interval = interval.mul(&around) }
                    _ => { exact /= by; interval = interval.div(&around) }
                }
                prop_assert!(interval.encloses(&exact), "{interval:?} {exact}");
            }
            // Each of 30 steps adds two roundings at most.
            prop_assert!(interval.width() <= interval.low * 120.0 * f64::EPSILON);
        }

        #[test]
        fn single_operations_are_enclosed_wherever_the_floats_are(
            a in prop::num::f64::POSITIVE | prop::num::f64::SUBNORMAL,
            b in prop::num::f64::POSITIVE | prop::num::f64::SUBNORMAL,
        ) {
            let exact = |number: f64| Ratio::<BigInt>::from_float(number).unwrap();
            let (a, b) = (a.abs().max(f64::from_bits(1)), b.abs().max(f64::from_bits(1)));
            let (x, y) = (Interval::exact(a), Interval::exact(b));
            prop_assert!(x.times(y).encloses(&(exact(a) * exact(b))));
            prop_assert!(x.plus(y).encloses(&(exact(a) + exact(b))));
            prop_assert!(x.minus(y).encloses(&(exact(a) - exact(b))));
            prop_assert!(x.div(&y).encloses(&(exact(a) / exact(b))));
        }
    }
}
