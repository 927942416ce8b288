//! Values with how likely each is: their mean, variance and spread, in fractions or within bounds.

use std::collections::BTreeMap;

use num_traits::Zero;

use super::portrait_measure::Spread;
use crate::number::{Amount, Fraction, Interval, Quantity};

#[derive(Clone, Debug)]
pub(super) struct WeightedValues<A>(BTreeMap<Fraction, A>);

impl<A: Amount> Default for WeightedValues<A> {
    fn default() -> WeightedValues<A> {
        WeightedValues(BTreeMap::new())
    }
}

impl<A: Amount> WeightedValues<A> {
    pub(super) fn add(&mut self, value: Fraction, chance: &A) {
        self.0.entry(value).or_insert_with(A::zero).add_assign(chance);
    }

    pub(super) fn chance(&self, value: &Fraction) -> A {
        self.0.get(value).cloned().unwrap_or_else(A::zero)
    }

    pub(super) fn total(&self) -> A {
        let mut total = A::zero();
        self.0.values().for_each(|chance| total.add_assign(chance));
        total
    }

    /// The sum of the values, each times how likely it is.
    pub(super) fn mean(&self) -> Quantity {
        self.weighted(Fraction::clone)
    }

    /// A sum over the values as a mean over what has one; `None` where nothing has.
    pub(super) fn share_of(&self, sum: &Quantity) -> Option<Quantity> {
        let total = self.total().quantity();
        match (&sum.fraction, &total.fraction) {
            (Some(_), Some(total)) if total.is_zero() => None,
            (Some(sum), Some(total)) => Some(Quantity::exact(sum / total)),
            _ => {
                let inverse = Interval::exact(1.0).over(total.bounds());
                (total.low > 0.0).then(|| Quantity::proven(sum.bounds().times(inverse)))
            }
        }
    }

    /// The variance, where all of them together are certain.
    pub(super) fn variance(&self) -> Quantity {
        let mean = self.mean();
        self.weighted(|value| value * value).minus(&mean.times(&mean))
    }

    /// The sum of a number of each value, times how likely the value is.
    fn weighted(&self, number: impl Fn(&Fraction) -> Fraction) -> Quantity {
        let zero = A::zero().quantity();
        self.0.iter().fold(zero, |sum, (value, chance)| {
            sum.plus(&chance.quantity().times(&Quantity::exact(number(value))))
        })
    }

    pub(super) fn spread(&self) -> Spread {
        let about = |value: &Fraction| Interval::of_fraction(value).middle();
        Spread::of(self.0.iter().map(|(value, chance)| (about(value), chance.about())))
    }

    pub(super) fn range(&self) -> Option<(&Fraction, &Fraction)> {
        Some((self.0.first_key_value()?.0, self.0.last_key_value()?.0))
    }
}
