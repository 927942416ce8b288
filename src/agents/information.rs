//! A decision as its player knows it, and where the game may be; what agents are made from.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use parking_lot::Mutex;
use sha2::{Digest as _, Sha256};

use super::account::{Halted, unless_spent};
use super::determinize::{self, FOR_A_THOUGHT, World, WorldsWanted};
use super::search_graph::forecast::Forecast;
use super::search_graph::{GraphSharing, Mind};
use crate::error::Error;
use crate::graph::{Explorer, Graph, Insight, with_history_to_failure};
use crate::handlers::Answer;
use crate::script::{Blueprint, Budget, Setup, live_bytes};

/// A decision, as far as its player knows the position.
pub(super) struct DecisionView {
    /// The number by which nodes know the player.
    pub(crate) actor: u32,
    /// How many options there are.
    pub options: usize,
    /// Which part of a joint decision it is, from 0.
    pub nth: usize,
    /// A digest of all that the player goes by: what is thought depends on nothing else.
    pub digest: Digest,
    node: u32,
    knows: Knows,
}

/// What the player knows of the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Knows {
    /// The rules hide nothing: all that was answered, save by others in the same joint decision.
    All,
    /// The state at the beginning of the step, and the state now; what others answered since may be
    /// hidden.
    State,
    /// What the view shows.
    View,
}

impl DecisionView {
    /// The outlook of the player who decides at a node; `thinker` names the way of thinking.
    pub(super) fn of(mind: &mut Mind, node: u32, thinker: &str) -> Result<DecisionView, Halted> {
        let mut digest = Sha256::new();
        digest.update(format!("{thinker}\n"));
        let (begins, nth) = determinize::beginning(mind.graph(), node);
        let knows = if mind.explorer().rules().hides() {
            let insight = Insight::of(mind.explorer(), node)?;
            digest.update(format!("{}\n", insight.key));
            mind.note(node, &insight);
            if insight.whole { Knows::State } else { Knows::View }
        } else {
            let answers = mind.graph().answers_before(mind.graph().node(begins));
            digest.update(format!("{answers:?} {nth}\n"));
            Knows::All
        };
        let at = mind.graph().node(node);
        if knows != Knows::View {
            digest.update(mind.graph().state_bytes(at).unwrap_or_default());
        }
        let (actor, options, digest) = (at.actor(), at.answers(), digest.finalize().into());
        Ok(DecisionView { actor, options, nth, digest, node, knows })
    }

    /// The seed of the random numbers that are drawn in thought.
    pub(super) fn seed(&self) -> u64 {
        self.digest.iter().take(8).fold(0, |seed, &byte| seed << 8 | u64::from(byte))
    }

    /// The nodes that the decision may be at, listed more often the likelier they are if all play
    /// at random; of a joint decision the beginning. Empty if none was found.
    pub(super) fn worlds(&self, mind: &mut Mind, sought: WorldsWanted) -> Result<Vec<u32>, Halted> {
        match self.knows {
            Knows::All => Ok(vec![determinize::beginning(mind.graph(), self.node).0]),
            Knows::State => determinize::of_step(mind, self.node, self.seed(), sought),
            Knows::View => determinize::of_game(mind, self.node, sought),
        }
    }

    /// All decisions of a game that this may be, each with how likely random play reaches it.
    pub(super) fn all_worlds(
        &self,
        mind: &mut Mind,
        whole: &mut Forecast,
    ) -> Result<Option<Vec<World>>, Halted> {
        if self.knows == Knows::All {
            let begins = determinize::beginning(mind.graph(), self.node).0;
            return determinize::decided(mind, self.actor, &[(begins, 1.0)], determinize::MOST);
        }
        let set = mind.set_of(self.node)?;
        let first = mind.explorer().beginning()?;
        let mut all = Vec::new();
        for (node, visits) in whole.visits(first) {
            if visits > 0.0
                && determinize::same_question(mind.graph(), node, self.node)
                && mind.set_of(node)? == set
            {
                mind.look_up()?;
                all.push((node, visits));
            }
        }
        Ok((!all.is_empty()).then_some(all))
    }

