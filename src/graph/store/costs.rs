//! How many operations the script runs between two nodes; zero is not stored.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use hashbrown::HashMap;
use parking_lot::Mutex;

use crate::graph::node::UNLINKED;
use crate::graph::store::Graph;

/// Operations by node and answer: what runs after the answer, up to the next question or the end of the
/// step. Number 0 is before the beginning.
pub(in crate::graph) struct Costs {
    shards: [Mutex<HashMap<(u32, u32), u64>>; SHARDS],
    any: AtomicBool,
    /// What it costs to reach the beginning: nearly every conflict has a setup that is not free.
    beginning: AtomicU64,
}

impl Default for Costs {
    fn default() -> Costs {
        Costs {
            shards: std::array::from_fn(|_| Mutex::default()),
            any: AtomicBool::default(),
            beginning: AtomicU64::default(),
        }
    }
}

/// Several, so that threads seldom wait for each other.
const SHARDS: usize = 64;

/// In place of an answer: what runs from the state of a node.
const HEAD: u32 = u32::MAX;

impl Graph {
    /// What it costs to come from an answer at a node, (0, 0) being the beginning, to the node that it
    /// leads to.
    #[inline]
    pub fn cost(&self, from: (u32, u32), to: u32) -> u64 {
        self.way(from).saturating_add(self.head(to))
    }

    #[inline]
    fn way(&self, from: (u32, u32)) -> u64 {
        match from.0 {
            0 => self.costs.beginning.load(Ordering::Relaxed),
            dear if self.is_dear(dear) => self.kept_cost(from),
            _ => 0,
        }
    }

    /// What runs from the state of a node up to the node; 0 for one within a step.
    #[inline]
    pub fn head(&self, node: u32) -> u64 {
        if self.is_dear(node) { self.kept_cost((node, HEAD)) } else { 0 }
    }

    /// What runs from the beginning of the step up to a node.
    pub(crate) fn cost_of_step(&self, mut node: u32) -> u64 {
        let mut sum = 0u64;
        if node == 0 {
            return sum;
        }
        if !self.has_costs() {
            return if self.node(node).state() == 0 { self.way((0, 0)) } else { sum };
        }
        loop {
            let at = self.node(node);
            sum = sum.saturating_add(self.head(node));
            let before = at.before();
            if before.0 != 0 || at.state() == 0 {
                sum = sum.saturating_add(self.way(before));
            }
            match before.0 {
                0 => return sum,
                further => node = further,
            }
        }
    }

    /// Whether any way but that to the beginning is not free.
    #[inline]
    pub(crate) fn has_costs(&self) -> bool {
        self.costs.any.load(Ordering::Relaxed)
    }

    #[inline]
    fn is_dear(&self, node: u32) -> bool {
        self.node(node).is_dear()
    }

    #[cold]
    fn kept_cost(&self, way: (u32, u32)) -> u64 {
        shard(&self.costs, way).lock().get(&way).copied().unwrap_or_default()
    }

    /// Lets an answer at a node lead to another; 0 is before the beginning. `cost` operations are run
    /// between them, up to the state of the other. Returns where it leads.
    pub(in crate::graph) fn link(&self, (from, answer): (u32, u32), to: u32, cost: u64) -> u32 {
        if from == UNLINKED {
            return to;
        }
        if !self.keep_cost((from, answer), cost) {
            // Nothing leads to a node within a step that was made for it.
            let within = self.node(to).before() == (from, answer);
            if within && self.node(from).to(answer as usize) != to {
                self.nodes.fetch_sub(1, Ordering::Relaxed);
            }
            return to;
        }
        let there = match from {
            0 => match self.root.compare_exchange(0, to, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => to,
                Err(there) => there,
            },
            _ => self.node(from).link(answer as usize, to).0,
        };
        if there != to {
            // Another thread has made the same node meanwhile: nothing leads to this one.
            self.nodes.fetch_sub(1, Ordering::Relaxed);
        }
        there
    }

    /// It grows no more.
    pub(in crate::graph) fn fill(&self) {
        self.full.store(true, Ordering::Relaxed);
    }

    /// Keeps what a way costs before it is shown to anybody; whether it could.
    pub(in crate::graph) fn keep_cost(&self, way: (u32, u32), cost: u64) -> bool {
        if cost == 0 {
            return true;
        }
        if way.0 == 0 {
            self.costs.beginning.store(cost, Ordering::Relaxed);
            return true;
        }
        let mut shard = shard(&self.costs, way).lock();
        let grows = shard.len() == shard.capacity();
        if grows && !self.fits(2 * shard.allocation_size() as u64 + (1 << 10)) {
            self.fill();
            return false;
        }
        let before = shard.allocation_size();
        shard.insert(way, cost);
        self.grew((shard.allocation_size() - before) as u64);
        self.costs.any.store(true, Ordering::Relaxed);
        self.node(way.0).mark_dear();
        true
    }

    /// Keeps what runs from the state of a node.
    pub(in crate::graph) fn keep_head(&self, node: u32, cost: u64) -> bool {
        self.keep_cost((node, HEAD), cost)
    }
}

fn shard(costs: &Costs, way: (u32, u32)) -> &Mutex<HashMap<(u32, u32), u64>> {
    &costs.shards[(way.0 ^ way.1.wrapping_mul(0x9e37_79b9)) as usize % SHARDS]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use crate::graph::explorer::tests::explorer;
    use crate::handlers::Generator;
    use crate::script::{Budget, Limits};

    #[test]
    fn a_graph_counts_no_node_that_nothing_leads_to_where_it_is_full() {
        // Nothing is free, so that what ways cost takes room too.
        let step = "for round in 0..6 {
            for turn in 0..1500 { }
            this.choose(\"red\", \"pick\", [1, 2, 3]);
        }
        this.done = true;";
        let mut full = 0;
        for kilobytes in (16..512).step_by(16) {
            let limits = Limits { budget: Budget::new(kilobytes << 10), ..Limits::default() };
            let explorer = explorer(step, limits);
            for playout in 0..300 {
                let (mut rng, mut left) = (Generator::playout(1, playout), u64::MAX);
                explorer.wander((0, 0), &mut rng, &mut (), (true, &mut left)).unwrap();
            }
            let graph = explorer.graph();
            full += u32::from(graph.is_full());
            let mut open: Vec<u32> = [graph.root()].into_iter().filter(|&root| root != 0).collect();
            let mut seen: BTreeSet<u32> = open.iter().copied().collect();
            while let Some(node) = open.pop() {
                open.extend(graph.node(node).all().filter(|&to| to != 0 && seen.insert(to)));
            }
            assert_eq!(graph.nodes(), seen.len() as u64, "{kilobytes} KiB");
        }
        assert!(full >= 5, "{full} of them are full");
    }
}
