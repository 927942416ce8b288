//! What can scripts call? The primitives' own doc comments, sorted, for `fracas doc` and the handbook.

use rhai::{Engine, Module};

use super::FAMILIES;

/// What people may read of one primitive. One with several forms has one of these for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doc {
    /// The family it belongs to: `stacks`, `counting`, …
    pub family: &'static str,
    /// The name it is called by.
    pub name: String,
    /// Its arguments and result: `fewest_first(counts: map, order: list) -> list`.
    pub signature: String,
    /// What it does, in plain words; the first line is a sentence of its own.
    pub text: String,
    /// Lines of code with what comes out: `` `surplus(5, 2)` is `3` ``.
    pub example: String,
    /// How many arguments it takes.
    pub arguments: usize,
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
    let mut docs: Vec<Doc> =
        FAMILIES.iter().flat_map(|&(name, register)| family(name, register)).collect();
    docs.sort_by(|a, b| {
        (a.family, &a.name, a.arguments, &a.signature).cmp(&(
            b.family,
            &b.name,
            b.arguments,
            &b.signature,
        ))
    });
    docs
}

fn family(family: &'static str, register: fn(&mut Module)) -> Vec<Doc> {
    let mut module = Module::new();
    register(&mut module);
    of_module(family, module)
}

/// The documentation of the functions of a module that have doc comments.
pub(in crate::script) fn of_module(family: &'static str, module: Module) -> Vec<Doc> {
    let mut engine = Engine::new_raw();
    engine.register_global_module(module.into());
    let read = |info: rhai::FuncInfo| {
        let meta = info.metadata;
        let comments = meta.comments.iter().flat_map(|comment| comment.lines());
        let lines: Vec<&str> =
            comments.map(|line| line.trim().trim_start_matches("///").trim()).collect();
        let (text, example) = match lines.iter().position(|line| *line == "# Example") {
            Some(place) => (&lines[..place], &lines[place + 1..]),
            None => (&lines[..], &lines[..0]),
        };
        let text = text.join("\n").trim().to_owned();
        let parameters: Vec<String> =
            meta.params_info.iter().map(|parameter| parameter_text(parameter)).collect();
        let result = type_text(&meta.return_type);
        Some(Doc {
            family,
            name: meta.name.to_string(),
            signature: format!("{}({}) -> {result}", meta.name, parameters.join(", ")),
            changes: text.contains("Changes `"),
            text,
            example: example.join("\n").trim().to_owned(),
            arguments: meta.num_params,
        })
    };
    engine.collect_fn_metadata(None, read, false)
}

fn parameter_text(parameter: &str) -> String {
    match parameter.split_once(':') {
        Some((name, kind)) => format!("{}: {}", name.trim(), type_text(kind)),
        None => parameter.to_owned(),
    }
}

/// A type in the words that the documentation uses.
fn type_text(kind: &str) -> &'static str {
    let kind = kind.trim().trim_start_matches("Checked<").trim_end_matches('>');
    match kind.trim_start_matches("&mut ").trim_start_matches('&').trim() {
        "Array" => "list",
        "Map" => "map",
        "INT" | "i64" | "int" => "whole number",
        "str" | "ImmutableString" => "text",
        "bool" => "truth value",
        "Distribution" => "distribution",
        _ => "any",
    }
}
