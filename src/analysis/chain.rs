//! Absorbing Markov chains: the expected number of visits to each node of a random walk, and so the
//! probability of each end.
//!
//! Kemeny and Snell, Finite Markov Chains, 1960, solved forwards. Strongly connected components
//! (Tarjan, SIAM Journal on Computing 1, 1972) are taken in the order of the walk, so that one pass
//! solves everything outside cycles; the nodes of a cycle are eliminated one by one without any
//! subtraction (Grassmann, Taksar and Heyman, Operations Research 33, 1985).

use std::collections::{BTreeMap, BTreeSet};

mod components;

pub(super) use components::{Components, components};

use super::Amount;

/// Nodes from 0, each with the nodes that may follow and their chances; an end has none.
#[derive(Clone, Debug)]
pub struct Chain<A> {
    /// The index in `steps` where the steps of each node begin, and the end of the last.
    starts: Vec<usize>,
    steps: Vec<(u32, A)>,
}

/// The reasons why a chain has no probabilities of ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChainError {
    /// A cycle has more nodes than were allowed.
    #[error("{size} states form a cycle, more than the {bound} that can be solved together")]
    Large {
        /// Their number.
        size: usize,
        /// The number allowed.
        bound: usize,
        /// One of them.
        node: usize,
    },

    /// The caller stopped the work.
    #[error("stopped before it was done")]
    Stopped,

    /// Nodes that lead only to each other.
    #[error("it never ends: {size} of its states lead only to each other")]
    Endless {
        /// Their number.
        size: usize,
        /// One of them.
        node: usize,
    },
}

/// `may_continue` is called once in this many nodes.
const OFTEN: usize = 256;

impl<A> Default for Chain<A> {
    fn default() -> Chain<A> {
        Chain { starts: vec![0], steps: Vec::new() }
    }
}

impl<A: Amount> Chain<A> {
    /// A chain without nodes.
    pub fn new() -> Chain<A> {
        Chain::default()
    }

    /// Adds the next node with its steps, and returns its number. Steps may lead to nodes that are
    /// added later; those with chance 0 are left out. The chances of a node that is no end must sum
    /// to 1.
    pub fn push(&mut self, steps: impl IntoIterator<Item = (usize, A)>) -> usize {
        let possible = steps.into_iter().filter(|(_, chance)| !chance.is_zero());
        // No machine has the memory for more nodes than 32 bits can count.
        self.steps
            .extend(possible.map(|(to, chance)| (u32::try_from(to).unwrap_or(u32::MAX), chance)));
        self.starts.push(self.steps.len());
        self.len() - 1
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The nodes that may follow a node, each with its chance.
    pub fn steps(&self, node: usize) -> &[(u32, A)] {
        match (self.starts.get(node), self.starts.get(node + 1)) {
            (Some(&from), Some(&to)) => &self.steps[from..to],
            // A node that was never pushed is an end.
            _ => &[],
        }
    }

    /// Whether nothing follows a node.
    pub fn is_end(&self, node: usize) -> bool {
        self.steps(node).is_empty()
    }

    /// The expected number of visits of every node by a walk from `start`: for an end, the
    /// probability of ending there. Nodes that the walk cannot reach have zero.
    ///
    /// `bound` is the most nodes that one cycle, or cycles through each other, may have: solving
    /// them takes up to the third power of their number.
    ///
    /// # Errors
    /// [`ChainError`] where a cycle is too large, or cannot be left.
    pub fn visits(&self, start: usize, bound: usize) -> Result<Vec<A>, ChainError> {
        self.visits_while(start, bound, &|| true)
    }

    /// As [`Chain::visits`], while `may_continue`, which is called repeatedly, returns true.
    ///
    /// # Errors
    /// As [`Chain::visits`], and [`ChainError::Stopped`].
    pub(crate) fn visits_while(
        &self,
        start: usize,
        bound: usize,
        may_continue: &dyn Fn() -> bool,
    ) -> Result<Vec<A>, ChainError> {
        let highest = self.steps.iter().map(|(to, _)| *to as usize).max().unwrap_or(0);
        let mut amounts = vec![A::zero(); self.len().max(highest + 1).max(start + 1)];
        amounts[start] = A::one();
        let components = components(self, start, amounts.len());
        // A large cycle is to be reported before any time has gone into what comes before it.
        for nodes in components.iter() {
            self.check(nodes, bound)?;
        }
        for (number, nodes) in components.iter().enumerate() {
            if number % OFTEN == 0 && !may_continue() {
                return Err(ChainError::Stopped);
            }
            match nodes {
                [node] if !self.leads_to_itself(*node) => {}
                nodes => solve(self, nodes, &mut amounts, may_continue)?,
            }
            for &node in nodes {
                self.pass_on(node as usize, nodes, &mut amounts);
            }
        }
        Ok(amounts)
    }

    /// Adds a node's visits to those of the nodes behind it, but for those of its own cycle, whose
    /// visits are known.
    fn pass_on(&self, node: usize, cycle: &[u32], amounts: &mut [A]) {
        let visits = std::mem::replace(&mut amounts[node], A::zero());
        for (to, chance) in self.steps(node) {
            if cycle.binary_search(to).is_err() {
                amounts[*to as usize].add_assign(&visits.mul(chance));
            }
        }
        amounts[node] = visits;
    }

    fn leads_to_itself(&self, node: u32) -> bool {
        self.steps(node as usize).iter().any(|(to, _)| *to == node)
    }

    /// Whether a component is small enough, and can be left.
    fn check(&self, nodes: &[u32], bound: usize) -> Result<(), ChainError> {
        let size = nodes.len();
        let Some(&first) = nodes.first() else { return Ok(()) };
        let node = first as usize;
        if size == 1 && !self.leads_to_itself(first) {
            return Ok(());
        }
        if size > bound.max(1) {
            return Err(ChainError::Large { size, bound, node });
        }
        let leaves = |node: &u32| {
            self.steps(*node as usize).iter().any(|(to, _)| nodes.binary_search(to).is_err())
        };
        match nodes.iter().any(leaves) {
            true => Ok(()),
            false => Err(ChainError::Endless { size, node }),
        }
    }
}

#[cfg(test)]
mod tests;

// Expected visits to nodes that lead back to each other, by elimination without subtraction.

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
/// [`ChainError::Stopped`] as soon as `may_continue` says no; the amounts are what they were.
fn solve<A: Amount>(
    chain: &Chain<A>,
    nodes: &[u32],
    amounts: &mut [A],
    may_continue: &dyn Fn() -> bool,
) -> Result<(), ChainError> {
    let mut entries: Vec<A> = nodes.iter().map(|node| amounts[*node as usize].clone()).collect();
    let mut between = CycleChances::new(chain, nodes);
    // Those with the fewest ways through come first, as they leave the fewest new ones (Markowitz).
    let mut queue: BTreeSet<(usize, usize)> =
        (0..nodes.len()).map(|node| (between.ways(node), node)).collect();
    let mut taken = Vec::with_capacity(nodes.len());
    while let Some((_, node)) = queue.pop_first() {
        if !may_continue() {
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
