//! The trait of numbers that boards are solved in: fractions or floats.

use num_traits::ToPrimitive;

use super::super::SolutionNumber;
use super::super::matrix::{Mixed, PayoffMatrix, Scalar, exactly, nearly};
use crate::analysis::Fraction;

/// Numbers that a board is solved in.
pub(crate) trait BoardNumber: Scalar + Into<SolutionNumber> {
    /// Whether no number is ever rounded.
    const EXACT: bool;

    /// The number of a fraction.
    fn of(fraction: &Fraction) -> Self;

    /// The number as a float.
    fn about(&self) -> f64;

    /// Differences up to this count as 0, among numbers of this range.
    fn tiny(range: f64) -> Self;

    /// Best strategies for both sides of a table; `None` if the caller stops it.
    fn equilibrium(table: &PayoffMatrix<Self>, go_on: &dyn Fn() -> bool) -> Option<Mixed<Self>>;
}

impl BoardNumber for Fraction {
    const EXACT: bool = true;

    fn of(fraction: &Fraction) -> Fraction {
        fraction.clone()
    }

    fn about(&self) -> f64 {
        self.to_f64().unwrap_or(f64::NAN)
    }

    fn tiny(_: f64) -> Fraction {
        Fraction::default()
    }

    fn equilibrium(
        table: &PayoffMatrix<Fraction>,
        go_on: &dyn Fn() -> bool,
    ) -> Option<Mixed<Fraction>> {
        exactly(table, go_on)
    }
}

impl BoardNumber for f64 {
    const EXACT: bool = false;

    fn of(fraction: &Fraction) -> f64 {
        fraction.about()
    }

    fn about(&self) -> f64 {
        *self
    }

    fn tiny(range: f64) -> f64 {
        1e-12 * range
    }

    fn equilibrium(table: &PayoffMatrix<f64>, go_on: &dyn Fn() -> bool) -> Option<Mixed<f64>> {
        nearly(table, go_on)
    }
}
