//! Formats plain data for the prompt: on one line if it fits, else as a list or a tree; maps with
//! the same keys as a table.

use super::table;
use crate::game::Value;

/// Data within `width` columns; texts are in quotes to distinguish them from numbers.
pub(crate) fn value(value: &Value, width: usize, plain: bool) -> String {
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
    let rows: Vec<Vec<String>> = items.iter().map(row).collect();
    table(&keys, &rows, width, plain)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(json: &str, width: usize) -> String {
        value(&serde_json::from_str(json).unwrap(), width, true)
    }

    #[test]
    fn what_fits_stands_on_one_line() {
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
}
