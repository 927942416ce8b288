//! Strategies as weights by slots, the probability that they reach each node, their expected utilities, and the best
//! response to them.

use super::extensive_form::{ALWAYS, ExtensiveForm, Role, Set, StopCheck};
use super::matrix::{Scalar, among, even_share, normalise};
use crate::explored::components_while;

/// The weights of all options of all information sets, by their slots: at each set they sum to 1.
pub(crate) type Strategy = Vec<f64>;

pub(crate) fn even<W: Scalar>(tree: &ExtensiveForm<W>) -> Vec<W> {
    let of_set = |set: &Set| among(&vec![true; set.options as usize]);
    tree.sets.iter().flat_map(of_set).collect()
}

/// Normalises sums to weights at each information set, all alike if the sums are 0.
pub(crate) fn in_proportion(tree: &ExtensiveForm, sums: &[f64]) -> Strategy {
    let mut strategy = sums.to_vec();
    for set in &tree.sets {
        normalise(&mut strategy[set.slots()]);
    }
    strategy
}

/// The probability of reaching each node; all but one side play the strategy and chance is drawn,
/// and that side, if there is one, does all it can to get there. `None` if it was stopped.
pub(crate) fn reaches_while<W: Scalar>(
    tree: &ExtensiveForm<W>,
    strategy: &[W],
    but: Option<usize>,
    reach: &mut Vec<W>,
    wanted: &StopCheck<'_>,
) -> Option<()> {
    reach.clear();
    reach.resize(tree.len(), W::zero());
    reach[0] = W::one();
    for (node, role) in tree.roles.iter().enumerate() {
        if wanted.stops() {
            return None;
        }
        let here = reach[node].clone();
        let answers = tree.answers(node);
        let to = &tree.to()[answers.clone()];
        let shares = match *role {
            Role::End(_) => continue,
            Role::Set(set) if but != Some(tree.sets[set as usize].side as usize) => {
                &strategy[tree.sets[set as usize].first as usize..]
            }
            _ => &tree.chances[answers],
        };
        for (&to, share) in to.iter().zip(shares) {
            reach[to as usize] = reach[to as usize].clone() + here.clone() * share.clone();
        }
    }
    Some(())
}

/// The expected utility of a side at each node if all play a strategy. `None` if it was stopped.
pub(crate) fn values_while<W: Scalar>(
    tree: &ExtensiveForm<W>,
    strategy: &[W],
    side: usize,
    value: &mut Vec<W>,
    wanted: &StopCheck<'_>,
) -> Option<()> {
    value.clear();
    value.resize(tree.len(), W::zero());
    for (node, role) in tree.roles.iter().enumerate().rev() {
        if wanted.stops() {
            return None;
        }
        value[node] = value_at(tree, (node, *role), strategy, side, value);
    }
    Some(())
}

/// The expected utility of a side at a node, if those of the nodes that follow are these.
#[inline]
pub(crate) fn value_at<W: Scalar>(
    tree: &ExtensiveForm<W>,
    (node, role): (usize, Role),
    strategy: &[W],
    side: usize,
    value: &[W],
) -> W {
    let answers = tree.answers(node);
    let to = &tree.to()[answers.clone()];
    let weights = match role {
        Role::End(ending) => return tree.payoffs(ending)[side].clone(),
        Role::Chance => &tree.chances[answers],
        Role::Set(set) => &strategy[tree.sets[set as usize].first as usize..],
    };
    let parts = to.iter().zip(weights);
    parts.fold(W::zero(), |sum, (&to, weight)| sum + weight.clone() * value[to as usize].clone())
}

/// The expected utility of each side if all play a strategy. `None` if it was stopped.
pub(crate) fn expected_while<W: Scalar>(
    tree: &ExtensiveForm<W>,
    strategy: &[W],
    wanted: &StopCheck<'_>,
) -> Option<Vec<W>> {
    let mut value = Vec::new();
    let of = |side| {
        values_while(tree, strategy, side, &mut value, wanted)?;
        Some(value[0].clone())
    };
    (0..tree.sides()).map(of).collect()
}

