//! Strongly connected components of a Markov chain, in the order in which a walk reaches them.

use super::{Amount, Chain};

/// Sets of nodes, each sorted, in an order in which no set is reached from a later one.
pub(crate) struct Components {
    nodes: Vec<u32>,
    /// The end of each set in `nodes`, in the order in which they were found.
    ends: Vec<usize>,
}

impl Components {
    /// The sets in the order of the walk.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = &[u32]> {
        // Tarjan's method finds what is last first.
        (0..self.ends.len()).rev().map(|i| {
            let from = if i == 0 { 0 } else { self.ends[i - 1] };
            &self.nodes[from..self.ends[i]]
        })
    }
}

/// No number yet: the node was not seen.
const UNSEEN: u32 = u32::MAX;

/// The strongly connected components of what can be reached from `start`, by Tarjan's method with
/// a list of its own in the place of recursion, since a walk may be a million steps long.
/// All nodes are below `len`.
pub(crate) fn components<A: Amount>(chain: &Chain<A>, start: usize, len: usize) -> Components {
    let mut found = Components { nodes: Vec::new(), ends: Vec::new() };
    // The order in which nodes were first seen.
    let mut order = vec![UNSEEN; len];
    // The earliest node still open that a node leads back to.
    let mut earliest = vec![0u32; len];
    let mut closed = vec![false; len];
    // The nodes that are in no component yet, and the way to the present one with its next step.
    let mut open: Vec<u32> = Vec::new();
    let mut way: Vec<(u32, usize)> = Vec::new();
    let mut seen = 0;

    let mut enter = |node: u32, order: &mut [u32], earliest: &mut [u32], open: &mut Vec<u32>| {
        order[node as usize] = seen;
        earliest[node as usize] = seen;
        seen += 1;
        open.push(node);
        (node, 0)
    };
    // A start that 32 bits cannot count was never pushed, so nothing comes after it.
    let Ok(first) = u32::try_from(start) else { return found };
    way.push(enter(first, &mut order, &mut earliest, &mut open));
    while let Some((node, step)) = way.last_mut() {
        let here = *node as usize;
        if let Some((to, _)) = chain.steps(here).get(*step) {
            *step += 1;
            let there = *to as usize;
            if order[there] == UNSEEN {
                way.push(enter(*to, &mut order, &mut earliest, &mut open));
            } else if !closed[there] {
                earliest[here] = earliest[here].min(order[there]);
            }
            continue;
        }
        way.pop();
        if let Some((before, _)) = way.last() {
            let before = *before as usize;
            earliest[before] = earliest[before].min(earliest[here]);
        }
        if earliest[here] == order[here] {
            let from = found.nodes.len();
            while let Some(last) = open.pop() {
                closed[last as usize] = true;
                found.nodes.push(last);
                if last as usize == here {
                    break;
                }
            }
            found.nodes[from..].sort_unstable();
            found.ends.push(found.nodes.len());
        }
    }
    found
}
