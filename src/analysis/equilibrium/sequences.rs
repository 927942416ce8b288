//! The sequence form of a game of two sides (Koller, Megiddo and von Stengel, Games and Economic Behavior 14, 1996):
//! sequences of own answers, where each pair of them ends, and the linear program of those of a zero-sum game.
//!
//! It needs sides that forget nothing: at an information set a side always has the same past.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use clarabel::solver::{IPSolver, SupportedConeT};
use indexmap::IndexMap;

use super::UnsolvedReason;
use super::extensive_form::{ExtensiveForm, FIRST, Role, StopCheck};
use super::matrix::linear::LinearProgram;
use super::matrix::{Scalar, among, most};
use super::strategy::{self, reaches_while, values_while, worths_at};
use crate::script::Budget;

/// An information set of one of the two, with its past.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct DecisionPoint {
    pub seat: usize,
    /// The side's sequence that leads there.
    pub before: usize,
    /// The sequence that its first option makes; those of the others follow.
    pub first: usize,
    pub options: usize,
}

pub(crate) struct Sequences<W> {
    pub tree: ExtensiveForm<W>,
    /// The numbers of the sides: those that decide first. The first two have sequences.
    pub sides: Vec<usize>,
    /// How many sequences each of the two has. The first is the empty one.
    pub sizes: [usize; 2],
    /// By the numbers of the information sets.
    pub points: Vec<DecisionPoint>,
    /// The pairs of sequences that end the game: the chance that it ends so, times the utility of
    /// each side.
    pub ends: IndexMap<[usize; 2], Vec<W>>,
}

/// The most pairs of sequences at nodes that are followed.
const MOST: usize = 2_000_000;

impl<W: Scalar> Sequences<W> {
    /// Follows all sequences through a game in which at most two sides decide.
    pub(crate) fn of(
        tree: ExtensiveForm<W>,
        may_continue: &dyn Fn() -> bool,
    ) -> Result<Sequences<W>, UnsolvedReason> {
        let mut sides: Vec<usize> = tree.deciding().collect();
        sides.extend((0..tree.sides()).filter(|&side| tree.recall.sets[side].is_empty()));
        let mut all = Sequences {
            sizes: [1, 1],
            points: vec![DecisionPoint::default(); tree.sets.len()],
            ends: IndexMap::new(),
            sides,
            tree,
        };
        let tree = &all.tree;
        let mut of_slots = vec![0; tree.slots];
        for (seat, &side) in all.sides.iter().enumerate().take(2) {
            for &number in &tree.recall.sets[side] {
                let set = &tree.sets[number as usize];
                let before = match tree.recall.before[number as usize][..] {
                    [FIRST] => 0,
                    [slot] => of_slots[slot as usize],
                    _ => {
                        let node = tree.game.nodes[set.nodes[0] as usize];
                        return Err(UnsolvedReason::Forgets { node });
                    }
                };
                let (first, options) = (all.sizes[seat], set.options as usize);
                all.points[number as usize] = DecisionPoint { seat, before, first, options };
                set.slots().zip(first..).for_each(|(slot, sequence)| of_slots[slot] = sequence);
                all.sizes[seat] += options;
            }
        }
        // Node -> the pairs of sequences that lead there, each with the probability that chance allows it.
        let mut at: Vec<IndexMap<[usize; 2], W>> = vec![IndexMap::new(); tree.len()];
        at[0].insert([0, 0], W::one());
        let mut followed = 0;
        for (node, role) in tree.roles.iter().enumerate() {
            let (here, answers) = (std::mem::take(&mut at[node]), tree.answers(node));
            followed += here.len();
            if followed > MOST {
                return Err(UnsolvedReason::Wide { most: MOST });
            }
            if !may_continue() {
                return Err(UnsolvedReason::Stopped);
            }
            for (pair, chance) in here {
                if let Role::End(ending) = *role {
                    let given = tree.payoffs(ending);
                    let given: Vec<W> = all.sides.iter().map(|&side| given[side].clone()).collect();
                    let none = || vec![W::zero(); given.len().max(2)];
                    add(all.ends.entry(pair).or_insert_with(none), &given, &chance);
                    continue;
                }
                for (option, answer) in answers.clone().enumerate() {
                    let mut next = pair;
                    if let Role::Set(set) = *role {
                        let point = all.points[set as usize];
                        next[point.seat] = point.first + option;
                    }
                    let share = chance.clone() * tree.chances[answer].clone();
                    let sum = at[tree.to()[answer] as usize].entry(next).or_insert_with(W::zero);
                    *sum = sum.clone() + share;
                }
            }
        }
        Ok(all)
    }

