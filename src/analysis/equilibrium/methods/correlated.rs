//! Regret minimisation by all sides at once, for utilities with any sum. It leads to a coarse
//! correlated equilibrium: one draw decides for all, and nobody gains by ignoring it from the
//! start.
//!
//! Method: all sides minimise counterfactual regret at once (see [`regret`](super::regret)); the
//! draw picks one of their past strategies, later ones with more weight. What a side gains by its
//! best response to the draw is exactly its regret, summed from its last information sets to its
//! first (Celli, Marchesi, Bianchi and Gatti, 2019, "Learning to Correlate in Multi-Player
//! General-Sum Sequential Games").

use super::super::forms::strategy::{self, Strategy};
use super::super::forms::tree::{FIRST, Tree};
use super::super::stop_check::StopCheck;
use super::joint_draw::JointDraw;
use super::regret::own_reach;

/// The draw while it is learned: by slots, by sides, by nodes.
pub(crate) struct Correlated<'a> {
    tree: &'a Tree,
    iterations: u64,
    /// The weights of all iterations together.
    total: f64,
    strategy: Strategy,
    /// The regrets that the strategies are made from: never below 0.
    regrets: Vec<f64>,
    /// The gain of each option over what was played, over all iterations.
    missed: Vec<f64>,
    /// The utility of each option, and the probability that it was asked for, over all iterations.
    worths: Vec<f64>,
    asked: Vec<f64>,
    sums: Vec<f64>,
    /// The probability of reaching each information set, over all iterations.
    met: Vec<f64>,
    values: Vec<f64>,
    own: Vec<f64>,
    reach: Vec<f64>,
    value: Vec<f64>,
    lot: JointDraw,
}

