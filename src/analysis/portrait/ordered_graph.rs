//! A graph without cycles in topological order, with how often each node is visited and all options of
//! every decision that is reached.

use hashbrown::{HashMap, HashSet};
use indexmap::IndexSet;
use num_bigint::BigUint;

use super::weighted_sums::Weight;
use crate::analysis::Stage;
use crate::analysis::reachable::Chart;
use crate::conflict::Seating;
use crate::error::{Cut, Error};
use crate::graph::{
    Bounds, Graph, Node, NodeKind, Policies, Reach, StoredQuestion, WorkerFactory, explore,
    explore_from,
};

/// A conflict's graph under the agents seated.
pub(super) struct OrderedGraph<A> {
    /// The node at each place.
    pub numbers: Vec<u32>,
    /// How often each place is visited, as it is expected.
    pub visits: Vec<A>,
    /// Where in `edges` those of each place begin, and the end of the last.
    starts: Vec<usize>,
    edges: Vec<Edge<A>>,
}

/// An answer at a place, and where it leads.
pub(super) struct Edge<A> {
    /// The answer's number.
    pub answer: u32,
    /// The place it leads to, which comes later.
    pub to: usize,
    /// How likely it is given; 0 for an option that the agent there never picks.
    pub chance: A,
}

/// Why a graph is not seen whole.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Unexplored {
    /// There is more to see than was allowed.
    TooLarge,
    /// It was stopped.
    Cut(Cut),
}

impl Unexplored {
    fn of(reach: Reach) -> Option<Unexplored> {
        match reach {
            Reach::Whole => None,
            Reach::Cut(cut) => Some(Unexplored::Cut(cut)),
            _ => Some(Unexplored::TooLarge),
        }
    }
}

/// What is counted while a graph is explored that may not be seen whole.
const NODES_AT_MOST: &str = "nodes at most";
/// The bounds are checked once in this many nodes.
const OFTEN: usize = 256;

impl<A: Weight> OrderedGraph<A> {
    /// How many places there are.
    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// The answers at a place: all of a decision that may be reached; none at an end.
    pub(super) fn edges(&self, place: usize) -> &[Edge<A>] {
        match (self.starts.get(place), self.starts.get(place + 1)) {
            (Some(&from), Some(&to)) => &self.edges[from..to],
            _ => &[],
        }
    }

    /// Whether conflicts reach a place.
    pub(super) fn is_visited(&self, place: usize) -> bool {
        self.visits.get(place).is_some_and(|visits| !visits.is_zero())
    }

    pub(super) fn node<'a>(&self, graph: &'a Graph, place: usize) -> Node<'a> {
        graph.node(self.numbers.get(place).copied().unwrap_or_default())
    }

    /// The question at a place; none at an end.
    pub(super) fn question<'a>(
        &self,
        graph: &'a Graph,
        place: usize,
    ) -> Option<&'a StoredQuestion> {
        graph.question(self.node(graph, place))
    }

    /// Puts an explored graph into order.
    pub(super) fn draw(
        seating: &Seating,
        seen: &SeenGraph,
    ) -> Result<Option<OrderedGraph<A>>, Error> {
        let chart = Chart::draw_from(&seen.starts, seating, &seen.policies)?;
        let mut all = edges(seating, seen, &chart)?;
        let Some(order) = order(&all) else { return Ok(None) };
        let mut places = vec![0; order.len()];
        order.iter().enumerate().for_each(|(place, &at)| places[at] = place);
        let root = chart.place(seating.graph.root());
        let root = root.and_then(|at| places.get(at).copied()).unwrap_or(0);
        let mut ordered = OrderedGraph {
            numbers: order.iter().map(|&at| chart.numbers[at]).collect(),
            visits: vec![A::zero(); order.len()],
            starts: vec![0],
            edges: Vec::new(),
        };
        for at in order {
            let edges = std::mem::take(&mut all[at]).into_iter();
            ordered.edges.extend(edges.map(|edge| Edge { to: places[edge.to], ..edge }));
            ordered.starts.push(ordered.edges.len());
        }
        ordered.visit_from(root, seating)?;
        Ok(Some(ordered))
    }

    /// Counts how often each place is visited, from the beginning on.
    fn visit_from(&mut self, root: usize, seating: &Seating) -> Result<(), Error> {
        self.visits[root] = A::one();
        for place in root..self.len() {
            if place % OFTEN == 0 {
                seating.may_continue()?;
            }
            let visits = self.visits[place].clone();
            if visits.is_zero() {
                continue;
            }
            for edge in self.starts[place]..self.starts[place + 1] {
                let Edge { to, chance, .. } = &self.edges[edge];
                let more = visits.mul(chance);
                self.visits[*to].add_assign(&more);
            }
        }
        Ok(())
    }
}

