//! A cache of the agents' answers: by node, and by what the player sees.

use std::hash::Hash;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use hashbrown::HashMap;
use parking_lot::Mutex;
use sha2::{Digest, Sha256};

use super::seats::{Agent, GoesBy, Standpoint};
use super::store::Graph;
use super::trace::PlayoutCourse;
use crate::error::{AgentFault, Error, Location};
use crate::game::{Answer, Decision, Scene, Stop, Value, literal};
use crate::script::live_bytes;

/// The answers of the agents in one seating, by node, and how playouts of it went. Agents are pure, so
/// an answer given once to what a player sees is the answer to all that looks the same.
///
/// They count against the bound of the graph; what does not fit is worked out again each time.
pub struct AnswerCache {
    pub(super) graph: Arc<Graph>,
    nodes: [Kept<u32, Arc<Answer>>; SHARDS],
    /// By the digest of what is seen: the text of it may be long.
    sights: [Kept<SightDigest, Arc<Answer>>; SHARDS],
    /// How playouts went, by their seeds and numbers.
    pub(super) courses: [Kept<(u64, u64), PlayoutCourse>; SHARDS],
    pub(super) of_courses: AtomicU64,
    pub(super) bytes: AtomicU64,
    /// The operations of views and agents' scripts for the answers that were worked out, those that are kept once.
    thought: AtomicU64,
}

pub(super) type Kept<K, V> = Mutex<HashMap<K, V>>;

/// A digest long enough that no two different sights are ever equal.
type SightDigest = [u8; 16];

/// Several, so that threads seldom wait for each other.
pub(super) const SHARDS: usize = 16;

impl AnswerCache {
    /// No answers yet, at the nodes of a graph.
    pub fn new(graph: &Arc<Graph>) -> AnswerCache {
        AnswerCache {
            graph: graph.clone(),
            nodes: std::array::from_fn(|_| Mutex::default()),
            sights: std::array::from_fn(|_| Mutex::default()),
            courses: std::array::from_fn(|_| Mutex::default()),
            of_courses: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            thought: AtomicU64::new(0),
        }
    }

    /// The operations of views, and of agents' scripts at known nodes, so far.
    pub(super) fn thought(&self) -> u64 {
        self.thought.load(Ordering::Relaxed)
    }

    /// The answer at a node, if it has been worked out and kept.
    #[inline]
    pub fn at(&self, node: u32) -> Option<Arc<Answer>> {
        self.nodes_of(node).lock().get(&node).cloned()
    }

    /// The answer to a decision: the one that is kept for its node, else one that is worked out and kept, if the node
    /// has a number. An agent that goes by more than it sees is asked at each node.
    pub fn work_out(
        &self,
        standpoint: Standpoint<'_>,
        decision: &Decision<'_>,
        agent: &mut dyn Agent,
    ) -> Result<Arc<Answer>, Stop> {
        let node = standpoint.known();
        if let Some(kept) = self.at(node) {
            return Ok(kept);
        }
        let goes_by = agent.goes_by();
        if matches!(goes_by, GoesBy::Draw | GoesBy::Game) {
            let message = "does not say that it is pure, so that its answers cannot be tabulated";
            return Err(Error::agent(agent.name(), AgentFault::Own, message).unasked().into());
        }
        if goes_by == GoesBy::Place {
            let (answer, own) = held(agent.answer(decision, standpoint)?);
            // Where another thread was faster, its answer was counted.
            let kept = self.at(node).is_some();
            self.keep_at(node, answer.clone(), own);
            self.thought.fetch_add(if kept { 0 } else { agent.operations() }, Ordering::Relaxed);
            return Ok(answer);
        }
        let view = decision.scene.view(decision.player)?;
        self.thought.fetch_add(decision.scene.view_cost(), Ordering::Relaxed);
        let seen = digest(&sight(decision, &view));
        let shard = &self.sights[seen[0] as usize % SHARDS];
        let known = shard.lock().get(&seen).cloned();
        let answer = match known {
            Some(known) => known,
            None => {
                // No lock is held while the agent thinks. Two may think the same: they agree.
                let scene = Seen { view, scene: decision.scene };
                let decision = Decision { scene: &scene, ..*decision };
                let (answer, own) = held(agent.answer(&decision, standpoint)?);
                // What no node will ask for again is not kept.
                if node != 0 {
                    // Where another thread was faster, its answer was counted.
                    let counted = !self.keep(shard, seen, answer.clone(), own)
                        && shard.lock().contains_key(&seen);
                    let operations = if counted { 0 } else { agent.operations() };
                    self.thought.fetch_add(operations, Ordering::Relaxed);
                }
                answer
            }
        };
        self.keep_at(node, answer.clone(), 0);
        Ok(answer)
    }

    fn keep_at(&self, node: u32, answer: Arc<Answer>, own: u64) {
        if node != 0 {
            self.keep(self.nodes_of(node), node, answer, own);
        }
    }

    /// Keeps an answer, of this many bytes of its own, if it fits; whether none was there.
    pub(super) fn keep<K: Hash + Eq, V>(
        &self,
        shard: &Kept<K, V>,
        key: K,
        answer: V,
        own: u64,
    ) -> bool {
        let mut shard = shard.lock();
        let room = size_of::<(K, V)>() + 1;
        // A table that grows doubles, and meanwhile both copies exist.
        let grows = shard.len() == shard.capacity();
        let table = if grows { 4 * room * (shard.capacity() + 4) } else { 0 };
        if !self.graph.fits(table as u64 + own) {
            return false;
        }
        let before = live_bytes();
        let new = shard.insert(key, answer).is_none();
        if new {
            let table = u64::try_from(live_bytes() - before).unwrap_or_default();
            self.bytes.fetch_add(table + own, Ordering::Relaxed);
            self.graph.grew(table + own);
        }
        new
    }

    fn nodes_of(&self, node: u32) -> &Kept<u32, Arc<Answer>> {
        &self.nodes[node as usize % SHARDS]
    }
}

impl Drop for AnswerCache {
    fn drop(&mut self) {
        self.graph.shrank(self.bytes.load(Ordering::Relaxed));
    }
}

/// An answer to be shared, and the bytes of its own that it takes.
fn held(answer: Answer) -> (Arc<Answer>, u64) {
    let before = live_bytes();
    // A copy, for where the agent's own was allocated nobody knows.
    let held = Arc::new(answer.clone());
    (held, u64::try_from(live_bytes() - before).unwrap_or_default())
}

fn digest(seen: &str) -> SightDigest {
    let whole = Sha256::digest(seen);
    std::array::from_fn(|at| whole[at])
}

/// All that an agent may go by: who is asked, what for, what is offered and what is seen.
pub(crate) fn sight(decision: &Decision<'_>, view: &Value) -> String {
    literal(&(decision.player, decision.name, decision.options.values(), view))
}

/// A scene whose view has been made already.
struct Seen<'a> {
    view: Value,
    scene: &'a dyn Scene,
}

impl Scene for Seen<'_> {
    fn view(&self, _player: &str) -> Result<Value, Error> {
        Ok(self.view.clone())
    }

    fn picture(&self) -> Result<Option<String>, Error> {
        self.scene.picture()
    }

    fn state(&self) -> Value {
        self.scene.state()
    }

    fn asked_at(&self) -> Option<Location> {
        self.scene.asked_at()
    }
}
