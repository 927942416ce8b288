//! Formats the outcome of a conflict: the result, the utilities, and all else that the rules gave.

use crate::game::{Outcome, Value, brief};

/// The outcome as text: the result, then each player's utility, then the rest, key by key.
pub fn outcome(outcome: &Outcome) -> String {
    let mut text = format!("result: {}", brief(&outcome.result));
    for (player, utility) in &outcome.utility {
        text.push_str(&format!("\n  {player} {}", super::signed(*utility)));
    }
    let rest = outcome.value().as_map().into_iter().flatten();
    for (key, value) in rest.filter(|(key, _)| !matches!(key.as_str(), "result" | "utility")) {
        text.push_str(&format!("\n{key}:{}", indented(value)));
    }
    text
}

/// A value below its key: tables of scalars on one line, larger ones line by line.
fn indented(value: &Value) -> String {
    match value {
        Value::Map(map) if !map.is_empty() => {
            map.iter().map(|(key, value)| format!("\n  {key}: {value}")).collect()
        }
        Value::List(items) if items.iter().any(|item| item.as_map().is_some()) => {
            items.iter().map(|item| format!("\n  {item}")).collect()
        }
        other => format!(" {other}"),
    }
}
