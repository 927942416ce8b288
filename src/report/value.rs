//! Formats plain data, distributions and outcomes: on one line if it fits, else as a list or a tree;
//! maps with the same keys as a table.

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::ToPrimitive;
use serde::Serialize;

use super::{Block, Table, aligned, tidy};
use crate::game::{Distribution, Outcome, Value, brief};

/// The word that programs get for one of several.
pub(crate) fn word(of: &impl Serialize) -> String {
    match serde_json::to_value(of) {
        Ok(serde_json::Value::String(word)) => word,
        _ => String::new(),
    }
}

/// Data within `width` columns; texts are in quotes to distinguish them from numbers.
pub(super) fn value(value: &Value, width: usize, plain: bool) -> String {
    let line = on_one_line(value);
    match value {
        Value::List(items) if is_table(items) => rows(items, width, plain),
        _ if line.chars().count() <= width => line,
        Value::List(items) if items.iter().all(is_scalar) => filled(items, width),
        Value::List(_) | Value::Map(_) => {
            let mut text = String::new();
            tree(value, 0, width, &mut text);
            text.trim_end().to_owned()
        }
        _ => line,
    }
}

fn on_one_line(value: &Value) -> String {
    match value {
        Value::Text(text) => format!("{text:?}"),
        other => other.to_string(),
    }
}

fn is_scalar(value: &Value) -> bool {
    value.as_list().is_none() && value.as_map().is_none()
}

/// Two maps or more, all with the same keys and nothing nested.
fn is_table(items: &[Value]) -> bool {
    let Some(first) = items.first().and_then(Value::as_map) else { return false };
    let alike = |item: &Value| {
        item.as_map().is_some_and(|map| {
            map.len() == first.len()
                && map.iter().all(|(key, value)| first.contains_key(key) && is_scalar(value))
        })
    };
    items.len() > 1 && !first.is_empty() && items.iter().all(alike)
}

fn rows(items: &[Value], width: usize, plain: bool) -> String {
    let keys: Vec<&str> = match items.first().and_then(Value::as_map) {
        Some(first) => first.keys().map(String::as_str).collect(),
        None => Vec::new(),
    };
    let row = |item: &Value| {
        keys.iter().map(|key| item.get(key).map(ToString::to_string).unwrap_or_default()).collect()
    };
    Table::new(keys.iter().copied(), items.iter().map(row)).text(width, plain)
}

/// Scalars one after another, with a line break where a line is full.
fn filled(items: &[Value], width: usize) -> String {
    let mut text = "[".to_owned();
    let mut column = 1;
    for (i, item) in items.iter().enumerate() {
        let last = i + 1 == items.len();
        let word = format!("{}{}", on_one_line(item), if last { "]" } else { "," });
        let length = word.chars().count();
        if i > 0 && column + 1 + length > width {
            text.push_str("\n ");
            column = 1;
        } else if i > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(&word);
        column += length;
    }
    text
}

/// One key or item per line; a value that fits stays on the line of its key.
fn tree(value: &Value, depth: usize, width: usize, text: &mut String) {
    let mut branch = |label: String, item: &Value| {
        let line = format!("{}{label}{}", "  ".repeat(depth), on_one_line(item));
        if is_scalar(item) || line.chars().count() <= width {
            text.push_str(&line);
            text.push('\n');
        } else {
            text.push_str(&format!("{}{}\n", "  ".repeat(depth), label.trim_end()));
            tree(item, depth + 1, width, text);
        }
    };
    match value {
        Value::Map(map) => map.iter().for_each(|(key, item)| branch(format!("{key}: "), item)),
        Value::List(items) => items.iter().for_each(|item| branch("- ".to_owned(), item)),
        _ => {}
    }
}

/// The most values that are listed; the rest are counted.
const ROWS: usize = 60;

/// A table of values, weights and chances, and the mean where all values are numbers.
pub(crate) fn distribution(distribution: &Distribution) -> Block {
    let total = distribution.total();
    let pairs = || distribution.values().iter().zip(distribution.weights());
    let percents: Vec<f64> =
        pairs().take(ROWS).map(|(_, weight)| ratio(weight.clone() * 100u8, total)).collect();
    let row = |((value, weight), percent): ((&Value, &BigUint), String)| {
        vec![value.to_string(), weight.to_string(), format!("{percent} %")]
    };
    let rows = pairs().zip(aligned(&percents)).map(row);
    let mut blocks = vec![Block::table(["value", "weight", "chance"], rows)];
    let left = distribution.values().len().saturating_sub(ROWS);
    if left > 0 {
        blocks.push(Block::Sentence(format!("… and {left} values more")));
    }
    let weighed: Option<BigInt> = pairs()
        .map(|(value, weight)| Some(BigInt::from(value.as_int()?) * BigInt::from(weight.clone())))
        .sum();
    blocks.push(Block::Sentence(
        match weighed.map(|sum| BigRational::new(sum, BigInt::from(total.clone()))) {
            Some(mean) => {
                let rounded = tidy(mean.to_f64().unwrap_or(f64::NAN));
                let exact = if mean.is_integer() { String::new() } else { format!(" ({mean})") };
                format!("total {total}, mean {rounded}{exact}")
            }
            None => format!("total {total}"),
        },
    ));
    Block::Group(blocks)
}

