//! Proven bounds of what places are worth that may lead back to each other: interval iteration.
//!
//! Bounds from below and from above are moved towards each other, rounded outwards, one strongly
//! connected component after the other (Haddad and Monmege, Theoretical Computer Science 735, 2018;
//! Baier and others, "Ensuring the Reliability of Your Model Checker", 2017). Where a side could stay
//! for ever, only ways of playing that leave in the end count, and the bounds of such places are
//! brought to those of the best way out, without which the upper ones need not fall.

use super::super::chain::{Chain, components};
use super::Why;
use super::lasting::{Lasting, lasting};
use crate::analysis::Interval;

/// Who moves at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mover {
    /// It is over; the number of the ending.
    End(u32),
    /// Something falls.
    Chance,
    /// A side that wants much.
    Most,
    /// A side that wants little.
    Least,
}

impl Mover {
    /// Whether a side decides.
    pub fn decides(self) -> bool {
        matches!(self, Mover::Most | Mover::Least)
    }
}

/// Places, who moves there, and where it leads; the first is the beginning.
#[derive(Default)]
pub struct Arena {
    movers: Vec<Mover>,
    chain: Chain<Interval>,
}

/// What each place is worth at least and at most.
pub struct Bounds {
    /// The bounds, place by place.
    pub worth: Vec<Interval>,
    /// The step that is taken where a side decides.
    pub picks: Vec<u32>,
    /// Whether somebody wanted it to stop: the bounds hold, but may be wide.
    pub interrupted: bool,
    /// Whether a side could stay somewhere for ever.
    pub could_stay: bool,
}

/// Bounds that are nearer than this part of the range are near enough.
const NEAR: f64 = 1e-12;

impl Arena {
    /// Adds the next place: who moves, and the steps with their chances; 1 each where a side decides.
    pub fn push(&mut self, mover: Mover, steps: impl IntoIterator<Item = (usize, Interval)>) {
        self.movers.push(mover);
        self.chain.push(steps);
    }

    /// How many places there are.
    pub fn len(&self) -> usize {
        self.movers.len()
    }

    /// Who moves at a place.
    pub fn mover(&self, place: u32) -> Mover {
        self.movers[place as usize]
    }

    /// Where a place leads.
    pub fn steps(&self, place: u32) -> &[(u32, Interval)] {
        self.chain.steps(place as usize)
    }

    /// The places that lead back to each other, in the order of the walk.
    fn components(&self) -> impl DoubleEndedIterator<Item = Vec<u32>> {
        let found = components(&self.chain, 0, self.len());
        let all: Vec<Vec<u32>> = found.iter().map(<[u32]>::to_vec).collect();
        all.into_iter()
    }

    /// Whether a component is one place that does not lead to itself.
    fn is_passed(&self, places: &[u32]) -> bool {
        matches!(places, [one] if self.steps(*one).iter().all(|(to, _)| to != one))
    }

    /// The size of the largest set of places that lead back to each other, and of all such sets.
    pub fn cycles(&self) -> (usize, usize) {
        let sizes = self.components().filter(|places| !self.is_passed(places));
        sizes.fold((0, 0), |(largest, all), places| (largest.max(places.len()), all + places.len()))
    }

    /// The same places where the picks of some are certain.
    #[must_use]
    pub fn fixed(&self, picks: &[u32], is_fixed: impl Fn(Mover) -> bool) -> Arena {
        let mut fixed = Arena::default();
        for (place, &mover) in self.movers.iter().enumerate() {
            let steps = self.chain.steps(place).iter().map(|(to, share)| (*to as usize, *share));
            match mover.decides() && is_fixed(mover) {
                true => fixed.push(Mover::Chance, steps.skip(picks[place] as usize).take(1)),
                false => fixed.push(mover, steps),
            }
        }
        fixed
    }

    /// Works the bounds out; `ends` are what the endings are worth.
    ///
    /// # Errors
    /// [`Why::Endless`] where nothing leaves some places, or both sides could stay there together.
    pub fn bounds(&self, ends: &[Interval], go_on: &dyn Fn() -> bool) -> Result<Bounds, Why> {
        let mut found = Bounds {
            worth: vec![Interval::exact(0.0); self.len()],
            picks: vec![0; self.len()],
            interrupted: false,
            could_stay: false,
        };
        let range = ends.iter().fold(None, |range: Option<Interval>, end| {
            let range = range.unwrap_or(*end);
            Some(Interval { low: range.low.min(end.low), high: range.high.max(end.high) })
        });
        let near = NEAR * range.map_or(0.0, Interval::width);
        for (number, places) in self.components().rev().enumerate() {
            found.interrupted |= number % 256 == 0 && !go_on();
            if self.is_passed(&places) {
                let place = places[0];
                let (worth, pick) = self.look(place, ends, &found.worth);
                found.worth[place as usize] = worth;
                found.picks[place as usize] = pick;
                continue;
            }
            let lasting = lasting(self, &places)?;
            found.could_stay |= !lasting.is_empty();
            self.cycle(&places, &lasting, near, go_on, &mut found);
        }
        Ok(found)
    }

