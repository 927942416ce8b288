//! Lists what can be called at the prompt: functions of the host and the language, functions and variables that

use rhai::{AST, Dynamic, Engine, Map, Scope};

use crate::analysis::{GLOSSARY, Meaning, WISHES};
use crate::error::{ScriptError, ScriptFault, UnknownFunction, nearest};
use crate::handbook::{self, HandbookEntry, LAB, LANGUAGE, MEASURES, YOURS, entries};
use crate::lab::evaluator::ARGUMENTS;
use crate::lab::{Lab, LineResult};
use crate::script::{describe, there_is};

/// All functions of the host and the language that have a name, sorted.
pub(in crate::lab) fn of_host(engine: &Engine) -> Vec<HandbookEntry> {
    let described =
        describe(LANGUAGE, engine, true).into_iter().map(HandbookEntry::from).map(unfenced);
    let mut all: Vec<HandbookEntry> = described.filter(|entry| is_name(&entry.name)).collect();
    all.dedup();
    all
}

/// The entry without the fences that Markdown has around its example.
fn unfenced(mut entry: HandbookEntry) -> HandbookEntry {
    let lines: Vec<&str> = entry.example.lines().filter(|line| !line.starts_with("```")).collect();
    entry.example = lines.join("\n");
    entry
}

/// The functions that lines of the prompt defined, sorted; closures are left out.
pub(in crate::lab) fn of_library(library: &AST) -> Vec<HandbookEntry> {
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
pub(in crate::lab) fn of_scope(scope: &Scope<'_>) -> Vec<HandbookEntry> {
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
    pub(crate) fn defining(&self) -> impl Iterator<Item = (&str, usize, &str)> {
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

// The documentation of the lab's functions, read from `documentation.md`. It is a text of its own
// because examples name systems, and no code here knows a system by name.

/// A function a heading; below it what it does, then its examples, each a line that begins with `>`.
const TEXT: &str = include_str!("documentation.md");

/// The functions of the lab, in the order in which they are best read.
pub fn documentation() -> Vec<HandbookEntry> {
    let sections = TEXT.split("\n### ").skip(1);
    let entry = |section: &str| {
        let (signature, rest) = section.split_once('\n').unwrap_or((section, ""));
        let is_example = |line: &&str| line.starts_with('>');
        let text: Vec<&str> = rest.lines().filter(|line| !is_example(line)).collect();
        let example = rest.lines().filter(is_example).map(|line| line[1..].trim());
        let example: Vec<&str> = example.collect();
        HandbookEntry::plain(LAB, signature.trim(), text.join("\n").trim(), &example.join("\n"))
    };
    sections.map(entry).collect()
}

/// What each measure of a portrait means.
pub fn measures() -> Vec<HandbookEntry> {
    let entry = |one: &Meaning| {
        let text = format!("{} Unit: {}.\n\n{}", one.meaning, one.unit, one.source);
        HandbookEntry {
            name: one.name.to_owned(),
            ..HandbookEntry::plain(MEASURES, one.name, &text, "")
        }
    };
    GLOSSARY.iter().map(entry).collect()
}

/// How wishes of a tuning are written, and what each form means.
pub fn wishes() -> Vec<HandbookEntry> {
    let entry = |(form, text): &(&str, &str)| HandbookEntry {
        name: (*form).to_owned(),
        ..HandbookEntry::plain(handbook::WISHES, form, text, "")
    };
    WISHES.iter().map(entry).collect()
}

/// All that a script can define or call, family by family: the handbook's, and the lab's.
pub fn known() -> Vec<HandbookEntry> {
    entries().into_iter().chain(documentation()).collect()
}

/// The same with what the language has by itself.
pub fn callable(mut language: Vec<HandbookEntry>) -> Vec<HandbookEntry> {
    let mut all = known();
    language.retain(|one| all.iter().all(|documented| documented.name != one.name));
    all.extend(language);
    all
}

/// Adds the nearest existing name to an error about an unknown name.
pub(in crate::lab) fn suggest(
    mut error: ScriptError,
    scope: &Scope<'static>,
    known: impl FnOnce() -> Vec<HandbookEntry>,
) -> ScriptError {
    match &error.fault {
        ScriptFault::UnknownVariable { name: word, .. } => {
            let word = word.clone();
            if scope.contains(&word) {
                error.fault = ScriptFault::Failed(format!(
                    "functions do not see the variables of the prompt: pass `{word}` as an argument"
                ));
                return error;
            }
            let known = known();
            let variables = scope.iter_raw().map(|(name, _, _)| name);
            let own = error.nearest.take();
            error.nearest = own
                .or_else(|| nearest(&word, variables))
                .or_else(|| nearest(&word, known.iter().map(|one| one.name.as_str())));
        }
        ScriptFault::UnknownFunction(call) => {
            let name = call.name.clone();
            let known = known();
            let forms: Vec<String> = known
                .iter()
                .filter(|one| one.name == name)
                .map(|one| one.signature.clone())
                .collect();
            let own = of_the_lab(&name);
            if !own.is_empty() {
                // The rules' functions of that name are not meant, and the host's forms say less.
                let called =
                    call.message.replacen(&format!("{name}(Scenario, "), &format!("{name}("), 1);
                let message =
                    called.replacen(&format!("{name}(Scenario)"), &format!("{name}()"), 1);
                error.nearest = None;
                let call = UnknownFunction { name, message, forms: there_is(&own) };
                error.fault = ScriptFault::UnknownFunction(call);
            } else if !call.forms.is_empty() {
                // The message lists the forms already.
            } else if forms.is_empty() {
                error.nearest = nearest(&name, known.iter().map(|one| one.name.as_str()));
            } else {
                let call = UnknownFunction { forms: there_is(&forms), ..call.clone() };
                error.nearest = None;
                error.fault = ScriptFault::UnknownFunction(call);
            }
        }
        _ => {}
    }
    error
}

/// The documented forms of a function of the lab.
fn of_the_lab(name: &str) -> Vec<String> {
    let named = documentation().into_iter().filter(|one| one.name == name);
    named.map(|one| one.signature).collect()
}
