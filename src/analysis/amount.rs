//! The trait of numbers that hold probabilities and expected counts: add, multiply, divide.

use num_bigint::BigUint;

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
