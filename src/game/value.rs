//! Plain data: the values that setups, options, views and outcomes are made of.

use std::fmt;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

/// Plain data, as scripts and files exchange it. Maps keep the order they were built in.
///
/// Numbers compare by value (`1` equals `1.0`) and maps by their entries, in any order.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// Nothing: `()` in scripts, `null` in JSON.
    #[default]
    Unit,
    /// A truth value.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// Any other number; only parameters and utilities hold one.
    Float(f64),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Value>),
    /// Named values.
    Map(IndexMap<String, Value>),
}

/// The most letters that a message gives to one value, or to one entry of a history.
const BRIEF: usize = 200;

/// A value, an entry or a name as messages show it: scripts make them of any length.
pub(crate) fn brief(shown: &impl fmt::Display) -> String {
    let text = shown.to_string();
    match text.char_indices().nth(BRIEF) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// The most bytes that a map takes for an entry beside its key and its value.
const HASHED: usize = 64;

impl Value {
    /// Calls `visit` with all keys and texts in it, in their order.
    pub fn names<'a>(&'a self, visit: &mut impl FnMut(&'a str)) {
        match self {
            Value::Text(text) => visit(text),
            Value::List(items) => items.iter().for_each(|item| item.names(visit)),
            Value::Map(map) => map.iter().for_each(|(key, item)| {
                visit(key);
                item.names(visit);
            }),
            _ => {}
        }
    }

    /// The text, if this is one.
    pub fn as_text(&self) -> Option<&str> {
        if let Value::Text(text) = self { Some(text) } else { None }
    }

    /// The whole number, if this is one.
    pub fn as_int(&self) -> Option<i64> {
        if let Value::Int(number) = self { Some(*number) } else { None }
    }

    pub(crate) fn as_number(&self) -> Option<f64> {
        match self {
            Value::Int(number) => Some(*number as f64),
            Value::Float(number) => Some(*number),
            _ => None,
        }
    }

    /// Part and whole of a fraction, if this is a pair of whole numbers whose second is not 0.
    pub(crate) fn as_pair(&self) -> Option<(i64, i64)> {
        match self.as_list()? {
            [Value::Int(part), Value::Int(whole)] if *whole != 0 => Some((*part, *whole)),
            _ => None,
        }
    }

    /// The number that a utility is: any number, or a fraction as a pair.
    pub(crate) fn as_utility(&self) -> Option<f64> {
        let quotient = |(part, whole): (i64, i64)| part as f64 / whole as f64;
        self.as_number().or_else(|| self.as_pair().map(quotient))
    }

    /// The list's items, if this is a list.
    pub fn as_list(&self) -> Option<&[Value]> {
        if let Value::List(items) = self { Some(items) } else { None }
    }

    /// The map, if this is one.
    pub fn as_map(&self) -> Option<&IndexMap<String, Value>> {
        if let Value::Map(map) = self { Some(map) } else { None }
    }

    /// The value under a key, if this is a map that has it.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.as_map().and_then(|map| map.get(key))
    }

    /// What a person calls this kind of value: `a text`, `a whole number`, …
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Unit => "nothing",
            Value::Bool(_) => "true or false",
            Value::Int(_) => "a whole number",
            Value::Float(_) => "a number",
            Value::Text(_) => "a text",
            Value::List(_) => "a list",
            Value::Map(_) => "a table",
        }
    }

    /// The most bytes that it takes beside those of its own place.
    pub fn bytes(&self) -> usize {
        let entry = 2 * (size_of::<(String, Value)>() + HASHED);
        match self {
            Value::Text(text) => 2 * text.len(),
            Value::List(items) => {
                items.iter().map(|item| 2 * size_of::<Value>() + item.bytes()).sum()
            }
            Value::Map(map) => {
                let entries = map.iter().map(|(key, item)| entry + 2 * key.len() + item.bytes());
                HASHED + entries.sum::<usize>()
            }
            _ => 0,
        }
    }

    /// The value as one line that reads back as itself: JSON.
    pub fn literal(&self) -> String {
        literal(self)
    }
}

