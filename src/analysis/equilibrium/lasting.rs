//! Places among which a side could stay for ever: end components, and the ways out of them.
//!
//! Where something falls, all that may fall must lead back (de Alfaro, "Formal Verification of
//! Probabilistic Systems", 1997).

use super::super::chain::{Chain, components};
use super::arena::{Arena, Mover};
use crate::analysis::{Amount, Interval};

/// A largest set of places among which one side could stay for ever.
pub struct Lasting {
    /// The places, sorted.
    pub places: Vec<u32>,
    /// Who could stay.
    mover: Mover,
}

/// Where it may go on for ever among places that lead back to each other.
#[derive(Default)]
pub struct Stays {
    /// Where one side alone could stay, and leave.
    pub sides: Vec<Lasting>,
    /// Where both could stay together, or nobody can leave.
    pub endless: Vec<u32>,
}

/// Where it may go on for ever among places that lead back to each other.
pub fn lasting(arena: &Arena, places: &[u32]) -> Stays {
    let mut stays = Stays::default();
    for places in largest(arena, places) {
        let mut movers = places.iter().map(|&place| arena.mover(place)).filter(|m| m.is_free());
        let mover = movers.next();
        let alone = mover.is_some_and(|mover| mover.decides() && movers.all(|one| one == mover));
        if alone && one_side(arena, &places, &mut stays.sides) {
            continue;
        }
        for (mover, other) in [(Mover::Most, Mover::Least), (Mover::Least, Mover::Most)] {
            let own = |&&place: &&u32| {
                let at = arena.mover(place);
                at != other && !matches!(at, Mover::Both(_))
            };
            let own: Vec<u32> = places.iter().filter(own).copied().collect();
            for places in largest(arena, &own) {
                if places.iter().any(|&place| arena.mover(place) == mover) && !alone {
                    one_side(arena, &places, &mut stays.sides);
                }
            }
        }
        stays.endless.extend(places);
    }
    stays.endless.sort_unstable();
    stays
}

/// Adds a set in which only one side decides, if it can be left.
fn one_side(arena: &Arena, places: &[u32], sides: &mut Vec<Lasting>) -> bool {
    let mover = places.iter().map(|&place| arena.mover(place)).find(|mover| mover.decides());
    let Some(mover) = mover else { return false };
    let lasting = Lasting { places: places.to_vec(), mover };
    let left = lasting.ways_out(arena).next().is_some();
    if left {
        sides.push(lasting);
    }
    left
}

/// The largest sets that can be kept from leaving.
fn largest(arena: &Arena, places: &[u32]) -> Vec<Vec<u32>> {
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
    found
}

/// The places from which it can be kept from leaving the set.
fn kept(arena: &Arena, places: &[u32]) -> Vec<u32> {
    let mut kept = places.to_vec();
    loop {
        let stays = |(to, _): &(u32, Interval)| kept.binary_search(to).is_ok();
        let keeps = |&place: &u32| match arena.mover(place).is_free() {
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

/// A way out of a set.
#[derive(Clone, Copy, Debug)]
pub struct Exit {
    place: u32,
    /// The number of the step there.
    step: u32,
    /// What the side gets by it, in numbers of which it wants much.
    sure: f64,
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

    /// The best way out by what is known.
    pub fn best_exit(&self, arena: &Arena, worth: &[Interval]) -> Option<Exit> {
        self.best(arena, |to| match self.mover {
            Mover::Least => -worth[to as usize].middle(),
            _ => worth[to as usize].middle(),
        })
    }

    /// Keeps the way out by which most is sure, if it is better than the one that is known.
    pub fn keep_better(&self, arena: &Arena, worth: &[Interval], known: &mut Option<Exit>) {
        let best = self.best(arena, |to| match self.mover {
            Mover::Least => -worth[to as usize].high,
            _ => worth[to as usize].low,
        });
        let Some(best) = best else { return };
        if known.as_ref().is_none_or(|known| best.sure > known.sure) {
            *known = Some(best);
        }
    }

    fn best(&self, arena: &Arena, by: impl Fn(u32) -> f64) -> Option<Exit> {
        let exit = |(place, step, to)| Exit { place, step, sure: by(to) };
        self.ways_out(arena).map(exit).max_by(|a, b| a.sure.total_cmp(&b.sure))
    }

    /// Picks at all places what leads to a way out, and there the way out.
    pub fn leave(&self, arena: &Arena, exit: &Exit, picks: &mut [u32]) {
        picks[exit.place as usize] = exit.step;
        let mut near = vec![false; self.places.len()];
        let number = |place: u32| self.places.binary_search(&place).ok();
        number(exit.place).into_iter().for_each(|at| near[at] = true);
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
