//! What can be called at the prompt? Names, signatures and words on each function at hand.

use rhai::{AST, Engine};

/// What is known of one function.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Described {
    /// Its name.
    pub name: String,
    /// How it is called, and what comes out.
    pub signature: String,
    /// Whether a line of the prompt defined it.
    pub yours: bool,
    /// Its doc comment, without the marks; empty where it has none.
    pub text: String,
}

/// All functions of the host that have a name, sorted.
pub fn of_host(engine: &Engine) -> Vec<Described> {
    let mut all = engine.collect_fn_metadata(
        None,
        |info| {
            let meta = info.metadata;
            if !is_name(&meta.name) {
                return None;
            }
            let lines = meta.comments.iter().flat_map(|comment| comment.lines());
            let text: Vec<&str> = lines.map(plain).collect();
            let params: Vec<String> = meta.params_info.iter().map(|info| readable(info)).collect();
            let result = match readable(&meta.return_type) {
                result if result.is_empty() => result,
                result => format!(" -> {result}"),
            };
            Some(Described {
                name: meta.name.to_string(),
                signature: format!("{}({}){result}", meta.name, params.join(", ")),
                yours: false,
                text: text.join("\n").trim().to_owned(),
            })
        },
        true,
    );
    all.sort();
    all.dedup();
    all
}

/// The functions that lines of the prompt defined, sorted; closures are left out.
pub fn of_library(library: &AST) -> Vec<Described> {
    let describe = |function: rhai::ScriptFnMetadata<'_>| Described {
        name: function.name.to_owned(),
        signature: format!("{}({})", function.name, function.params.join(", ")),
        yours: true,
        text: function
            .comments
            .iter()
            .flat_map(|comment| comment.lines())
            .map(plain)
            .collect::<Vec<_>>()
            .join("\n"),
    };
    let named = library.iter_functions().filter(|function| is_name(function.name));
    let mut all: Vec<Described> = named.map(describe).collect();
    all.sort();
    all
}

fn is_name(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(|first| first.is_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_alphanumeric() || letter == '_')
}

fn plain(line: &str) -> &str {
    let line = line.trim();
    line.strip_prefix("///").unwrap_or(line).trim()
}

/// The words for types that people of the lab know.
fn readable(text: &str) -> String {
    let kind = |kind: &str| {
        let kind = kind.trim();
        let kind = kind.strip_prefix("Result<").map_or(kind, |inner| {
            inner.split(", Box<").next().unwrap_or(inner).trim_end_matches('>')
        });
        let kind = kind.trim_start_matches("Checked<").trim_end_matches('>');
        let bare = kind.trim_start_matches('&').trim_start_matches("mut ").trim();
        let bare = bare.rsplit("::").next().unwrap_or(bare);
        match bare {
            "Array" => "list",
            "Map" => "map",
            "INT" | "i64" | "int" => "whole number",
            "FLOAT" | "f64" | "float" => "number",
            "str" | "ImmutableString" | "String" => "text",
            "bool" => "truth value",
            "Dist" | "Distribution" => "distribution",
            "Dynamic" | "?" | "T" => "any",
            "()" => "",
            other => other,
        }
        .to_owned()
    };
    match text.split_once(':') {
        Some((name, of)) if !of.starts_with(':') => format!("{}: {}", name.trim(), kind(of)),
        _ => kind(text),
    }
}
