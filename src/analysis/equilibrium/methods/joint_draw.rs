//! The shared draw of a coarse correlated equilibrium, as a list that others can verify: weighted joint
//! strategies, one of which is drawn for all.

use super::super::forms::strategy::{self, Strategy, expected, in_proportion};
use super::super::forms::tree::FIRST;
use super::super::forms::tree::{Role, Tree};

/// Joint strategies with their weights, under way.
#[derive(Clone, Debug)]
pub(crate) struct JointDraw {
    /// For each joint strategy its weight, and by slots how likely the own picks lead through an
    /// option, times that weight.
    entries: Vec<(f64, Strategy)>,
    /// How many iterations one entry is the mean of, and the last one is so far.
    each: u64,
    last: u64,
    most: usize,
}

/// No more numbers than this are kept, and no more entries than that; nor fewer than this, where the
/// game is too large for which nothing is kept.
const NUMBERS: usize = 200_000;
const ENTRIES: usize = 1_000;
const LEAST: usize = 16;
/// All entries together go through no more nodes than this when they are judged.
const JUDGED: usize = 1 << 26;

impl JointDraw {
    /// Nothing to be drawn yet, of a game with this many slots and nodes.
    pub(crate) fn new(slots: usize, nodes: usize) -> JointDraw {
        let most = match (NUMBERS / slots.max(1)).min(JUDGED / nodes.max(1)) {
            fit if fit < LEAST => 0,
            fit => fit.min(ENTRIES),
        };
        JointDraw { entries: Vec::new(), each: 1, last: 0, most }
    }

    /// Adds a joint strategy: by slots how likely own picks lead through them.
    pub(crate) fn add(&mut self, weight: f64, own: &[f64]) {
        if self.most == 0 {
            return;
        }
        if self.last == self.each || self.entries.is_empty() {
            if self.entries.len() == self.most {
                self.halve();
            }
            if self.last == self.each || self.entries.is_empty() {
                self.entries.push((0.0, vec![0.0; own.len()]));
                self.last = 0;
            }
        }
        self.last += 1;
        if let Some((sum, sums)) = self.entries.last_mut() {
            *sum += weight;
            sums.iter_mut().zip(own).for_each(|(sum, own)| *sum += weight * own);
        }
    }

    /// Makes one entry of each two that follow each other.
    fn halve(&mut self) {
        let all = std::mem::take(&mut self.entries);
        for (number, (weight, sums)) in all.into_iter().enumerate() {
            match self.entries.last_mut().filter(|_| number % 2 == 1) {
                Some((sum, before)) => {
                    *sum += weight;
                    before.iter_mut().zip(sums).for_each(|(sum, own)| *sum += own);
                }
                None => self.entries.push((weight, sums)),
            }
        }
        if self.most.is_multiple_of(2) {
            self.last += self.each;
        }
        self.each *= 2;
    }

    /// The joint strategies of a game of which this one was unfolded, with weights that sum to 1;
    /// `folded` is the information set that each unfolded one comes from.
    pub(crate) fn folded(
        &self,
        unfolded: &Tree,
        folded: &[u32],
        tree: &Tree,
    ) -> Vec<(f64, Strategy)> {
        let total: f64 = self.entries.iter().map(|(weight, _)| weight).sum();
        let fold = |(weight, own): &(f64, Strategy)| {
            let mut sums = vec![0.0; tree.slots()];
            for (set, &to) in unfolded.sets().iter().zip(folded) {
                let to = tree.sets()[to as usize].slots();
                sums[to].iter_mut().zip(&own[set.slots()]).for_each(|(sum, own)| *sum += own);
            }
            (weight / total.max(f64::MIN_POSITIVE), in_proportion(tree, &sums))
        };
        self.entries.iter().map(fold).collect()
    }
}

