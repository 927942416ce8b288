//! A measure of a portrait: its name, unit and value with its interval; exact ones have a fraction.

use std::collections::BTreeMap;
use std::sync::Arc;

use num_traits::Zero;
use serde::{Deserialize, Serialize};

use super::glossary::Meaning;
use crate::number::{Amount, Fraction, Interval, Quantity, about, fields, of_order_key, order_key};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measure {
    /// Its name: the group, then what it is: `length.decisions`.
    pub name: String,
    /// What it counts, or what 1 of it is.
    pub unit: String,
    /// What is known of it; of several equilibria the value is that of the first.
    #[serde(flatten, with = "fields")]
    pub quantity: Quantity,
    /// How it differs between conflicts, where it is a mean over them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spread: Option<Spread>,
    /// Its value in each playout, in order, where it is their mean; so that two portraits can be compared playout by
    /// playout.
    #[serde(skip)]
    pub(crate) values: Option<Arc<[f64]>>,
}

/// How a number differs between conflicts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    pub deviation: f64,
    /// At most 5 % of conflicts have less than this.
    pub p5: f64,
    /// At most 5 % of conflicts have more than this.
    pub p95: f64,
    /// Each value with the share of conflicts that have it, the least first; empty where there are
    /// more than 1000.
    pub shares: Vec<(f64, f64)>,
}

/// More values than these are not listed one by one.
const LISTED: usize = 1000;

impl Measure {
    /// A measure with this value.
    pub fn new(name: impl Into<String>, quantity: &Quantity) -> Measure {
        let (name, mut quantity) = (name.into(), quantity.clone());
        let unit = Meaning::of(&name).map_or("number", |meaning| meaning.unit).to_owned();
        let is_cut = quantity.low < 0.0 && quantity.low.is_finite() && quantity.value >= 0.0;
        if is_cut && Meaning::is_never_negative(&name) {
            quantity.low = 0.0;
        }
        Measure { name, unit, quantity, spread: None, values: None }
    }

    /// A measure that is computed in floats, and known to their last digits.
    pub fn close(name: impl Into<String>, value: f64) -> Measure {
        let name = name.into();
        let close = value.quantity();
        let least = if value < 0.0 { f64::NEG_INFINITY } else { 0.0 };
        let most = if Meaning::of(&name).is_some_and(|one| one.unit == "share") {
            1.0
        } else {
            f64::INFINITY
        };
        let (low, high) = (close.low.max(least), close.high.min(most));
        Measure::new(name, &Quantity { low, high, ..close })
    }

    #[must_use]
    pub(crate) fn spreading(self, spread: Spread) -> Measure {
        Measure { spread: Some(spread), ..self }
    }

    /// With its value in each playout, where that is known.
    #[must_use]
    pub(super) fn with_values(self, values: Option<Vec<f64>>) -> Measure {
        let values = values.filter(|values| !values.is_empty());
        Measure { values: values.map(Arc::from), ..self }
    }

    /// The interval of what was sampled, also below 0 where no number is as low: that it was cut there makes nothing
    /// surer. It reaches as far as above, where it reaches no less far.
    pub(crate) fn reach(&self) -> (f64, f64) {
        let (value, (low, high)) = (self.quantity.value, self.quantity.range());
        let is_cut = self.quantity.n() > 0 && low == 0.0 && self.unit != "share";
        (if is_cut { (2.0 * value - high).min(0.0) } else { low }, high)
    }

    /// The group: what comes before the first dot.
    pub fn group(&self) -> &str {
        self.name.split('.').next().unwrap_or_default()
    }
}

