//! Checks a graph that was explored: each ending has a utility for each player, and no playout without a cycle
//! passes the limit on operations.
//!
//! The most operations on any way are found by its strongly connected components (Tarjan, "Depth-first search and
//! linear graph algorithms", 1972).

use std::collections::BTreeSet;
use std::sync::Arc;

use hashbrown::HashMap;

use super::expand::{NodeExpander, Reach, WorkerFactory};
use super::node::NodeKind;
use super::store::Graph;
use super::store::question::Ending;
use super::trace::{Traced, replay};
use crate::error::Error;

/// The budget is asked once in this many nodes.
const ASK_EVERY: usize = 1 << 10;

/// Whether no way from these nodes, 0 being the beginning, takes more operations than a playout may. All that
/// follows them must have been explored. A way that comes back to a node ends there, for nobody knows how often
/// a playout runs through a cycle. See [`LongestWay`].
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
    let _charge = budget.charge_thread();
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
    let ends = node == 0 || graph.node(node).kind() == NodeKind::End;
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
        at != 0 && node.kind() == NodeKind::End && node.what() == number
    };
    let way = || Traced::shortest(graph, 0, &ends, None);
    Err(error.reached(|| Some(replay(way()?, factory.words()))))
}

/// What leaves a node.
#[derive(Clone, Debug, Default)]
pub(super) struct Leaving {
    /// What is spent at the node itself, for every answer.
    pub looked: u64,
    /// Where each answer leads, and what is spent on the way there.
    pub edges: Vec<(u32, u64)>,
}

/// Finds how much may be spent after a node.
///
/// A way that comes back to a node where it was before ends there. Of nodes that lead to each other, each
/// counts once, with the dearest of the answers that stay among them: no way without a return can spend more,
/// from whichever side it came, but the result may be more than any of them spends. In a graph without cycles it
/// is the most that one spends.
#[derive(Default)]
pub(super) struct LongestWay {
    known: HashMap<u32, SearchState>,
    /// Nodes whose component is not complete yet, in the order in which they were met.
    open: Vec<OpenNode>,
}

#[derive(Clone, Copy)]
enum SearchState {
    /// Its place in the order.
    Open(u32),
    /// The most that is spent after it.
    Done(u64),
}

/// A node whose answers were all followed, or are about to be.
struct OpenNode {
    node: u32,
    looked: u64,
    /// The dearest answer that stays in the component.
    inner: u64,
    /// The dearest answer that leaves the component, with all that follows it.
    outer: Option<u64>,
}

/// A node on the way from the first.
struct SearchStep {
    /// Its place among the open nodes.
    at: u32,
    edges: Vec<(u32, u64)>,
    /// How many of them were followed.
    followed: usize,
    /// The first open node that can be reached from it.
    low: u32,
}

impl LongestWay {
    /// The most that is spent after a node. `leaving` is asked once for each node, and may end the search
    /// with `None`; nothing is found afterwards, nor after an error.
    ///
    /// # Errors
    /// Those of `leaving`.
    pub(super) fn after<E>(
        &mut self,
        start: u32,
        mut leaving: impl FnMut(u32) -> Result<Option<Leaving>, E>,
    ) -> Result<Option<u64>, E> {
        if let Some(SearchState::Done(most)) = self.known.get(&start) {
            return Ok(Some(*most));
        }
        let Some(from) = leaving(start)? else { return Ok(None) };
        let mut way = vec![self.open(start, from)];
        while let Some(step) = way.last_mut() {
            let Some(&(to, cost)) = step.edges.get(step.followed) else {
                let (at, low) = (step.at, step.low);
                way.pop();
                if low == at {
                    self.close(at as usize);
                } else if let Some(before) = way.last_mut() {
                    before.low = before.low.min(low);
                }
                continue;
            };
            match self.known.get(&to) {
                // It is open, so it leads here: both are of one component.
                Some(&SearchState::Open(place)) => {
                    step.low = step.low.min(place);
                    step.followed += 1;
                    let inner = &mut self.open[step.at as usize].inner;
                    *inner = (*inner).max(cost);
                }
                Some(&SearchState::Done(after)) => {
                    step.followed += 1;
                    let outer = &mut self.open[step.at as usize].outer;
                    *outer = (*outer).max(Some(cost.saturating_add(after)));
                }
                // It is looked at again once all that follows it was seen.
                None => match leaving(to)? {
                    None => return Ok(None),
                    Some(next) => {
                        let next = self.open(to, next);
                        way.push(next);
                    }
                },
            }
        }
        Ok(match self.known.get(&start) {
            Some(SearchState::Done(most)) => Some(*most),
            _ => None,
        })
    }

