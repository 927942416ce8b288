//! Length: how many decisions, chance events and steps a conflict has; and what the rules run meanwhile: how
//! often each function, by its clause.

use hashbrown::HashMap;
use serde::{Deserialize, Serialize};

use super::ordered_graph::{Edge, OrderedGraph};
use super::paths::{ValuedGraph, Ways};
use super::portrait_measure::{Measure, WeightedValues};
use crate::conflict::Seating;
use crate::error::Error;
use crate::graph::{NodeKind, WorkerFactory, shared_out};
use crate::number::{Amount, Fraction, Quantity};
use crate::script::{Countable, Counted, Rules, clauses, on_large_stack};

pub(super) fn measures<A: Amount>(
    valued: &ValuedGraph<'_, A>,
    edge_runs: Option<&EdgeRuns>,
    seed: u64,
) -> Vec<Measure> {
    let (ordered, graph) = (&valued.ordered, &*valued.seating.graph);
    let kind = |place: usize| ordered.node(graph, place).kind();
    let decides = |place: usize| u64::from(kind(place) == NodeKind::Decision);
    let falls =
        |place: usize| u64::from(matches!(kind(place), NodeKind::Chance | NodeKind::EvenChance));
    let counted = |name: &str, count: &dyn Fn(usize, usize) -> u64, first: u64| {
        let goes_on =
            |so_far: &u64, place: usize, edge: usize, _: usize| so_far + count(place, edge);
        let ways = Ways::of(ordered, seed, (|_| first, goes_on), |_| 1);
        ways.measure(name, |_, count| Some(*count as f64))
    };
    let mean = |count: &dyn Fn(usize) -> u64| {
        let mut visits = A::zero();
        let counted = (0..ordered.len()).filter(|&place| count(place) > 0);
        counted.for_each(|place| visits.add_assign(&ordered.visits[place]));
        visits.quantity()
    };
    let mut all = Vec::new();
    let mut add = |measure: Option<Measure>, mean: Quantity| {
        let Some(measure) = measure else { return };
        let Measure { name, spread, .. } = measure;
        all.push(Measure { spread, ..Measure::new(name, &mean) });
    };
    let decisions = counted("length.decisions", &|place, _| decides(place), 0);
    add(decisions, mean(&decides));
    let chance = counted("length.chance", &|place, _| falls(place), 0);
    add(chance, mean(&falls));
    if let Some(edge_runs) = edge_runs {
        let count = |place: usize, edge: usize| edge_runs.steps(place, edge);
        let steps = counted("length.steps", &count, edge_runs.beginning.steps);
        let mut weighed = WeightedValues::default();
        for (counted, runs) in edge_runs.runs(ordered) {
            weighed.add(Fraction::from_integer(counted.steps.into()), &runs);
        }
        let none = Quantity::zero();
        add(steps, none.plus(&weighed.mean()));
    }
    all
}

/// How often a function runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClauseUse {
    /// The clause of the rules that the comment above it begins with, if it does.
    pub clause: Option<String>,
    pub function: String,
    /// The house rule that it belongs to, if it belongs to one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub house: Option<String>,
    /// How often it runs in a conflict, on average.
    pub runs: f64,
}

/// A function with its clause and its house rule: `W4 `price` (inflation)`.
pub(super) fn function_name(clause: Option<&str>, function: &str, house: Option<&str>) -> String {
    let clause = clause.map(|clause| format!("{clause} ")).unwrap_or_default();
    let house = house.map(|house| format!(" ({house})")).unwrap_or_default();
    format!("{clause}`{function}`{house}")
}

pub(super) struct EdgeRuns {
    /// What is run, each different one once.
    profiles: Vec<Counted>,
    /// The number of the profile of each edge, by the place and the number of the edge; none where no
    /// conflict comes.
    of_edges: Vec<Vec<u32>>,
    /// What is run up to the first question.
    beginning: Counted,
}

impl EdgeRuns {
    /// Runs every edge that is taken once more.
    pub(super) fn run<A: Amount>(
        seating: &Seating,
        ordered: &OrderedGraph<A>,
        threads: usize,
    ) -> Result<EdgeRuns, Error> {
        let worker = || {
            let (explorer, _) = seating.make_worker()?;
            Ok(move |place: usize| -> Result<Vec<Counted>, Error> {
                if !ordered.is_visited(place) {
                    return Ok(Vec::new());
                }
                seating.is_wanted()?;
                let node = ordered.game.nodes[place];
                let leg = |edge: Edge<'_, A>| match edge.chance.is_zero() {
                    true => Ok(Counted::default()),
                    false => explorer.leg(node, edge.answer),
                };
                let edge_runs = ordered.edges(place).map(leg).collect();
                explorer.drop_suspended(node);
                edge_runs
            })
        };
        let worked = shared_out(threads, ordered.len(), worker)?;
        if let Some(cut) = worked.cut {
            return Err(cut);
        }
        let mut of_edges = vec![Vec::new(); ordered.len()];
        let mut numbers: HashMap<Counted, u32> = HashMap::new();
        let mut profiles = Vec::new();
        for (place, counted) in worked.done.into_iter().enumerate() {
            let number = |counted: Counted| {
                *numbers.entry(counted).or_insert_with_key(|counted| {
                    profiles.push(counted.clone());
                    u32::try_from(profiles.len() - 1).unwrap_or(u32::MAX)
                })
            };
            of_edges[place] = counted.into_iter().map(number).collect();
        }
        let beginning = on_large_stack(|| seating.make_worker()?.0.leg(0, 0))?;
        Ok(EdgeRuns { profiles, of_edges, beginning })
    }

    /// How many steps are begun after an answer, before the next question.
    pub(super) fn steps(&self, place: usize, edge: usize) -> u64 {
        let number = self.of_edges.get(place).and_then(|edges| edges.get(edge));
        let profile = number.and_then(|number| self.profiles.get(*number as usize));
        profile.map_or(0, |counted| counted.steps)
    }

    /// How often each profile is run in a conflict, as it is expected.
    pub(super) fn runs<A: Amount>(&self, ordered: &OrderedGraph<A>) -> Vec<(&Counted, A)> {
        let mut often = vec![A::zero(); self.profiles.len()];
        for (place, edges) in self.of_edges.iter().enumerate() {
            for (edge, &profile) in ordered.edges(place).zip(edges) {
                let visits = ordered.visits[place].mul(edge.chance);
                if let Some(own) = often.get_mut(profile as usize) {
                    own.add_assign(&visits);
                }
            }
        }
        let begun = std::iter::once((&self.beginning, A::one()));
        begun.chain(self.profiles.iter().zip(often)).collect()
    }
}

/// The functions of the rules with how often each runs, by its number.
pub(super) fn uses(rules: &Rules, runs: &HashMap<u16, f64>) -> Vec<ClauseUse> {
    let name_of = |one: Countable| {
        let runs = runs.get(&one.number).copied().unwrap_or_default();
        // A function that another overrides, and that is never called, is no part of these rules; what
        // checks the setup or words a question is no part of a conflict.
        (runs > 0.0 || !one.is_below && !one.is_beside).then(|| ClauseUse {
            clause: clauses(&one.comments).map(|(clause, _)| clause.to_owned()),
            function: one.name,
            house: one.house,
            runs,
        })
    };
    rules.countable().into_iter().filter_map(name_of).collect()
}
