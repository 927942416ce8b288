//! Writes values as TOML on one line.
//!
//! Tables are written inline, because TOML would otherwise move a table's plain values before its
//! tables, and the order of a setup matters.

use crate::game::Value;

/// Deeper values are refused: readers of TOML give up at about 80.
const DEEPEST: usize = 64;

/// Why a value cannot be written: where in it, and what is wrong there.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unwritable {
    /// The path from the value on: empty, or `.red.stock`, `.wars[0]`.
    pub place: String,
    /// What is wrong.
    pub message: &'static str,
}

/// Writes a value.
///
/// # Errors
/// TOML has no word for nothing, and too deep a value would not read back.
pub(super) fn write(value: &Value, out: &mut String) -> Result<(), Unwritable> {
    write_at(value, &mut String::new(), 0, out)
}

fn write_at(
    value: &Value,
    place: &mut String,
    depth: usize,
    out: &mut String,
) -> Result<(), Unwritable> {
    if depth > DEEPEST {
        let message = "it is nested too deeply to be saved";
        return Err(Unwritable { place: String::new(), message });
    }
    match value {
        Value::Unit => {
            let message = "nothing cannot be saved; leave the key out";
            return Err(Unwritable { place: place.clone(), message });
        }
        Value::Bool(_) | Value::Int(_) => out.push_str(&value.to_string()),
        Value::Float(number) if number.is_nan() => out.push_str("nan"),
        // Rust's `{:?}` writes the shortest number that reads back as itself, always with a point
        // or an exponent, and `inf` as TOML does.
        Value::Float(number) => out.push_str(&format!("{number:?}")),
        Value::Text(text) => out.push_str(&quoted(text)),
        Value::List(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                out.push_str(if i > 0 { ", " } else { "" });
                within(place, &format!("[{i}]"), |place| write_at(item, place, depth + 1, out))?;
            }
            out.push(']');
        }
        Value::Map(map) => {
            out.push('{');
            for (i, (name, item)) in map.iter().enumerate() {
                out.push_str(if i > 0 { ", " } else { " " });
                out.push_str(&key(name));
                out.push_str(" = ");
                within(place, &format!(".{name}"), |place| write_at(item, place, depth + 1, out))?;
            }
            out.push_str(if map.is_empty() { "}" } else { " }" });
        }
    }
    Ok(())
}

/// Does something one level further in.
fn within<T>(place: &mut String, part: &str, work: impl FnOnce(&mut String) -> T) -> T {
    let length = place.len();
    place.push_str(part);
    let result = work(place);
    place.truncate(length);
    result
}

/// A key as it is written in TOML: bare where it may be, else quoted.
pub(super) fn key(name: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !name.is_empty() && name.chars().all(bare) { name.to_owned() } else { quoted(name) }
}

/// A text as it is written in TOML, on one line.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => out.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A value in a message, texts in quotes.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::Text(text) => quoted(text),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(json: &str) -> Value {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn tables_and_lists_keep_their_order_on_one_line() {
        let mut out = String::new();
        let json = r#"{"b": {"x y": "a\n\"b\""}, "a": [1, 0.5, true, {}, [], 1e300], "": -3}"#;
        write(&value(json), &mut out).unwrap();
        assert_eq!(
            out,
            r#"{ b = { "x y" = "a\n\"b\"" }, a = [1, 0.5, true, {}, [], 1e300], "" = -3 }"#
        );
    }

    #[test]
    fn nothing_is_refused_with_its_place() {
        let refused = write(&value(r#"{"a": [{"b": 1}, {"b": null}]}"#), &mut String::new());
        assert_eq!(refused.unwrap_err().place, ".a[1].b");
    }
}
