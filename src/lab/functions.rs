//! Lists what can be called at the prompt: functions of the host and the language, functions and variables that
//! lines defined; and finds keys of maps and kinds of values by name.

use rhai::{AST, Engine, Scope};

use super::Lab;
use super::LineResult;
use super::evaluator::ARGUMENTS;
use crate::handbook::{HandbookEntry, LANGUAGE, YOURS};
use crate::script::describe;
use rhai::{Dynamic, Map};

/// All functions of the host and the language that have a name, sorted.
pub(super) fn of_host(engine: &Engine) -> Vec<HandbookEntry> {
    let described = describe(LANGUAGE, engine, true).into_iter().map(HandbookEntry::from);
    let mut all: Vec<HandbookEntry> = described.filter(|entry| is_name(&entry.name)).collect();
    all.dedup();
    all
}

/// The functions that lines of the prompt defined, sorted; closures are left out.
pub(super) fn of_library(library: &AST) -> Vec<HandbookEntry> {
    let describe = |function: rhai::ScriptFnMetadata<'_>| {
        let comments = function.comments.iter().flat_map(|comment| comment.lines());
        let lines: Vec<&str> =
            comments.map(|line| line.trim().trim_start_matches("///").trim()).collect();
        let signature = format!("{}({})", function.name, function.params.join(", "));
        yours(function.name, signature, lines.join("\n"))
    };
    let named = library.iter_functions().filter(|function| is_name(function.name));
    let mut all: Vec<HandbookEntry> = named.map(describe).collect();
    all.sort_by(|a, b| (&a.name, &a.signature).cmp(&(&b.name, &b.signature)));
    all
}

/// The variables that hold something, each with what kind of thing.
pub(super) fn of_scope(scope: &Scope<'_>) -> Vec<HandbookEntry> {
    let entry = |(name, _, value): (&str, bool, &rhai::Dynamic)| {
        let empty = value.as_array_ref().is_ok_and(|items| items.is_empty());
        let kind = match LineResult::of(value) {
            LineResult::Nothing => return None,
            // Nobody handed anything over.
            _ if name == ARGUMENTS && empty => return None,
            LineResult::Sheet(_) => "table of rows".to_owned(),
            LineResult::Figures(_) => "figure".to_owned(),
            LineResult::Value(value) | LineResult::Result(_, value) => value.kind().to_owned(),
            LineResult::Distribution(_) => "distribution".to_owned(),
            LineResult::Other(text) => text,
        };
        Some(yours(name, name.to_owned(), format!("A variable: {kind}.")))
    };
    let mut all: Vec<HandbookEntry> = scope.iter_raw().filter_map(entry).collect();
    all.sort_by(|a, b| a.name.cmp(&b.name));
    all
}

fn yours(name: &str, signature: String, text: String) -> HandbookEntry {
    HandbookEntry {
        family: YOURS.to_owned(),
        name: name.to_owned(),
        signature,
        text,
        example: String::new(),
        at: None,
    }
}

fn is_name(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(|first| first.is_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_alphanumeric() || letter == '_')
}

impl Lab {
    /// The functions that lines defined.
    pub fn functions(&self) -> Vec<HandbookEntry> {
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
