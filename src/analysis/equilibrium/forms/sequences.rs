//! The sequence form of a game of two sides: sequences of own answers, and where each pair of them
//! ends.
//!
//! Koller, Megiddo and von Stengel, Games and Economic Behavior 14, 1996. It needs sides that
//! forget nothing: at an information set a side always has the same past.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use super::super::UnsolvedReason;
use super::board::{Board, Mover};
use super::board_number::BoardNumber;
use super::game_kind::Knowledge;
use super::place_values::Pass;

/// A sequence of own answers: the last of them, and the sequence before it. The first of a side's
/// sequences is the empty one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sequence {
    /// The sequence before.
    pub before: usize,
    /// The information set at which the last answer was given.
    pub set: usize,
    /// The last answer.
    pub option: usize,
}

/// An information set, with the side that decides there and its past.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DecisionPoint {
    pub seat: usize,
    /// The side's sequence that leads there.
    pub before: usize,
    /// The sequence that its first option makes; those of the others follow.
    pub first: usize,
    pub options: usize,
}

pub(crate) struct Sequences<W> {
    /// Each side's sequences.
    pub of: [Vec<Sequence>; 2],
    /// Information sets, by their numbers, as far as they can be reached.
    pub points: BTreeMap<usize, DecisionPoint>,
    /// The pairs of sequences that end the game: the chance that it ends so, times the utility of
    /// each side.
    pub ends: IndexMap<[usize; 2], [W; 2]>,
    /// The same for the sides that decide nowhere.
    pub others: IndexMap<[usize; 2], Vec<W>>,
    /// Place -> the pairs of sequences that lead there, each with the probability that chance
    /// allows it.
    pub at: Vec<IndexMap<[usize; 2], W>>,
}

/// The most pairs of sequences at places that are followed.
const MOST: usize = 2_000_000;

impl<W: BoardNumber> Sequences<W> {
    /// Follows all sequences through a board of two sides.
    ///
    /// # Errors
    /// [`UnsolvedReason::Forgets`] where a side does not know what it did; [`UnsolvedReason::Around`] for a board on
    /// which places lead back to each other; [`UnsolvedReason::Wide`] where there are too many.
    pub(crate) fn of(
        pass: &Pass<'_, W>,
        board: &Board,
        knowledge: &Knowledge,
    ) -> Result<Sequences<W>, UnsolvedReason> {
        let empty = vec![Sequence { before: 0, set: usize::MAX, option: 0 }];
        let mut all = Sequences {
            of: [empty.clone(), empty],
            points: BTreeMap::new(),
            ends: IndexMap::new(),
            others: IndexMap::new(),
            at: vec![IndexMap::new(); board.game.len()],
        };
        if let Some(first) = all.at.first_mut() {
            first.insert([0, 0], W::one());
        }
        let mut followed = 0;
        for places in board.components().iter() {
            let place = places.first().copied().unwrap_or_default() as usize;
            if !board.is_passed(places) {
                return Err(UnsolvedReason::Around { size: places.len(), place });
            }
            let here: Vec<([usize; 2], W)> =
                all.at[place].iter().map(|(pair, chance)| (*pair, chance.clone())).collect();
            followed += here.len();
            if followed > MOST {
                return Err(UnsolvedReason::Wide { most: MOST });
            }
            if !(pass.may_continue)() {
                return Err(UnsolvedReason::Stopped);
            }
            for (pair, chance) in here {
                all.follow(pass, board, knowledge, place, pair, chance)?;
            }
        }
        Ok(all)
    }

    fn follow(
        &mut self,
        pass: &Pass<'_, W>,
        board: &Board,
        knowledge: &Knowledge,
        place: usize,
        pair: [usize; 2],
        chance: W,
    ) -> Result<(), UnsolvedReason> {
        match board.movers[place] {
            Mover::End(ending) => {
                let worth = pass.ending(ending);
                let sums = self.ends.entry(pair).or_insert_with(|| [W::zero(), W::zero()]);
                for (sum, worth) in sums.iter_mut().zip(worth) {
                    *sum = sum.clone() + worth.clone() * chance.clone();
                }
                if let Some(rest @ [_, ..]) = worth.get(2..) {
                    let sums =
                        self.others.entry(pair).or_insert_with(|| vec![W::zero(); rest.len()]);
                    for (sum, worth) in sums.iter_mut().zip(rest) {
                        *sum = sum.clone() + worth.clone() * chance.clone();
                    }
                }
            }
            Mover::Chance => {
                for (to, share) in pass.falls(place) {
                    self.arrive(to, pair, chance.clone() * share.clone());
                }
            }
            Mover::Side(seat) => {
                let (seat, to) = (seat as usize, board.next(place));
                let first = self.point(knowledge, place, seat, pair[seat], to.len())?;
                for (option, to) in to.iter().enumerate() {
                    let mut next = pair;
                    next[seat] = first + option;
                    self.arrive(*to, next, chance.clone());
                }
            }
            Mover::Both(_) => {
                let Some(joint) = board.table_at(place) else { return Ok(()) };
                let [rows, columns] = joint.size;
                let mut places = [joint.second; 2];
                places[joint.first] = place;
                let own = self.point(knowledge, places[0], 0, pair[0], rows)?;
                let other = self.point(knowledge, places[1], 1, pair[1], columns)?;
                for (at, to) in joint.to.iter().enumerate() {
                    self.arrive(*to, [own + at / columns, other + at % columns], chance.clone());
                }
            }
            Mover::Part => {}
        }
        Ok(())
    }

