//! Strategies as weights by slots, the probability that they reach each node, and their expected
//! utilities.

use super::super::matrix::{Scalar, among, even_share};
use super::super::stop_check::{ALWAYS, StopCheck};
use super::tree::{Role, Set, Tree};

/// The weights of all options of all information sets, by their slots: at each set they sum to 1.
pub(crate) type Strategy = Vec<f64>;

pub(crate) fn even<W: Scalar>(tree: &Tree<W>) -> Vec<W> {
    let of_set = |set: &Set| among(&vec![true; set.options as usize]);
    tree.sets.iter().flat_map(of_set).collect()
}

/// Normalises sums to weights at each information set, all alike if the sums are 0.
pub(crate) fn in_proportion(tree: &Tree, sums: &[f64]) -> Strategy {
    let mut strategy = sums.to_vec();
    for set in &tree.sets {
        normalise(&mut strategy[set.slots()]);
    }
    strategy
}

pub(crate) fn normalise(weights: &mut [f64]) {
    let total: f64 = weights.iter().sum();
    match total > 0.0 {
        true => weights.iter_mut().for_each(|weight| *weight /= total),
        false => weights.fill(1.0 / weights.len() as f64),
    }
}

/// The probability of reaching each node; all but one side play the strategy and chance is drawn,
/// and that side, if there is one, does all it can to get there. `None` if it was stopped.
pub(crate) fn reaches_while<W: Scalar>(
    tree: &Tree<W>,
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
    tree: &Tree<W>,
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
        let answers = tree.answers(node);
        let to = &tree.to()[answers.clone()];
        let weights = match *role {
            Role::End(ending) => {
                value[node] = tree.payoffs(ending)[side].clone();
                continue;
            }
            Role::Chance => &tree.chances[answers],
            Role::Set(set) => &strategy[tree.sets[set as usize].first as usize..],
        };
        let parts = to.iter().zip(weights);
        value[node] = parts.fold(W::zero(), |sum, (&to, weight)| {
            sum + weight.clone() * value[to as usize].clone()
        });
    }
    Some(())
}

/// The expected utility of each side if all play a strategy. `None` if it was stopped.
pub(crate) fn expected_while<W: Scalar>(
    tree: &Tree<W>,
    strategy: &[W],
    wanted: &StopCheck<'_>,
) -> Option<Vec<W>> {
    let mut value = Vec::new();
    let of = |side| {
        values_while(tree, strategy, side, &mut value, wanted)?;
        Some(value[0].clone())
    };
    (0..tree.sides().len()).map(of).collect()
}

/// As [`expected_while`], but it cannot be stopped.
pub(crate) fn expected<W: Scalar>(tree: &Tree<W>, strategy: &[W]) -> Vec<W> {
    expected_while(tree, strategy, &StopCheck::new(ALWAYS)).unwrap_or_default()
}

/// The utility of each option for the side that decides, if all else is played as a strategy says;
/// by slots.
pub(crate) fn worths<W: Scalar>(tree: &Tree<W>, strategy: &[W]) -> Vec<W> {
    let mut worths = vec![W::zero(); tree.slots];
    let (mut reach, mut value, wanted) = (Vec::new(), Vec::new(), StopCheck::new(ALWAYS));
    for side in 0..tree.sides().len() {
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
pub(crate) fn worths_at<W: Scalar>(tree: &Tree<W>, set: &Set, reach: &[W], value: &[W]) -> Vec<W> {
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
pub(crate) fn met<W: Scalar>(tree: &Tree<W>, strategy: &[W]) -> Vec<f64> {
    let mut reach = Vec::new();
    _ = reaches_while(tree, strategy, None, &mut reach, &StopCheck::new(ALWAYS));
    // Summed before it is rounded: what is reached for certain is 1.
    tree.sets.iter().map(|set| reached(set, &reach).about()).collect()
}

/// The sum of what reaches the nodes of an information set.
fn reached<W: Scalar>(set: &Set, reach: &[W]) -> W {
    set.nodes.iter().fold(W::zero(), |sum, &node| sum + reach[node as usize].clone())
}
