//! What a player knows at a decision, and which nodes of the graph fit that.

use std::collections::HashSet;

use indexmap::IndexMap;
use sha2::{Digest as _, Sha256};

use super::determinize::{FOR_A_THOUGHT, MOST, WorldsWanted};
use super::search_graph::forecast::Forecast;
use super::search_graph::{GraphSharing, Halted, SearchGraph, World, unless_spent};
use super::shared_thinking::{Digest, SharedThinking};
use crate::error::Error;
use crate::game::Generator;
use crate::graph::{Insight, with_history_to_failure};

/// A decision, as far as its player knows the position.
pub(super) struct DecisionView {
    /// The number by which nodes know the player.
    pub actor: u32,
    pub options: usize,
    /// Which part of a joint decision it is, from 0.
    pub nth: usize,
    /// A digest of all that the player goes by: what is thought depends on nothing else.
    pub digest: Digest,
    pub node: u32,
    knows: Knows,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Knows {
    /// The rules hide nothing: all that was answered, save by others in the same joint decision.
    All,
    /// The state at the beginning of the step, and the state now; what others answered since may be
    /// hidden.
    State,
    View,
}

impl DecisionView {
    /// What the player who decides at a node knows; `thinker` names the way of thinking.
    pub(super) fn of(
        search_graph: &mut SearchGraph,
        node: u32,
        thinker: &str,
    ) -> Result<DecisionView, Halted> {
        let mut digest = Sha256::new();
        digest.update(format!("{thinker}\n"));
        let (begins, nth) = search_graph.graph().first_part(node);
        let knows = if search_graph.explorer().rules().hides() {
            let insight = Insight::of(search_graph.explorer(), node)?;
            digest.update(format!("{}\n", insight.key));
            search_graph.note(node, &insight);
            if insight.whole { Knows::State } else { Knows::View }
        } else {
            let answers = search_graph.graph().answers_before(begins);
            digest.update(format!("{answers:?} {nth}\n"));
            Knows::All
        };
        let at = search_graph.graph().node(node);
        if knows != Knows::View {
            digest.update(search_graph.graph().state_bytes(at).unwrap_or_default());
        }
        let (actor, options, digest) = (at.actor(), at.answers(), digest.finalize().into());
        Ok(DecisionView { actor, options, nth, digest, node, knows })
    }

    pub(super) fn seed(&self) -> u64 {
        self.digest.iter().take(8).fold(0, |seed, &byte| seed << 8 | u64::from(byte))
    }

    /// The nodes that the decision may be at, listed more often the likelier they are if all play
    /// at random; of a joint decision the beginning. Empty if none was found.
    pub(super) fn worlds(
        &self,
        search_graph: &mut SearchGraph,
        sought: WorldsWanted,
    ) -> Result<Vec<u32>, Halted> {
        match self.knows {
            Knows::All => Ok(vec![search_graph.graph().first_part(self.node).0]),
            Knows::State => search_graph.worlds_of_step(self.node, self.seed(), sought),
            Knows::View => search_graph.worlds_of_game(self.node, sought),
        }
    }

    /// Whether the nodes that look alike are drawn at random; else there is one.
    fn is_drawn(&self, search_graph: &SearchGraph) -> bool {
        match self.knows {
            Knows::All => false,
            Knows::State => !search_graph.is_certain(self.node),
            Knows::View => true,
        }
    }

    /// Nodes that the decision may be at, drawn under a seed. `way` has all answers before it.
    fn look_alikes(
        &self,
        search_graph: &mut SearchGraph,
        way: &[(u32, usize)],
        seed: u64,
        sought: WorldsWanted,
    ) -> Result<LookAlikes, Halted> {
        let drawn = self.is_drawn(search_graph);
        let nodes = match self.knows {
            Knows::All => vec![search_graph.graph().first_part(self.node).0],
            Knows::State => search_graph.worlds_of_step(self.node, seed, sought)?,
            Knows::View => {
                let own = search_graph.own_of(self.actor, way);
                search_graph.worlds_of_player(self.node, &own, seed, sought)?
            }
        };
        Ok(LookAlikes { nodes, drawn })
    }

    /// All decisions of a game that this may be, each with how likely random play reaches it.
    pub(super) fn all_worlds(
        &self,
        search_graph: &mut SearchGraph,
        whole: &mut Forecast,
    ) -> Result<Option<Vec<World>>, Halted> {
        if self.knows == Knows::All {
            let begins = search_graph.graph().first_part(self.node).0;
            return search_graph.decided(self.actor, &[(begins, 1.0)], MOST);
        }
        let set = search_graph.set_of(self.node)?;
        let first = search_graph.explorer().beginning()?;
        let mut all = Vec::new();
        for (node, visits) in whole.visits(first) {
            if visits > 0.0
                && search_graph.asks_alike(node, self.node)
                && search_graph.set_of(node)? == set
            {
                search_graph.look_up()?;
                all.push((node, visits));
            }
        }
        Ok((!all.is_empty()).then_some(all))
    }