/// Data as one line of JSON.
pub(crate) fn literal(data: &impl Serialize) -> String {
    let json = serde_json::to_string(data).unwrap_or_else(|_| "null".to_owned());
    // JSON escapes the old control characters alone; those above ASCII command terminals too.
    if !json.contains(char::is_control) {
        return json;
    }
    let escaped = |letter: char| match letter.is_control() {
        true => format!("\\u{:04x}", u32::from(letter)),
        false => letter.to_string(),
    };
    json.chars().map(escaped).collect()
}

impl fmt::Display for Value {
    /// As a person reads it: texts bare at the top, quoted within lists and maps.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Unit => f.write_str("nothing"),
            Value::Bool(truth) => write!(f, "{truth}"),
            Value::Int(number) => write!(f, "{number}"),
            Value::Float(number) => write!(f, "{number}"),
            Value::Text(text) => f.write_str(text),
            Value::List(items) => {
                f.write_str("[")?;
                for (i, item) in items.iter().enumerate() {
                    if i > 0 {
                        f.write_str(", ")?;
                    }
                    write_quoted(item, f)?;
                }
                f.write_str("]")
            }
            Value::Map(map) => {
                f.write_str("{")?;
                for (i, (key, item)) in map.iter().enumerate() {
                    f.write_str(if i > 0 { ", " } else { " " })?;
                    write!(f, "{key}: ")?;
                    write_quoted(item, f)?;
                }
                f.write_str(if map.is_empty() { "}" } else { " }" })
            }
        }
    }
}

fn write_quoted(value: &Value, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match value {
        Value::Text(text) => write!(f, "{text:?}"),
        other => write!(f, "{other}"),
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Unit, Value::Unit) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Float(a), Value::Float(b)) => a == b,
            (Value::Int(a), Value::Float(b)) | (Value::Float(b), Value::Int(a)) => *a as f64 == *b,
            (Value::Text(a), Value::Text(b)) => a == b,
            (Value::List(a), Value::List(b)) => a == b,
            (Value::Map(a), Value::Map(b)) => a == b,
            _ => false,
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Text(text.to_owned())
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Value {
        Value::Int(number)
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Value {
        Value::Bool(truth)
    }
}

/// The name of an option as people see and type it: `yes` and `no` for true and false.
pub(crate) fn option_name(option: &Value) -> String {
    match option {
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_compare_by_value_and_maps_by_entries() {
        assert_eq!(Value::Int(1), Value::Float(1.0));
        assert_ne!(Value::Int(1), Value::from("1"));
        let ab = [("a", 1), ("b", 2)];
        let forth = ab.iter().map(|(k, v)| (k.to_string(), Value::Int(*v)));
        let back = ab.iter().rev().map(|(k, v)| (k.to_string(), Value::Int(*v)));
        assert_eq!(Value::Map(forth.collect()), Value::Map(back.collect()));
    }

    #[test]
    fn a_literal_reads_back_as_itself() {
        for value in [
            Value::Int(-3),
            Value::from("a \"b\""),
            Value::Unit,
            Value::Float(0.5),
            Value::from("\u{9b}2J"),
        ] {
            assert_eq!(serde_json::from_str::<Value>(&value.literal()).unwrap(), value);
        }
    }

    #[test]
    fn names_are_keys_and_texts_in_the_order_of_the_file() {
        let setup = r#"{"note": "\"cato\" is late", "z": {"o\u0301": ["cato"]}, "a": [1, "bren"]}"#;
        let setup: Value = serde_json::from_str(setup).unwrap();
        let mut found = Vec::new();
        setup.names(&mut |name| found.push(name));
        let expected = ["note", "\"cato\" is late", "z", "o\u{301}", "cato", "a", "bren"];
        assert_eq!(found, expected);
    }
}