fn ratio(part: BigUint, total: &BigUint) -> f64 {
    BigRational::new(part.into(), total.clone().into()).to_f64().unwrap_or(f64::NAN)
}

/// The outcome as text: the result, then each player's utility with its parts, then the rest, key by key.
pub(crate) fn outcome(outcome: &Outcome) -> String {
    let rest = outcome_rest(outcome);
    let between = if rest.is_empty() { "" } else { "\n" };
    format!("{}{between}{rest}", result(outcome))
}

/// The result, then each player's utility with the parts that it is made of.
pub(crate) fn result(outcome: &Outcome) -> String {
    let mut text = format!("result: {}", brief(&outcome.result));
    for (player, utility) in &outcome.utility {
        let parts = parts(outcome, player).map(|parts| format!(": {parts}")).unwrap_or_default();
        text.push_str(&format!("\n  {player} {}{parts}", super::signed(*utility)));
    }
    text
}

/// What the utility of a player is made of: `ford +3, 2 mana paid -2`; nothing where the rules do not say.
pub(crate) fn parts(outcome: &Outcome, player: &str) -> Option<String> {
    let part =
        |(label, number): &(&str, f64)| format!("{} {}", brief(label), super::signed(*number));
    let parts: Vec<String> = outcome.parts(player).iter().map(part).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// The result and the utilities in a line: `draw: red 0, blue 0`.
pub(crate) fn outcome_line(outcome: &Outcome) -> String {
    let utility = outcome.utility.iter();
    let utility = utility.map(|(player, number)| format!("{player} {}", super::signed(*number)));
    format!("{}: {}", outcome.result, utility.collect::<Vec<_>>().join(", "))
}

/// What the rules gave beside the result, the utilities and their parts, key by key; empty where that is nothing.
pub(crate) fn outcome_rest(outcome: &Outcome) -> String {
    let all = outcome.value().as_map().into_iter().flatten();
    let rest = all.filter(|(key, _)| !matches!(key.as_str(), "result" | "utility" | "parts"));
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

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(json: &str, width: usize) -> String {
        value(&serde_json::from_str(json).unwrap(), width, true)
    }

    #[test]
    fn what_fits_is_on_one_line() {
        assert_eq!(shown("\"3\"", 80), "\"3\"");
        assert_eq!(shown(r#"{"a": 1, "b": ["x"]}"#, 80), r#"{ a: 1, b: ["x"] }"#);
    }

    #[test]
    fn what_does_not_fit_is_a_tree() {
        let text = shown(r#"{"white": {"stack": [1, 2, 3], "height": 3}, "over": false}"#, 20);
        assert_eq!(text, "white:\n  stack: [1, 2, 3]\n  height: 3\nover: false");
        assert_eq!(shown("[10, 20, 30, 40, 50]", 10), "[10, 20,\n 30, 40,\n 50]");
    }

    #[test]
    fn maps_of_one_kind_are_a_table() {
        let text = shown(r#"[{"name": "a", "n": 1}, {"name": "b", "n": 20}]"#, 80);
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        assert_eq!(lines.len(), 3, "{text}");
        assert!(lines[0].contains("name") && lines[2].contains("20"), "{text}");
    }

    fn table_of(distribution: &Distribution) -> String {
        super::super::text(&[super::distribution(distribution)], 80, true)
    }

    #[test]
    fn chances_and_the_mean_are_worked_out() {
        // Two coins: 0, 1, 1, 2 heads.
        let pairs = [(0, 1u8), (1, 2), (2, 1)];
        let pairs = pairs.map(|(value, weight)| (Value::Int(value), BigUint::from(weight)));
        let coins = Distribution::new(pairs.to_vec()).unwrap();
        let text = table_of(&coins);
        assert!(text.contains("25 %") && text.contains("50 %"), "{text}");
        // A coin that falls on its edge once in eight times: 12.5 %, beside which 50 % has a place too.
        let edge = [(0, 3u8), (1, 4), (2, 1)];
        let edge = edge.map(|(value, weight)| (Value::Int(value), BigUint::from(weight)));
        let below = table_of(&Distribution::new(edge.to_vec()).unwrap());
        let points: Vec<_> =
            below.lines().skip(1).take(3).map(|line| line.rfind('.').unwrap()).collect();
        assert!(points.windows(2).all(|two| two[0] == two[1]), "{below}");
        assert!(below.contains("50.0 %"), "{below}");
        assert!(text.ends_with("total 4, mean 1"), "{text}");

        let words = vec![(Value::from("hit"), BigUint::from(1u8)), (1.into(), BigUint::from(2u8))];
        let text = table_of(&Distribution::new(words).unwrap());
        assert!(text.contains("33.3333 %") && text.ends_with("total 3"), "{text}");
    }
}