/// As [`expected_while`], but it cannot be stopped.
pub(crate) fn expected<W: Scalar>(tree: &ExtensiveForm<W>, strategy: &[W]) -> Vec<W> {
    expected_while(tree, strategy, &StopCheck::new(ALWAYS)).unwrap_or_default()
}

/// The utility of each option for the side that decides, if all else is played as a strategy says;
/// by slots.
pub(crate) fn worths<W: Scalar>(tree: &ExtensiveForm<W>, strategy: &[W]) -> Vec<W> {
    let mut worths = vec![W::zero(); tree.slots];
    let (mut reach, mut value, wanted) = (Vec::new(), Vec::new(), StopCheck::new(ALWAYS));
    for side in 0..tree.sides() {
        _ = reaches_while(tree, strategy, Some(side), &mut reach, &wanted);
        _ = values_while(tree, strategy, side, &mut value, &wanted);
        for set in tree.sets.iter().filter(|set| set.side as usize == side) {
            worths[set.slots()].clone_from_slice(&worths_at(tree, set, &reach, &value));
        }
    }
    worths
}

/// The utility of each option at an information set, whose side does all it can to get there. If nothing leads there,
/// its nodes count alike.
pub(crate) fn worths_at<W: Scalar>(
    tree: &ExtensiveForm<W>,
    set: &Set,
    reach: &[W],
    value: &[W],
) -> Vec<W> {
    let total = reached(set, reach);
    let mut worths = vec![W::zero(); set.options as usize];
    for &node in &set.nodes {
        let share = match total.is_zero() {
            true => even_share(set.nodes.len()),
            false => reach[node as usize].clone() / total.clone(),
        };
        let to = &tree.to()[tree.answers(node as usize)];
        for (worth, &to) in worths.iter_mut().zip(to) {
            *worth = worth.clone() + share.clone() * value[to as usize].clone();
        }
    }
    worths
}

/// The probability of reaching each information set.
pub(crate) fn met<W: Scalar>(tree: &ExtensiveForm<W>, strategy: &[W]) -> Vec<f64> {
    let mut reach = Vec::new();
    _ = reaches_while(tree, strategy, None, &mut reach, &StopCheck::new(ALWAYS));
    // Summed before it is rounded: what is reached for certain is 1.
    tree.sets.iter().map(|set| reached(set, &reach).about()).collect()
}

/// The sum of what reaches the nodes of an information set.
fn reached<W: Scalar>(set: &Set, reach: &[W]) -> W {
    set.nodes.iter().fold(W::zero(), |sum, &node| sum + reach[node as usize].clone())
}

// The best response of one side to the strategies of the others, exactly, one information set after another.
//
// The information sets of the side are visited from the last to the first. At each, the option is
// picked that is best over all its nodes, weighted by how likely the others and chance lead there
// (Johanson, Waugh, Bowling and Zinkevich, 2011, "Accelerating Best Response Calculation in Large
// Extensive Games"). Perfect recall makes the picks one strategy.

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
    tree: &'a ExtensiveForm,
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
    pub fn new(tree: &'a ExtensiveForm) -> Responder<'a> {
        let orders = vec![None; tree.sides()];
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
        let picks = tree.recall.sets[side].iter().map(|&set| picks[set as usize]).collect();
        valued.then_some(Response { value: self.value[0], picks })
    }

    fn value_of(&mut self, node: usize, side: usize, strategy: &[f64], picks: &mut [u32]) {
        let role = self.tree.roles[node];
        match role {
            Role::Set(set) if self.tree.sets[set as usize].side as usize == side => {
                picks[set as usize] = self.pick(set);
            }
            _ => {
                let value = value_at(self.tree, (node, role), strategy, side, &self.value);
                self.value[node] = value;
            }
        }
    }

    /// Picks the best option of an information set, and values its nodes by it; returns its slot.
    fn pick(&mut self, set: u32) -> u32 {
        let known = &self.tree.sets[set as usize];
        let sums = worths_at(self.tree, known, &self.reach, &self.value);
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
fn order(tree: &ExtensiveForm, side: usize, wanted: &StopCheck<'_>) -> Option<Vec<u32>> {
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