/// What each side can expect where all listen to a draw, and what it gains by not listening from the
/// start. No information set of the game may be reached in several ways; `folded` says by which
/// slots of the strategies each of them is played.
pub(crate) fn verdict(
    tree: &Tree,
    folded: &[std::ops::Range<usize>],
    draw: &[(f64, Strategy)],
) -> (Vec<f64>, Vec<f64>) {
    let sides = tree.sides().len();
    let mut values = vec![0.0; sides];
    // What leads to ends behind each own pick, and to those before any.
    let mut behind = vec![0.0; tree.slots()];
    let mut first = vec![0.0; sides];
    let lasts: Vec<Vec<u32>> = (0..sides).map(|side| last_picks(tree, side)).collect();
    let (mut strategy, mut reach) = (vec![0.0; tree.slots()], Vec::new());
    for (weight, joint) in draw {
        for (set, from) in tree.sets().iter().zip(folded) {
            strategy[set.slots()].copy_from_slice(&joint[from.clone()]);
        }
        let expected = expected(tree, &strategy);
        values.iter_mut().zip(expected).for_each(|(value, one)| *value += weight * one);
        for (side, lasts) in lasts.iter().enumerate() {
            strategy::reaches(tree, &strategy, Some(side), &mut reach);
            for (node, role) in tree.roles().iter().enumerate() {
                let Role::End(ending) = role else { continue };
                let worth = weight * reach[node] * tree.payoffs(*ending)[side];
                match lasts[node] {
                    FIRST => first[side] += worth,
                    slot => behind[slot as usize] += worth,
                }
            }
        }
    }
    for (side, first) in first.iter_mut().enumerate() {
        for &set in tree.recall().sets(side).iter().rev() {
            let slots = tree.sets()[set as usize].slots();
            let best = slots.map(|slot| behind[slot]).fold(f64::NEG_INFINITY, f64::max);
            for &before in tree.recall().before(set) {
                match before {
                    FIRST => *first += best,
                    slot => behind[slot as usize] += best,
                }
            }
        }
    }
    let gains = first.iter().zip(&values).map(|(best, value)| best - value).collect();
    (values, gains)
}

/// For each node the slot of the last own pick before it.
fn last_picks(tree: &Tree, side: usize) -> Vec<u32> {
    let mut lasts = vec![FIRST; tree.len()];
    for (node, role) in tree.roles().iter().enumerate() {
        let own = match role {
            Role::Set(set) => Some(&tree.sets()[*set as usize]),
            _ => None,
        };
        let own = own.filter(|set| set.side as usize == side);
        for (nth, &to) in tree.to()[tree.answers(node)].iter().enumerate() {
            lasts[to as usize] = own.map_or(lasts[node], |set| set.first + nth as u32);
        }
    }
    lasts
}

#[cfg(test)]
mod tests {
    use super::super::correlated::Correlated;
    use super::*;
    use crate::analysis::equilibrium::test_games::game;

    #[test]
    fn a_draw_that_nothing_was_merged_in_gains_as_much_as_was_learned() {
        for seed in 0..30 {
            let tree = game(seed, 2 + (seed % 2) as usize, 8);
            let mut learned = Correlated::new(&tree);
            (0..20).for_each(|_| learned.iterate());
            let same: Vec<u32> = (0..tree.sets().len() as u32).collect();
            let draw = learned.lot().folded(&tree, &same, &tree);
            assert_eq!(draw.len(), 20);
            let slots: Vec<_> = tree.sets().iter().map(|set| set.slots()).collect();
            let (values, gains) = verdict(&tree, &slots, &draw);
            let near = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9);
            assert!(near(&values, &learned.values()) && near(&gains, &learned.gains()), "{seed}");
        }
    }

    #[test]
    fn entries_are_merged_two_by_two_where_there_are_too_many() {
        // 32 entries at most of a game of this many slots: 100 iterations are 25 entries of four.
        let mut lot = JointDraw::new(NUMBERS / 32, 1);
        assert_eq!((lot.most, JointDraw::new(NUMBERS, 1).most), (32, 0));
        // A large game has fewer, since each of them is judged on all its nodes.
        assert_eq!(
            (JointDraw::new(1, JUDGED / 20).most, JointDraw::new(1, JUDGED / 10).most),
            (20, 0)
        );
        (0..100).for_each(|at| lot.add(1.0, &[f64::from(at)]));
        assert_eq!(lot.entries.len(), 25);
        let of = |at: f64| (4.0, vec![4.0 * at + 6.0]);
        assert_eq!((&lot.entries[0], &lot.entries[24]), (&of(0.0), &of(96.0)));
    }
}