/// The edges at each place of the chart; what they lead to are places of the chart.
fn edges<A: Weight>(
    seating: &Seating,
    seen: &SeenGraph,
    chart: &Chart,
) -> Result<Vec<Vec<Edge<A>>>, Error> {
    let (graph, answers) = (&*seating.graph, &**seating.answers());
    let mut even: HashMap<usize, A> = HashMap::new();
    let mut all: Vec<Vec<Edge<A>>> = Vec::with_capacity(chart.len());
    for (at, &number) in chart.numbers.iter().enumerate() {
        if at % OFTEN == 0 {
            seating.may_continue()?;
        }
        let node = graph.node(number);
        let Some(shares) = seen.policies.shares(graph, number, answers) else {
            all.push(Vec::new());
            continue;
        };
        let weights = shares.weights();
        let total: BigUint = weights.iter().map(|(_, weight)| weight).sum();
        let same = weights.iter().all(|(_, weight)| *weight == weights[0].1);
        let mut chances: Vec<A> = vec![A::zero(); node.answers()];
        for (answer, weight) in &weights {
            let chance = match same {
                true => even
                    .entry(weights.len())
                    .or_insert_with(|| A::ratio(&1u8.into(), &BigUint::from(weights.len())))
                    .clone(),
                false => A::ratio(weight, &total),
            };
            if let Some(own) = chances.get_mut(*answer) {
                *own = chance;
            }
        }
        let wide = seen.wide.contains(&number);
        let edges = chances.into_iter().enumerate().filter(|(_, c)| wide || !c.is_zero());
        let edge = |(answer, chance): (usize, A)| {
            let to = chart.place(node.to(answer))?;
            Some(Edge { answer: u32::try_from(answer).ok()?, to, chance })
        };
        all.push(edges.filter_map(edge).collect());
    }
    Ok(all)
}

/// An order in which nothing leads back; `None` where something does.
fn order<A>(all: &[Vec<Edge<A>>]) -> Option<Vec<usize>> {
    #[derive(Clone, Copy, PartialEq)]
    enum Visit {
        Never,
        Open,
        Left,
    }
    let mut seen = vec![Visit::Never; all.len()];
    let mut left = Vec::with_capacity(all.len());
    for first in 0..all.len() {
        if seen[first] != Visit::Never {
            continue;
        }
        seen[first] = Visit::Open;
        let mut open = vec![(first, 0)];
        while let Some((at, next)) = open.last_mut() {
            match all[*at].get(*next) {
                None => {
                    seen[*at] = Visit::Left;
                    left.push(*at);
                    open.pop();
                }
                Some(edge) => {
                    *next += 1;
                    let to = edge.to;
                    match seen[to] {
                        Visit::Never => {
                            seen[to] = Visit::Open;
                            open.push((to, 0));
                        }
                        Visit::Open => return None,
                        Visit::Left => {}
                    }
                }
            }
        }
    }
    left.reverse();
    Some(left)
}

/// A graph that was explored under the agents seated, and one option further at each decision.
pub(super) struct SeenGraph {
    policies: Policies,
    /// The beginning, and where options lead that no agent picks.
    starts: Vec<u32>,
    /// The nodes of which every answer leads somewhere.
    wide: HashSet<u32>,
    /// How many nodes can be reached from the starts.
    pub nodes: usize,
}

impl SeenGraph {
    /// Explores, at most this many nodes.
    pub(super) fn explore(
        seating: &Seating,
        bounds: Bounds,
        progress: &(dyn Fn(Stage) + Sync),
    ) -> Result<Result<SeenGraph, Unexplored>, Error> {
        let graph = &seating.graph;
        progress(Stage::Begin(NODES_AT_MOST));
        let progress = &|nodes| progress(Stage::Part(NODES_AT_MOST, nodes, bounds.nodes));
        if let Some(why) = Unexplored::of(explore(graph, seating, bounds, progress)?) {
            return Ok(Err(why));
        }
        let policies = seating.policies()?;
        let chart = Chart::draw(seating, &policies)?;
        let (explorer, _) = seating.make_worker()?;
        let (mut wide, mut starts) = (HashSet::new(), vec![graph.root()]);
        // In the order in which they are found, which is the same for any number of threads.
        let mut fresh = IndexSet::new();
        for &number in &chart.numbers {
            let node = graph.node(number);
            if node.kind() != NodeKind::Decision {
                continue;
            }
            wide.insert(number);
            for answer in 0..node.answers() {
                let known = node.to(answer);
                let to = if known == 0 { explorer.next(number, answer)? } else { known };
                if to == 0 {
                    return Ok(Err(Unexplored::TooLarge));
                }
                if chart.place(to).is_none() {
                    fresh.insert(to);
                }
            }
        }
        drop(explorer);
        let fresh: Vec<u32> = fresh.into_iter().collect();
        if !fresh.is_empty() {
            let reach = explore_from(graph, seating, bounds, &fresh, progress)?;
            if let Some(why) = Unexplored::of(reach) {
                return Ok(Err(why));
            }
            starts.extend(fresh);
        }
        let nodes = Chart::draw_from(&starts, seating, &policies)?.len();
        Ok(Ok(SeenGraph { policies, starts, wide, nodes }))
    }
}
