//! A game without cycles in topological order, with how often each place is visited and all options of
//! every decision that is reached.

use hashbrown::HashSet;
use indexmap::IndexSet;

use crate::analysis::Stage;
use crate::conflict::Seating;
use crate::error::Error;
use crate::explored::{ExploredGame, Extent};
use crate::game::Generator;
use crate::graph::{
    Bounds, Graph, Node, NodeKind, Reach, StoredQuestion, WorkerFactory, explore, explore_from,
};
use crate::number::Amount;

/// A conflict's game under the agents seated, in topological order.
pub(super) struct OrderedGraph<A> {
    /// Its places, each before those that it leads to.
    pub(crate) game: ExploredGame,
    /// How often each place is visited, as it is expected.
    pub visits: Vec<A>,
    /// The shares of steps, by their numbers in the weights of the game.
    shares: Vec<A>,
}

/// An answer at a place, and where it leads.
pub(super) struct Edge<'a, A> {
    /// The answer's number.
    pub answer: u32,
    /// The place it leads to, which comes later.
    pub to: usize,
    /// How likely it is given; 0 for an option that the agent there never picks.
    pub chance: &'a A,
}

/// What is counted while a graph is explored that may not be seen whole.
const NODES_AT_MOST: &str = "nodes at most";

impl<A: Amount> OrderedGraph<A> {
    pub(super) fn len(&self) -> usize {
        self.game.len()
    }

    /// The answers at a place: all of a decision that may be reached; none at an end.
    pub(super) fn edges(&self, place: usize) -> impl ExactSizeIterator<Item = Edge<'_, A>> + Clone {
        let edge = move |step: usize, &to: &u32| Edge {
            answer: self.game.answers[step].into(),
            to: to as usize,
            chance: &self.shares[self.game.weights.of[step] as usize],
        };
        let steps = self.game.to.range(place).zip(self.game.to.of(place));
        steps.map(move |(step, to)| edge(step, to))
    }

    pub(super) fn is_visited(&self, place: usize) -> bool {
        self.visits.get(place).is_some_and(|visits| !visits.is_zero())
    }

    pub(super) fn node<'a>(&self, graph: &'a Graph, place: usize) -> Node<'a> {
        graph.node(self.game.nodes.get(place).copied().unwrap_or_default())
    }

    pub(super) fn question<'a>(
        &self,
        graph: &'a Graph,
        place: usize,
    ) -> Option<&'a StoredQuestion> {
        self.game.question(graph, place)
    }

    /// Puts an explored game into order; nothing where its states lead back to each other.
    pub(super) fn of(
        seating: &Seating,
        game: ExploredGame,
    ) -> Result<Option<OrderedGraph<A>>, Error> {
        let Some(game) = game.ordered() else { return Ok(None) };
        let root = game.place(seating.graph.root()).unwrap_or(0);
        let start = [(root as u32, A::one())];
        let visits = game.visits(&game.weights, &start, 1, &|| seating.may_continue().is_ok());
        let visits = visits.map_err(|_| seating.stopped())?;
        let shares = game.weights.shares(A::ratio);
        Ok(Some(OrderedGraph { game, visits, shares }))
    }
}

/// Playouts that are fewer meet too few questions twice, however few there are: one alone never meets any again.
const TELLING: u64 = 8;
/// Where more nodes may be explored, threads do that faster than playouts one after another meet a part of them.
const TRIED: u64 = 100_000;
/// Memory for the graph of these playouts, in bytes.
const MEMORY: u64 = 64 << 20;

/// Whether playouts tell that there are far more nodes than are to be explored: where these were all, of three tenths
/// as many met some 15 % would be known already, or more where some are likelier than others (the birthday problem),
/// and there are less than half of that. The playouts are the same for every seed, on a graph of their own, so that
/// whether a conflict is explored, and in which order, depends on it alone.
pub(super) fn is_far_larger(seating: &Seating, nodes: u64) -> Result<bool, Error> {
    // Under agents whose answers have no table nothing is explored: they need not be asked.
    if nodes > TRIED || !seating.tabulates()? {
        return Ok(false);
    }
    let seating = seating.afresh(MEMORY);
    let (mut runner, enough) = (seating.playout_runner()?, nodes / 10 * 3);
    runner.count_to(u64::MAX);
    let (mut met, mut ran, mut made) = (0, 0, 0);
    for playout in 0..enough {
        if met >= enough {
            break;
        }
        seating.is_wanted()?;
        runner.play(Generator::playout(0, playout))?;
        met += runner.questions();
        ran += runner.ran();
        made += 1;
    }
    Ok(made >= TELLING && (met - ran) * 16 < met)
}

/// Explores a conflict under the agents seated, and one option further at each decision; within bounds. Where it is not
/// seen whole, how far that came.
pub(super) fn explore_beyond(
    seating: &Seating,
    bounds: Bounds,
    progress: &(dyn Fn(Stage) + Sync),
) -> Result<Result<ExploredGame, Reach>, Error> {
    let graph = &seating.graph;
    progress(Stage::Begin(NODES_AT_MOST));
    let progress = &|nodes| progress(Stage::Part(NODES_AT_MOST, nodes, bounds.nodes));
    let reach = explore(graph, seating, bounds, progress)?;
    if reach != Reach::Whole {
        return Ok(Err(reach));
    }
    let policies = seating.policies()?;
    let seated = seating.game(&policies, &[graph.root()])?;
    let (explorer, _) = seating.make_worker()?;
    let (mut wide, mut starts) = (HashSet::new(), vec![graph.root()]);
    // In the order in which they are found, which is the same for any number of threads.
    let mut fresh = IndexSet::new();
    for &number in &seated.nodes {
        let node = graph.node(number);
        if node.kind() != NodeKind::Decision {
            continue;
        }
        wide.insert(number);
        for answer in 0..node.answers() {
            let known = node.to(answer);
            let to = if known == 0 { explorer.next(number, answer)? } else { known };
            if to == 0 {
                return Ok(Err(Reach::Full));
            }
            if seated.place(to).is_none() {
                fresh.insert(to);
            }
        }
    }
    drop((explorer, seated));
    if !fresh.is_empty() {
        let fresh: Vec<u32> = fresh.into_iter().collect();
        let reach = explore_from(graph, seating, bounds, &fresh, progress)?;
        if reach != Reach::Whole {
            return Ok(Err(reach));
        }
        starts.extend(fresh);
    }
    seating.game_with(&policies, &starts, Extent::Beyond(&wide)).map(Ok)
}
