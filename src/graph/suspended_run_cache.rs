//! A cache of runs of the script that are suspended at nodes, to be cloned for each answer that is tried.

use std::collections::VecDeque;
use std::sync::Arc;

use hashbrown::HashMap;

use super::store::Graph;
use crate::script::Run;

/// The runs that one thread keeps. Where a graph is explored in depth, those that came last are wanted
/// first: the oldest make room. What they take counts against the graph's bound.
pub(super) struct SuspendedRunCache {
    graph: Arc<Graph>,
    /// Node -> its run, and the bytes that were counted for it.
    runs: HashMap<u32, (u64, Run)>,
    /// The nodes in the order in which their runs came; some of these are gone.
    order: VecDeque<u32>,
    /// How many there are at most.
    most: usize,
    /// The last node whose run could not be kept; 0 is none.
    refused: u32,
}

/// This many runs are kept, where nobody says otherwise.
const MOST: usize = 128;

/// This many places of runs that are gone may stay in the order.
const SPARSE: usize = 64;

impl SuspendedRunCache {
    /// No runs yet.
    pub(super) fn new(graph: &Arc<Graph>) -> SuspendedRunCache {
        let (runs, order) = (HashMap::new(), VecDeque::new());
        SuspendedRunCache { graph: graph.clone(), runs, order, most: MOST, refused: 0 }
    }

    /// Keeps this many at most from now on.
    pub(super) fn keep(&mut self, most: usize) {
        self.most = most;
        while self.runs.len() > most {
            self.drop_oldest();
        }
    }

    /// The run that is paused at a node.
    pub(super) fn at(&self, node: u32) -> Option<&Run> {
        self.runs.get(&node).map(|(_, run)| run)
    }

    /// Whether a run could be kept at a node that has none.
    pub(super) fn wants(&self, node: u32) -> bool {
        self.most > 0 && node != self.refused && !self.runs.contains_key(&node)
    }

    /// Keeps the run that is paused at a node, if it can be kept and there is room.
    pub(super) fn put(&mut self, node: u32, run: Run) {
        if !self.wants(node) {
            return;
        }
        self.refused = node;
        let bytes = run.bytes() as u64;
        while self.runs.len() >= self.most || !self.graph.runs().fits(bytes) {
            // One that is larger than all the room makes none of the others go.
            if bytes > self.graph.runs().bound() || !self.drop_oldest() {
                return;
            }
        }
        self.refused = 0;
        self.graph.runs().take(bytes);
        self.runs.insert(node, (bytes, run));
        self.order.push_back(node);
        if self.order.len() > 2 * self.runs.len() + SPARSE {
            self.order.retain(|node| self.runs.contains_key(node));
        }
    }

    /// Takes the run that is paused at a node.
    pub(super) fn take(&mut self, node: u32) -> Option<Run> {
        let (bytes, run) = self.runs.remove(&node)?;
        self.graph.runs().give_back(bytes);
        if self.order.back() == Some(&node) {
            self.order.pop_back();
        }
        Some(run)
    }

    fn drop_oldest(&mut self) -> bool {
        let oldest = self.order.pop_front();
        oldest.is_some_and(|node| {
            self.take(node);
            true
        })
    }
}

impl Drop for SuspendedRunCache {
    fn drop(&mut self) {
        self.keep(0);
    }
}
