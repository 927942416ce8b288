//! Look-ups by name while a line is typed: functions, the texts that define them, keys of maps, kinds of values.

use rhai::{Dynamic, Map};

use super::Lab;
use super::functions::of_library;
use crate::handbook::Entry;

impl Lab {
    /// The functions that lines defined.
    pub fn functions(&self) -> Vec<Entry> {
        of_library(&self.library)
    }

    /// The texts that defined functions, the newest first, each with the name of its file and the
    /// number of its first line there.
    pub fn defining(&self) -> impl Iterator<Item = (&str, usize, &str)> {
        self.kept.iter().rev().map(|chunk| match chunk.name.parse() {
            Ok(first) => (self.name.as_str(), first, chunk.text.as_str()),
            Err(_) => (chunk.name.as_str(), 1, chunk.text.as_str()),
        })
    }

    /// The keys of the map that a variable holds, or a map within it: of `a.b` where the path is
    /// `["a", "b"]`. None where there is no map.
    pub fn keys(&self, path: &[&str]) -> Vec<String> {
        let Some((name, within)) = path.split_first() else { return Vec::new() };
        self.scope.get(name).map(|value| keys_of(value, within)).unwrap_or_default()
    }

    /// The kind of the value that a variable holds, or a map within it, in a word of the documentation.
    /// None where there is no such value.
    pub fn kind(&self, path: &[&str]) -> Option<String> {
        let (name, within) = path.split_first()?;
        let name = type_of(self.scope.get(name)?, within)?;
        Some(match self.engine.map_type_name(name) {
            "array" => "list".to_owned(),
            "i64" => "whole number".to_owned(),
            "f64" => "number".to_owned(),
            "string" => "text".to_owned(),
            "bool" => "truth value".to_owned(),
            other => other.to_lowercase(),
        })
    }
}

fn type_of(value: &Dynamic, path: &[&str]) -> Option<&'static str> {
    match path.split_first() {
        None => Some(value.type_name()),
        Some((key, within)) => type_of(value.read_lock::<Map>()?.get(*key)?, within),
    }
}

fn keys_of(value: &Dynamic, path: &[&str]) -> Vec<String> {
    let Some(map) = value.read_lock::<Map>() else { return Vec::new() };
    match path.split_first() {
        None => map.keys().map(ToString::to_string).collect(),
        Some((key, within)) => {
            map.get(*key).map(|value| keys_of(value, within)).unwrap_or_default()
        }
    }
}
