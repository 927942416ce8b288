//! Counterfactual regret minimisation (CFR+) for games with hidden information.
//!
//! Method: counterfactual regret minimisation (Zinkevich, Johanson, Bowling and Piccione, 2007,
//! "Regret Minimization in Games with Incomplete Information") as CFR+ (Tammelin, 2014, "Solving
//! Large Imperfect Information Games Using CFR+"): regrets never fall below 0, the sides learn in
//! turn, and later strategies weigh more in the average. The average approaches an equilibrium if
//! the utilities of two sides sum to a constant; best responses measure how near it is.

use super::super::forms::strategy::{self, Strategy};
use super::super::forms::tree::{FIRST, Role, Tree};
use super::super::stop_check::StopCheck;

/// What every method of regret minimisation learns.
pub(super) struct RegretSums<'a> {
    pub(super) tree: &'a Tree,
    pub(super) iterations: u64,
    /// By slots.
    pub(super) regrets: Vec<f64>,
    /// The sums of the strategies so far, by slots.
    pub(super) sums: Vec<f64>,
}

/// What whole passes work with. All arrays are by slots but the last two, which are by nodes.
pub(super) struct WholePasses {
    strategy: Strategy,
    /// The probability that the own picks lead to an option and through it.
    own: Vec<f64>,
    change: Vec<f64>,
    reach: Vec<f64>,
    value: Vec<f64>,
}

impl WholePasses {
    pub(super) fn new(tree: &Tree) -> WholePasses {
        let slots = || vec![0.0; tree.slots()];
        WholePasses {
            strategy: strategy::even(tree),
            own: slots(),
            change: slots(),
            reach: vec![0.0; tree.len()],
            value: vec![0.0; tree.len()],
        }
    }

    /// Each side learns once, in turn. `None` if it was stopped, and a part of that was learned.
    pub(super) fn iterate(
        &mut self,
        learned: &mut RegretSums<'_>,
        wanted: &StopCheck<'_>,
    ) -> Option<()> {
        learned.iterations += 1;
        for side in 0..learned.tree.sides().len() {
            // The side itself does all it can to get to each node.
            let WholePasses { reach, strategy, .. } = self;
            strategy::reaches_while(learned.tree, strategy, Some(side), reach, wanted)?;
            self.regret(learned.tree, side as u32, wanted)?;
            self.learn(learned, side);
        }
        Some(())
    }

    /// The expected utility of the side at each node, and its regrets.
    fn regret(&mut self, tree: &Tree, side: u32, wanted: &StopCheck<'_>) -> Option<()> {
        let WholePasses { reach, strategy, change, value, .. } = self;
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
    fn learn(&mut self, learned: &mut RegretSums<'_>, side: usize) {
        let later = learned.iterations as f64;
        for &number in learned.tree.recall().sets(side) {
            let slots = learned.tree.sets()[number as usize].slots();
            let reach = own_reach(learned.tree.recall().before(number), &self.own);
            let mut total = 0.0;
            for slot in slots.clone() {
                let through = reach * self.strategy[slot];
                self.own[slot] = through;
                learned.sums[slot] += later * through;
                let change = std::mem::replace(&mut self.change[slot], 0.0);
                let regret = (learned.regrets[slot] + change).max(0.0);
                learned.regrets[slot] = regret;
                total += regret;
            }
            let even = 1.0 / slots.len() as f64;
            for slot in slots {
                self.strategy[slot] =
                    if total > 0.0 { learned.regrets[slot] / total } else { even };
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
