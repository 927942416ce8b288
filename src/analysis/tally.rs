//! Counts of the endings of playouts.

use std::collections::HashMap;
use std::hash::Hash;

use crate::graph::Ending;

/// Counts of things by the numbers that graphs gave to their endings.
#[derive(Clone, Debug)]
pub struct EndingCounts<K>(HashMap<K, u64>);

impl<K: Eq + Hash> Default for EndingCounts<K> {
    fn default() -> EndingCounts<K> {
        EndingCounts(HashMap::new())
    }
}

impl<K: Eq + Hash + Copy> EndingCounts<K> {
    /// Counts one more.
    pub fn count(&mut self, what: K) {
        *self.0.entry(what).or_default() += 1;
    }

    /// Counts so many more.
    pub fn count_times(&mut self, what: K, times: u64) {
        *self.0.entry(what).or_default() += times;
    }

    /// Adds other counts.
    pub fn add(&mut self, other: &EndingCounts<K>) {
        for (&what, &count) in &other.0 {
            self.count_times(what, count);
        }
    }

    /// All that was counted, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (K, u64)> {
        self.0.iter().map(|(&what, &count)| (what, count))
    }
}

/// How far apart the utilities of endings are.
pub(super) fn spread<'a>(endings: impl Iterator<Item = &'a Ending>) -> f64 {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for utility in endings.flat_map(|ending| ending.utility.values()) {
        let utility = utility.as_utility().unwrap_or_default();
        (low, high) = (low.min(utility), high.max(utility));
    }
    (high - low).max(0.0)
}

/// Endings, each with its count.
#[derive(Clone, Debug, Default)]
pub struct CountedEndings(Vec<(Ending, u64)>);

impl CountedEndings {
    /// The endings of counted numbers, in an order of their own, because the numbers depend on the
    /// order of exploration.
    pub fn new<'a>(
        counts: &EndingCounts<u32>,
        ending: impl Fn(u32) -> Option<&'a Ending>,
    ) -> CountedEndings {
        let met = counts.iter().filter_map(|(number, count)| Some((ending(number)?, count)));
        let mut met: Vec<(Ending, u64)> = met.map(|(met, count)| (met.clone(), count)).collect();
        met.sort_by_cached_key(|(ending, _)| format!("{ending:?}"));
        CountedEndings(met)
    }

    /// The endings with their counts.
    pub fn iter(&self) -> impl Iterator<Item = (&Ending, u64)> {
        self.0.iter().map(|(ending, count)| (ending, *count))
    }

    /// How far apart the utilities are that were met.
    pub fn spread(&self) -> f64 {
        spread(self.iter().map(|(ending, _)| ending))
    }

    /// The number of playouts that were counted.
    pub fn playouts(&self) -> u64 {
        self.0.iter().map(|(_, count)| count).sum()
    }
}
