//! The documentation of what scripts can call: doc comments, sorted, for `fracas doc` and the handbook.

use rhai::Engine;

use super::FAMILIES;
use super::primitive::{ArgumentKind, Primitive};

/// What people may read of one primitive. One with several forms has one of these for each.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Doc {
    /// The family it belongs to: `stacks`, `counting`, …
    pub family: &'static str,
    /// The name it is called by.
    pub name: String,
    /// How many arguments it takes.
    pub arguments: usize,
    /// Its arguments and result: `fewest_first(counts: map, order: list) -> list`.
    pub signature: String,
    /// What it does, in plain words; the first line is a sentence of its own.
    pub text: String,
    /// Lines of code with what comes out: `` `surplus(5, 2)` is `3` ``.
    pub example: String,
    /// It changes its first argument, so it is to be called on a variable or in method style.
    pub changes: bool,
}

impl Doc {
    /// The examples as pairs of code and result.
    pub fn examples(&self) -> impl Iterator<Item = (&str, &str)> {
        self.example
            .lines()
            .filter_map(|line| line.strip_prefix('`')?.strip_suffix('`')?.split_once("` is `"))
    }
}

/// All primitives, by family and name, those with fewer arguments first.
pub fn documentation() -> Vec<Doc> {
    let of_family = |&(family, primitives): &(&'static str, &'static [Primitive])| {
        primitives.iter().map(move |primitive| of_primitive(family, primitive))
    };
    let mut docs: Vec<Doc> = FAMILIES.iter().flat_map(of_family).collect();
    docs.sort();
    docs
}

fn of_primitive(family: &'static str, primitive: &Primitive) -> Doc {
    let parameter = |(name, kind): &(&str, ArgumentKind)| format!("{name}: {}", kind.word());
    let parameters: Vec<String> = primitive.parameters.iter().map(parameter).collect();
    let (text, example) = text_and_example(primitive.comment.iter().copied());
    let (name, arguments) = (primitive.name.to_owned(), parameters.len());
    let signature = format!("{name}({}) -> {}", parameters.join(", "), primitive.result.word());
    Doc { family, name, signature, text, example, arguments, changes: primitive.changes() }
}

/// The documentation of the functions of an engine, sorted by name; those that the language brings
/// along where asked, whether they have doc comments or not.
pub(crate) fn describe(family: &'static str, engine: &Engine, language: bool) -> Vec<Doc> {
    let read = |info: rhai::FuncInfo| {
        let meta = info.metadata;
        let comments = meta.comments.iter().flat_map(|comment| comment.lines());
        let (text, example) = text_and_example(comments);
        let parameters: Vec<String> =
            meta.params_info.iter().map(|parameter| parameter_text(parameter)).collect();
        let result = match meta.return_type.as_str() {
            "()" | "" => String::new(),
            kind => format!(" -> {}", type_text(kind)),
        };
        Some(Doc {
            family,
            name: meta.name.to_string(),
            signature: format!("{}({}){result}", meta.name, parameters.join(", ")),
            changes: false,
            text,
            example,
            arguments: meta.num_params,
        })
    };
    let mut docs = engine.collect_fn_metadata(None, read, language);
    docs.sort();
    docs
}

/// The parts of a doc comment: what it says, and its examples.
fn text_and_example<'c>(comment: impl Iterator<Item = &'c str>) -> (String, String) {
    let lines: Vec<&str> =
        comment.map(|line| line.trim().trim_start_matches("///").trim()).collect();
    let (text, example) = match lines.iter().position(|line| *line == "# Example") {
        Some(place) => (&lines[..place], &lines[place + 1..]),
        None => (&lines[..], &lines[..0]),
    };
    (text.join("\n").trim().to_owned(), example.join("\n").trim().to_owned())
}

fn parameter_text(parameter: &str) -> String {
    match parameter.split_once(':') {
        Some((name, kind)) => format!("{}: {}", name.trim(), type_text(kind)),
        None => parameter.to_owned(),
    }
}

/// A type in the words that the documentation uses.
fn type_text(kind: &str) -> &str {
    let kind = kind.trim();
    let kind = kind
        .strip_prefix("Result<")
        .map_or(kind, |inner| inner.split(", Box<").next().unwrap_or(inner).trim_end_matches('>'));
    let kind = kind.trim_start_matches('&').trim_start_matches("mut ").trim();
    match kind.rsplit("::").next().unwrap_or(kind) {
        "Array" => "list",
        "Map" => "map",
        "INT" | "i64" | "int" => "whole number",
        "FLOAT" | "f64" | "float" => "number",
        "str" | "ImmutableString" | "String" => "text",
        "bool" => "truth value",
        "Dist" | "Distribution" => "distribution",
        "FnPtr" => "closure",
        _ => "any",
    }
}
