//! The answer of an agent before a random draw: any option, one option, or weights over several.

use num_bigint::BigUint;

use super::Generator;
use crate::game::{Distribution, DistributionError, Value};

/// An answer to a decision.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// Each option with the same probability.
    Any,
    /// The option at this index.
    Option(usize),
    /// Indices of options, each with its weight.
    Weights(Weights),
}

/// Indices of options with positive exact weights, in the order in which they are drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights(Distribution);

impl Weights {
    /// Weights over indices; equal indices are merged, those of weight 0 dropped.
    ///
    /// # Errors
    /// [`DistributionError::Empty`] where no weight is above 0.
    pub(crate) fn new(
        pairs: impl IntoIterator<Item = (usize, BigUint)>,
    ) -> Result<Weights, DistributionError> {
        let pairs = pairs.into_iter().map(|(index, weight)| (Value::Int(index as i64), weight));
        Distribution::new(pairs).map(Weights)
    }

    /// The indices with their weights, in order.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &BigUint)> {
        self.0.values().iter().map(index_of).zip(self.0.weights())
    }

    /// Draws an index by the weights.
    pub fn draw(&self, generator: &mut Generator) -> usize {
        index_of(&self.0.values()[generator.fall(&self.0)])
    }
}

fn index_of(value: &Value) -> usize {
    value.as_int().and_then(|index| usize::try_from(index).ok()).unwrap_or_default()
}

impl Answer {
    /// Draws the index of one of `len` options.
    pub fn draw(&self, len: usize, generator: &mut Generator) -> usize {
        match self {
            Answer::Any => generator.index(len),
            Answer::Option(index) => *index,
            Answer::Weights(weights) => weights.draw(generator),
        }
    }
}