    fn arrive(&mut self, to: u32, pair: [usize; 2], chance: W) {
        let sum = self.at[to as usize].entry(pair).or_insert_with(W::zero);
        *sum = sum.clone() + chance;
    }

    /// The first sequence that an answer at a place makes.
    fn point(
        &mut self,
        knowledge: &Knowledge,
        place: usize,
        seat: usize,
        before: usize,
        options: usize,
    ) -> Result<usize, UnsolvedReason> {
        let set = knowledge.of_places[place].unwrap_or_default();
        if let Some(known) = self.points.get(&set) {
            return match known.before == before {
                true => Ok(known.first),
                false => Err(UnsolvedReason::Forgets { place }),
            };
        }
        let first = self.of[seat].len();
        self.of[seat].extend((0..options).map(|option| Sequence { before, set, option }));
        self.points.insert(set, DecisionPoint { seat, before, first, options });
        Ok(first)
    }

    /// The number of different pure strategies of a side; decisions that it cannot reach are left
    /// out.
    pub(crate) fn strategies(&self, seat: usize) -> f64 {
        // Later sequences never come before those that lead to them.
        let mut counts = vec![1.0_f64; self.of[seat].len()];
        for point in self.later_first(seat) {
            let sum: f64 = counts[point.first..point.first + point.options].iter().sum();
            counts[point.before] *= sum;
        }
        counts[0]
    }

    /// All pure strategies of a side, each as the sequences that it allows.
    pub(crate) fn pure(&self, seat: usize) -> Vec<Vec<usize>> {
        let mut after: Vec<Vec<Vec<usize>>> =
            (0..self.of[seat].len()).map(|sequence| vec![vec![sequence]]).collect();
        for point in self.later_first(seat) {
            let ways: Vec<Vec<usize>> = after[point.first..point.first + point.options].concat();
            let so_far = std::mem::take(&mut after[point.before]);
            after[point.before] = so_far
                .iter()
                .flat_map(|so_far| ways.iter().map(move |way| [&so_far[..], &way[..]].concat()))
                .collect();
        }
        after.into_iter().next().unwrap_or_default()
    }

    /// A best pure strategy of a side against weights of the other's sequences, as the sequences
    /// that it allows, and its utility: at each information set the option that is best over all
    /// its nodes.
    pub(crate) fn best(&self, seat: usize, other: &[W]) -> (W, Vec<usize>) {
        let mut worth = vec![W::zero(); self.of[seat].len()];
        for (pair, given) in &self.ends {
            let share = &other[pair[1 - seat]];
            if !share.is_zero() {
                worth[pair[seat]] = worth[pair[seat]].clone() + given[seat].clone() * share.clone();
            }
        }
        let points = self.later_first(seat);
        let mut picks = Vec::with_capacity(points.len());
        for point in &points {
            let better = |a: usize, b: usize| if worth[b] > worth[a] { b } else { a };
            let best = (point.first..point.first + point.options).reduce(better);
            let best = best.unwrap_or(point.first);
            worth[point.before] = worth[point.before].clone() + worth[best].clone();
            picks.push((point.before, best));
        }
        let mut is_allowed = vec![false; worth.len()];
        is_allowed[0] = true;
        for (before, best) in picks.into_iter().rev() {
            is_allowed[best] |= is_allowed[before];
        }
        let allowed = (0..worth.len()).filter(|&sequence| is_allowed[sequence]).collect();
        (worth[0].clone(), allowed)
    }

    /// The utilities of all sides under weights of both sides' sequences, those that decide nowhere
    /// after the first two.
    pub(crate) fn all_worth(&self, weights: &[Vec<W>; 2]) -> Vec<W> {
        let share = |pair: &[usize; 2]| weights[0][pair[0]].clone() * weights[1][pair[1]].clone();
        let mut worth = vec![W::zero(); 2];
        for (pair, given) in &self.ends {
            add(&mut worth, given, &share(pair));
        }
        for (pair, given) in &self.others {
            worth.resize(2 + given.len(), W::zero());
            add(&mut worth[2..], given, &share(pair));
        }
        worth
    }

    /// The most that a side gains by the best answer to the weights of the other's sequences.
    pub(crate) fn gap(&self, weights: &[Vec<W>; 2]) -> W {
        let [first, second] = self.gains(weights);
        if second > first { second } else { first }
    }

    pub(crate) fn gains(&self, weights: &[Vec<W>; 2]) -> [W; 2] {
        let worth = self.all_worth(weights);
        [0, 1].map(|seat| self.best(seat, &weights[1 - seat]).0 - worth[seat].clone())
    }

    /// A side's information sets, later ones first.
    pub(crate) fn later_first(&self, seat: usize) -> Vec<DecisionPoint> {
        let of_seat = self.points.values().filter(|point| point.seat == seat);
        let mut points: Vec<DecisionPoint> = of_seat.copied().collect();
        points.sort_by_key(|point| std::cmp::Reverse(point.first));
        points
    }
}

pub(crate) fn add<W: BoardNumber>(sums: &mut [W], given: &[W], times: &W) {
    for (sum, given) in sums.iter_mut().zip(given) {
        *sum = sum.clone() + given.clone() * times.clone();
    }
}
