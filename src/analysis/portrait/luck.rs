//! Luck and choice: how much of all that varies in the utilities comes from chance, and how much from
//! the choices of each seat.
//!
//! By the law of total variance along the conflict: what a seat can expect is a martingale, its changes
//! at different questions are uncorrelated, so their variances sum up to the variance of its utility
//! (Weiss, A Course in Probability, 2005, section 10.3). The utilities of all seats are summed.

use indexmap::IndexMap;

use super::ground::ValuedTerrain;
use super::measure::Measure;
use super::verdict::worths;
use super::weight::{Weight, WeightedValues, over, sum};
use crate::analysis::{Fraction, Number};
use crate::error::Error;

/// The name of the share of chance.
pub(super) const CHANCE: &str = "luck.chance";

/// The bounds are checked once in this many nodes.
const OFTEN: usize = 256;

/// The shares of chance and of each seat; all 0 where nothing varies.
///
/// # Errors
/// As [`Seating::go_on`](crate::conflict::Seating::go_on).
pub(super) fn measures<A: Weight>(ground: &ValuedTerrain<'_, A>) -> Result<Vec<Measure>, Error> {
    let (terrain, graph) = (&ground.terrain, &*ground.seating.graph);
    // For chance and each seat what the squares of the expectations are after its answers, and before.
    let mut parts: IndexMap<String, [A; 2]> = IndexMap::new();
    parts.insert(CHANCE.to_owned(), [A::zero(), A::zero()]);
    for seat in &ground.seats {
        parts.insert(format!("luck.{}", seat.name), [A::zero(), A::zero()]);
    }
    for place in 0..terrain.len() {
        if place % OFTEN == 0 {
            ground.seating.go_on()?;
        }
        let possible = || terrain.edges(place).iter().filter(|edge| !edge.chance.is_zero());
        // What is certain moves nothing.
        if !terrain.is_visited(place) || possible().nth(1).is_none() {
            continue;
        }
        let Some(asked) = terrain.question(graph, place) else { continue };
        let name = match asked.is_chance() {
            true => CHANCE.to_owned(),
            false => {
                let seat = ground.seat_of(&asked.who).map(|seat| &ground.seats[seat].name);
                format!("luck.{}", seat.unwrap_or(&asked.who))
            }
        };
        let [after, before] = parts.entry(name).or_insert_with(|| [A::zero(), A::zero()]);
        let visits = &terrain.visits[place];
        for seat in 0..ground.seats.len() {
            let here = ground.expected(place, seat);
            before.add_assign(&visits.mul(&here.mul(here)));
            for edge in possible() {
                let there = ground.expected(edge.to, seat);
                after.add_assign(&visits.mul(&edge.chance).mul(&there.mul(there)));
            }
        }
    }
    let whole = variance(ground);
    let share = |(name, [after, before]): (String, [A; 2])| {
        let part = after.number().less(&before.number());
        let none = Number::Exact(Fraction::default());
        Measure::new(name, "share", &over(&part, &whole).unwrap_or(none))
    };
    Ok(parts.into_iter().map(share).collect())
}

/// The sum of the variances of the utilities of all seats, by the ends alone.
fn variance<A: Weight>(ground: &ValuedTerrain<'_, A>) -> Number {
    let mut all: Vec<WeightedValues<A>> = vec![WeightedValues::default(); ground.seats.len()];
    for (_, ending, chance) in ground.ended() {
        let worths = worths(ending, &ground.seats);
        all.iter_mut().zip(worths).for_each(|(all, worth)| all.add(worth, chance));
    }
    let none = Number::Exact(Fraction::default());
    all.iter().fold(none, |whole, one| sum(&whole, &one.variance()))
}
