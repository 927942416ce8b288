//! Fairness and decisiveness: what each seat has, who wins, which results there are, by how much; and
//! numbers of the outcome map, by their paths.

use std::collections::BTreeMap;

use num_bigint::BigInt;

use super::ground::ValuedTerrain;
use super::measure::Measure;
use super::playouts::at;
use super::verdict::{Verdict, worths};
use super::weight::{Weight, WeightedValues};
use crate::analysis::{Fraction, Number, fraction};
use crate::error::Error;
use crate::graph::WorkerFactory;

/// What the ends of a graph say.
pub(super) fn measures<A: Weight>(ground: &ValuedTerrain<'_, A>) -> Vec<Measure> {
    let seats = &ground.seats;
    let mut results: BTreeMap<String, A> = BTreeMap::new();
    let mut utility: Vec<WeightedValues<A>> = vec![WeightedValues::default(); seats.len()];
    let mut wins: Vec<A> = vec![A::zero(); seats.len()];
    let (mut ties, mut margins) = (A::zero(), WeightedValues::default());
    for (_, ending, chance) in ground.ended() {
        results.entry(ending.result.clone()).or_insert_with(A::zero).add_assign(chance);
        let worths = worths(ending, seats);
        let Verdict { winners, margin } = Verdict::of(&worths);
        winners.iter().for_each(|&seat| wins[seat].add_assign(chance));
        if winners.is_empty() {
            ties.add_assign(chance);
        }
        margins.add(margin, chance);
        utility.iter_mut().zip(worths).for_each(|(all, worth)| all.add(worth, chance));
    }
    let mut all = Vec::new();
    for (seat, utility) in seats.iter().zip(&utility) {
        let name = format!("fairness.utility.{}", seat.name);
        all.push(Measure::new(name, "utility", &utility.mean()).spreading(utility.spread()));
    }
    if seats.len() > 1 {
        for (seat, wins) in seats.iter().zip(&wins) {
            all.push(Measure::new(format!("fairness.wins.{}", seat.name), "share", &wins.number()));
        }
    }
    for (result, chance) in &results {
        all.push(Measure::new(format!("result.{result}"), "share", &chance.number()));
    }
    if seats.len() > 1 {
        all.push(Measure::new("ties", "share", &ties.number()));
        let spread = margins.spread();
        all.push(Measure::new("margin", "utility", &margins.mean()).spreading(spread));
    }
    all
}

/// What one seat has more than the others have on average; nothing where there is no other.
pub(super) fn advantage(worths: &[Fraction], of: usize) -> Option<Fraction> {
    let others = BigInt::from(worths.len().checked_sub(1).filter(|count| *count > 0)?);
    let own = worths.get(of)?;
    Some(own - (worths.iter().sum::<Fraction>() - own) / others)
}

/// What one seat has more than the others have on average, over the ends of a graph.
pub(super) fn first_seat<A: Weight>(ground: &ValuedTerrain<'_, A>, of: usize) -> Option<Number> {
    let mut all = WeightedValues::default();
    for (_, ending, chance) in ground.ended() {
        all.add(advantage(&worths(ending, &ground.seats), of)?, chance);
    }
    Some(all.mean())
}

/// The mean of the number at each path, over the ends that have one there.
///
/// # Errors
/// Those of the rules' `outcome`; as [`Seating::go_on`](crate::conflict::Seating::go_on).
pub(super) fn outcomes<A: Weight>(
    ground: &ValuedTerrain<'_, A>,
    names: &[String],
    paths: &[Vec<String>],
) -> Result<Vec<Measure>, Error> {
    let (explorer, _) = ground.seating.make_worker()?;
    let mut all: Vec<WeightedValues<A>> = vec![WeightedValues::default(); paths.len()];
    for (place, _, chance) in ground.ended() {
        ground.seating.go_on()?;
        let Some(outcome) = explorer.outcome(ground.terrain.numbers[place])? else { continue };
        for (path, all) in paths.iter().zip(&mut all) {
            if let Some(number) = at(&outcome, path).and_then(fraction) {
                all.add(number, chance);
            }
        }
    }
    let measure = |(name, all): (&String, &WeightedValues<A>)| {
        let mean = all.share_of(&all.mean())?;
        Some(Measure::new(format!("outcome.{name}"), "number", &mean).spreading(all.spread()))
    };
    Ok(names.iter().zip(&all).filter_map(measure).collect())
}
