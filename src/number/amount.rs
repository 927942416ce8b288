//! The trait of amounts: probabilities and expected counts, as exact fractions or between proven bounds.

use num_bigint::BigUint;

use super::{Fraction, Interval, Quantity, about};

/// A probability, or an expected number of times: never below 0.
///
/// There is no subtraction. Sums, products and quotients of positive numbers keep their relative
/// error small in floating point, and enclosures narrow; one subtraction can lose both.
pub trait Amount: Clone + Send + Sync {
    /// The most states of a cycle that are solved together in it, which takes up to the third power of their
    /// number.
    const CYCLE: usize;

    /// 0, or impossibility.
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

    /// The amount as a float, or the middle of its bounds.
    fn about(&self) -> f64;

    /// The amount as it is reported.
    fn quantity(&self) -> Quantity;

    /// Brings the amount into its shortest form, where it has several. Called where results are
    /// used over and over, as within cycles: there, forms that are not the shortest would grow.
    fn settle(&mut self) {}
}

/// What is computed in floats is off by less than this part of it, or of 1 where it is less.
const LAST_DIGITS: f64 = 1e-11;

impl Amount for f64 {
    const CYCLE: usize = Interval::CYCLE;

    fn zero() -> f64 {
        0.0
    }

    fn one() -> f64 {
        1.0
    }

    fn ratio(part: &BigUint, whole: &BigUint) -> f64 {
        about(&Fraction::new(part.clone().into(), whole.clone().into()))
    }

    fn add_assign(&mut self, other: &f64) {
        *self += other;
    }

    fn mul(&self, other: &f64) -> f64 {
        self * other
    }

    fn div(&self, other: &f64) -> f64 {
        self / other
    }

    fn is_zero(&self) -> bool {
        *self == 0.0
    }

    fn about(&self) -> f64 {
        *self
    }

    fn quantity(&self) -> Quantity {
        let off = LAST_DIGITS * self.abs().max(1.0);
        let bounds = Interval { low: self - off, high: self + off };
        Quantity { value: *self, ..Quantity::proven(bounds) }
    }
}

impl Amount for Interval {
    const CYCLE: usize = 2_000;

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
        self.over(*other)
    }

    fn is_zero(&self) -> bool {
        self.high == 0.0
    }

    fn about(&self) -> f64 {
        self.middle()
    }

    fn quantity(&self) -> Quantity {
        Quantity::proven(*self)
    }
}