    /// The number of different pure strategies of a side; decisions that it cannot reach are left
    /// out.
    pub(crate) fn strategies(&self, seat: usize) -> f64 {
        // Later sequences never come before those that lead to them.
        let mut counts = vec![1.0_f64; self.sizes[seat]];
        for point in self.later_first(seat) {
            let sum: f64 = counts[point.first..point.first + point.options].iter().sum();
            counts[point.before] *= sum;
        }
        counts[0]
    }

    /// All pure strategies of a side, each as the sequences that it allows.
    pub(crate) fn pure(&self, seat: usize) -> Vec<Vec<usize>> {
        let mut after: Vec<Vec<Vec<usize>>> =
            (0..self.sizes[seat]).map(|sequence| vec![vec![sequence]]).collect();
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

    /// A best pure strategy of a side against weights of the other's sequences, as weights of its own, and its
    /// utility: at each information set the option that is best over all its nodes.
    pub(crate) fn best(&self, seat: usize, other: &[W]) -> (W, Vec<W>) {
        let mut worth = vec![W::zero(); self.sizes[seat]];
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
        let weight = |is_allowed| if is_allowed { W::one() } else { W::zero() };
        (worth[0].clone(), is_allowed.into_iter().map(weight).collect())
    }

    /// The utilities of the two under weights of both sides' sequences.
    pub(crate) fn worth(&self, weights: &[Vec<W>; 2]) -> Vec<W> {
        let mut worth = vec![W::zero(); 2];
        for (pair, given) in &self.ends {
            let share = weights[0][pair[0]].clone() * weights[1][pair[1]].clone();
            add(&mut worth, given, &share);
        }
        worth
    }

    /// The most that a side gains by the best answer to the weights of the other's sequences.
    pub(crate) fn gap(&self, weights: &[Vec<W>; 2]) -> W {
        let [first, second] = self.gains(weights);
        most(first, second)
    }

    pub(crate) fn gains(&self, weights: &[Vec<W>; 2]) -> [W; 2] {
        let worth = self.worth(weights);
        [0, 1].map(|seat| self.best(seat, &weights[1 - seat]).0 - worth[seat].clone())
    }

    pub(crate) fn later_first(&self, seat: usize) -> Vec<DecisionPoint> {
        let of_seat = self.points.iter().filter(|point| point.seat == seat);
        let mut points: Vec<DecisionPoint> = of_seat.copied().collect();
        points.sort_by_key(|point| std::cmp::Reverse(point.first));
        points
    }

    /// What weights of sequences mean for the options of each information set, by slots. Where a side never comes by
    /// its own doing, the options weigh that are best there: what is done there changes nothing for anybody else.
    pub(crate) fn strategy(
        &self,
        weights: &[Vec<W>; 2],
        may_continue: &dyn Fn() -> bool,
    ) -> Vec<W> {
        let tree = &self.tree;
        let mut strategy = strategy::even(tree);
        let mut unreached = Vec::new();
        for (point, set) in self.points.iter().zip(&tree.sets) {
            let own = &weights[point.seat];
            if own[point.before].is_zero() {
                unreached.push((point, set));
                continue;
            }
            for (slot, sequence) in set.slots().zip(point.first..) {
                strategy[slot] = own[sequence].clone() / own[point.before].clone();
            }
        }
        if unreached.len() * tree.len() > TOUCHED {
            return strategy;
        }
        let number = |a: (f64, f64), worth: &W| (a.0.min(worth.about()), a.1.max(worth.about()));
        let (low, high) =
            tree.all_payoffs().flatten().fold((f64::INFINITY, f64::NEG_INFINITY), number);
        let tiny = W::tiny(high - low);
        // Later sets first: what is best at one depends on what is done after it.
        unreached.sort_by_key(|(point, _)| std::cmp::Reverse(point.first));
        let (mut reach, mut value, wanted) = (Vec::new(), Vec::new(), StopCheck::new(may_continue));
        for (point, set) in unreached {
            let side = self.sides[point.seat];
            // Nobody gets there: without time it stays as it is.
            let looked = reaches_while(tree, &strategy, Some(side), &mut reach, &wanted)
                .and_then(|()| values_while(tree, &strategy, side, &mut value, &wanted));
            if looked.is_none() {
                break;
            }
            let worth = worths_at(tree, set, &reach, &value);
            let best = worth.iter().cloned().reduce(most).unwrap_or_else(W::zero);
            let good: Vec<bool> = worth.iter().map(|w| best.clone() - w.clone() <= tiny).collect();
            strategy[set.slots()].clone_from_slice(&among(&good));
        }
        strategy
    }
}

/// This many nodes are gone through at most, one after the other, for sets that nobody reaches.
const TOUCHED: usize = 20_000_000;

fn add<W: Scalar>(sums: &mut [W], given: &[W], times: &W) {
    for (sum, given) in sums.iter_mut().zip(given) {
        *sum = sum.clone() + given.clone() * times.clone();
    }
}

// The linear program of the sequences of a zero-sum game.
//
// An interior point method solves it: of several best strategies it finds the middle, so that equal options weigh
// alike, and what is 0 in all of them it separates from what is not (Güler and Ye, Mathematical Programming 60, 1993).

/// Weights in floats from which the chances of options are read: unused options have 0, and at each
/// information set the weights sum to that of the sequence that leads there.
pub(super) fn weights(game: &Sequences<f64>, found: &BestWeights) -> [Vec<f64>; 2] {
    let cleaned = [true, false].map(|cleans| {
        [0, 1].map(|seat| {
            let mut weights = vec![0.0; game.sizes[seat]];
            weights[0] = 1.0;
            for point in game.later_first(seat).iter().rev() {
                let options = point.first..point.first + point.options;
                let raw = |at: usize| match !cleans || found.used[seat][at] {
                    true => found.weights[seat][at].max(0.0),
                    false => 0.0,
                };
                let sum: f64 = options.clone().map(raw).sum();
                let before = weights[point.before];
                for at in options {
                    let share = if sum > 0.0 { raw(at) / sum } else { 1.0 / point.options as f64 };
                    weights[at] = before * share;
                }
            }
            weights
        })
    });
    let [cleaned, raw] = cleaned;
    if game.gap(&cleaned) <= game.gap(&raw) + ROUNDING { cleaned } else { raw }
}

/// Gains below this are rounding.
const ROUNDING: f64 = 1e-9;

/// Best weights of both sides' sequences, as near as floats come.
#[derive(Clone, Debug)]
pub(crate) struct BestWeights {
    /// The weights of each side's sequences.
    pub weights: [Vec<f64>; 2],
    /// Whether a sequence of a side is played in some best strategy.
    pub used: [Vec<bool>; 2],
}

/// Somebody who wants it to stop waits no longer than this.
const PATIENCE: Duration = Duration::from_millis(20);

impl BestWeights {
    /// Solves the program of a game. Nothing where somebody wants it to stop, or floats do not do.
    pub(crate) fn solve(game: &Sequences<f64>, budget: &Budget) -> Option<BestWeights> {
        let rows = Rows::of(game);
        let (send, receive) = mpsc::channel();
        let own = budget.clone();
        // One step of the method cannot be stopped; who waits for it can.
        let spawned = thread::Builder::new().spawn(move || {
            let charge = own.charge_thread();
            let found = rows.solve(&own);
            // Whoever has the answer finds nothing counted any more.
            drop(charge);
            // Nobody may listen any more.
            _ = send.send(found);
        });
        spawned.ok()?;
        loop {
            match receive.recv_timeout(PATIENCE) {
                Ok(found) => return found,
                Err(RecvTimeoutError::Timeout) if budget.may_continue().is_ok() => {}
                Err(_) => return None,
            }
        }
    }
}

/// The program as a sparse matrix. Its unknowns are the weights of the first side's sequences, what
/// is left to win for each of the second side's information sets, and last the value.
struct Rows {
    program: LinearProgram,
    /// How many sequences each side has, and how many information sets.
    sequences: [usize; 2],
    points: [usize; 2],
}

impl Rows {
    fn of(game: &Sequences<f64>) -> Rows {
        let of_seat = |seat: usize| game.points.iter().filter(move |point| point.seat == seat);
        let sequences = game.sizes;
        let points = [of_seat(0).count(), of_seat(1).count()];
        let mut all = LinearProgram::default();
        // What is chosen at an information set is what leads there.
        all.push(0, 0, 1.0);
        for (row, point) in of_seat(0).enumerate() {
            all.push(1 + row, point.before, -1.0);
            (point.first..point.first + point.options).for_each(|at| all.push(1 + row, at, 1.0));
        }
        // The second side leaves no more than any of its sequences lets the first win.
        let from = 1 + points[0];
        let value = sequences[0] + points[1];
        all.push(from, value, 1.0);
        for (nth, point) in of_seat(1).enumerate() {
            all.push(from + point.before, sequences[0] + nth, -1.0);
            for at in point.first..point.first + point.options {
                all.push(from + at, sequences[0] + nth, 1.0);
            }
        }
        let ends = || game.ends.iter().map(|(pair, worth)| (pair, worth[0]));
        let size = ends().fold(0.0, |size: f64, (_, worth)| size.max(worth.abs()));
        let scale = if size > 0.0 { 1.0 / size } else { 1.0 };
        for ([own, other], worth) in ends() {
            all.push(from + other, *own, -worth * scale);
        }
        // Nothing weighs less than nothing.
        let from = from + sequences[1];
        (0..sequences[0]).for_each(|at| all.push(from + at, at, -1.0));
        Rows { program: all, sequences, points }
    }

