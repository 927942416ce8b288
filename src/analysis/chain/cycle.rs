//! Expected visits to nodes that lead back to each other, by elimination without subtraction.

use std::collections::{BTreeMap, BTreeSet};

use super::{Amount, Chain, ChainError};

/// Chances between the nodes of a cycle, as far as they are not taken out yet.
struct CycleChances<A> {
    /// From each node to others of the cycle.
    to: Vec<BTreeMap<usize, A>>,
    /// From which others a node is reached.
    from: Vec<BTreeSet<usize>>,
    /// The chance of leaving the cycle at the next step.
    out: Vec<A>,
}

/// A node that was taken out, with its chances at that time.
struct Taken<A> {
    node: usize,
    /// The others from which it was reached, with their chances.
    from: Vec<(usize, A)>,
    /// The chance of going anywhere but back to itself.
    leaving: A,
}

/// Turns the amounts of a cycle's sorted nodes, so far those of coming into it there, into their
/// expected visits. The cycle can be left.
///
/// Taking a node out leaves the chain as seen by an observer who looks away while the walk is at
/// that node; the visits of the other nodes stay the same. One less the chance of staying is here
/// the sum of the chances of leaving, so nothing is subtracted.
///
/// # Errors
/// [`ChainError::Stopped`] as soon as `go_on` says no; the amounts are what they were.
pub(super) fn solve<A: Amount>(
    chain: &Chain<A>,
    nodes: &[u32],
    amounts: &mut [A],
    go_on: &dyn Fn() -> bool,
) -> Result<(), ChainError> {
    let mut entries: Vec<A> = nodes.iter().map(|node| amounts[*node as usize].clone()).collect();
    let mut between = CycleChances::new(chain, nodes);
    // Those with the fewest ways through come first, as they leave the fewest new ones (Markowitz).
    let mut queue: BTreeSet<(usize, usize)> =
        (0..nodes.len()).map(|node| (between.ways(node), node)).collect();
    let mut taken = Vec::with_capacity(nodes.len());
    while let Some((_, node)) = queue.pop_first() {
        if !go_on() {
            return Err(ChainError::Stopped);
        }
        let beside: BTreeSet<usize> =
            between.from[node].iter().chain(between.to[node].keys()).copied().collect();
        for &other in &beside {
            queue.remove(&(between.ways(other), other));
        }
        taken.push(between.take(node, &mut entries));
        queue.extend(beside.into_iter().map(|other| (between.ways(other), other)));
    }
    let mut visits = entries;
    for Taken { node, from, leaving } in taken.into_iter().rev() {
        for (other, chance) in from {
            let coming = visits[other].mul(&chance);
            visits[node].add_assign(&coming);
        }
        visits[node] = visits[node].div(&leaving);
    }
    for (node, visits) in nodes.iter().zip(visits) {
        amounts[*node as usize] = visits;
    }
    Ok(())
}

impl<A: Amount> CycleChances<A> {
    fn new(chain: &Chain<A>, nodes: &[u32]) -> CycleChances<A> {
        let mut between = CycleChances {
            to: vec![BTreeMap::new(); nodes.len()],
            from: vec![BTreeSet::new(); nodes.len()],
            out: vec![A::zero(); nodes.len()],
        };
        for (here, node) in nodes.iter().enumerate() {
            for (to, chance) in chain.steps(*node as usize) {
                match nodes.binary_search(to) {
                    // How likely it is to stay is not needed, only how likely not.
                    Ok(there) if there == here => {}
                    Ok(there) => between.add(here, there, chance),
                    Err(_) => between.out[here].add_assign(chance),
                }
            }
        }
        between
    }

    fn add(&mut self, here: usize, there: usize, chance: &A) {
        let sum = self.to[here].entry(there).or_insert_with(A::zero);
        sum.add_assign(chance);
        sum.settle();
        self.from[there].insert(here);
    }

    /// The number of ways through a node.
    fn ways(&self, node: usize) -> usize {
        self.from[node].len() * self.to[node].len()
    }

    /// Takes a node out: its predecessors lead straight to its successors.
    fn take(&mut self, node: usize, entries: &mut [A]) -> Taken<A> {
        let to = std::mem::take(&mut self.to[node]);
        let mut leaving = self.out[node].clone();
        to.values().for_each(|chance| leaving.add_assign(chance));
        leaving.settle();
        let out = self.out[node].div(&leaving);
        let to: Vec<(usize, A)> =
            to.into_iter().map(|(there, chance)| (there, chance.div(&leaving))).collect();
        for (there, share) in &to {
            self.from[*there].remove(&node);
            let coming = entries[node].mul(share);
            entries[*there].add_assign(&coming);
            entries[*there].settle();
        }
        let mut from = Vec::new();
        for here in std::mem::take(&mut self.from[node]) {
            let Some(chance) = self.to[here].remove(&node) else { continue };
            for (there, share) in to.iter().filter(|(there, _)| *there != here) {
                self.add(here, *there, &chance.mul(share));
            }
            self.out[here].add_assign(&chance.mul(&out));
            self.out[here].settle();
            from.push((here, chance));
        }
        Taken { node, from, leaving }
    }
}
