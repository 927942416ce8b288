//! Picks a strategy for a game with cycles that achieves the proven bounds.
//!
//! A side's last choice that improved its bound gets it that bound: each such step leads to a place
//! whose bound was known before. Where no choice improved its bound, the side picks what promises
//! most, and among equals what leads to an end the soonest, since a tie is no reason to play for
//! ever.

use std::collections::{HashMap, VecDeque};

use super::super::forms::board::Mover;
use super::super::forms::cyclic_game::{Plays, StochasticGame, range, span};
use super::super::matrix::linear::dominated;
use super::super::matrix::{PayoffMatrix, nearly};
use super::bellman_step::ValuedChoice;
use crate::number::Interval;

/// The play of the sides, as far as it is known.
pub(crate) struct Advice {
    /// The pick at each place where one side decides.
    picks: Vec<Option<u32>>,
    plays: Plays,
    /// The joint decisions, with the sides whose mix gets them their bound.
    joint: Vec<(u32, [bool; 2])>,
    /// The number of the joint decision at each place.
    numbers: HashMap<u32, usize>,
}

/// A distance from the ends that no place has.
const NEVER: u32 = u32::MAX;

/// Ways that lead back are valued less by this part of the range, if nothing else decides.
const BACK: f64 = 1e-6;

impl Advice {
    /// Nothing is known of the game yet.
    pub(crate) fn of(game: &StochasticGame) -> Advice {
        Advice {
            picks: vec![None; game.len()],
            plays: Plays::default(),
            joint: Vec::new(),
            numbers: HashMap::new(),
        }
    }

    /// Keeps the best play at a place that does not lead back to itself: mixes that get a side more
    /// than the worst that may follow.
    pub(crate) fn pass(
        &mut self,
        game: &StochasticGame,
        place: u32,
        look: ValuedChoice,
        worth: &[Interval],
    ) {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for (to, _) in game.steps(place) {
            low = low.min(worth[*to as usize].low);
            high = high.max(worth[*to as usize].high);
        }
        let better = [look.worth.low > low, look.worth.high < high];
        if look.mixed.is_some() {
            self.take(game.mover(place), place, look, better);
        }
    }

    /// Keeps the best play at a place for the sides whose bound improved.
    pub(crate) fn take(&mut self, mover: Mover, place: u32, look: ValuedChoice, better: [bool; 2]) {
        match (look.mixed, mover) {
            (Some(mixed), _) => {
                let number = *self.numbers.entry(place).or_insert(self.joint.len());
                if number == self.joint.len() {
                    self.joint.push((place, [false; 2]));
                }
                let known = self.plays.mixed.entry(place).or_insert_with(|| mixed.clone());
                let sides = known.iter_mut().zip(mixed).zip(&mut self.joint[number].1);
                for (((known, mixed), proven), better) in sides.zip(better) {
                    if better {
                        *known = mixed;
                        *proven = true;
                    }
                }
            }
            (None, Mover::MOST) if better[0] => self.picks[place as usize] = Some(look.pick),
            (None, Mover::LEAST) if better[1] => self.picks[place as usize] = Some(look.pick),
            _ => {}
        }
    }

    /// The play of the sides, once all bounds are known.
    pub(crate) fn plays(
        mut self,
        game: &StochasticGame,
        worth: &[Interval],
        may_continue: &dyn Fn() -> bool,
    ) -> Plays {
        let mut picks = vec![0; game.len()];
        if !(0..game.len()).any(|place| game.mover(place as u32).is_free()) {
            return Plays { picks, ..self.plays };
        }
        let far = self.far(game, worth);
        for (place, pick) in picks.iter_mut().enumerate() {
            let steps = game.steps(place as u32);
            let soonest = self.ways(game, place as u32, worth);
            let soonest = soonest.min_by_key(|&step| far[steps[step as usize].0 as usize]);
            *pick = soonest.unwrap_or_default();
        }
        for (place, proven) in std::mem::take(&mut self.joint) {
            for side in (0..2).filter(|&side| !proven[side]) {
                let mixed = anyway(game, place, side, worth, &far, may_continue);
                if let (Some(mixed), Some(known)) = (mixed, self.plays.mixed.get_mut(&place)) {
                    known[side] = mixed;
                }
            }
        }
        Plays { picks, ..self.plays }
    }