    /// Nodes that the decision may be at, each with how likely random play reaches it, or how often
    /// it was found: decisions, or beginnings of joint ones. Their order is that in which they are met, not
    /// that of their numbers: these depend on what other threads explored before. And how many were drawn to find them; 0
    /// where they are all there are.
    pub(super) fn weighed_worlds(
        &self,
        search_graph: &mut SearchGraph,
    ) -> Result<(Vec<World>, u64), Halted> {
        if self.knows == Knows::State
            && let Some(all) = unless_spent(search_graph.all_of_step(self.node), None)?
        {
            return Ok((all, 0));
        }
        let (near, are_all) = match self.knows {
            Knows::View => search_graph.all_of_opening(self.node)?,
            Knows::All | Knows::State => (Vec::new(), false),
        };
        search_graph.allow(search_graph.thought());
        let found = self.worlds(search_graph, FOR_A_THOUGHT)?;
        // If playouts lead to others too, these are later than what was enumerated.
        let begins = |node: u32| search_graph.graph().first_part(node).0;
        let known: HashSet<u32> = near.iter().map(|&(node, _)| begins(node)).collect();
        if !near.is_empty() && found.iter().all(|world| known.contains(world)) {
            return Ok((near, if are_all { 0 } else { found.len() as u64 }));
        }
        let drawn = if self.is_drawn(search_graph) { found.len() as u64 } else { 0 };
        Ok((together(found.into_iter().map(|world| (world, 1.0))), drawn))
    }

    /// The same, of joint decisions the beginnings.
    pub(super) fn weighed_beginnings(
        &self,
        search_graph: &mut SearchGraph,
    ) -> Result<Vec<World>, Halted> {
        let (worlds, _) = self.weighed_worlds(search_graph)?;
        let begins = |node: u32| search_graph.graph().first_part(node).0;
        Ok(together(worlds.into_iter().map(|(node, weight)| (begins(node), weight))))
    }
}

fn together(worlds: impl Iterator<Item = World>) -> Vec<World> {
    let mut met: IndexMap<u32, f64> = IndexMap::new();
    for (world, weight) in worlds {
        *met.entry(world).or_default() += weight;
    }
    met.into_iter().collect()
}

/// Nodes that look the same to a player who is asked, of joint decisions the beginnings.
#[derive(Debug)]
pub(crate) struct LookAlikes {
    pub nodes: Vec<u32>,
    /// Whether each was drawn at random, so that a node is listed more often the likelier it is, and more than one playout from
    /// each would not be independent.
    pub drawn: bool,
}

/// Drawing this many worlds may take the operations of one thought, more of them more, and fewer no less: one hand of many is
/// seldom dealt again.
const WORLDS_A_THOUGHT: u64 = 1000;

/// The nodes that look the same to the player who decides at a node, found under a seed by playing at random what the player
/// does not know; about as many as are enough. Empty if none was found. `way` has all answers before the node, and `words`
/// play the conflict.
pub(crate) fn look_alikes(
    shared: &SharedThinking,
    (node, way): (u32, &[(u32, usize)]),
    (enough, seed): (usize, u64),
    words: impl FnOnce() -> Vec<String>,
) -> Result<LookAlikes, Error> {
    // Playouts under the seed count from the other end.
    let seed = Generator::seed_of(seed, u64::MAX);
    let sought = WorldsWanted { enough, rounds: u64::MAX };
    let mut search_graph = SearchGraph::new(shared, &shared.graph, GraphSharing::Settles)?;
    let world = (search_graph.thought() / WORLDS_A_THOUGHT).max(1);
    search_graph.allow(world.saturating_mul(WORLDS_A_THOUGHT.max(enough as u64)));
    let met = DecisionView::of(&mut search_graph, node, "")
        .and_then(|view| view.look_alikes(&mut search_graph, way, seed, sought));
    match met {
        Ok(found) => Ok(found),
        Err(Halted::Full | Halted::Spent) => Ok(LookAlikes { nodes: Vec::new(), drawn: true }),
        Err(Halted::Error(error)) => {
            Err(with_history_to_failure(error, search_graph.explorer(), None, words))
        }
    }
}
