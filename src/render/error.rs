//! Formats errors: as text with the source line for people, as JSON for programs.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use serde_json::{Map, Value, json};

use super::{cut, tame};
use crate::error::{Error, Location, ScriptError};
use crate::game::{History, brief};

/// The most entries of a history that are shown.
const ENTRIES: usize = 12;

/// The most entries of a history in JSON: the last ones, each no longer than a message.
const ENTRIES_OF_JSON: usize = 200;

/// The most frames of a trace that are shown; the rest are counted.
const FRAMES: usize = 8;

/// The most letters of a message: it may contain names from scripts and what players see.
const MESSAGE: usize = 4_000;

/// The error for a person: message, place, caret below the source, the calls that led there.
/// `width` is that of the terminal, in columns.
pub fn as_text(error: &Error, coloured: bool, width: usize) -> String {
    match error {
        Error::Script(script) => script_as_text(script, coloured, width),
        Error::Called { error, call } if error.location().is_some() => {
            let text = as_text(error, coloured, width);
            let at = call.at.as_ref().map(|at| format!("\n  called at {at}")).unwrap_or_default();
            format!("{text}{}{}", tame(&at), trace(call))
        }
        Error::Called { call, .. } => script_as_text(call, coloured, width),
        Error::Reached { error, history, .. } => {
            format!("{}{}", as_text(error, coloured, width), after(history))
        }
        other => match source_line(other.location()) {
            Some((at, line)) => {
                let chars = word_width(&line, at.column.unwrap_or(1));
                with_caret(&message(other), &at, &line, chars, coloured, width)
            }
            None => {
                let at = other.location().map(|at| format!("\n  at {at}")).unwrap_or_default();
                format!("{}{}", plain(&message(other), coloured), tame(&at))
            }
        },
    }
}

/// The error for a program, as one object; fields that are unknown are left out.
pub fn as_json(error: &Error) -> Value {
    let mut fields = Map::new();
    fields.insert("kind".to_owned(), json!(error.kind()));
    fields.insert("message".to_owned(), json!(message(error)));
    if let Some(at) = error.location() {
        fields.insert("file".to_owned(), json!(at.file));
        fields.insert("line".to_owned(), json!(at.line));
        if let Some(column) = at.column {
            fields.insert("column".to_owned(), json!(column));
        }
    }
    if let Some(place) = error.place() {
        fields.insert("place".to_owned(), json!(place));
    }
    if let Some(suggestion) = error.suggestion() {
        fields.insert("suggestion".to_owned(), json!(suggestion));
    }
    if let Error::Reached { history, .. } = error {
        let left_out = history.entries.len().saturating_sub(ENTRIES_OF_JSON);
        let entries = history.entries[left_out..].iter().map(message);
        fields.insert("history".to_owned(), entries.collect());
        if left_out > 0 {
            fields.insert("history_left_out".to_owned(), left_out.into());
        }
    }
    json!({ "error": fields })
}

/// An object with the error that goes with it, if one does: the same fields below `error`.
pub fn with_error(mut fields: Value, error: Option<&Error>) -> Value {
    if let (Some(error), Some(fields)) = (error, fields.as_object_mut()) {
        fields.insert("error".to_owned(), as_json(error)["error"].take());
    }
    fields
}

/// The message of an error, cut to the most letters of a message.
fn message(error: &impl std::fmt::Display) -> String {
    cut(&error.to_string(), MESSAGE)
}

/// The answers that lead to an error: the last ones.
fn after(history: &History) -> String {
    let all = &history.entries;
    let entries = all[all.len().saturating_sub(ENTRIES)..].iter().map(brief);
    let told = tame(&entries.collect::<Vec<_>>().join("; ")).into_owned();
    match all.len() {
        0 => String::new(),
        count if count > ENTRIES => format!("\n  after {count} entries, in the end: {told}"),
        _ => format!("\n  after: {told}"),
    }
}

fn script_as_text(error: &ScriptError, coloured: bool, width: usize) -> String {
    let message = message(error);
    let mut text = match (&error.at, &error.line) {
        (Some(at), Some(line)) => with_caret(&message, at, line, error.width, coloured, width),
        (Some(at), None) => {
            format!("{}\n  at {}", plain(&message, coloured), tame(&at.to_string()))
        }
        _ => plain(&message, coloured),
    };
    text.push_str(&trace(error));
    text
}

