//! The best response of one side to the strategies of the others, exactly, one information set
//! after another.
//!
//! The information sets of the side are visited from the last to the first. At each, the option is
//! picked that is best over all its nodes, weighted by how likely the others and chance lead there
//! (Johanson, Waugh, Bowling and Zinkevich, 2011, "Accelerating Best Response Calculation in Large
//! Extensive Games"). Perfect recall makes the picks one strategy.

use super::super::forms::strategy::{expected_while, reaches_while};
use super::super::forms::tree::{Role, Tree};
use super::super::stop_check::{ALWAYS, StopCheck};
use crate::explored::components_while;

/// A best answer of one side.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Response {
    /// Its expected utility for the side.
    pub value: f64,
    /// The slot picked at each of the side's information sets, in the order of
    /// `Recall::sets`.
    pub picks: Vec<u32>,
}

/// Works out best responses in one game.
pub struct Responder<'a> {
    tree: &'a Tree,
    /// For each side its units from the last to the first, once they are needed: a node; of an own
    /// information set one node, which represents all of them.
    orders: Vec<Option<Vec<u32>>>,
    reach: Vec<f64>,
    value: Vec<f64>,
}

/// Options whose values differ by less, in relation, are the same but for rounding.
const ROUNDING: f64 = 1e-12;

impl<'a> Responder<'a> {
    /// Nothing is worked out yet.
    pub fn new(tree: &'a Tree) -> Responder<'a> {
        let orders = vec![None; tree.sides().len()];
        Responder { tree, orders, reach: Vec::new(), value: vec![0.0; tree.len()] }
    }

    /// The best response of a side to a strategy of all others; `None` if it was stopped.
    pub(crate) fn best(
        &mut self,
        side: usize,
        strategy: &[f64],
        wanted: &StopCheck<'_>,
    ) -> Option<Response> {
        let tree = self.tree;
        reaches_while(tree, strategy, Some(side), &mut self.reach, wanted)?;
        let mut picks = vec![0; tree.sets.len()];
        let units = match self.orders[side].take() {
            Some(units) => units,
            None => order(tree, side, wanted)?,
        };
        let valued = units.iter().all(|&node| {
            !wanted.stops() && {
                self.value_of(node as usize, side, strategy, &mut picks);
                true
            }
        });
        self.orders[side] = Some(units);
        let picks = tree.recall.sets(side).iter().map(|&set| picks[set as usize]).collect();
        valued.then_some(Response { value: self.value[0], picks })
    }

    fn value_of(&mut self, node: usize, side: usize, strategy: &[f64], picks: &mut [u32]) {
        let tree = self.tree;
        let answers = tree.answers(node);
        let weights = match tree.roles[node] {
            Role::End(ending) => {
                self.value[node] = tree.payoffs(ending)[side];
                return;
            }
            Role::Chance => &tree.chances[answers.clone()],
            Role::Set(set) => {
                let known = &tree.sets[set as usize];
                if known.side as usize == side {
                    picks[set as usize] = self.pick(set);
                    return;
                }
                &strategy[known.first as usize..]
            }
        };
        let to = tree.to()[answers].iter().zip(weights);
        self.value[node] = to.map(|(&to, weight)| weight * self.value[to as usize]).sum();
    }

    /// Picks the best option of an information set, and values its nodes by it; returns its slot.
    fn pick(&mut self, set: u32) -> u32 {
        let known = &self.tree.sets[set as usize];
        let total: f64 = known.nodes.iter().map(|&node| self.reach[node as usize]).sum();
        let mut sums = vec![0.0; known.options as usize];
        for &node in &known.nodes {
            // If the others never let this happen, all nodes count alike.
            let share = if total > 0.0 { self.reach[node as usize] / total } else { 1.0 };
            let to = &self.tree.to()[self.tree.answers(node as usize)];
            for (sum, &to) in sums.iter_mut().zip(to) {
                *sum += share * self.value[to as usize];
            }
        }
        let highest = sums.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let least = highest - ROUNDING * highest.abs().max(1.0);
        let best = sums.iter().position(|&sum| sum >= least).unwrap_or_default();
        for &node in &known.nodes {
            let to = self.tree.to()[self.tree.answers(node as usize).start + best];
            self.value[node as usize] = self.value[to as usize];
        }
        known.first + best as u32
    }

    /// The gain of each side from leaving a strategy for its best response; never below 0 but for
    /// rounding. `None` if it was stopped.
    pub fn gains(&mut self, strategy: &[f64], wanted: &StopCheck<'_>) -> Option<Vec<f64>> {
        let expected = expected_while(self.tree, strategy, wanted)?;
        let sides = expected.into_iter().enumerate();
        sides.map(|(side, value)| Some(self.best(side, strategy, wanted)?.value - value)).collect()
    }

    /// The distance of a strategy from one that nobody can exploit: the mean of the sides' gains by
    /// their best responses, as in OpenSpiel (Lanctot and others, 2019). At least 0.
    pub fn exploitability(&mut self, strategy: &[f64]) -> f64 {
        let gains = self.gains(strategy, &StopCheck::new(ALWAYS)).unwrap_or_default();
        (gains.iter().sum::<f64>() / gains.len().max(1) as f64).max(0.0)
    }
}

/// The units of a side, each after all that its answers lead to; `None` if it was stopped.
fn order(tree: &Tree, side: usize, wanted: &StopCheck<'_>) -> Option<Vec<u32>> {
    let own = |node: u32| match tree.roles[node as usize] {
        Role::Set(set) => Some(&tree.sets[set as usize]).filter(|set| set.side as usize == side),
        _ => None,
    };
    // Of an own information set the first node stands for all.
    let unit = |node: u32| own(node).map_or(node, |set| set.nodes[0]);
    let follow = |unit_node: u32| {
        let nodes = own(unit_node).map_or_else(|| vec![unit_node], |set| set.nodes.clone());
        let to = nodes.into_iter().flat_map(|node| &tree.to()[tree.answers(node as usize)]);
        to.map(|&to| unit(to))
    };
    let found = components_while(tree.len(), [unit(0)], follow, &|| !wanted.stops())?;
    Some(found.iter().rev().flatten().copied().collect())
}
