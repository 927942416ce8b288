//! What can be expected at each place of a graph: what each seat has in the end, and who wins.

use super::terrain::Terrain;
use super::verdict::{MOST, Verdict, Verdicts, worths};
use super::weight::{Weight, WeightedValues};
use crate::analysis::{Fraction, Interval};
use crate::conflict::{Seat, Seating};
use crate::error::Error;

/// A terrain with what can be expected at each of its places.
pub(super) struct ValuedTerrain<'a, A> {
    /// The conflict.
    pub seating: &'a Seating,
    /// Its graph.
    pub terrain: Terrain<A>,
    /// Its seats.
    pub seats: Vec<Seat>,
    /// For each seat the difference of the most and the least that it has in any end.
    pub range: Vec<f64>,
    /// What each seat can expect at each place, above the least that it has in any end, seat by seat.
    expected: Vec<A>,
    /// The verdicts.
    pub verdicts: Verdicts,
    /// The number of the verdict at each end.
    pub ends: Vec<Option<usize>>,
    /// The chance of each verdict at each place, verdict by verdict; none where there are too many.
    beliefs: Vec<f64>,
}

/// The bounds are checked once in this many nodes.
const OFTEN: usize = 256;

impl<'a, A: Weight> ValuedTerrain<'a, A> {
    /// Goes over a terrain, from its ends back.
    ///
    /// # Errors
    /// As [`Seating::go_on`].
    pub(super) fn survey(
        seating: &'a Seating,
        terrain: Terrain<A>,
    ) -> Result<ValuedTerrain<'a, A>, Error> {
        let (graph, seats) = (&*seating.graph, seating.players.seats());
        let (mut verdicts, mut ends) = (Verdicts::default(), vec![None; terrain.len()]);
        let mut had: Vec<Option<Vec<Fraction>>> = vec![None; terrain.len()];
        let mut all: Vec<WeightedValues<A>> = vec![WeightedValues::default(); seats.len()];
        for place in 0..terrain.len() {
            let Some(ending) = graph.ending(terrain.node(graph, place)) else { continue };
            let worths = worths(ending, &seats);
            let numbered = verdicts.number(&Verdict::of(&worths).winners);
            ends[place] = Some(numbered);
            all.iter_mut().zip(&worths).for_each(|(all, worth)| all.add(worth.clone(), &A::zero()));
            had[place] = Some(worths);
        }
        let ranges: Vec<(Fraction, Fraction)> = all
            .iter()
            .map(|all| all.range().map(|(a, b)| (a.clone(), b.clone())).unwrap_or_default())
            .collect();
        let least: Vec<Fraction> = ranges.iter().map(|(least, _)| least.clone()).collect();
        let about = |number: &Fraction| Interval::of_fraction(number).middle();
        let range = ranges.iter().map(|(least, most)| about(&(most - least))).collect();
        let believes = if verdicts.len() <= MOST { verdicts.len() } else { 0 };
        let mut expected = vec![A::zero(); terrain.len() * seats.len()];
        let mut beliefs = vec![0.0; terrain.len() * believes];
        for place in (0..terrain.len()).rev() {
            if place % OFTEN == 0 {
                seating.go_on()?;
            }
            if let (Some(worths), Some(verdict)) = (&had[place], ends[place]) {
                for (seat, worth) in worths.iter().enumerate() {
                    let above = worth - &least[seat];
                    let (part, whole) = (above.numer().magnitude(), above.denom().magnitude());
                    expected[place * seats.len() + seat] = A::ratio(part, whole);
                }
                if believes > 0 {
                    beliefs[place * believes + verdict] = 1.0;
                }
                continue;
            }
            for edge in terrain.edges(place) {
                if edge.chance.is_zero() {
                    continue;
                }
                for seat in 0..seats.len() {
                    let more = expected[edge.to * seats.len() + seat].mul(&edge.chance);
                    expected[place * seats.len() + seat].add_assign(&more);
                }
                let chance = edge.chance.about();
                for verdict in 0..believes {
                    beliefs[place * believes + verdict] +=
                        chance * beliefs[edge.to * believes + verdict];
                }
            }
            for seat in 0..seats.len() {
                expected[place * seats.len() + seat].settle();
            }
        }
        Ok(ValuedTerrain { seating, terrain, seats, range, expected, verdicts, ends, beliefs })
    }

    /// What a seat can expect at a place, above its least.
    pub(super) fn expected(&self, place: usize, seat: usize) -> &A {
        &self.expected[place * self.seats.len() + seat]
    }

    /// The chance of each verdict at a place; empty where there are too many verdicts.
    pub(super) fn beliefs(&self, place: usize) -> &[f64] {
        let each = self.beliefs.len() / self.terrain.len().max(1);
        self.beliefs.get(place * each..(place + 1) * each).unwrap_or_default()
    }

    /// The seat for which a player decides.
    pub(super) fn seat_of(&self, player: &str) -> Option<usize> {
        self.seats.iter().position(|seat| seat.players.iter().any(|one| one == player))
    }

    /// The ends that are reached, each with how likely it is.
    pub(super) fn ended(&self) -> impl Iterator<Item = (usize, &crate::graph::Ending, &A)> {
        let graph = &*self.seating.graph;
        (0..self.terrain.len()).filter_map(move |place| {
            let ending = graph.ending(self.terrain.node(graph, place))?;
            let visits = &self.terrain.visits[place];
            (!visits.is_zero()).then_some((place, ending, visits))
        })
    }
}
