//! Counterfactual regret minimisation on samples (Monte Carlo CFR), for games too large for whole
//! passes.
//!
//! Method: external sampling (Lanctot, Waugh, Zinkevich and Bowling, 2009, "Monte Carlo Sampling
//! for Regret Minimization in Extensive Games"): the side that learns tries all its options, chance
//! and the others are drawn at random; what the others play on the way is added to their averages.

use std::ops::Deref;

use super::super::forms::tree::{Role, Tree};
use super::super::stop_check::{ALWAYS, StopCheck};
use super::regret::RegretSums;
use crate::game::Generator;

/// Regrets and averages of samples, by slots.
pub struct SampledRegrets<'a> {
    learned: RegretSums<'a>,
    seed: u64,
    /// The regrets and the sums that this iteration changed, by slots, as they were before;
    /// restored if it is stopped.
    before: [Vec<(u32, f64)>; 2],
}

impl<'a> Deref for SampledRegrets<'a> {
    type Target = RegretSums<'a>;

    fn deref(&self) -> &RegretSums<'a> {
        &self.learned
    }
}

impl<'a> SampledRegrets<'a> {
    /// Begins with no regrets. All random draws come from the seed.
    pub fn new(tree: &'a Tree, seed: u64) -> SampledRegrets<'a> {
        let learned = RegretSums::new(tree);
        SampledRegrets { learned, seed, before: [Vec::new(), Vec::new()] }
    }

    /// The seed of its random draws.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Each side learns once from a sample of its own.
    pub fn iterate(&mut self) {
        _ = self.iterate_while(&StopCheck::new(ALWAYS));
    }

    /// Each side learns once from a sample of its own. `None` if it was stopped; everything is then
    /// as before.
    pub(crate) fn iterate_while(&mut self, wanted: &StopCheck<'_>) -> Option<()> {
        let sides = self.learned.tree.sides().len() as u64;
        self.before.iter_mut().for_each(Vec::clear);
        for side in 0..sides {
            let mut rng = Generator::playout(self.seed, self.learned.iterations * sides + side);
            if self.go(side as u32, &mut rng, wanted).is_none() {
                self.go_back();
                return None;
            }
        }
        self.learned.iterations += 1;
        Some(())
    }

    /// Forgets what an iteration that was stopped has learned.
    fn go_back(&mut self) {
        let [regrets, sums] = &mut self.before;
        for (numbers, before) in
            [(&mut self.learned.regrets, regrets), (&mut self.learned.sums, sums)]
        {
            before.drain(..).rev().for_each(|(slot, number)| numbers[slot as usize] = number);
        }
    }

    /// Goes through a sample depth first, without recursion: games may be long.
    fn go(&mut self, side: u32, rng: &mut Generator, wanted: &StopCheck<'_>) -> Option<()> {
        let mut open: Vec<Trial> = Vec::new();
        let mut at = 0;
        loop {
            if wanted.stops() {
                return None;
            }
            // Down to an end, stopping at each own decision to try its options one by one.
            let mut value = match self.learned.tree.roles()[at] {
                Role::End(ending) => self.learned.tree.payoffs(ending)[side as usize],
                Role::Chance => {
                    let answers = self.learned.tree.answers(at);
                    let nth = drawn(&self.learned.tree.chances()[answers.clone()], rng);
                    at = self.learned.tree.to()[answers.start + nth] as usize;
                    continue;
                }
                Role::Set(set) => {
                    let weights = self.weights(set);
                    let first = self.learned.tree.answers(at).start;
                    let known = &self.learned.tree.sets()[set as usize];
                    if known.side == side {
                        open.push(Trial { set, node: at, weights, values: Vec::new() });
                        at = self.learned.tree.to()[first] as usize;
                    } else {
                        for (slot, weight) in known.slots().zip(&weights) {
                            self.before[1].push((slot as u32, self.learned.sums[slot]));
                            self.learned.sums[slot] += weight;
                        }
                        at = self.learned.tree.to()[first + drawn(&weights, rng)] as usize;
                    }
                    continue;
                }
            };
            // And up again to the last own decision with an option that was not tried.
            loop {
                let Some(trial) = open.last_mut() else { return Some(()) };
                trial.values.push(value);
                if trial.values.len() < trial.weights.len() {
                    let next = self.learned.tree.answers(trial.node).start + trial.values.len();
                    at = self.learned.tree.to()[next] as usize;
                    break;
                }
                let Some(trial) = open.pop() else { return Some(()) };
                value = trial.weights.iter().zip(&trial.values).map(|(w, v)| w * v).sum();
                let slots = self.learned.tree.sets()[trial.set as usize].slots();
                for (slot, worth) in slots.zip(&trial.values) {
                    self.before[0].push((slot as u32, self.learned.regrets[slot]));
                    self.learned.regrets[slot] += worth - value;
                }
            }
        }
    }

    fn weights(&self, set: u32) -> Vec<f64> {
        let mut weights: Vec<f64> = self.learned.regrets
            [self.learned.tree.sets()[set as usize].slots()]
        .iter()
        .map(|r| r.max(0.0))
        .collect();
        let total: f64 = weights.iter().sum();
        let even = 1.0 / weights.len() as f64;
        weights
            .iter_mut()
            .for_each(|weight| *weight = if total > 0.0 { *weight / total } else { even });
        weights
    }
}

/// An own decision whose options are being tried.
struct Trial {
    set: u32,
    node: usize,
    weights: Vec<f64>,
    values: Vec<f64>,
}

/// Draws one by weights that sum to 1.
fn drawn(weights: &[f64], rng: &mut Generator) -> usize {
    // The 53 highest bits, as a number from 0 to 1, 1 excluded.
    let mut left = (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
    for (nth, weight) in weights.iter().enumerate() {
        left -= weight;
        if left < 0.0 {
            return nth;
        }
    }
    // Rounding alone comes here: the last that may be drawn.
    weights.iter().rposition(|weight| *weight > 0.0).unwrap_or_default()
}
