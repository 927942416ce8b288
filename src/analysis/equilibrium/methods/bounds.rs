//! Proven bounds of what places are worth that may lead back to each other: interval iteration.
//!
//! Bounds from below and from above are moved towards each other, rounded outwards, one strongly
//! connected component after the other (Haddad and Monmege, Theoretical Computer Science 735, 2018;
//! Baier and others, "Ensuring the Reliability of Your Model Checker", 2017). Where one side could stay
//! for ever, only ways of playing that leave in the end count, and the bounds of such places are
//! brought to those of the best way out, without which the upper ones need not fall (Kelmendi and
//! others, "Value Iteration for Simple Stochastic Games", 2018). Where both could stay together, or
//! nobody can leave, no rule says what that is worth: the bounds begin with the least and the greatest
//! utility, and hold for every value between them.

use super::super::UnsolvedReason;
use super::super::forms::board::Mover;
use super::super::forms::cyclic_game::{Plays, STEPS, StochasticGame, TRIAL, range, span};
use super::cyclic_play::Advice;
use super::end_components::{EndlessPlaces, Lasting, lasting};
use crate::number::Interval;

/// What each place is worth at least and at most.
pub(crate) struct PlaceBounds {
    /// The bounds, place by place; nothing where nobody comes.
    pub worth: Vec<Interval>,
    /// What the sides do.
    pub plays: Plays,
    /// Whether somebody wanted it to stop: the bounds hold, but may be wide.
    pub interrupted: bool,
    /// Whether one side could stay somewhere for ever.
    pub(crate) could_stay: bool,
    /// Where play may be endless and no side alone can end it.
    pub endless: Endless,
    /// The bounds of what play for ever may be worth, to which no rule gives a value; `None` where no play ends.
    range: Option<Interval>,
    /// The steps that may still be looked at.
    left: u64,
}

/// Places among which both sides could stay together for ever, or which nobody can leave.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Endless {
    /// How many they are.
    pub size: usize,
    /// One of them.
    pub place: usize,
}

/// Bounds that are nearer than this part of the range are near enough.
const NEAR: f64 = 1e-12;
/// Sweeps over joint decisions that move no bound by more than this part of the range move none.
const STILL: f64 = 1e-16;
/// At most this many sweeps over joint decisions, whose bounds may need more than anybody has time for
/// (Hansen, Ibsen-Jensen and Miltersen, "The Complexity of Solving Reachability Games Using Value and
/// Strategy Iteration", 2011).
const SWEEPS: u64 = 100_000;
/// Bounds wider than this part of the range are apart.
const APART: f64 = 1e-6;

impl PlaceBounds {
    /// Whether bounds that are so wide are apart.
    pub(crate) fn is_wide(&self, width: f64) -> bool {
        width > APART * self.range.map_or(0.0, span)
    }

    /// How many places have bounds that are apart.
    pub(crate) fn apart(&self) -> usize {
        self.worth.iter().filter(|worth| self.is_wide(worth.width())).count()
    }

    /// Refuses bounds of the beginning that say nothing, since play may be endless.
    pub(crate) fn say_something(self) -> Result<PlaceBounds, UnsolvedReason> {
        let Endless { size, place } = self.endless;
        let says = match self.range {
            None => false,
            Some(range) if size == 0 || self.interrupted || range.width() == 0.0 => true,
            Some(range) => half(self.worth[0]) < (1.0 - APART) * half(range),
        };
        if says { Ok(self) } else { Err(UnsolvedReason::Endless { size, place }) }
    }
}

/// Half the width, which is a float if the bounds are.
fn half(bounds: Interval) -> f64 {
    bounds.high / 2.0 - bounds.low / 2.0
}

impl StochasticGame {
    /// Works the bounds out; `ends` are what the endings are worth.
    pub(crate) fn bounds(&self, ends: &[Interval], may_continue: &dyn Fn() -> bool) -> PlaceBounds {
        self.bounds_within(range(ends.iter().copied()), ends, may_continue)
    }

