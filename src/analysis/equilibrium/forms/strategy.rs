//! Strategies as weights by slots, the probability that they reach each node, and their expected
//! utilities.

use super::super::stop_check::{ALWAYS, StopCheck};
use super::tree::{Role, Tree};

/// The weights of all options of all information sets, by their slots: at each set they sum to 1.
pub(crate) type Strategy = Vec<f64>;

pub(crate) fn even(tree: &Tree) -> Strategy {
    let mut strategy = vec![0.0; tree.slots()];
    for set in tree.sets() {
        let (first, options) = (set.first as usize, set.options as usize);
        strategy[first..first + options].fill(1.0 / options as f64);
    }
    strategy
}

/// Normalises sums to weights at each information set, all alike if the sums are 0.
pub(crate) fn in_proportion(tree: &Tree, sums: &[f64]) -> Strategy {
    let mut strategy = sums.to_vec();
    for set in tree.sets() {
        let (first, options) = (set.first as usize, set.options as usize);
        let weights = &mut strategy[first..first + options];
        let total: f64 = weights.iter().sum();
        match total > 0.0 {
            true => weights.iter_mut().for_each(|weight| *weight /= total),
            false => weights.fill(1.0 / options as f64),
        }
    }
    strategy
}

/// The probability of reaching each node; all but one side play the strategy and chance is drawn,
/// and that side, if there is one, does all it can to get there. `None` if it was stopped.
pub(crate) fn reaches_while(
    tree: &Tree,
    strategy: &[f64],
    but: Option<usize>,
    reach: &mut Vec<f64>,
    wanted: &StopCheck<'_>,
) -> Option<()> {
    reach.clear();
    reach.resize(tree.len(), 0.0);
    reach[0] = 1.0;
    for (node, role) in tree.roles().iter().enumerate() {
        if wanted.stops() {
            return None;
        }
        let here = reach[node];
        let answers = tree.answers(node);
        let to = &tree.to()[answers.clone()];
        match *role {
            Role::End(_) => {}
            Role::Set(set) if but != Some(tree.sets()[set as usize].side as usize) => {
                let first = tree.sets()[set as usize].first as usize;
                for (&to, weight) in to.iter().zip(&strategy[first..]) {
                    reach[to as usize] += here * weight;
                }
            }
            _ => {
                for (&to, chance) in to.iter().zip(&tree.chances()[answers]) {
                    reach[to as usize] += here * chance;
                }
            }
        }
    }
    Some(())
}

/// The expected utility of a side at each node if all play a strategy. `None` if it was stopped.
pub(crate) fn values_while(
    tree: &Tree,
    strategy: &[f64],
    side: usize,
    value: &mut Vec<f64>,
    wanted: &StopCheck<'_>,
) -> Option<()> {
    value.clear();
    value.resize(tree.len(), 0.0);
    for (node, role) in tree.roles().iter().enumerate().rev() {
        if wanted.stops() {
            return None;
        }
        let answers = tree.answers(node);
        let to = &tree.to()[answers.clone()];
        let weights = match *role {
            Role::End(ending) => {
                value[node] = tree.payoffs(ending)[side];
                continue;
            }
            Role::Chance => &tree.chances()[answers],
            Role::Set(set) => &strategy[tree.sets()[set as usize].first as usize..],
        };
        value[node] = to.iter().zip(weights).map(|(&to, weight)| weight * value[to as usize]).sum();
    }
    Some(())
}

/// The expected utility of each side if all play a strategy. `None` if it was stopped.
pub(crate) fn expected_while(
    tree: &Tree,
    strategy: &[f64],
    wanted: &StopCheck<'_>,
) -> Option<Vec<f64>> {
    let mut value = Vec::new();
    let of = |side| {
        values_while(tree, strategy, side, &mut value, wanted)?;
        Some(value[0])
    };
    (0..tree.sides().len()).map(of).collect()
}

/// As [`expected_while`], but it cannot be stopped.
pub(crate) fn expected(tree: &Tree, strategy: &[f64]) -> Vec<f64> {
    expected_while(tree, strategy, &StopCheck::new(ALWAYS)).unwrap_or_default()
}

/// The utility of each option for the side that decides, if all else is played as a strategy says;
/// by slots. If nothing leads to an information set, its nodes count alike.
pub(crate) fn worths(tree: &Tree, strategy: &[f64]) -> Vec<f64> {
    let mut worths = vec![0.0; tree.slots()];
    let (mut reach, mut value, wanted) = (Vec::new(), Vec::new(), StopCheck::new(ALWAYS));
    for side in 0..tree.sides().len() {
        _ = reaches_while(tree, strategy, Some(side), &mut reach, &wanted);
        _ = values_while(tree, strategy, side, &mut value, &wanted);
        for set in tree.sets().iter().filter(|set| set.side as usize == side) {
            let total: f64 = set.nodes.iter().map(|&node| reach[node as usize]).sum();
            for &node in &set.nodes {
                let even = 1.0 / set.nodes.len() as f64;
                let share = if total > 0.0 { reach[node as usize] / total } else { even };
                let to = &tree.to()[tree.answers(node as usize)];
                for (worth, &to) in worths[set.first as usize..].iter_mut().zip(to) {
                    *worth += share * value[to as usize];
                }
            }
        }
    }
    worths
}