    /// Nodes that the decision may be at, each with how likely random play reaches it, or how often
    /// it was found: decisions, or beginnings of joint ones.
    pub(super) fn weighed_worlds(&self, mind: &mut Mind) -> Result<Vec<World>, Halted> {
        if self.knows == Knows::State
            && let Some(all) = unless_spent(determinize::all_of_step(mind, self.node), None)?
        {
            return Ok(all);
        }
        mind.allow(mind.thought());
        let mut met: BTreeMap<u32, f64> = BTreeMap::new();
        for world in self.worlds(mind, FOR_A_THOUGHT)? {
            *met.entry(world).or_default() += 1.0;
        }
        Ok(met.into_iter().collect())
    }

    /// The number of its information set in this mind.
    pub(super) fn set(&self, mind: &mut Mind) -> Result<u32, Halted> {
        mind.set_of(self.node)
    }
}

/// The nodes that look the same to the player who decides at a node, found by playing at random:
/// the beginnings of their joint decisions, listed more often the likelier they are; about this many,
/// if four times as many rounds find them. Empty if none was found. `words` play the conflict.
///
/// # Errors
/// Those of the rules, with what leads there; [`Error::Interrupted`].
pub(crate) fn look_alikes(
    surroundings: &Surroundings,
    node: u32,
    enough: usize,
    words: impl FnOnce() -> Vec<String>,
) -> Result<Vec<u32>, Error> {
    let sought = WorldsWanted { enough, rounds: 4 * enough as u64 };
    let Surroundings { blueprint, setup, graph, .. } = surroundings;
    let mut mind = Mind::new(Explorer::new(graph, blueprint, setup)?, GraphSharing::Settles);
    let met =
        DecisionView::of(&mut mind, node, "").and_then(|outlook| outlook.worlds(&mut mind, sought));
    match met {
        Ok(worlds) => Ok(worlds),
        Err(Halted::Full | Halted::Spent) => Ok(Vec::new()),
        Err(Halted::Error(error)) => {
            Err(with_history_to_failure(error, mind.explorer(), None, words))
        }
    }
}

// The surroundings of agents that think ahead: rules, setup and the graph they are asked on.

/// What agents of one conflict share, on any number of threads.
#[derive(Clone)]
pub struct Surroundings {
    /// What the rules are compiled from.
    pub blueprint: Blueprint,
    /// What the conflict starts from.
    pub setup: Setup,
    /// The graph that is played on; [`Standpoint`](crate::handlers::Standpoint)s name its nodes.
    pub graph: Arc<Graph>,
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

/// A SHA-256 digest.
pub(super) type Digest = [u8; 32];

impl Surroundings {
    /// The surroundings of a conflict that is played on this graph.
    pub fn new(blueprint: Blueprint, setup: Setup, graph: Arc<Graph>) -> Surroundings {
        let budget = blueprint.limits.budget.clone();
        let (kept, bytes, too_large) = Default::default();
        let thoughts = Arc::new(Thoughts { kept, budget, bytes, too_large });
        Surroundings { blueprint, setup, graph, thoughts }
    }

    /// The surroundings of a conflict that is played by the script alone: the agents share a graph
    /// of their own.
    pub fn alone(blueprint: Blueprint, setup: Setup) -> Surroundings {
        let budget = &blueprint.limits.budget;
        let graph = budget.within(beside_thoughts(budget.bound()));
        let graph = Arc::new(Graph::new(blueprint.identity(&setup.value), &graph));
        Surroundings::new(blueprint, setup, graph)
    }

    /// The budget of all work that is done with them.
    pub(super) fn budget(&self) -> &Budget {
        &self.blueprint.limits.budget
    }

    /// The answer to what was thought through before, if it was kept.
    pub(super) fn thought(&self, digest: &Digest) -> Option<Answer> {
        self.thoughts.kept.lock().get(digest).cloned()
    }

    /// Keeps an answer.
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