    fn open(&mut self, node: u32, Leaving { looked, edges }: Leaving) -> SearchStep {
        let at = self.open.len() as u32;
        self.known.insert(node, SearchState::Open(at));
        self.open.push(OpenNode { node, looked, inner: 0, outer: None });
        SearchStep { at, edges, followed: 0, low: at }
    }

    /// Completes a component: all nodes that are open from a place on.
    fn close(&mut self, from: usize) {
        let nodes = &self.open[from..];
        let inside: u128 =
            nodes.iter().map(|one| u128::from(one.looked) + u128::from(one.inner)).sum();
        // Where a way leaves, the answer that leaves takes the place of one that stays.
        let leave = |one: &OpenNode| Some(inside - u128::from(one.inner) + u128::from(one.outer?));
        let most = nodes.iter().filter_map(leave).max().map_or(inside, |leave| leave.max(inside));
        let most = u64::try_from(most).unwrap_or(u64::MAX);
        self.known.extend(nodes.iter().map(|one| (one.node, SearchState::Done(most))));
        self.open.truncate(from);
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use crate::handlers::Generator;

    type Edges = Vec<Vec<(u32, u64)>>;

    fn after(edges: &Edges, start: u32) -> u64 {
        let leaving = |node: u32| -> Result<_, Infallible> {
            Ok(Some(Leaving { looked: 0, edges: edges[node as usize].clone() }))
        };
        LongestWay::default().after(start, leaving).unwrap().unwrap()
    }

    /// The most of all ways that end where they come back, each of them followed.
    fn followed(edges: &Edges, node: u32, way: &mut Vec<u32>) -> u64 {
        if way.contains(&node) {
            return 0;
        }
        way.push(node);
        let most = edges[node as usize].iter().map(|&(to, cost)| cost + followed(edges, to, way));
        let most = most.max().unwrap_or_default();
        way.pop();
        most
    }

    #[test]
    fn a_way_that_meets_a_cycle_from_another_side_is_counted() {
        // 0 leads to 1 and, for 50, to 2; these lead to each other; 1 ends for 100. The dearest way goes by
        // 2, though 1 is found first.
        let edges =
            vec![vec![(1, 0), (2, 50)], vec![(2, 0), (3, 100)], vec![(1, 0), (3, 0)], vec![]];
        assert_eq!(after(&edges, 0), 150);
        assert_eq!(after(&edges, 1), 100);
    }

    #[test]
    fn a_way_may_come_back_once() {
        // To itself for 7, or to the end for 3.
        assert_eq!(after(&vec![vec![(0, 7), (1, 3)], vec![]], 0), 7);
        assert_eq!(after(&vec![vec![(0, 2), (1, 3)], vec![]], 0), 3);
        // Round a cycle of three once: 1 + 2 + 4.
        assert_eq!(after(&vec![vec![(1, 1)], vec![(2, 2)], vec![(0, 4)]], 0), 7);
    }

    #[test]
    fn what_is_spent_at_nodes_counts_and_a_second_search_knows_the_first() {
        // 0 and 1 lead to each other; 1 leads to 2 for 5. At each node its number times ten is spent, and 3 more.
        let edges = [vec![(1, 1)], vec![(0, 2), (2, 5)], vec![]];
        let mut asked = Vec::new();
        let mut leaving = |node: u32| -> Result<_, Infallible> {
            asked.push(node);
            let looked = u64::from(node) * 10 + 3;
            Ok(Some(Leaving { looked, edges: edges[node as usize].clone() }))
        };
        let mut longest = LongestWay::default();
        // At 0, 1 and 2 are spent 3, 13 and 23, on the ways 1 and 5.
        assert_eq!(longest.after(0, &mut leaving), Ok(Some(45)));
        assert_eq!(longest.after(2, &mut leaving), Ok(Some(23)));
        assert_eq!(asked, [0, 1, 2]);
    }

    #[test]
    fn no_way_without_a_return_spends_more_and_without_cycles_one_spends_as_much() {
        let mut rng = Generator::of(31);
        for round in 0..3_000 {
            let nodes = 2 + rng.index(6);
            let acyclic = round % 2 == 0;
            let mut edges: Edges = vec![Vec::new(); nodes];
            for (from, edges) in edges.iter_mut().enumerate() {
                for _ in 0..rng.index(4) {
                    let to = rng.index(nodes);
                    if !acyclic || to > from {
                        edges.push((to as u32, rng.index(20) as u64));
                    }
                }
            }
            let (bound, most) = (after(&edges, 0), followed(&edges, 0, &mut Vec::new()));
            assert!(bound >= most, "{bound} of {most}: {edges:?}");
            assert!(!acyclic || bound == most, "{bound} of {most}: {edges:?}");
        }
    }
}