    fn solve(self, budget: &Budget) -> Option<BestWeights> {
        let [own, other] = self.sequences;
        let equal = 1 + self.points[0];
        let (height, width) = (equal + other + own, own + self.points[1] + 1);
        let mut goal = vec![0.0; width];
        goal[width - 1] = -1.0;
        let mut limits = vec![0.0; height];
        limits[0] = 1.0;
        let cones =
            [SupportedConeT::ZeroConeT(equal), SupportedConeT::NonnegativeConeT(other + own)];
        let mut solver = self.program.solver(&goal, &limits, &cones, NEAR)?;
        let asked = budget.clone();
        solver.set_termination_callback(move |_| asked.may_continue().is_err());
        solver.solve();
        let found = &solver.solution;
        if found.x.len() != width || found.z.len() != height || found.s.len() != height {
            return None;
        }
        // A weight is 0 in all best strategies where what it would cost is greater than itself.
        let kept = |weights: &[f64], costs: &[f64]| -> Vec<bool> {
            weights.iter().zip(costs).map(|(weight, cost)| weight > cost).collect()
        };
        let (left, prices) = (&found.s[equal..], &found.z[equal..]);
        let used =
            [kept(&found.x[..own], &prices[other..]), kept(&prices[..other], &left[..other])];
        let weights = [found.x[..own].to_vec(), prices[..other].to_vec()];
        let all_finite = weights.iter().flatten().all(|weight| weight.is_finite());
        (all_finite && budget.may_continue().is_ok()).then_some(BestWeights { weights, used })
    }
}

/// So near is asked for; where floats do not come so near, how near they came is measured after.
const NEAR: f64 = 1e-12;