impl<'a> Correlated<'a> {
    /// Begins with no regrets. No information set of the game may be reached in several ways: see
    /// [`unfold`](super::super::forms::extensive_form::unfold).
    pub(crate) fn new(tree: &'a Tree) -> Correlated<'a> {
        let slots = || vec![0.0; tree.slots()];
        Correlated {
            tree,
            iterations: 0,
            total: 0.0,
            strategy: strategy::even(tree),
            regrets: slots(),
            missed: slots(),
            worths: slots(),
            asked: vec![0.0; tree.sets().len()],
            sums: slots(),
            met: vec![0.0; tree.sets().len()],
            values: vec![0.0; tree.sides().len()],
            own: slots(),
            reach: Vec::new(),
            value: Vec::new(),
            lot: JointDraw::new(tree.slots(), tree.len()),
        }
    }

    /// The strategies that are drawn from; consecutive ones may have been merged.
    pub(crate) fn lot(&self) -> &JointDraw {
        &self.lot
    }

    /// The number of iterations so far.
    pub(crate) fn iterations(&self) -> u64 {
        self.iterations
    }

    /// The expected utility of each side if all follow the draw.
    pub(crate) fn values(&self) -> Vec<f64> {
        self.values.iter().map(|value| value / self.total.max(1.0)).collect()
    }

    /// Each side's own part of the draw. Played apart, the parts are no equilibrium.
    pub(crate) fn average(&self) -> Strategy {
        strategy::in_proportion(self.tree, &self.sums)
    }

    /// The probability of reaching each information set.
    pub(crate) fn met(&self) -> Vec<f64> {
        self.met.iter().map(|met| met / self.total.max(1.0)).collect()
    }

    /// The utility of each option for the side that decides, if the others follow the draw; by
    /// slots. If the others never let play get there, its utility if all play their own parts.
    pub(crate) fn worths(&self) -> Vec<f64> {
        let mut worths = self.worths.clone();
        let apart = strategy::worths(self.tree, &self.average());
        for (set, asked) in self.tree.sets().iter().zip(&self.asked) {
            match *asked > 0.0 {
                true => worths[set.slots()].iter_mut().for_each(|worth| *worth /= asked),
                false => worths[set.slots()].copy_from_slice(&apart[set.slots()]),
            }
        }
        worths
    }

    /// The gain of each side from its best response to the draw, chosen once and for all.
    pub(crate) fn gains(&self) -> Vec<f64> {
        let recall = self.tree.recall();
        let mut behind = vec![0.0; self.tree.slots()];
        let gain = |side: usize| {
            let mut gain = 0.0;
            for &set in recall.sets(side).iter().rev() {
                let slots = self.tree.sets()[set as usize].slots();
                let full = |slot: usize| self.missed[slot] + behind[slot];
                let best = slots.map(full).fold(f64::NEG_INFINITY, f64::max);
                for &before in recall.before(set) {
                    match before {
                        FIRST => gain += best,
                        slot => behind[slot as usize] += best,
                    }
                }
            }
            gain / self.total.max(1.0)
        };
        (0..self.tree.sides().len()).map(gain).collect()
    }

    /// All sides learn once, from the present strategies.
    #[cfg(test)]
    pub(crate) fn iterate(&mut self) {
        _ = self.iterate_while(&StopCheck::new(super::super::stop_check::ALWAYS));
    }

    /// All sides learn once, from the present strategies. `None` if it was stopped; everything is
    /// then as before.
    pub(crate) fn iterate_while(&mut self, wanted: &StopCheck<'_>) -> Option<()> {
        let mut seen = IterationGains::nothing(self.tree);
        for side in 0..self.tree.sides().len() {
            self.look(side, &mut seen, wanted)?;
        }
        self.iterations += 1;
        let weight = self.iterations as f64;
        self.total += weight;
        for side in 0..self.tree.sides().len() {
            self.add(side, weight, &seen);
        }
        self.lot.add(weight, &self.own);
        for (regret, change) in self.regrets.iter_mut().zip(seen.change) {
            *regret = (*regret + change).max(0.0);
        }
        self.strategy = strategy::in_proportion(self.tree, &self.regrets);
        Some(())
    }

    /// Computes the regrets of one side in this iteration.
    fn look(
        &mut self,
        side: usize,
        seen: &mut IterationGains,
        wanted: &StopCheck<'_>,
    ) -> Option<()> {
        let tree = self.tree;
        strategy::reaches_while(tree, &self.strategy, Some(side), &mut self.reach, wanted)?;
        strategy::values_while(tree, &self.strategy, side, &mut self.value, wanted)?;
        seen.values[side] = self.value[0];
        for &number in tree.recall().sets(side) {
            let set = &tree.sets()[number as usize];
            for &node in &set.nodes {
                if wanted.stops() {
                    return None;
                }
                let reach = self.reach[node as usize];
                seen.asked[number as usize] += reach;
                let to = &tree.to()[tree.answers(node as usize)];
                for (slot, &to) in set.slots().zip(to) {
                    let worth = self.value[to as usize];
                    seen.change[slot] += reach * (worth - self.value[node as usize]);
                    seen.worths[slot] += reach * worth;
                }
            }
        }
        Some(())
    }

    /// Adds the observations of a side, and the strategy that it played.
    fn add(&mut self, side: usize, weight: f64, seen: &IterationGains) {
        let tree = self.tree;
        self.values[side] += weight * seen.values[side];
        for &number in tree.recall().sets(side) {
            let own = own_reach(tree.recall().before(number), &self.own);
            let asked = seen.asked[number as usize];
            self.asked[number as usize] += weight * asked;
            self.met[number as usize] += weight * own * asked;
            for slot in tree.sets()[number as usize].slots() {
                self.worths[slot] += weight * seen.worths[slot];
                self.missed[slot] += weight * seen.change[slot];
                self.own[slot] = own * self.strategy[slot];
                self.sums[slot] += weight * self.own[slot];
            }
        }
    }
}

/// The observations of one iteration: by slots, by information sets, by sides.
struct IterationGains {
    /// The gain of each option over what was played.
    change: Vec<f64>,
    /// The utility of each option.
    worths: Vec<f64>,
    /// The probability that each information set was asked for.
    asked: Vec<f64>,
    /// The expected utility of each side.
    values: Vec<f64>,
}

impl IterationGains {
    fn nothing(tree: &Tree) -> IterationGains {
        let slots = || vec![0.0; tree.slots()];
        let (asked, values) = (vec![0.0; tree.sets().len()], vec![0.0; tree.sides().len()]);
        IterationGains { change: slots(), worths: slots(), asked, values }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::equilibrium::forms::strategy::expected;
    use crate::analysis::equilibrium::test_games::{game, table};

    #[test]
    fn the_gains_are_those_of_brute_force_over_what_was_drawn() {
        for seed in 0..30 {
            let tree = game(seed, 2, 8);
            let mut lot = Correlated::new(&tree);
            let mut drawn: Vec<(f64, Strategy)> = Vec::new();
            for iteration in 1..=20 {
                drawn.push((f64::from(iteration), lot.strategy.clone()));
                lot.iterate();
            }
            let total: f64 = drawn.iter().map(|(weight, _)| weight).sum();
            for side in 0..2 {
                let sets = tree.recall().sets(side);
                let options = |&set: &u32| tree.sets()[set as usize].options as usize;
                let many: usize = sets.iter().map(options).product();
                let worth = |strategy: &[f64]| expected(&tree, strategy)[side];
                let listens: f64 =
                    drawn.iter().map(|(weight, strategy)| weight * worth(strategy)).sum();
                let mut best = f64::NEG_INFINITY;
                for number in 0..many {
                    let leaves = drawn.iter().map(|(weight, strategy)| {
                        let (mut pure, mut number) = (strategy.clone(), number);
                        for set in sets.iter().map(|&set| &tree.sets()[set as usize]) {
                            pure[set.slots()].fill(0.0);
                            pure[set.first as usize + number % set.options as usize] = 1.0;
                            number /= set.options as usize;
                        }
                        weight * worth(&pure)
                    });
                    best = best.max(leaves.sum());
                }
                assert!((lot.values()[side] - listens / total).abs() < 1e-9);
                let gain = (best - listens) / total;
                assert!((lot.gains()[side] - gain).abs() < 1e-9, "{seed}: {gain}");
            }
        }
    }

    #[test]
    fn in_the_game_of_chicken_nobody_gains_by_not_listening() {
        // Aumann, 1974: dare and chicken; for every draw, nobody gets less than by chickening out.
        let tree = table(2, &[(0.0, 0.0), (7.0, 2.0), (2.0, 7.0), (6.0, 6.0)]);
        let mut lot = Correlated::new(&tree);
        (0..5000).for_each(|_| lot.iterate());
        let gains = lot.gains();
        assert!(gains.iter().all(|gain| *gain < 0.01), "{gains:?}");
        assert!(lot.values().iter().all(|value| *value > 1.99), "{:?}", lot.values());
    }
}