impl Spread {
    /// How values differ that have these shares, or were seen so often.
    pub fn of(weighed: impl IntoIterator<Item = (f64, f64)>) -> Spread {
        let mut shares: Vec<(f64, f64)> = weighed
            .into_iter()
            .filter(|(value, weight)| *weight > 0.0 && value.is_finite())
            .collect();
        shares.sort_by(|a, b| a.0.total_cmp(&b.0));
        shares.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
        let total: f64 = shares.iter().map(|(_, weight)| weight).sum();
        if total <= 0.0 {
            return Spread::default();
        }
        shares.iter_mut().for_each(|(_, weight)| *weight /= total);
        let mean: f64 = shares.iter().map(|(value, share)| value * share).sum();
        let square = |(value, share): &(f64, f64)| (value - mean) * (value - mean) * share;
        let deviation = shares.iter().map(square).sum::<f64>().sqrt();
        let (p5, p95) = (quantile(&shares, 0.05), quantile(&shares, 0.95));
        if shares.len() > LISTED {
            shares.clear();
        }
        Spread { deviation, p5, p95, shares }
    }
}

/// How often each number was seen, by its [`order_key`].
#[derive(Clone, Debug, Default)]
pub(super) struct NumberCounts(BTreeMap<i64, u64>);

impl NumberCounts {
    pub(super) fn add_times(&mut self, number: f64, times: u64) {
        *self.0.entry(order_key(number)).or_default() += times;
    }

    pub(super) fn count(&self) -> u64 {
        self.0.values().sum()
    }

    pub(super) fn sum(&self) -> f64 {
        self.tallied().map(|(number, count)| number * count as f64).sum()
    }

    fn tallied(&self) -> impl Iterator<Item = (f64, u64)> {
        self.0.iter().map(|(key, count)| (of_order_key(*key), *count))
    }

    /// The mean with its interval and how the numbers differ; nothing where none was seen.
    pub(super) fn measure(&self, name: &str) -> Option<Measure> {
        let tallied: Vec<(f64, u64)> = self.tallied().collect();
        let mean = Quantity::uneven_mean(&tallied)?;
        let weighed = tallied.iter().map(|(number, count)| (*number, *count as f64));
        Some(Measure::new(name, &mean).spreading(Spread::of(weighed)))
    }
}

/// What each of pairs moves their quotient of means by (the delta method), so that the mean of all is the
/// quotient; nothing over 0.
pub(super) fn of_ratio(pairs: &[(f64, f64)]) -> Option<Vec<f64>> {
    let sum = |one: fn(&(f64, f64)) -> f64| pairs.iter().map(one).sum::<f64>();
    let (part, whole) = (sum(|pair| pair.0), sum(|pair| pair.1));
    if whole == 0.0 {
        return None;
    }
    let (ratio, mean) = (part / whole, whole / pairs.len() as f64);
    Some(pairs.iter().map(|(part, whole)| ratio + (part - ratio * whole) / mean).collect())
}

/// The least value that at least this share of conflicts does not exceed.
fn quantile(shares: &[(f64, f64)], wanted: f64) -> f64 {
    let mut below = 0.0;
    for (value, share) in shares {
        below += share;
        // Sums of shares miss the wanted one by their last digits.
        if below >= wanted - 1e-12 {
            return *value;
        }
    }
    shares.last().map_or(0.0, |(value, _)| *value)
}

// Values with how likely each is: their mean, variance and spread, in fractions or within bounds.

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
            (Some(sum), Some(total)) => Some(Quantity::exact(&**sum / &**total)),
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
        Spread::of(self.0.iter().map(|(value, chance)| (about(value), chance.about())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_of_what_is_never_negative_begins_at_0_and_is_no_surer_for_that() {
        let number = Quantity::sampled(10, 0.5, (-0.5, 1.5));
        let rolls = Measure::new("length.chance", &number);
        assert_eq!(rolls.quantity.range(), (0.0, 1.5));
        assert_eq!(rolls.reach(), (-0.5, 1.5));
        // Utilities and numbers of the outcome may be below 0 even where none was seen there.
        for name in ["fairness.utility.red", "outcome.gold"] {
            let measure = Measure::new(name, &number);
            assert_eq!((measure.quantity.low, measure.reach()), (-0.5, (-0.5, 1.5)), "{name}");
        }
        // The interval of a share (Wilson) ends at 0 by itself.
        let none = Quantity::sampled(10, 0.0, (0.0, 0.25));
        assert_eq!(Measure::new("ties", &none).reach(), (0.0, 0.25));
    }
}
