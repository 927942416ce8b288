//! Numbers that playouts tell, each with how often it was seen.

use std::collections::BTreeMap;

use super::measure::{Measure, Spread};
use crate::analysis::{Number, mean};

/// How often each number was seen, by its bits in the order of the numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbers(BTreeMap<u64, (f64, u64)>);

impl Numbers {
    /// One more.
    pub(super) fn add(&mut self, number: f64) {
        self.add_times(number, 1);
    }

    /// So many more.
    pub(super) fn add_times(&mut self, number: f64, times: u64) {
        self.0.entry(order(number)).or_insert((number, 0)).1 += times;
    }

    /// Their sum.
    pub(super) fn sum(&self) -> f64 {
        self.0.values().map(|(number, count)| number * *count as f64).sum()
    }

    /// Those that were seen elsewhere.
    pub(super) fn join(&mut self, other: &Numbers) {
        for (bits, (number, count)) in &other.0 {
            self.0.entry(*bits).or_insert((*number, 0)).1 += count;
        }
    }

    /// The mean with its interval and how the numbers differ; nothing where none was seen.
    pub(super) fn measure(&self, name: &str, unit: &str) -> Option<Measure> {
        let tallied: Vec<(f64, u64)> = self.0.values().copied().collect();
        let mean = Number::Sampled(mean(&tallied)?);
        let weighed = tallied.iter().map(|(number, count)| (*number, *count as f64));
        Some(Measure::new(name, unit, &mean).spreading(Spread::of(weighed)))
    }
}

/// Bits in the order of the numbers.
fn order(number: f64) -> u64 {
    let bits = number.to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}
