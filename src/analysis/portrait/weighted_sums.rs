//! Weighted sums, in exact fractions or in intervals of floats.

use std::collections::BTreeMap;

use num_traits::Zero;

use super::portrait_measure::Spread;
use crate::analysis::{Amount, Exact, Fraction, Interval, Number};

/// An amount that can be printed as a number.
pub(super) trait Weight: Amount + Send + Sync {
    fn number(&self) -> Number;

    /// The same as a float.
    fn about(&self) -> f64;

    /// This many times a number with a sign.
    fn times(&self, number: &Fraction) -> Number;
}

impl Weight for Exact {
    fn number(&self) -> Number {
        Number::Exact(signed(self))
    }

    fn about(&self) -> f64 {
        let ratio = self.to_ratio();
        Interval::of_ratio(ratio.numer(), ratio.denom()).middle()
    }

    fn times(&self, number: &Fraction) -> Number {
        Number::Exact(signed(self) * number)
    }
}

impl Weight for Interval {
    fn number(&self) -> Number {
        Number::Enclosed(*self)
    }

    fn about(&self) -> f64 {
        self.middle()
    }

    fn times(&self, number: &Fraction) -> Number {
        Number::Enclosed(Interval::times(*self, Interval::of_fraction(number)))
    }
}

fn signed(amount: &Exact) -> Fraction {
    let ratio = amount.to_ratio();
    Fraction::new_raw(ratio.numer().clone().into(), ratio.denom().clone().into())
}

/// The sum of two numbers that are exact or enclosed.
pub(super) fn sum(a: &Number, b: &Number) -> Number {
    match (a.exact(), b.exact()) {
        (Some(a), Some(b)) => Number::Exact(a + b),
        _ => Number::Enclosed(a.enclosing().plus(b.enclosing())),
    }
}

/// A quotient of numbers of 0 or more that are exact or enclosed; `None` over 0.
pub(super) fn over(part: &Number, whole: &Number) -> Option<Number> {
    match (part.exact(), whole.exact()) {
        (Some(part), Some(whole)) if !whole.is_zero() => Some(Number::Exact(part / whole)),
        (Some(_), Some(_)) => None,
        _ => {
            let at_least_0 =
                |Interval { low, high }| Interval { low: low.max(0.0), high: high.max(0.0) };
            let (part, whole) = (at_least_0(part.enclosing()), at_least_0(whole.enclosing()));
            (whole.high > 0.0).then(|| Number::Enclosed(part.div(&whole)))
        }
    }
}

/// Values with how likely each is.
#[derive(Clone, Debug)]
pub(super) struct WeightedValues<A>(BTreeMap<Fraction, A>);

impl<A: Weight> Default for WeightedValues<A> {
    fn default() -> WeightedValues<A> {
        WeightedValues(BTreeMap::new())
    }
}

impl<A: Weight> WeightedValues<A> {
    /// Adds a value that is so likely.
    pub(super) fn add(&mut self, value: Fraction, chance: &A) {
        self.0.entry(value).or_insert_with(A::zero).add_assign(chance);
    }

    /// How likely all of them are together.
    pub(super) fn total(&self) -> A {
        let mut total = A::zero();
        self.0.values().for_each(|chance| total.add_assign(chance));
        total
    }

    /// The sum of the values, each times how likely it is.
    pub(super) fn mean(&self) -> Number {
        let zero = A::zero().number();
        self.0.iter().fold(zero, |whole, (value, chance)| sum(&whole, &chance.times(value)))
    }

    /// A sum over the values as a mean over what has one; `None` where nothing has.
    pub(super) fn share_of(&self, sum: &Number) -> Option<Number> {
        let total = self.total().number();
        match (sum.exact(), total.exact()) {
            (Some(_), Some(total)) if total.is_zero() => None,
            (Some(sum), Some(total)) => Some(Number::Exact(sum / total)),
            _ => {
                let (sum, total) = (sum.enclosing(), total.enclosing());
                let inverse = Interval::exact(1.0).div(&total);
                (total.low > 0.0).then(|| Number::Enclosed(sum.times(inverse)))
            }
        }
    }

    /// The variance, where all of them together are certain.
    pub(super) fn variance(&self) -> Number {
        let zero = A::zero().number();
        let squares = self
            .0
            .iter()
            .fold(zero, |all, (value, chance)| sum(&all, &chance.times(&(value * value))));
        let mean = self.mean();
        match (squares.exact(), mean.exact()) {
            (Some(squares), Some(mean)) => Number::Exact(squares - mean * mean),
            _ => {
                let mean = mean.enclosing();
                Number::Enclosed(squares.enclosing().minus(mean.times(mean)))
            }
        }
    }

    /// How the values differ.
    pub(super) fn spread(&self) -> Spread {
        let about = |value: &Fraction| Interval::of_fraction(value).middle();
        Spread::of(self.0.iter().map(|(value, chance)| (about(value), chance.about())))
    }

    /// The least and the greatest of them.
    pub(super) fn range(&self) -> Option<(&Fraction, &Fraction)> {
        Some((self.0.first_key_value()?.0, self.0.last_key_value()?.0))
    }
}