    /// The steps of a place that may be taken: the proven pick if a side decides, else all steps
    /// with the best lower bound, and of them those with the best upper bound.
    fn ways<'a>(
        &self,
        game: &'a StochasticGame,
        place: u32,
        worth: &'a [Interval],
    ) -> impl Iterator<Item = u32> + use<'a> {
        let mover = game.mover(place);
        let steps = game.steps(place);
        let known = self.picks[place as usize];
        let own = move |to: u32| {
            let own = mover.own(worth[to as usize]);
            (own.low, own.high)
        };
        let best = match mover.decides() && known.is_none() {
            true => steps.iter().map(|(to, _)| own(*to)).reduce(|a, b| if b > a { b } else { a }),
            false => None,
        };
        let all = steps.iter().enumerate();
        all.filter(move |(at, (to, _))| match (known, best) {
            (Some(known), _) => known == *at as u32,
            (None, Some(best)) => own(*to) == best,
            (None, None) => true,
        })
        .map(|(at, _)| at as u32)
    }

    /// The number of steps from each place to an end, if the sides want to get there.
    fn far(&self, game: &StochasticGame, worth: &[Interval]) -> Vec<u32> {
        let mut before: Vec<(u32, u32)> = Vec::new();
        let mut far = vec![NEVER; game.len()];
        let mut open = VecDeque::new();
        for place in 0..game.len() as u32 {
            if matches!(game.mover(place), Mover::End(_)) {
                far[place as usize] = 0;
                open.push_back(place);
            }
            let ways = self.ways(game, place, worth);
            before.extend(ways.map(|step| (game.steps(place)[step as usize].0, place)));
        }
        before.sort_unstable();
        while let Some(to) = open.pop_front() {
            let first = before.partition_point(|(at, _)| *at < to);
            for (_, place) in before[first..].iter().take_while(|(at, _)| *at == to) {
                if far[*place as usize] == NEVER {
                    far[*place as usize] = far[to as usize] + 1;
                    open.push_back(*place);
                }
            }
        }
        far
    }
}

/// A side's mix in a joint decision where no mix gets it more than another for sure: the best if
/// all goes well for it, preferring ways that lead on rather than back.
fn anyway(
    game: &StochasticGame,
    place: u32,
    side: usize,
    worth: &[Interval],
    far: &[u32],
    may_continue: &dyn Fn() -> bool,
) -> Option<Vec<f64>> {
    let Mover::Both(columns) = game.mover(place) else { return None };
    let steps = game.steps(place);
    let columns = (columns as usize).max(1);
    let bound = |to: u32| match side {
        0 => worth[to as usize].high,
        _ => worth[to as usize].low,
    };
    let all = range(steps.iter().map(|(to, _)| Interval::exact(bound(*to))));
    let range = all.filter(|all| all.high > all.low).map_or(1.0, span);
    let here = far[place as usize];
    let back = if side == 0 { -BACK * range } else { BACK * range };
    let cell = |to: u32| match far[to as usize] >= here {
        true => bound(to) + back,
        false => bound(to),
    };
    let cells = steps.iter().map(|(to, _)| cell(*to)).collect();
    let table = PayoffMatrix::new(steps.len() / columns, columns, cells);
    let mixed = nearly(&table, may_continue)?;
    let (mut own, table) = match side {
        0 => (mixed.rows, table),
        _ => (mixed.columns, table.turned()),
    };
    // A best mix may hold what another option is never worse than.
    let worse = dominated(&table, may_continue);
    if own.iter().zip(&worse).any(|(weight, worse)| *weight > 0.0 && worse.is_none()) {
        own.iter_mut()
            .zip(worse)
            .filter(|(_, worse)| worse.is_some())
            .for_each(|(own, _)| *own = 0.0);
    }
    Some(own)
}
