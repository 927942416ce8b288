//! Probability distributions: finite lists of values with exact integer weights.

use std::collections::HashMap;

use num_bigint::BigUint;
use num_rational::Ratio;
use num_traits::{ToPrimitive, Zero};

use super::Value;

/// A finite distribution: different values, each with a positive integer weight.
///
/// The probability of a value is its weight over the sum of all; nothing is rounded.
/// Values keep the order in which they first came.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution {
    values: Vec<Value>,
    weights: Vec<BigUint>,
    total: BigUint,
    /// The running sums of the weights where all fit 64 bits: what a sampler searches.
    cumulative: Option<Vec<u64>>,
    /// The running sums where they do not.
    running: Vec<BigUint>,
    /// If the list is cut off because there is no last value: an upper bound on the probability of
    /// the values left out.
    beyond: Option<f64>,
}

/// Why weights make no distribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DistributionError {
    /// There is no value with a weight above 0.
    #[error("a distribution needs at least one value with a weight above 0")]
    Empty,
}

/// A whole number without bounds takes room in steps of this many bytes.
const LIMB: usize = 32;

impl Distribution {
    /// Merges equal values and drops those of weight 0.
    ///
    /// # Errors
    /// `DistributionError::Empty` when nothing is left.
    pub fn new(
        pairs: impl IntoIterator<Item = (Value, BigUint)>,
    ) -> Result<Distribution, DistributionError> {
        let mut values: Vec<Value> = Vec::new();
        let mut weights: Vec<BigUint> = Vec::new();
        let mut seen: HashMap<String, usize> = HashMap::new();
        for (value, weight) in pairs {
            if weight.is_zero() {
                continue;
            }
            match seen.get(&value.literal()) {
                Some(&at) => weights[at] += weight,
                None => {
                    seen.insert(value.literal(), values.len());
                    values.push(value);
                    weights.push(weight);
                }
            }
        }
        if values.is_empty() {
            return Err(DistributionError::Empty);
        }
        let total: BigUint = weights.iter().sum();
        let small = weights.iter().scan(0, |sum, weight| {
            *sum += weight.to_u64().unwrap_or_default();
            Some(*sum)
        });
        let large = weights.iter().scan(BigUint::zero(), |sum, weight| {
            *sum += weight;
            Some(sum.clone())
        });
        let (cumulative, running) = match total.to_u64() {
            Some(_) => (Some(small.collect()), Vec::new()),
            None => (None, large.collect()),
        };
        Ok(Distribution { values, weights, total, cumulative, running, beyond: None })
    }

    /// Every value with weight 1 for each time it is listed.
    ///
    /// # Errors
    /// `DistributionError::Empty` for an empty list.
    pub fn uniform(
        values: impl IntoIterator<Item = Value>,
    ) -> Result<Distribution, DistributionError> {
        Distribution::new(values.into_iter().map(|value| (value, BigUint::from(1u8))))
    }

    /// The different values, in the order in which they first came.
    pub fn values(&self) -> &[Value] {
        &self.values
    }

    /// The index of a value in the list of values.
    pub(super) fn index_of(&self, value: &Value) -> Option<usize> {
        self.values.iter().position(|own| own == value)
    }

    /// The weights, in the order of [`Distribution::values`].
    pub fn weights(&self) -> &[BigUint] {
        &self.weights
    }

    /// The same, as a list that is cut off: the values left out have at most this probability.
    pub fn cut_off(self, beyond: f64) -> Distribution {
        Distribution { beyond: Some(beyond), ..self }
    }

    /// An upper bound on the probability of the values left out; `None` if none are.
    pub fn beyond(&self) -> Option<f64> {
        self.beyond
    }

    /// The sum of the weights.
    pub fn total(&self) -> &BigUint {
        &self.total
    }

    /// The running sums of the weights, if their total fits 64 bits.
    pub(crate) fn cumulative(&self) -> Option<&[u64]> {
        self.cumulative.as_deref()
    }

    /// The most bytes that it may take.
    pub fn bytes(&self) -> usize {
        let number = size_of::<BigUint>() + self.total.bits().div_ceil(8) as usize + LIMB;
        let each = size_of::<Value>() + size_of::<u64>() + 2 * number;
        let values = self.values.iter().map(Value::bytes).sum::<usize>();
        size_of::<Distribution>() + values + 2 * self.values.len() * each
    }

    /// The exact probability of the value at an index.
    pub fn probability(&self, index: usize) -> Ratio<BigUint> {
        Ratio::new(self.weights[index].clone(), self.total.clone())
    }

    /// The index whose share of `0..total` holds `point`: the inverse of the running sums.
    pub(crate) fn index_at(&self, point: &BigUint) -> usize {
        let index = match (&self.cumulative, point.to_u64()) {
            (Some(sums), Some(point)) => sums.partition_point(|sum| *sum <= point),
            (Some(_), None) => self.weights.len(),
            (None, _) => self.running.partition_point(|sum| sum <= point),
        };
        index.min(self.weights.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_are_merged_in_the_order_they_first_came() {
        let dist = Distribution::uniform([2, 1, 2, 3].map(Value::Int)).unwrap();
        assert_eq!(dist.values(), [2, 1, 3].map(Value::Int));
        assert_eq!(dist.cumulative(), Some(&[2, 3, 4][..]));
        assert_eq!(dist.probability(0), Ratio::new(1u8.into(), 2u8.into()));
    }

    #[test]
    fn nothing_to_fall_is_refused() {
        assert_eq!(Distribution::uniform([]), Err(DistributionError::Empty));
    }

    #[test]
    fn every_point_below_the_total_belongs_to_one_value() {
        let big = BigUint::from(u64::MAX);
        let dist = Distribution::new([(Value::Int(0), big.clone()), (Value::Int(1), big.clone())])
            .unwrap();
        assert_eq!(dist.cumulative(), None);
        assert_eq!(dist.index_at(&(&big - 1u8)), 0);
        assert_eq!(dist.index_at(&big), 1);
    }
}
