//! The exact probability of each end. The whole graph is explored, as for odds, but different ends
//! are not added up.

use std::collections::BTreeMap;

use super::exact::Exact;
use super::odds::CYCLE;
use super::reachable::Chart;
use super::{Amount, Fraction};
use crate::conflict::Seating;
use crate::error::Error;
use crate::graph::{Bounds, Ending, Reach, explore};

/// All ends that are possible under the agents seated, each with its exact probability, in an order
/// that depends only on the ends; `None` if there are more nodes than the bounds allow, or if
/// states lead back to each other in ways that fractions do not solve.
///
/// # Errors
/// Those of the rules and agents; [`Error::Interrupted`].
pub(crate) fn ends(
    seating: &Seating,
    bounds: Bounds,
) -> Result<Option<Vec<(Ending, Fraction)>>, Error> {
    let graph = &seating.graph;
    match explore(graph, seating, bounds, &|_| ())? {
        Reach::Whole => {}
        Reach::Cut(cut) => return Err(cut.into()),
        Reach::Full | Reach::TooMany | Reach::TooWide | Reach::TooDear(_) => return Ok(None),
    }
    let policies = seating.policies()?;
    let chart = Chart::draw(seating, &policies)?;
    let chain = chart.chain::<Exact>(seating, &policies)?;
    let Ok(visits) = chain.visits_while(0, CYCLE, &|| seating.go_on().is_ok()) else {
        return seating.go_on().map(|()| None);
    };
    let mut sums: BTreeMap<String, (&Ending, Exact)> = BTreeMap::new();
    for (ending, chance) in chart.ends(graph, visits) {
        sums.entry(format!("{ending:?}"))
            .and_modify(|(_, sum)| sum.add_assign(&chance))
            .or_insert((ending, chance));
    }
    let summed = |(ending, sum): (&Ending, Exact)| {
        let ratio = sum.to_ratio();
        let chance = Fraction::new_raw(ratio.numer().clone().into(), ratio.denom().clone().into());
        (ending.clone(), chance)
    };
    Ok(Some(sums.into_values().map(summed).collect()))
}

/// Explores a conflict with all seats free, for the endings that its graph has then; `None` where the
/// rules fail on a branch, which may be one that nobody takes.
///
/// # Errors
/// [`Error::Interrupted`] and [`Error::Bound`].
pub(crate) fn explore_unmanned(seating: &Seating, bounds: Bounds) -> Result<Option<Reach>, Error> {
    match explore(&seating.graph, &seating.unmanned(), bounds, &|_| ()) {
        Ok(reach) => Ok(Some(reach)),
        Err(error @ (Error::Interrupted | Error::Bound(_))) => Err(error),
        Err(_) => Ok(None),
    }
}