    /// Works the bounds out where what no rule says is worth something within a range.
    pub(crate) fn bounds_within(
        &self,
        range: Option<Interval>,
        ends: &[Interval],
        may_continue: &dyn Fn() -> bool,
    ) -> PlaceBounds {
        let mut found = PlaceBounds {
            worth: vec![Interval::exact(0.0); self.len()],
            plays: Plays::default(),
            interrupted: false,
            could_stay: false,
            endless: Endless::default(),
            range,
            left: STEPS,
        };
        let mut advice = Advice::of(self);
        for (number, places) in self.components().iter().rev().enumerate() {
            found.interrupted |= number % 256 == 0 && !may_continue();
            if self.is_passed(places) {
                let look = self.look(places[0], ends, &found.worth, may_continue);
                found.worth[places[0] as usize] = look.worth;
                advice.pass(self, places[0], look, &found.worth);
                continue;
            }
            let EndlessPlaces { sides, endless } = lasting(self, places);
            found.could_stay |= !sides.is_empty();
            if found.endless.size == 0 {
                found.endless.place = endless.first().map_or(0, |&place| place as usize);
            }
            found.endless.size += endless.len();
            self.cycle(places, &sides, !endless.is_empty(), may_continue, &mut found, &mut advice);
        }
        found.plays = advice.plays(self, &found.worth, may_continue);
        found
    }

    /// Moves the bounds of places that lead back to each other; `endless` says whether it may continue for
    /// ever among them and no side alone can end it.
    fn cycle(
        &self,
        places: &[u32],
        lasting: &[Lasting],
        endless: bool,
        may_continue: &dyn Fn() -> bool,
        found: &mut PlaceBounds,
        advice: &mut Advice,
    ) {
        let whole = found.range.unwrap_or(Interval::exact(0.0));
        let outside = |to: &u32| places.binary_search(to).is_err();
        let steps = places.iter().flat_map(|&place| self.steps(place));
        let ways = steps.filter(|(to, _)| outside(to)).map(|(to, _)| found.worth[*to as usize]);
        let first = match endless {
            true => whole,
            // All leave in the end: no place is worth more than the best way out, nor less than the
            // worst.
            false => range(ways).unwrap_or(whole),
        };
        places.iter().for_each(|&place| found.worth[place as usize] = first);
        let at_once = places.iter().any(|&place| matches!(self.mover(place), Mover::Both(_)));
        let looked_at: usize = places.iter().map(|&place| 1 + self.steps(place).len()).sum();
        let within_reach = found.left / looked_at as u64;
        let (still, most) = match at_once {
            true => (STILL * span(whole), SWEEPS),
            false => (0.0, within_reach),
        };
        for sweep in 0..most {
            if found.interrupted || !may_continue() {
                found.interrupted = true;
                break;
            }
            found.left = found.left.saturating_sub(looked_at as u64);
            let (mut moved, mut width) = (0.0_f64, 0.0_f64);
            // There and back, so that what is known travels both ways.
            for at in 0..places.len() {
                let place = if sweep % 2 == 0 { places[places.len() - 1 - at] } else { places[at] };
                let look = self.look(place, &[], &found.worth, may_continue);
                let by = narrow(&mut found.worth[place as usize], look.worth);
                advice.take(self.mover(place), place, look, by.map(|by| by > 0.0));
                moved = moved.max(by[0]).max(by[1]);
            }
            for one in lasting {
                let way_out = one.way_out(self, &found.worth);
                for &place in &one.places {
                    let by = narrow(&mut found.worth[place as usize], way_out);
                    moved = moved.max(by[0]).max(by[1]);
                }
            }
            for &place in places {
                width = width.max(found.worth[place as usize].width());
            }
            if moved <= still || width <= NEAR * span(whole) {
                break;
            }
            if sweep >= TRIAL && moved * ((most - sweep) as f64) < width {
                break;
            }
        }
    }
}

/// Moves bounds towards each other; by how much the lower and the upper one moved.
fn narrow(worth: &mut Interval, by: Interval) -> [f64; 2] {
    let next = Interval { low: worth.low.max(by.low), high: worth.high.min(by.high) };
    if next.low > next.high {
        return [0.0; 2];
    }
    let moved = [next.low - worth.low, worth.high - next.high];
    *worth = next;
    moved
}

#[cfg(test)]
mod tests;
