//! What is counted from question to question: decisions, options, chance events and steps; and how often each
//! function of the rules runs meanwhile, by its clause.

use std::collections::BTreeMap;

use hashbrown::HashMap;
use indexmap::IndexSet;
use serde::{Deserialize, Serialize};

use super::ended::Leg;
use super::glossary::{By, GLOSSARY, Meaning};
use super::portrait_measure::{Measure, NumberCounts, WeightedValues, of_ratio};
use super::valued_graph::{ValuedGraph, Ways};
use crate::analysis::visits::{Edge, Visited};
use crate::conflict::Seating;
use crate::error::{Error, in_code};
use crate::graph::{NodeKind, WorkerFactory, shared_out};
use crate::number::{Amount, Fraction, Quantity};
use crate::script::{Countable, Counted, Rules, clauses, on_large_stack};

/// What is counted of legs, as far as it is wanted: the mean is the sum over all legs, each as often as it is taken.
pub(super) fn measures<A: Amount>(
    valued: &ValuedGraph<'_, A>,
    edge_runs: Option<&EdgeRuns>,
    seed: u64,
    wants: &dyn Fn(&str) -> bool,
) -> Vec<Measure> {
    let (visited, graph) = (&valued.visited, &*valued.seating.graph);
    let leg = |place: usize, edge: usize| {
        let node = visited.node(graph, place);
        let decisions = u64::from(node.kind() == NodeKind::Decision);
        Leg {
            decisions,
            chance: u64::from(matches!(node.kind(), NodeKind::Chance | NodeKind::EvenChance)),
            options: decisions * node.answers() as u64,
            steps: edge_runs.map(|runs| runs.steps(place, edge)),
        }
    };
    let steps = edge_runs.map(|runs| runs.beginning.steps);
    let beginning = Leg { steps, ..Leg::default() };
    let mean = |count: &dyn Fn(&Leg) -> u64| {
        let mut weighed = WeightedValues::default();
        let mut add = |count: u64, often: &A| match count {
            0 => {}
            count => weighed.add(Fraction::from_integer(count.into()), often),
        };
        add(count(&beginning), &A::one());
        for place in (0..visited.game.len()).filter(|&place| visited.is_visited(place)) {
            let visits = &visited.visits[place];
            let counts = visited.edges(place).enumerate();
            let counts: Vec<(u64, &A)> =
                counts.map(|(nth, edge)| (count(&leg(place, nth)), edge.chance)).collect();
            match &counts[..] {
                [(first, _), rest @ ..] if rest.iter().all(|(other, _)| other == first) => {
                    add(*first, visits);
                }
                counts => counts.iter().for_each(|(count, share)| add(*count, &visits.mul(share))),
            }
        }
        weighed.mean()
    };
    let measure = |meaning: &Meaning| match meaning.by {
        By::Leg(count) => {
            let begins = count(&beginning)?;
            let count = |leg: &Leg| count(leg).unwrap_or_default();
            let along = |so_far: &mut u64, place: usize, edge: usize, _: usize| {
                *so_far += count(&leg(place, edge));
            };
            let ways = Ways::of(visited, seed, (begins, along), |_| 1);
            let Measure { spread, .. } = ways.measure(meaning.name, |_, all| Some(*all as f64))?;
            Some(Measure { spread, ..Measure::new(meaning.name, &mean(&count)) })
        }
        By::Ratio([part, whole]) => {
            Some(Measure::new(meaning.name, &mean(&part).over(&mean(&whole))?))
        }
        _ => None,
    };
    GLOSSARY.iter().filter(|meaning| wants(meaning.name)).filter_map(measure).collect()
}

/// The same of playouts, each different one with how often it came; `each` are all of them in their order, where they
/// are kept.
pub(super) fn sampled(legs: &BTreeMap<Leg, u64>, each: &[Leg]) -> Vec<Measure> {
    let measure = |meaning: &Meaning| match meaning.by {
        By::Leg(count) => {
            let mut seen = NumberCounts::default();
            let counted = legs.iter().filter_map(|(leg, times)| Some((count(leg)?, times)));
            counted.for_each(|(count, times)| seen.add_times(count as f64, *times));
            let values = each.iter().map(|leg| Some(count(leg)? as f64)).collect();
            Some(seen.measure(meaning.name)?.with_values(values))
        }
        By::Ratio([part, whole]) => {
            let mut pairs: BTreeMap<(u64, u64), u64> = BTreeMap::new();
            for (leg, times) in legs {
                *pairs.entry((part(leg), whole(leg))).or_default() += times;
            }
            let pairs = pairs.into_iter();
            let pairs = pairs.map(|((part, whole), times)| ((part as f64, whole as f64), times));
            let ratio = Quantity::tallied_ratio(&pairs.collect::<Vec<_>>())?;
            let pair = |leg: &Leg| (part(leg) as f64, whole(leg) as f64);
            let values = of_ratio(&each.iter().map(pair).collect::<Vec<_>>());
            Some(Measure::new(meaning.name, &ratio).with_values(values))
        }
        _ => None,
    };
    GLOSSARY.iter().filter_map(measure).collect()
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
    format!("{clause}{}{house}", in_code(function))
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
    pub(super) fn run<A: Amount>(
        seating: &Seating,
        visited: &Visited<A>,
        threads: usize,
    ) -> Result<EdgeRuns, Error> {
        let worker = || {
            let (explorer, _) = seating.make_worker()?;
            Ok(move |place: usize| -> Result<Vec<Counted>, Error> {
                if !visited.is_visited(place) {
                    return Ok(Vec::new());
                }
                seating.is_wanted()?;
                let node = visited.game.nodes[place];
                let leg = |edge: Edge<'_, A>| match edge.chance.is_zero() {
                    true => Ok(Counted::default()),
                    false => explorer.leg(node, edge.answer),
                };
                let edge_runs = visited.edges(place).map(leg).collect();
                explorer.drop_suspended(node);
                edge_runs
            })
        };
        let worked = shared_out(threads, visited.game.len(), worker)?;
        if let Some(cut) = worked.cut {
            return Err(cut);
        }
        let mut of_edges = vec![Vec::new(); visited.game.len()];
        let mut profiles: IndexSet<Counted> = IndexSet::new();
        for (place, counted) in worked.done.into_iter().enumerate() {
            let number = |counted| profiles.insert_full(counted).0 as u32;
            of_edges[place] = counted.into_iter().map(number).collect();
        }
        let profiles = profiles.into_iter().collect();
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
    pub(super) fn runs<A: Amount>(&self, visited: &Visited<A>) -> Vec<(&Counted, A)> {
        let mut often = vec![A::zero(); self.profiles.len()];
        for (place, edges) in self.of_edges.iter().enumerate() {
            for (edge, &profile) in visited.edges(place).zip(edges) {
                let visits = visited.visits[place].mul(edge.chance);
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
        (runs > 0.0 || !one.is_apart).then(|| ClauseUse {
            clause: clauses(&one.comments).map(|(clause, _)| clause.to_owned()),
            function: one.name,
            house: one.house,
            runs,
        })
    };
    rules.countable().into_iter().filter_map(name_of).collect()
}
