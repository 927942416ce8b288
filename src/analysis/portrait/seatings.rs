//! What the first seat is worth: the same agents take each other's seats in turn.

use super::ground::ValuedTerrain;
use super::playouts::PlayoutResults;
use super::results::first_seat;
use super::terrain::{ExploredTerrain, Terrain};
use super::weight::{Weight, sum};
use crate::agents::{AgentSpec, HUMAN};
use crate::analysis::{Estimate, Fraction, Interval, Number, Sampling};
use crate::conflict::{Conflict, Seat, Seating};
use crate::error::Error;
use crate::graph::Bounds;

/// The agents around the seats.
pub(super) struct Turns<'a> {
    conflict: &'a Conflict,
    seats: Vec<Seat>,
    /// The word of the agent in each seat.
    agents: Vec<String>,
    /// The number of the first seat: the first that the scenario seats.
    pub first: usize,
}

impl<'a> Turns<'a> {
    /// The agents as they sit.
    pub(super) fn of(conflict: &'a Conflict, seating: &Seating) -> Turns<'a> {
        let seats = seating.players.seats();
        let names =
            |seat: &Seat| std::iter::once(&seat.name).chain(&seat.players).cloned().collect();
        let agents = seats.iter().map(|seat| {
            let names: Vec<String> = names(seat);
            let sits = names.iter().filter_map(|name| conflict.seats.get(name)).next_back();
            sits.filter(|agent| *agent != HUMAN).cloned().unwrap_or_else(|| "random".to_owned())
        });
        let place = |seat: &Seat| {
            let names: Vec<String> = names(seat);
            names.iter().filter_map(|name| conflict.seats.get_index_of(name)).min()
        };
        let first = (0..seats.len()).min_by_key(|&at| place(&seats[at]).unwrap_or(usize::MAX));
        Turns { conflict, agents: agents.collect(), first: first.unwrap_or_default(), seats }
    }

    /// The other seatings: all agents go on by a seat each time, until each has sat everywhere; none
    /// where the same agent sits in all seats.
    fn others(&self, seating: &Seating) -> Result<Vec<Seating>, Error> {
        if self.agents.windows(2).all(|pair| pair[0] == pair[1]) {
            return Ok(Vec::new());
        }
        let turn = |by: usize| {
            let seat = |at: usize| {
                let agent = &self.agents[(at + by) % self.agents.len()];
                Ok((self.seats[at].players.clone(), AgentSpec::read(agent, &self.conflict.folder)?))
            };
            let all: Result<Vec<_>, Error> = (0..self.seats.len()).map(seat).collect();
            Ok(seating.with(all?))
        };
        (1..self.seats.len()).map(turn).collect()
    }

    /// What the first seat is worth over all seatings, where `mine` is what it is worth as they sit;
    /// nothing where a seating cannot be seen whole.
    ///
    /// # Errors
    /// Those of the rules and agents.
    pub(super) fn first_seat<A: Weight>(
        &self,
        seating: &Seating,
        bounds: Bounds,
        mine: Option<Number>,
    ) -> Result<Option<Number>, Error> {
        let Some(mut all) = mine else { return Ok(None) };
        let others = self.others(seating)?;
        let share = Fraction::new(1.into(), (others.len() + 1).into());
        for other in others {
            let Ok(seen) = ExploredTerrain::explore(&other, bounds, &|_| ())? else {
                return Ok(None);
            };
            let Some(terrain) = Terrain::<A>::draw(&other, &seen)? else { return Ok(None) };
            let ground = ValuedTerrain::survey(&other, terrain)?;
            let Some(worth) = first_seat(&ground, self.first) else { return Ok(None) };
            all = sum(&all, &worth);
        }
        Ok(Some(match all {
            Number::Exact(all) => Number::Exact(all * share),
            Number::Enclosed(all) => Number::Enclosed(all.times(Interval::of_fraction(&share))),
            sampled => sampled,
        }))
    }

    /// The same from playouts.
    ///
    /// # Errors
    /// Those of the rules and agents.
    pub(super) fn sampled(
        &self,
        seating: &Seating,
        sampling: Sampling,
        mine: Option<Number>,
    ) -> Result<Option<Number>, Error> {
        let Some(Number::Sampled(mine)) = mine else { return Ok(None) };
        let (n, mut all) = (mine.n, vec![mine]);
        for other in self.others(seating)? {
            let told = PlayoutResults::make(&other, sampling, (&[], false), &|_| ())?;
            if let Some(Number::Sampled(one)) = told.first_seat(&other, self.first) {
                all.push(one);
            }
        }
        let count = all.len() as f64;
        let mean = all.iter().map(|one| one.mean).sum::<f64>() / count;
        // Each seating has the same lots: their errors may go together.
        let half = all.iter().map(|one| (one.high - one.low) / 2.0).sum::<f64>() / count;
        Ok(Some(Number::Sampled(Estimate { n, mean, low: mean - half, high: mean + half })))
    }
}
