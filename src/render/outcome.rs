//! Formats the outcome of a conflict: the result, the utilities, and all else that the rules gave.

use crate::game::{Outcome, Value, brief};

/// The outcome as text: the result, then each player's utility, then the rest, key by key.
pub(crate) fn outcome(outcome: &Outcome) -> String {
    let rest = outcome_rest(outcome);
    let between = if rest.is_empty() { "" } else { "\n" };
    format!("{}{between}{rest}", result(outcome))
}

/// The result, then each player's utility.
pub(crate) fn result(outcome: &Outcome) -> String {
    let mut text = format!("result: {}", brief(&outcome.result));
    for (player, utility) in &outcome.utility {
        text.push_str(&format!("\n  {player} {}", super::signed(*utility)));
    }
    text
}

/// What the rules gave beside the result and the utilities, key by key; empty where that is nothing.
pub(crate) fn outcome_rest(outcome: &Outcome) -> String {
    let all = outcome.value().as_map().into_iter().flatten();
    let rest = all.filter(|(key, _)| !matches!(key.as_str(), "result" | "utility"));
    let lines: Vec<String> =
        rest.map(|(key, value)| format!("{key}:{}", indented(value))).collect();
    lines.join("\n")
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
