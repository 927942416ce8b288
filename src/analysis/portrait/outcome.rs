//! Numbers of the outcome map, by their paths.

use super::ground::Ground;
use super::measure::Measure;
use super::playouts::at;
use super::weight::{Weighed, Weight};
use crate::analysis::fraction;
use crate::error::Error;
use crate::graph::WorkerFactory;

/// The mean of the number at each path, over the ends that have one there.
///
/// # Errors
/// Those of the rules' `outcome`; as [`Seating::go_on`](crate::conflict::Seating::go_on).
pub(super) fn measures<A: Weight>(
    ground: &Ground<'_, A>,
    names: &[String],
    paths: &[Vec<String>],
) -> Result<Vec<Measure>, Error> {
    let (explorer, _) = ground.seating.make_worker()?;
    let mut all: Vec<Weighed<A>> = vec![Weighed::default(); paths.len()];
    for (place, _, chance) in ground.ended() {
        ground.seating.go_on()?;
        let Some(outcome) = explorer.outcome(ground.terrain.numbers[place])? else { continue };
        for (path, all) in paths.iter().zip(&mut all) {
            if let Some(number) = at(&outcome, path).and_then(fraction) {
                all.add(number, chance);
            }
        }
    }
    let measure = |(name, all): (&String, &Weighed<A>)| {
        let mean = all.share_of(&all.mean())?;
        Some(Measure::new(format!("outcome.{name}"), "number", &mean).spreading(all.spread()))
    };
    Ok(names.iter().zip(&all).filter_map(measure).collect())
}
