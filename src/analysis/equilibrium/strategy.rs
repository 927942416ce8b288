//! What does a strategy come to? Weights by slots, how likely they lead where, and what that is worth.

use super::tree::{Role, Tree};
use super::wanted::{ALWAYS, Wanted};

/// The weights of all options of all information sets, by their slots: at each set they sum to 1.
pub type Strategy = Vec<f64>;

/// The strategy that picks each option alike.
pub fn even(tree: &Tree) -> Strategy {
    let mut strategy = vec![0.0; tree.slots()];
    for set in tree.sets() {
        let (first, options) = (set.first as usize, set.options as usize);
        strategy[first..first + options].fill(1.0 / options as f64);
    }
    strategy
}

/// Brings sums into proportion: their weights at each information set, all alike where they are 0.
pub fn in_proportion(tree: &Tree, sums: &[f64]) -> Strategy {
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

/// How likely each node is met; all but one side play the strategy and chance falls as it does, and
/// that side, if there is one, does all it can to come there. Nothing where it was stopped.
pub fn reaches_while(
    tree: &Tree,
    strategy: &[f64],
    but: Option<usize>,
    reach: &mut Vec<f64>,
    wanted: &Wanted<'_>,
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

/// As [`reaches_while`], whatever it takes.
pub fn reaches(tree: &Tree, strategy: &[f64], but: Option<usize>, reach: &mut Vec<f64>) {
    _ = reaches_while(tree, strategy, but, reach, &Wanted::new(ALWAYS));
}

/// What a side can expect at each node where all play a strategy. Nothing where it was stopped.
pub fn values_while(
    tree: &Tree,
    strategy: &[f64],
    side: usize,
    value: &mut Vec<f64>,
    wanted: &Wanted<'_>,
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

/// As [`values_while`], whatever it takes.
pub fn values(tree: &Tree, strategy: &[f64], side: usize, value: &mut Vec<f64>) {
    _ = values_while(tree, strategy, side, value, &Wanted::new(ALWAYS));
}

/// What each side can expect where all play a strategy. Nothing where it was stopped.
pub fn expected_while(tree: &Tree, strategy: &[f64], wanted: &Wanted<'_>) -> Option<Vec<f64>> {
    let mut value = Vec::new();
    let of = |side| {
        values_while(tree, strategy, side, &mut value, wanted)?;
        Some(value[0])
    };
    (0..tree.sides().len()).map(of).collect()
}

/// As [`expected_while`], whatever it takes.
pub fn expected(tree: &Tree, strategy: &[f64]) -> Vec<f64> {
    expected_while(tree, strategy, &Wanted::new(ALWAYS)).unwrap_or_default()
}

/// What each option is worth to the side that decides, where all else is played as a strategy says;
/// by slots. Where nothing leads to an information set, its nodes count alike.
pub fn worths(tree: &Tree, strategy: &[f64]) -> Vec<f64> {
    let mut worths = vec![0.0; tree.slots()];
    let (mut reach, mut value) = (Vec::new(), Vec::new());
    for side in 0..tree.sides().len() {
        reaches(tree, strategy, Some(side), &mut reach);
        values(tree, strategy, side, &mut value);
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
