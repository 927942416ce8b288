//! Tests that intervals enclose the true number and stay narrow.

use num_bigint::BigInt;
use num_rational::Ratio;
use proptest::prelude::*;

use super::*;
use crate::analysis::number::Amount;

impl Interval {
    /// Whether a fraction is within the bounds, exactly.
    pub(crate) fn encloses(self, fraction: &Fraction) -> bool {
        let below = Ratio::<BigInt>::from_float(self.low).is_none_or(|low| low <= *fraction);
        let above = Ratio::<BigInt>::from_float(self.high).is_none_or(|high| high >= *fraction);
        below && above
    }
}

fn fraction(part: BigInt, whole: BigInt) -> Fraction {
    Fraction::new(part, whole)
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
        assert!(interval.encloses(&fraction(part.into(), whole.into())), "{interval:?}");
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
        let mut exact = fraction(start.0.into(), start.1.into());
        let mut interval = Interval::of_fraction(&exact);
        for (operation, part, whole) in steps {
            let by = fraction(part.into(), whole.into());
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
        let mut exact = fraction(1.into(), 1.into());
        let mut interval = Interval::one();
        for (operation, part, whole) in steps {
            let by = fraction(part.into(), whole.into());
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