    /// What a place is worth by what is known of the others, and which step is best there: for the
    /// first of several that promise the same.
    fn look(&self, place: u32, ends: &[Interval], worth: &[Interval]) -> (Interval, u32) {
        let steps = self.steps(place);
        match self.mover(place) {
            Mover::End(number) => (ends[number as usize], 0),
            Mover::Chance => (mean(steps, worth), 0),
            mover => {
                let sign = |worth: Interval| match mover {
                    Mover::Least => worth.negative(),
                    _ => worth,
                };
                let mut best: Option<(Interval, Interval, u32)> = None;
                for (at, (to, _)) in steps.iter().enumerate() {
                    let own = sign(worth[*to as usize]);
                    let Some((all, first, pick)) = &mut best else {
                        best = Some((own, own, at as u32));
                        continue;
                    };
                    if (own.low, own.high) > (first.low, first.high) {
                        (*first, *pick) = (own, at as u32);
                    }
                    all.low = all.low.max(own.low);
                    all.high = all.high.max(own.high);
                }
                best.map_or((Interval::exact(0.0), 0), |(all, _, pick)| (sign(all), pick))
            }
        }
    }

    /// Moves the bounds of places that lead back to each other.
    fn cycle(
        &self,
        places: &[u32],
        lasting: &[Lasting],
        near: f64,
        go_on: &dyn Fn() -> bool,
        found: &mut Bounds,
    ) {
        // All leave in the end: no place is worth more than the best way out, nor less than the worst.
        let outside = |to: &u32| places.binary_search(to).is_err();
        let steps = places.iter().flat_map(|&place| self.steps(place));
        let ways: Vec<Interval> =
            steps.filter(|(to, _)| outside(to)).map(|(to, _)| found.worth[*to as usize]).collect();
        let low = ways.iter().fold(f64::INFINITY, |low, way| low.min(way.low));
        let high = ways.iter().fold(f64::NEG_INFINITY, |high, way| high.max(way.high));
        let widest = ways.iter().fold(0.0, |widest: f64, way| widest.max(way.width()));
        places.iter().for_each(|&place| found.worth[place as usize] = Interval { low, high });
        for sweep in 0_u64.. {
            if found.interrupted || !go_on() {
                found.interrupted = true;
                break;
            }
            let mut moved = false;
            let mut width = 0.0_f64;
            // There and back, so that what is known travels both ways.
            for at in 0..places.len() {
                let place = if sweep % 2 == 0 { places[places.len() - 1 - at] } else { places[at] };
                let (worth, _) = self.look(place, &[], &found.worth);
                moved |= narrow(&mut found.worth[place as usize], worth);
                width = width.max(found.worth[place as usize].width());
            }
            for one in lasting {
                let way_out = one.way_out(self, &found.worth);
                for &place in &one.places {
                    moved |= narrow(&mut found.worth[place as usize], way_out);
                }
            }
            if !moved || width <= near.max(widest) {
                break;
            }
        }
        for &place in places {
            found.picks[place as usize] = self.look(place, &[], &found.worth).1;
        }
        for one in lasting {
            one.leave(self, &found.worth, &mut found.picks);
        }
    }

    /// How often each place is met on average where all picks are certain, about; and nothing is
    /// known where somebody wants it to stop.
    pub fn visits(&self, picks: &[u32], go_on: &dyn Fn() -> bool) -> Vec<f64> {
        let walk = self.fixed(picks, |_| true);
        let mut visits = vec![0.0; self.len()];
        let mut arrived = vec![0.0; self.len()];
        if let Some(first) = arrived.first_mut() {
            *first = 1.0;
        }
        for places in walk.components() {
            if walk.is_passed(&places) {
                let place = places[0] as usize;
                visits[place] = arrived[place];
            } else {
                walk.settle(&places, &arrived, &mut visits, go_on);
            }
            for &place in &places {
                for (to, share) in walk.steps(place) {
                    if places.binary_search(to).is_err() {
                        arrived[*to as usize] += visits[place as usize] * share.middle();
                    }
                }
            }
        }
        visits
    }

    /// The visits of places that lead back to each other, from what arrives: what is under way is
    /// passed on until next to nothing is.
    fn settle(
        &self,
        places: &[u32],
        arrived: &[f64],
        visits: &mut [f64],
        go_on: &dyn Fn() -> bool,
    ) {
        let mut under_way: Vec<f64> = places.iter().map(|&at| arrived[at as usize]).collect();
        let all: f64 = under_way.iter().sum();
        let mut left = all;
        while left > 1e-12 * all && go_on() {
            for at in 0..places.len() {
                let here = std::mem::replace(&mut under_way[at], 0.0);
                visits[places[at] as usize] += here;
                for (to, share) in self.steps(places[at]) {
                    if let Ok(to) = places.binary_search(to) {
                        under_way[to] += here * share.middle();
                    }
                }
            }
            left = under_way.iter().sum();
        }
    }
}

/// The mean of steps.
fn mean(steps: &[(u32, Interval)], worth: &[Interval]) -> Interval {
    let mut mean = Interval::exact(0.0);
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for (to, share) in steps {
        let worth = worth[*to as usize];
        mean = mean.plus(worth.times(*share));
        (low, high) = (low.min(worth.low), high.max(worth.high));
    }
    // Chances sum to 1, whatever rounding makes of them.
    Interval { low: mean.low.max(low), high: mean.high.min(high) }
}

/// Moves bounds towards each other, whether they moved.
fn narrow(worth: &mut Interval, by: Interval) -> bool {
    let next = Interval { low: worth.low.max(by.low), high: worth.high.min(by.high) };
    let moved = next != *worth && next.low <= next.high;
    if moved {
        *worth = next;
    }
    moved
}
