//! Counts of the endings of playouts.

use std::collections::{BTreeMap, HashMap};

use super::visits::Visited;
use crate::conflict::Seating;
use crate::error::Error;
use crate::graph::{Bounds, Ending, Reach, explore};
use crate::number::{Amount, Exact, Fraction};

/// How often endings came, by the numbers that a graph gave to them.
#[derive(Clone, Debug, Default)]
pub struct EndingCounts(HashMap<u32, u64>);

impl EndingCounts {
    /// Counts one more.
    pub fn count(&mut self, what: u32) {
        self.count_times(what, 1);
    }

    /// Counts this many more.
    pub(crate) fn count_times(&mut self, what: u32, times: u64) {
        *self.0.entry(what).or_default() += times;
    }

    /// Adds other counts.
    pub fn add(&mut self, other: &EndingCounts) {
        for (&what, &count) in &other.0 {
            self.count_times(what, count);
        }
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
        counts: &EndingCounts,
        ending: impl Fn(u32) -> Option<&'a Ending>,
    ) -> CountedEndings {
        let met =
            counts.0.iter().filter_map(|(&number, &count)| Some((ending(number)?.clone(), count)));
        let mut met: Vec<(Ending, u64)> = met.collect();
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

// The exact probability of each end. The whole graph is explored, as for odds, but different ends
// are not added up.

/// All ends that are possible under the agents seated, each with its exact probability, in an order
/// that depends only on the ends; `None` if there are more nodes than the bounds allow, or if
/// states lead back to each other in ways that fractions do not solve.
pub(crate) fn ends(
    seating: &Seating,
    bounds: Bounds,
) -> Result<Option<Vec<(Ending, Fraction)>>, Error> {
    let graph = &seating.graph;
    match explore(graph, seating, bounds, &|_| ())? {
        Reach::Whole => {}
        Reach::Cut(cut) => return Err(cut.into()),
        Reach::Full | Reach::TooMany | Reach::TooWide | Reach::Drawn => return Ok(None),
    }
    let Some(Visited { game, visits, .. }) = Visited::<Exact>::of(seating)? else {
        return Ok(None);
    };
    let mut sums: BTreeMap<String, (&Ending, Exact)> = BTreeMap::new();
    for (ending, chance) in game.ends(graph, visits) {
        sums.entry(format!("{ending:?}"))
            .and_modify(|(_, sum)| sum.add_assign(&chance))
            .or_insert((ending, chance));
    }
    let summed = |(ending, sum): (&Ending, Exact)| (ending.clone(), sum.to_fraction());
    Ok(Some(sums.into_values().map(summed).collect()))
}

/// Explores a conflict with all seats free, for the endings that its graph has then; `None` where the
/// rules fail on a branch, which may be one that nobody takes.
pub(crate) fn explore_unmanned(seating: &Seating, bounds: Bounds) -> Result<Option<Reach>, Error> {
    match explore(&seating.graph, &seating.unmanned(), bounds, &|_| ()) {
        Ok(reach) => Ok(Some(reach)),
        Err(error @ (Error::Interrupted | Error::Bound(_))) => Err(error),
        Err(_) => Ok(None),
    }
}
