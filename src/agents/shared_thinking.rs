//! What agents of one conflict share that think ahead: rules, setup, the graph they are asked on, and thoughts.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use parking_lot::Mutex;

use super::program::Programs;
use crate::game::Answer;
use crate::graph::Graph;
use crate::script::{Blueprint, Budget, Setup, live_bytes};

/// What agents of one conflict share, on any number of threads.
#[derive(Clone)]
pub struct SharedThinking {
    pub blueprint: Blueprint,
    pub setup: Setup,
    /// The graph that is played on; [`Standpoint`](crate::graph::Standpoint)s name its nodes.
    pub graph: Arc<Graph>,
    pub(crate) scenario: Arc<str>,
    pub(crate) programs: Arc<Programs>,
    thoughts: Arc<Thoughts>,
}

/// What has been thought through. It counts against the budget; what does not fit is thought again.
struct Thoughts {
    /// The answer by a digest of who thought and of what was known.
    kept: Mutex<HashMap<Digest, Answer>>,
    budget: Budget,
    bytes: AtomicU64,
    /// Whether the game was found too large to be explored whole.
    too_large: AtomicBool,
}

impl Drop for Thoughts {
    fn drop(&mut self) {
        self.budget.give_back(self.bytes.load(Ordering::Relaxed));
    }
}

/// The bytes that a graph of an agent's own may take, where the one that is played on is full.
pub(super) const OWN_MEMORY: u64 = 128 << 20;

pub(super) type Digest = [u8; 32];

impl SharedThinking {
    /// What agents share in a conflict that is played on this graph.
    pub fn new(
        blueprint: Blueprint,
        setup: Setup,
        graph: Arc<Graph>,
        scenario: &str,
    ) -> SharedThinking {
        let budget = blueprint.limits.budget.clone();
        let (kept, bytes, too_large) = Default::default();
        let thoughts = Arc::new(Thoughts { kept, budget, bytes, too_large });
        let (scenario, programs) = (scenario.into(), Arc::default());
        SharedThinking { blueprint, setup, graph, scenario, programs, thoughts }
    }

    /// What agents share in a conflict that is played by the script alone: the agents share a graph
    /// of their own.
    pub fn alone(blueprint: Blueprint, setup: Setup, scenario: &str) -> SharedThinking {
        let budget = &blueprint.limits.budget;
        let graph = budget.within(beside_thoughts(budget.bound()));
        let graph = Arc::new(Graph::new(blueprint.identity(&setup), &graph));
        SharedThinking::new(blueprint, setup, graph, scenario)
    }

    /// The same on this graph, where nothing was thought yet.
    pub(crate) fn afresh(&self, graph: &Arc<Graph>) -> SharedThinking {
        let (blueprint, setup) = (self.blueprint.clone(), self.setup.clone());
        SharedThinking::new(blueprint, setup, graph.clone(), &self.scenario)
    }

    pub(super) fn budget(&self) -> &Budget {
        &self.blueprint.limits.budget
    }

    pub(super) fn thought(&self, digest: &Digest) -> Option<Answer> {
        self.thoughts.kept.lock().get(digest).cloned()
    }

    pub(super) fn keep(&self, digest: Digest, answer: &Answer) {
        let Thoughts { kept, budget, bytes, .. } = &*self.thoughts;
        let mut kept = kept.lock();
        // A table that is full doubles, and is there twice meanwhile.
        let grows = kept.len() == kept.capacity();
        let room = size_of::<(Digest, Answer)>() * if grows { 4 * (kept.len() + 4) } else { 1 };
        if !self.has_room_for(room as u64) {
            return;
        }
        let before = live_bytes();
        kept.insert(digest, answer.clone());
        let more = u64::try_from(live_bytes() - before).unwrap_or_default();
        bytes.fetch_add(more, Ordering::Relaxed);
        budget.take(more);
    }

    /// Whether the game is too large to be explored whole: one thread finds out for all.
    pub(super) fn too_large(&self) -> &AtomicBool {
        &self.thoughts.too_large
    }

    /// Whether thoughts may keep this many bytes more, beside what is left free for one that has to be
    /// thought alone.
    pub(super) fn has_room_for(&self, bytes: u64) -> bool {
        self.budget().fits(bytes + self.left_free())
    }

    /// What all thoughts leave free, for one at a time that has no room elsewhere.
    pub(super) fn left_free(&self) -> u64 {
        OWN_MEMORY.min(self.budget().bound() / 4)
    }
}

/// The part of this many bytes that a graph may take where agents think beside it.
pub(crate) fn beside_thoughts(memory: u64) -> u64 {
    memory / 2
}
