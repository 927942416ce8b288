//! Places among which a side could stay for ever: end components, and the ways out of them.
//!
//! Where something falls, all that may fall must lead back (de Alfaro, "Formal Verification of
//! Probabilistic Systems", 1997).

use super::super::chain::{Chain, components};
use super::Why;
use super::arena::{Arena, Mover};
use crate::analysis::{Amount, Interval};

/// A largest set of places among which one side could stay for ever.
pub struct Lasting {
    /// The places, sorted.
    pub places: Vec<u32>,
    /// Who could stay.
    mover: Mover,
}

/// The sets among places that lead back to each other.
///
/// # Errors
/// [`Why::Endless`] where both sides could stay together, or nobody can leave.
pub fn lasting(arena: &Arena, places: &[u32]) -> Result<Vec<Lasting>, Why> {
    let mut open = vec![places.to_vec()];
    let mut found = Vec::new();
    while let Some(places) = open.pop() {
        let kept = kept(arena, &places);
        let parts = parts(arena, &kept);
        match &parts[..] {
            [one] if one.len() == places.len() => found.push(one.clone()),
            _ => open.extend(parts),
        }
    }
    let one = |places: Vec<u32>| {
        let endless = || Why::Endless { size: places.len(), place: places[0] as usize };
        let mut movers = places.iter().map(|&place| arena.mover(place)).filter(|m| m.decides());
        let mover = movers.next().ok_or_else(endless)?;
        if movers.any(|other| other != mover) {
            return Err(endless());
        }
        let lasting = Lasting { places, mover };
        let left = lasting.ways_out(arena).next().is_some();
        let Lasting { places, mover } = lasting;
        match left {
            true => Ok(Lasting { places, mover }),
            false => Err(Why::Endless { size: places.len(), place: places[0] as usize }),
        }
    };
    found.into_iter().map(one).collect()
}

/// The places from which it can be kept from leaving the set.
fn kept(arena: &Arena, places: &[u32]) -> Vec<u32> {
    let mut kept = places.to_vec();
    loop {
        let stays = |(to, _): &(u32, Interval)| kept.binary_search(to).is_ok();
        let keeps = |&place: &u32| match arena.mover(place).decides() {
            true => arena.steps(place).iter().any(stays),
            false => !arena.steps(place).is_empty() && arena.steps(place).iter().all(stays),
        };
        let fewer: Vec<u32> = kept.iter().copied().filter(|place| keeps(place)).collect();
        if fewer.len() == kept.len() {
            return kept;
        }
        kept = fewer;
    }
}

/// The parts of a set that lead back to each other within it.
fn parts(arena: &Arena, places: &[u32]) -> Vec<Vec<u32>> {
    let mut chain = Chain::<Interval>::new();
    let inside = |place: u32| {
        let steps = arena.steps(place).iter();
        steps.filter_map(|(to, _)| places.binary_search(to).ok()).map(|to| (to, Interval::one()))
    };
    places.iter().for_each(|&place| _ = chain.push(inside(place)));
    // One more from which all can be come to.
    let start = chain.push((0..places.len()).map(|place| (place, Interval::one())));
    let found = components(&chain, start, places.len() + 1);
    let lasts = |part: &&[u32]| match part {
        [one] => {
            (*one as usize) < places.len()
                && chain.steps(*one as usize).iter().any(|(to, _)| to == one)
        }
        _ => true,
    };
    let named = |part: &[u32]| part.iter().map(|&at| places[at as usize]).collect();
    found.iter().filter(lasts).map(named).collect()
}

impl Lasting {
    /// The steps by which the side can leave: place, number of the step, and where it leads.
    fn ways_out<'a>(&'a self, arena: &'a Arena) -> impl Iterator<Item = (u32, u32, u32)> + 'a {
        let decides = self.places.iter().filter(|place| arena.mover(**place).decides());
        decides.flat_map(move |&place| {
            let steps = arena.steps(place).iter().enumerate();
            steps
                .filter(|(_, (to, _))| self.places.binary_search(to).is_err())
                .map(move |(at, (to, _))| (place, at as u32, *to))
        })
    }

    /// What the best way out is worth.
    pub fn way_out(&self, arena: &Arena, worth: &[Interval]) -> Interval {
        let ways = self.ways_out(arena).map(|(_, _, to)| worth[to as usize]);
        let better = |a: Interval, b: Interval| match self.mover {
            Mover::Least => Interval { low: a.low.min(b.low), high: a.high.min(b.high) },
            _ => Interval { low: a.low.max(b.low), high: a.high.max(b.high) },
        };
        ways.reduce(better).unwrap_or(Interval { low: f64::NEG_INFINITY, high: f64::INFINITY })
    }

    /// Picks at all places what leads to the best way out, and there the way out.
    pub fn leave(&self, arena: &Arena, worth: &[Interval], picks: &mut [u32]) {
        let sign = if self.mover == Mover::Least { -1.0 } else { 1.0 };
        let by_worth = |to: u32| sign * worth[to as usize].middle();
        let best = self.ways_out(arena).max_by(|a, b| by_worth(a.2).total_cmp(&by_worth(b.2)));
        let Some((at, step, _)) = best else { return };
        picks[at as usize] = step;
        let mut near = vec![false; self.places.len()];
        let number = |place: u32| self.places.binary_search(&place).ok();
        number(at).into_iter().for_each(|at| near[at] = true);
        let mut grown = true;
        while std::mem::take(&mut grown) {
            for (at, &place) in self.places.iter().enumerate() {
                let leads = |(to, _): &(u32, Interval)| number(*to).is_some_and(|to| near[to]);
                if near[at] {
                    continue;
                }
                let Some(step) = arena.steps(place).iter().position(leads) else { continue };
                picks[place as usize] = step as u32;
                near[at] = true;
                grown = true;
            }
        }
    }
}
