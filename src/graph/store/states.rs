//! States between steps: each has one node, that of the first question after it, found by its bytes.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use parking_lot::Mutex;

use crate::game::Question;
use crate::graph::node::{NodeKind, NodePlace, PlannedNode};
use crate::graph::store::Graph;
use crate::graph::store::word_memory::LARGEST;

/// Several tables, so that threads seldom wait for each other.
pub(in crate::graph) const SHARDS: usize = 64;

/// The hash by which a table knows a tag: it takes the highest bits and the lowest, and all tags of a
/// shard have some bits in common.
fn spread(tag: u32) -> u64 {
    u64::from(tag).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32)
}

impl Graph {
    /// The part of a state's hash by which it is found.
    pub(in crate::graph) fn tag(&self, state: &[u8]) -> u32 {
        (self.hasher.hash_one(state) >> 32) as u32
    }

    /// The node of a state with this tag, if it is known.
    pub(in crate::graph) fn known(&self, state: &[u8], tag: u32) -> Option<u32> {
        self.find(&self.shard(tag).lock(), tag, state)
    }

    /// Makes the node of the first question after a state, or finds it where another thread has
    /// made it meanwhile; `None` where it does not fit. `spent` operations are run from
    /// the state to the question.
    pub(in crate::graph) fn add_state(
        &self,
        (state, tag): (&[u8], u32),
        asking: &Question<'_>,
        spent: u64,
    ) -> Option<u32> {
        let plan = self.plan(asking, NodePlace { state: 0, before: (0, tag), spent })?;
        self.insert_state(state, plan)
    }

    /// Makes the node of a state that is an end, or finds it; `None` where it does not fit.
    /// `spent` operations are run to find that it is one.
    pub(in crate::graph) fn add_end(
        &self,
        (state, tag): (&[u8], u32),
        ending: u32,
        spent: u64,
    ) -> Option<u32> {
        if self.is_full() {
            return None;
        }
        let place = NodePlace { state: 0, before: (0, tag), spent };
        let kind = NodeKind::End;
        self.insert_state(state, PlannedNode { kind, actor: 0, answers: 0, what: ending, place })
    }

    fn insert_state(&self, state: &[u8], plan: PlannedNode) -> Option<u32> {
        let tag = plan.place.before.1;
        let mut shard = self.shard(tag).lock();
        if let Some(known) = self.find(&shard, tag, state) {
            return Some(known);
        }
        let grows = shard.len() == shard.capacity();
        if grows && !self.words.fits(2 * shard.allocation_size() as u64 + (1 << 10)) {
            self.fill();
            return None;
        }
        // One state that is too large for the graph does not make it full.
        if state.len() / 4 >= LARGEST - 1 {
            return None;
        }
        let Some(offset) = self.words.lay_bytes(state) else {
            self.fill();
            return None;
        };
        let place = NodePlace { state: offset, ..plan.place };
        let node = self.store(&PlannedNode { place, ..plan })?;
        let before = shard.allocation_size();
        shard.insert_unique(spread(tag), node, |&node| spread(self.node(node).tag()));
        self.grew((shard.allocation_size() - before) as u64);
        Some(node)
    }

    fn find(&self, shard: &HashTable<u32>, tag: u32, state: &[u8]) -> Option<u32> {
        let same = |&number: &u32| {
            let node = self.node(number);
            node.tag() == tag && self.words.are_bytes(node.state(), state)
        };
        shard.find(spread(tag), same).copied()
    }

    fn shard(&self, tag: u32) -> &Mutex<HashTable<u32>> {
        &self.states[tag as usize % SHARDS]
    }
}