/// The calls that led there, a line each.
fn trace(error: &ScriptError) -> String {
    let mut text = String::new();
    for frame in error.trace.iter().take(FRAMES) {
        let called = frame.at.as_ref().map(|at| format!(", called at {at}")).unwrap_or_default();
        text.push_str(&tame(&format!("\n  in {}{called}", brief(&frame.function))));
    }
    if error.trace.len() > FRAMES {
        text.push_str(&format!("\n  and {} calls more", error.trace.len() - FRAMES));
    }
    text
}

fn plain(message: &str, coloured: bool) -> String {
    let message = tame(message);
    if coloured {
        let red = anstyle::AnsiColor::Red.on_default().bold();
        format!("{red}error{red:#}: {message}")
    } else {
        format!("error: {message}")
    }
}

/// The largest file that is read again for one of its lines, in bytes.
const LARGEST: u64 = 16 << 20;

/// The line of a file on disk that a location names; `None` for embedded files, and for typed
/// lines even if a file has their name.
fn source_line(at: Option<&Location>) -> Option<(Location, String)> {
    let at = at?;
    at.column?;
    let is_typed = matches!(at.file.as_str(), "prompt" | "stdin");
    let found = std::fs::metadata(&at.file).ok()?;
    // Whoever reads a pipe or a device may wait for ever.
    if is_typed || !found.is_file() || found.len() > LARGEST {
        return None;
    }
    let text = std::fs::read_to_string(&at.file).ok()?;
    Some((at.clone(), text.lines().nth(at.line.checked_sub(1)?)?.to_owned()))
}

/// The number of characters of the word at a column: a name, a number, or a text in quotes.
fn word_width(line: &str, column: usize) -> usize {
    let rest = || line.chars().skip(column.saturating_sub(1));
    let in_word = |c: &char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    match rest().next() {
        Some(quote @ ('"' | '\'')) => {
            2 + rest().skip(1).take_while(|c| *c != quote).count().min(line.len())
        }
        _ => rest().take_while(in_word).count().max(1),
    }
}

fn with_caret(
    message: &str,
    at: &Location,
    line: &str,
    chars: usize,
    coloured: bool,
    width: usize,
) -> String {
    // What is tamed has as many characters as before.
    let (message, line, path) = (tame(message), tame(line), tame(&at.file));
    let column = at.column.unwrap_or(1).saturating_sub(1);
    let offset =
        |chars: usize| line.char_indices().nth(chars).map_or(line.len(), |(offset, _)| offset);
    let span = offset(column)..offset(column + chars);
    let snippet = Snippet::source(&*line)
        .line_start(at.line)
        .path(&*path)
        .annotation(AnnotationKind::Primary.span(span));
    let renderer = if coloured { Renderer::styled() } else { Renderer::plain() };
    let report = [Level::ERROR.primary_title(&*message).element(snippet)];
    renderer.term_width(width.max(40)).render(&report).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Action, Actor, Asked, Entry, Value};

    #[test]
    fn texts_of_scripts_without_end_stand_shortened_in_messages() {
        let endless = |n: usize| Value::from("x".repeat(20_000 + n).as_str());
        let options: Vec<Value> = (0..1_000).map(endless).collect();
        let texts: Vec<String> = options.iter().map(ToString::to_string).collect();
        let who = "red".to_owned();
        let asked = Asked { chance: false, who, name: "bid".to_owned(), options, at: None };
        let answer = "x".to_owned();
        let (actor, name) = (Actor::Player("red".to_owned()), "bid".to_owned());
        let entry = Entry::One(Action { actor, name, value: endless(0) });
        let history = History { entries: vec![entry; 1_000] };
        let failed = Error::Agent {
            agent: "a".into(),
            message: "y".repeat(30_000),
            at: None,
            of_the_machine: false,
        };
        let reached =
            Error::Reached { error: Box::new(failed), history, again: vec!["play".to_owned()] };
        for (error, says) in [
            (Error::Ambiguous { answer: answer.clone(), options: texts }, "988 more"),
            (Error::Answer { answer, asked: Box::new(asked), nearest: None }, "and 988 more"),
            (reached, "after 1000 entries"),
        ] {
            let text = as_text(&error, false, 80);
            assert!(text.contains(says) && text.len() < 10_000, "{}: {says}", text.len());
            let json = &as_json(&error)["error"];
            let message = json["message"].as_str().unwrap().len();
            assert!(message < 10_000, "{message}");
            if let Some(entries) = json["history"].as_array() {
                assert_eq!((entries.len(), &json["history_left_out"]), (200, &800.into()));
                assert!(entries.iter().all(|entry| entry.as_str().unwrap().len() < 10_000));
            }
        }
    }
}
