//! Finds the keys of a state that take ever new values, so that states never repeat and a graph never ends.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::catalog::below;
use crate::conflict::Seating;
use crate::error::Error;
use crate::game::Value;
use crate::graph::{Bounds, Graph, Reach, WorkerFactory, explore};
use crate::report;
use crate::script::Budget;

/// This much is explored anew, in the same order on every machine: by one thread, along the last answers first.
const NODES: u64 = 3_000;
const MEMORY: u64 = 16 << 20;
/// Fewer states say nothing, and states of more parts take too long.
const STATES: usize = 100;
const PARTS: usize = 1_000;
/// A key that still takes new values has taken at least this many: rounds that are counted up to a limit take fewer.
const VALUES: usize = 100;
const NAMED: usize = 3;

/// What keeps states from repeating, in a sentence, if something does: keys that take new values to the end
/// and without which only few of the states would differ.
pub(in crate::analysis) fn growing_state(seating: &Seating) -> Option<String> {
    let interrupt = seating.budget().interrupt().cloned();
    let budget = Budget::new(MEMORY).interrupted_by(interrupt);
    let seating = seating.unmanned().under(budget).afresh(MEMORY);
    // What fails here has failed before, and was reported.
    let states = first_states(&seating).ok()??;
    let growing = growing(&states);
    let rest: HashSet<u64> = states.iter().map(|state| state.hash_without(&growing)).collect();
    if growing.is_empty() || states.len() < STATES || rest.len() * 4 > states.len() {
        return None;
    }
    let names = report::ticked(&growing);
    let names = match names.len() > NAMED {
        true => report::some_of(names, NAMED, ", "),
        false => report::enumerated(&names),
    };
    let take = if growing.len() == 1 { "takes" } else { "take" };
    Some(format!(
        "states hardly ever repeat: {names} in the state {take} ever new values, and without that the first {} \
         would be {}; bound what grows, or keep it out of the state",
        report::many(states.len() as u64, "state"),
        rest.len()
    ))
}

/// The states of the first nodes, in the order in which they were met; nothing where these are all.
fn first_states(seating: &Seating) -> Result<Option<Vec<StateParts>>, Error> {
    let bounds = Bounds { threads: 1, nodes: NODES };
    if explore(&seating.graph, seating, bounds, &|_| ())? == Reach::Whole {
        return Ok(None);
    }
    let (explorer, _) = seating.make_worker()?;
    let graph = &seating.graph;
    let mut states = Vec::new();
    for number in step_beginnings(graph) {
        let bytes = graph.state_bytes(graph.node(number));
        let state = bytes.and_then(|bytes| explorer.rules().read_state(&bytes));
        let Some(state) = state else { continue };
        let mut parts = StateParts::default();
        parts.add(String::new(), &state.value());
        if parts.leaves.len() > PARTS {
            return Ok(None);
        }
        states.push(parts);
    }
    Ok(Some(states))
}

/// The nodes at which a step begins or the conflict has ended, in the order in which they were made.
fn step_beginnings(graph: &Graph) -> Vec<u32> {
    let mut beginnings = graph.reached();
    beginnings.retain(|&number| graph.node(number).before().0 == 0);
    beginnings.sort_unstable();
    beginnings
}

#[derive(Default)]
struct StateParts {
    /// What may grow: a number or a text, or how long a list or a map is.
    sizes: BTreeMap<String, u64>,
    /// The hash of each part that has no parts itself, with its path.
    leaves: Vec<(String, u64)>,
}

impl StateParts {
    fn add(&mut self, path: String, value: &Value) {
        let items: Vec<(String, &Value)> = match value {
            Value::Map(map) => map.iter().map(|(key, item)| (below(&path, key), item)).collect(),
            Value::List(items) => {
                let items = items.iter().enumerate();
                items.map(|(at, item)| (format!("{path}[{at}]"), item)).collect()
            }
            _ => Vec::new(),
        };
        let size = match value {
            Value::Map(_) | Value::List(_) => items.len() as u64,
            scalar => hash(&scalar.literal()),
        };
        self.leaves.push((path.clone(), hash(&(&path, size))));
        self.sizes.insert(path, size);
        items.into_iter().for_each(|(path, item)| self.add(path, item));
    }

    /// The same for states that differ only in these parts.
    fn hash_without(&self, paths: &BTreeSet<String>) -> u64 {
        let kept = self.leaves.iter().filter(|(path, _)| !is_below(path, paths));
        kept.fold(0, |sum: u64, (_, leaf)| sum.wrapping_add(*leaf))
    }
}

fn is_below(path: &str, paths: &BTreeSet<String>) -> bool {
    paths.iter().any(|above| {
        let rest = path.strip_prefix(above.as_str());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    })
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// The outermost paths that have taken many values, half as many more in the second half of the states as
/// in the first.
fn growing(states: &[StateParts]) -> BTreeSet<String> {
    let mut values: BTreeMap<&str, HashSet<u64>> = BTreeMap::new();
    let mut before: BTreeMap<&str, usize> = BTreeMap::new();
    for (at, state) in states.iter().enumerate() {
        if at == states.len() / 2 {
            before = values.iter().map(|(path, values)| (*path, values.len())).collect();
        }
        for (path, size) in &state.sizes {
            values.entry(path).or_default().insert(*size);
        }
    }
    let grows = |(path, values): &(&str, HashSet<u64>)| {
        let before = before.get(path).copied().unwrap_or_default();
        values.len() >= VALUES && values.len() * 2 >= before * 3
    };
    let all: BTreeSet<String> =
        values.into_iter().filter(grows).map(|(path, _)| path.to_owned()).collect();
    let is_inner = |path: &&String| {
        all.iter().any(|other| other != *path && is_below(path, &BTreeSet::from([other.clone()])))
    };
    all.iter().filter(|path| !is_inner(path)).cloned().collect()
}
