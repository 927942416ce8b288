//! Counterfactual regret minimisation on samples (Monte Carlo CFR), for games too large for whole
//! passes.
//!
//! Method: external sampling (Lanctot, Waugh, Zinkevich and Bowling, 2009, "Monte Carlo Sampling
//! for Regret Minimization in Extensive Games"): the side that learns tries all its options, chance
//! and the others are drawn at random; what the others play on the way is added to their averages.

use super::super::forms::strategy::{self, Strategy};
use super::super::forms::tree::{Role, Tree};
use super::super::stop_check::{ALWAYS, StopCheck};
use crate::handlers::Generator;

/// Regrets and averages of samples, by slots.
pub struct SampledRegrets<'a> {
    tree: &'a Tree,
    seed: u64,
    iterations: u64,
    regrets: Vec<f64>,
    sums: Vec<f64>,
    /// The regrets and the sums that this iteration changed, by slots, as they were before;
    /// restored if it is stopped.
    before: [Vec<(u32, f64)>; 2],
}

impl<'a> SampledRegrets<'a> {
    /// Begins with no regrets. All random draws come from the seed.
    pub fn new(tree: &'a Tree, seed: u64) -> SampledRegrets<'a> {
        let slots = || vec![0.0; tree.slots()];
        let before = [Vec::new(), Vec::new()];
        SampledRegrets { tree, seed, iterations: 0, regrets: slots(), sums: slots(), before }
    }

    /// Resumes where another stopped, as if it had not; `None` if the numbers are not of this game.
    pub(crate) fn resume(
        tree: &'a Tree,
        seed: u64,
        iterations: u64,
        regrets: Vec<f64>,
        sums: Vec<f64>,
    ) -> Option<SampledRegrets<'a>> {
        let finite = |numbers: &[f64]| {
            numbers.len() == tree.slots() && numbers.iter().all(|n| n.is_finite())
        };
        let fine = finite(&regrets) && finite(&sums) && sums.iter().all(|sum| *sum >= 0.0);
        fine.then(|| SampledRegrets {
            iterations,
            regrets,
            sums,
            ..SampledRegrets::new(tree, seed)
        })
    }

    /// The number of iterations so far.
    pub fn iterations(&self) -> u64 {
        self.iterations
    }

    /// The seed of its random draws.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The regrets and the sums of strategies, by slots.
    pub fn numbers(&self) -> (&[f64], &[f64]) {
        (&self.regrets, &self.sums)
    }

    /// The strategy that comes near an equilibrium.
    pub fn average(&self) -> Strategy {
        strategy::in_proportion(self.tree, &self.sums)
    }

    /// Each side learns once from a sample of its own.
    pub fn iterate(&mut self) {
        _ = self.iterate_while(&StopCheck::new(ALWAYS));
    }

    /// Each side learns once from a sample of its own. `None` if it was stopped; everything is then
    /// as before.
    pub(crate) fn iterate_while(&mut self, wanted: &StopCheck<'_>) -> Option<()> {
        let sides = self.tree.sides().len() as u64;
        self.before.iter_mut().for_each(Vec::clear);
        for side in 0..sides {
            let mut rng = Generator::playout(self.seed, self.iterations * sides + side);
            if self.go(side as u32, &mut rng, wanted).is_none() {
                self.go_back();
                return None;
            }
        }
        self.iterations += 1;
        Some(())
    }

    /// Forgets what an iteration that was stopped has learned.
    fn go_back(&mut self) {
        let [regrets, sums] = &mut self.before;
        for (numbers, before) in [(&mut self.regrets, regrets), (&mut self.sums, sums)] {
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
            let mut value = match self.tree.roles()[at] {
                Role::End(ending) => self.tree.payoffs(ending)[side as usize],
                Role::Chance => {
                    let answers = self.tree.answers(at);
                    let nth = drawn(&self.tree.chances()[answers.clone()], rng);
                    at = self.tree.to()[answers.start + nth] as usize;
                    continue;
                }
                Role::Set(set) => {
                    let weights = self.weights(set);
                    let first = self.tree.answers(at).start;
                    let known = &self.tree.sets()[set as usize];
                    if known.side == side {
                        open.push(Trial { set, node: at, weights, values: Vec::new() });
                        at = self.tree.to()[first] as usize;
                    } else {
                        for (slot, weight) in known.slots().zip(&weights) {
                            self.before[1].push((slot as u32, self.sums[slot]));
                            self.sums[slot] += weight;
                        }
                        at = self.tree.to()[first + drawn(&weights, rng)] as usize;
                    }
                    continue;
                }
            };
            // And up again to the last own decision with an option that was not tried.
            loop {
                let Some(trial) = open.last_mut() else { return Some(()) };
                trial.values.push(value);
                if trial.values.len() < trial.weights.len() {
                    let next = self.tree.answers(trial.node).start + trial.values.len();
                    at = self.tree.to()[next] as usize;
                    break;
                }
                let Some(trial) = open.pop() else { return Some(()) };
                value = trial.weights.iter().zip(&trial.values).map(|(w, v)| w * v).sum();
                let slots = self.tree.sets()[trial.set as usize].slots();
                for (slot, worth) in slots.zip(&trial.values) {
                    self.before[0].push((slot as u32, self.regrets[slot]));
                    self.regrets[slot] += worth - value;
                }
            }
        }
    }

    fn weights(&self, set: u32) -> Vec<f64> {
        let mut weights: Vec<f64> = self.regrets[self.tree.sets()[set as usize].slots()]
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
