//! What tells an information set from the player's others? What differs in the views, in words.

use std::collections::{BTreeMap, BTreeSet};

use crate::game::Value;
use crate::graph::{Graph, InformationSet, own_answers};

/// For each information set what tells it from the others of the same player and decision: the parts
/// of the view that are not the same at all of them, and what the player answered in this step.
pub fn sees(graph: &Graph, sets: &[InformationSet]) -> Vec<String> {
    let parts: Vec<BTreeMap<String, String>> = sets.iter().map(|set| parts(graph, set)).collect();
    let mut values: BTreeMap<(&str, &str, &str), BTreeSet<Option<&str>>> = BTreeMap::new();
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for (set, parts) in sets.iter().zip(&parts) {
        *counts.entry((&set.player, &set.name)).or_default() += 1;
        for (path, value) in parts {
            values.entry((&set.player, &set.name, path)).or_default().insert(Some(value));
        }
    }
    // What some views do not have tells them apart too.
    let mut met: BTreeMap<(&str, &str, &str), usize> = BTreeMap::new();
    for (set, parts) in sets.iter().zip(&parts) {
        for path in parts.keys() {
            *met.entry((&set.player, &set.name, path)).or_default() += 1;
        }
    }
    for (path, count) in met {
        if count < counts.get(&(path.0, path.1)).copied().unwrap_or_default() {
            values.entry(path).or_default().insert(None);
        }
    }
    let words = |(set, parts): (&InformationSet, &BTreeMap<String, String>)| {
        let differs = |path: &str| {
            values.get(&(&*set.player, &*set.name, path)).is_some_and(|values| values.len() > 1)
        };
        let told = parts.iter().filter(|(path, _)| differs(path));
        told.map(|(path, value)| format!("{path} {value}")).collect::<Vec<_>>().join(", ")
    };
    sets.iter().zip(&parts).map(words).collect()
}

/// The parts of what a player goes by, by their paths.
fn parts(graph: &Graph, set: &InformationSet) -> BTreeMap<String, String> {
    let mut parts = BTreeMap::new();
    take_apart(&set.view, String::new(), &mut parts);
    let own = set.nodes.first().map(|&node| own_answers(graph, node)).unwrap_or_default();
    for (nth, (question, answer)) in own.into_iter().enumerate() {
        let asked = graph.question_of(question);
        let name = asked.map(|asked| asked.name.clone()).unwrap_or_default();
        let value = asked.and_then(|asked| asked.values().get(answer as usize));
        let value = value.map(ToString::to_string).unwrap_or_default();
        // After all of the view, in the order in which they were given.
        parts.insert(format!("\u{10ffff}{nth}own {name}"), value);
    }
    // The mark that orders them is no part of the words.
    let bare = |path: String| match path.strip_prefix('\u{10ffff}') {
        Some(rest) => rest.trim_start_matches(|c: char| c.is_ascii_digit()).to_owned(),
        None => path,
    };
    parts.into_iter().map(|(path, value)| (bare(path), value)).collect()
}

/// Maps, and lists with maps in them, are taken apart; all else is told whole.
fn take_apart(value: &Value, path: String, parts: &mut BTreeMap<String, String>) {
    let below = |key: &str| match path.is_empty() {
        true => key.to_owned(),
        false => format!("{path}.{key}"),
    };
    match value {
        Value::Map(map) => {
            for (key, item) in map {
                take_apart(item, below(key), parts);
            }
        }
        Value::List(items) if items.iter().any(|item| matches!(item, Value::Map(_))) => {
            for (nth, item) in items.iter().enumerate() {
                take_apart(item, below(&(nth + 1).to_string()), parts);
            }
        }
        other => _ = parts.insert(path, other.to_string()),
    }
}
