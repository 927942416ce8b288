//! Counterfactual regret minimisation (CFR+) for games with hidden information.
//!
//! Method: counterfactual regret minimisation (Zinkevich, Johanson, Bowling and Piccione, 2007,
//! "Regret Minimization in Games with Incomplete Information") as CFR+ (Tammelin, 2014, "Solving
//! Large Imperfect Information Games Using CFR+"): regrets never fall below 0, the sides learn in
//! turn, and later strategies weigh more in the average. The average approaches an equilibrium if
//! the utilities of two sides sum to a constant; best responses measure how near it is.

use std::ops::Deref;

use super::super::forms::strategy::{self, Strategy};
use super::super::forms::tree::{FIRST, Role, Tree};
use super::super::stop_check::{ALWAYS, StopCheck};

/// What every method of regret minimisation learns.
pub struct RegretSums<'a> {
    pub(super) tree: &'a Tree,
    pub(super) iterations: u64,
    /// By slots.
    pub(super) regrets: Vec<f64>,
    /// The sums of the strategies so far, by slots.
    pub(super) sums: Vec<f64>,
}

impl<'a> RegretSums<'a> {
    /// Begins with no regrets.
    pub(super) fn new(tree: &'a Tree) -> RegretSums<'a> {
        let slots = || vec![0.0; tree.slots()];
        RegretSums { tree, iterations: 0, regrets: slots(), sums: slots() }
    }

    /// The number of iterations so far.
    pub fn iterations(&self) -> u64 {
        self.iterations
    }

    /// The regrets and the sums of strategies, by slots.
    pub fn numbers(&self) -> (&[f64], &[f64]) {
        (&self.regrets, &self.sums)
    }

    /// The strategy that comes near an equilibrium.
    pub fn average(&self) -> Strategy {
        strategy::in_proportion(self.tree, &self.sums)
    }
}

/// Regrets and averages while they are learned. All arrays are by slots but the last two, which are
/// by nodes.
pub struct Regret<'a> {
    learned: RegretSums<'a>,
    strategy: Strategy,
    /// The probability that the own picks lead to an option and through it.
    own: Vec<f64>,
    change: Vec<f64>,
    /// The regrets and sums before this iteration, restored if it is stopped.
    kept: [Vec<f64>; 2],
    reach: Vec<f64>,
    value: Vec<f64>,
}

impl<'a> Deref for Regret<'a> {
    type Target = RegretSums<'a>;

    fn deref(&self) -> &RegretSums<'a> {
        &self.learned
    }
}

impl<'a> Regret<'a> {
    /// Begins with no regrets.
    pub fn new(tree: &'a Tree) -> Regret<'a> {
        let learned = RegretSums::new(tree);
        let slots = || vec![0.0; tree.slots()];
        Regret {
            strategy: strategy::in_proportion(tree, &learned.regrets),
            learned,
            own: slots(),
            change: slots(),
            kept: [slots(), slots()],
            reach: vec![0.0; tree.len()],
            value: vec![0.0; tree.len()],
        }
    }

    /// Each side learns once, in turn.
    pub fn iterate(&mut self) {
        _ = self.iterate_while(&StopCheck::new(ALWAYS));
    }

    /// Each side learns once, in turn. `None` if it was stopped; everything is then as before.
    pub(crate) fn iterate_while(&mut self, wanted: &StopCheck<'_>) -> Option<()> {
        self.kept[0].copy_from_slice(&self.learned.regrets);
        self.kept[1].copy_from_slice(&self.learned.sums);
        self.learned.iterations += 1;
        for side in 0..self.learned.tree.sides().len() {
            // The side itself does all it can to get to each node.
            let Regret { learned, reach, strategy, .. } = self;
            let looked = strategy::reaches_while(learned.tree, strategy, Some(side), reach, wanted)
                .and_then(|()| self.regret(side as u32, wanted));
            if looked.is_none() {
                self.go_back();
                return None;
            }
            self.learn(side);
        }
        Some(())
    }

    /// Forgets what an iteration that was stopped has learned.
    fn go_back(&mut self) {
        self.learned.iterations -= 1;
        self.learned.regrets.copy_from_slice(&self.kept[0]);
        self.learned.sums.copy_from_slice(&self.kept[1]);
        self.change.fill(0.0);
        self.strategy = strategy::in_proportion(self.learned.tree, &self.learned.regrets);
    }

    /// The expected utility of the side at each node, and its regrets.
    fn regret(&mut self, side: u32, wanted: &StopCheck<'_>) -> Option<()> {
        let Regret { learned: RegretSums { tree, .. }, reach, strategy, change, value, .. } = self;
        for (node, role) in tree.roles().iter().enumerate().rev() {
            if wanted.stops() {
                return None;
            }
            let answers = tree.answers(node);
            let to = &tree.to()[answers.clone()];
            let set = match *role {
                Role::End(ending) => {
                    value[node] = tree.payoffs(ending)[side as usize];
                    continue;
                }
                Role::Chance => {
                    value[node] = mean(to, &tree.chances()[answers], value);
                    continue;
                }
                Role::Set(set) => &tree.sets()[set as usize],
            };
            let slots = set.slots();
            let here = mean(to, &strategy[slots.clone()], value);
            value[node] = here;
            let reached = reach[node];
            if set.side == side && reached > 0.0 {
                for (change, &to) in change[slots].iter_mut().zip(to) {
                    *change += reached * (value[to as usize] - here);
                }
            }
        }
        Some(())
    }

    /// Adds the strategy to the average, and makes the next one.
    fn learn(&mut self, side: usize) {
        let later = self.learned.iterations as f64;
        for &number in self.learned.tree.recall().sets(side) {
            let slots = self.learned.tree.sets()[number as usize].slots();
            let reach = own_reach(self.learned.tree.recall().before(number), &self.own);
            let mut total = 0.0;
            for slot in slots.clone() {
                let through = reach * self.strategy[slot];
                self.own[slot] = through;
                self.learned.sums[slot] += later * through;
                let change = std::mem::replace(&mut self.change[slot], 0.0);
                let regret = (self.learned.regrets[slot] + change).max(0.0);
                self.learned.regrets[slot] = regret;
                total += regret;
            }
            let even = 1.0 / slots.len() as f64;
            for slot in slots {
                self.strategy[slot] =
                    if total > 0.0 { self.learned.regrets[slot] / total } else { even };
            }
        }
    }
}

#[inline]
fn mean(to: &[u32], weights: &[f64], value: &[f64]) -> f64 {
    to.iter().zip(weights).map(|(&to, weight)| weight * value[to as usize]).sum()
}

/// The probability that own picks lead to an information set; of several ways the mean.
#[inline]
fn own_reach(before: &[u32], own: &[f64]) -> f64 {
    let through = |&slot: &u32| if slot == FIRST { 1.0 } else { own[slot as usize] };
    match before {
        [only] => through(only),
        several => several.iter().map(through).sum::<f64>() / several.len().max(1) as f64,
    }
}
