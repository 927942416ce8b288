//! Lists all that can be called at the prompt: functions of the host and the language, and the
//! functions and variables that lines defined.

use rhai::{AST, Engine, Scope};

use super::LineResult;
use super::evaluator::ARGUMENTS;
use crate::handbook::{Entry, LANGUAGE, YOURS};
use crate::script::describe;

/// All functions of the host and the language that have a name, sorted.
pub(super) fn of_host(engine: &Engine) -> Vec<Entry> {
    let described = describe(LANGUAGE, engine, true).into_iter().map(Entry::from);
    let mut all: Vec<Entry> = described.filter(|entry| is_name(&entry.name)).collect();
    all.dedup();
    all
}

/// The functions that lines of the prompt defined, sorted; closures are left out.
pub(super) fn of_library(library: &AST) -> Vec<Entry> {
    let describe = |function: rhai::ScriptFnMetadata<'_>| {
        let comments = function.comments.iter().flat_map(|comment| comment.lines());
        let lines: Vec<&str> =
            comments.map(|line| line.trim().trim_start_matches("///").trim()).collect();
        let signature = format!("{}({})", function.name, function.params.join(", "));
        yours(function.name, signature, lines.join("\n"))
    };
    let named = library.iter_functions().filter(|function| is_name(function.name));
    let mut all: Vec<Entry> = named.map(describe).collect();
    all.sort_by(|a, b| (&a.name, &a.signature).cmp(&(&b.name, &b.signature)));
    all
}

/// The variables that hold something, each with what kind of thing.
pub(super) fn of_scope(scope: &Scope<'_>) -> Vec<Entry> {
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
    let mut all: Vec<Entry> = scope.iter_raw().filter_map(entry).collect();
    all.sort_by(|a, b| a.name.cmp(&b.name));
    all
}

fn yours(name: &str, signature: String, text: String) -> Entry {
    Entry {
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
