//! Checks a graph that was explored: each ending has a utility for each player, and no playout takes more
//! operations than one may.

use std::collections::BTreeSet;
use std::sync::Arc;

use hashbrown::HashMap;

use super::expand::{NodeExpander, Reach};
use super::node::Kind;
use super::store::Graph;
use super::store::question::Ending;
use super::trace::{Traced, replay};
use super::worker::WorkerFactory;
use crate::error::Error;

/// A node on the way, with what is still to be tried there.
struct Open {
    node: u32,
    /// The answers that may be given.
    answers: Vec<usize>,
    /// How many of them were tried.
    tried: usize,
    /// What the view takes of an agent who decides here, and the most that follows.
    looked: u64,
    most: u64,
}

/// The budget is asked once in this many nodes.
const ASK_EVERY: usize = 1 << 10;

/// Whether each way from these nodes, 0 being the beginning, takes no more operations than a playout may; all
/// that follows them was explored. A way that comes back to a node ends there: how often a playout goes round
/// is known to nobody.
///
/// # Errors
/// Those of the rules and agents, and why the work must stop.
pub(super) fn weigh(
    graph: &Graph,
    factory: &dyn WorkerFactory,
    from: &[u32],
) -> Result<Reach, Error> {
    let (explorer, seats) = factory.make_worker()?;
    let most = explorer.rules().limits().playout;
    let expander = NodeExpander::new(explorer, seats, factory.answers().clone());
    let _tab = factory.budget().tab();
    let mut longest = Longest { graph, factory, expander, known: HashMap::new() };
    for &start in from {
        let (node, cost) = match start {
            0 => (graph.root(), graph.cost((0, 0), graph.root())),
            node => (node, 0),
        };
        match longest.after(node)? {
            None => return Ok(Reach::Full),
            Some(after) if cost.saturating_add(after) > most => return Ok(Reach::TooDear(most)),
            Some(_) => {}
        }
    }
    Ok(Reach::Whole)
}

struct Longest<'a> {
    graph: &'a Graph,
    factory: &'a dyn WorkerFactory,
    expander: NodeExpander,
    /// The most operations that follow a node; nothing where it is on the way.
    known: HashMap<u32, Option<u64>>,
}

impl Longest<'_> {
    /// The most operations that follow a node; `None` where there is no memory to find out.
    fn after(&mut self, node: u32) -> Result<Option<u64>, Error> {
        if let Some(known) = self.known.get(&node) {
            return Ok(Some(known.unwrap_or_default()));
        }
        let mut way = vec![self.open(node)?];
        while let Some(at) = way.last_mut() {
            let Some(&answer) = at.answers.get(at.tried) else {
                let after = at.looked.saturating_add(at.most);
                self.known.insert(at.node, Some(after));
                way.pop();
                continue;
            };
            let to = self.graph.node(at.node).to(answer);
            let cost = self.graph.cost((at.node, answer as u32), to);
            match self.known.get(&to) {
                Some(after) => {
                    // What is on the way itself counts once.
                    at.most = at.most.max(cost.saturating_add(after.unwrap_or_default()));
                    at.tried += 1;
                }
                None => {
                    // Each node is opened once.
                    if self.known.len().is_multiple_of(ASK_EVERY) {
                        self.factory.budget().is_wanted()?;
                        if !self.factory.budget().has_room() {
                            return Ok(None);
                        }
                    }
                    let next = self.open(to)?;
                    way.push(next);
                }
            }
        }
        Ok(Some(self.known.get(&node).copied().flatten().unwrap_or_default()))
    }

    fn open(&mut self, node: u32) -> Result<Open, Error> {
        self.known.insert(node, None);
        let ends = node == 0 || self.graph.node(node).kind() == Kind::End;
        let shares = if ends { None } else { self.expander.shares(self.graph, node)? };
        let (answers, looked) =
            shares.map_or((Vec::new(), 0), |(shares, looked)| (shares.indices(), looked));
        Ok(Open { node, answers, tried: 0, looked, most: 0 })
    }
}

/// Checks that every ending has a utility for each player who is asked anywhere in the graph, or has
/// one in another ending. Within one playout the rules check it themselves.
///
/// # Errors
/// That of the rules for an outcome that lacks a player, with the way there.
pub(crate) fn check_utilities(
    graph: &Arc<Graph>,
    factory: &dyn WorkerFactory,
) -> Result<(), Error> {
    let asked: BTreeSet<&String> = graph.actors().map(|(_, player)| player).collect();
    let named = graph.endings().flat_map(|(_, ending)| ending.utility.keys()).collect();
    // Somebody who is asked is surely a player; another name may be a mistake itself.
    let lacking = |players: &BTreeSet<&String>| {
        let lacks = |ending: &Ending| players.iter().any(|one| !ending.utility.contains_key(*one));
        graph.endings().find(|(_, ending)| lacks(ending))
    };
    let first = |players| Some((lacking(&players)?, players));
    let Some(((number, ending), players)) = first(asked).or_else(|| first(named)) else {
        return Ok(());
    };
    let (explorer, _) = factory.make_worker()?;
    let error = explorer.rules().missing_utility(&ending.utility, players);
    let ends = |at: u32| {
        let node = graph.node(at);
        at != 0 && node.kind() == Kind::End && node.what() == number
    };
    let way = || Traced::shortest(graph, 0, &ends, None);
    Err(error.reached(|| Some(replay(way()?, factory.words()))))
}
