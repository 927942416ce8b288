//! Checks a graph that was explored: each ending has a utility for each player, and each playout that never comes
//! back to a place takes at most as many operations as one may.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::expand::{NodeExpander, Reach};
use super::longest_way::{Leaving, LongestWay};
use super::node::Kind;
use super::store::Graph;
use super::store::question::Ending;
use super::trace::{Traced, replay};
use super::worker::WorkerFactory;
use crate::error::Error;

/// The budget is asked once in this many nodes.
const ASK_EVERY: usize = 1 << 10;

/// Whether each way from these nodes, 0 being the beginning, takes no more operations than a playout may; all
/// that follows them was explored. A way that comes back to a node ends there: how often a playout goes round
/// is known to nobody. See [`LongestWay`].
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
    let budget = factory.budget();
    let _tab = budget.tab();
    let (mut longest, mut seen) = (LongestWay::default(), 0usize);
    let mut leaving = |node: u32| {
        seen += 1;
        if seen.is_multiple_of(ASK_EVERY) {
            budget.is_wanted()?;
            if !budget.has_room() {
                return Ok(None);
            }
        }
        leaving(graph, &expander, node).map(Some)
    };
    for &start in from {
        let (node, cost) = match start {
            0 => (graph.root(), graph.cost((0, 0), graph.root())),
            node => (node, 0),
        };
        match longest.after(node, &mut leaving)? {
            None => return Ok(Reach::Full),
            Some(after) if cost.saturating_add(after) > most => return Ok(Reach::TooDear(most)),
            Some(_) => {}
        }
    }
    Ok(Reach::Whole)
}

/// Where the answers lead that may be given at a node, and what each costs.
fn leaving(graph: &Graph, expander: &NodeExpander, node: u32) -> Result<Leaving, Error> {
    let ends = node == 0 || graph.node(node).kind() == Kind::End;
    let shares = if ends { None } else { expander.shares(graph, node)? };
    let Some((shares, looked)) = shares else { return Ok(Leaving::default()) };
    let edge = |answer: usize| {
        let to = graph.node(node).to(answer);
        (to, graph.cost((node, answer as u32), to))
    };
    Ok(Leaving { looked, edges: shares.indices().into_iter().map(edge).collect() })
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
