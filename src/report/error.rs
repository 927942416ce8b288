//! Formats errors: as text with the source line for people, as JSON for programs.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use serde::{Serialize, Serializer};

use super::{cut, many, some_of, tame};
use crate::error::{Error, Location, ScriptError, in_code};
use crate::game::{History, brief};

/// The most entries of a history that are shown.
const ENTRIES: usize = 12;

/// The most entries of a history in JSON: the last ones, each no longer than a message.
const ENTRIES_OF_JSON: usize = 200;

/// The most frames of a trace that are shown; the rest are counted.
const FRAMES: usize = 8;

/// The most functions of house rules that are named beside an error in the rules below them.
const OVERRIDDEN: usize = 4;

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

/// An error for a program; what is unknown is left out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ErrorReport {
    /// The kind of error in a word, which stays when its message is worded anew: `usage`, `script`, …
    pub kind: &'static str,
    /// What happened, for people.
    pub message: String,
    /// Where, in a file.
    #[serde(flatten)]
    pub at: Option<Location>,
    /// The column in that line in characters, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// Where, in data that is no file: the entry of a history, a key of a setup.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The known name that is nearest to an unknown one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
    /// The answers that led to it: the last ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history: Option<Vec<String>>,
    /// How many answers before those are left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) history_left_out: Option<usize>,
    /// The command that leads to the same error again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub again: Option<String>,
    /// The length of that command in bytes, where it is longer than a shell takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) again_left_out: Option<usize>,
}

impl ErrorReport {
    /// What programs read of an error.
    pub fn of(error: &Error) -> ErrorReport {
        let entries = history(error).map(|history| &history.entries);
        let left_out = entries.map_or(0, |all| all.len().saturating_sub(ENTRIES_OF_JSON));
        ErrorReport {
            kind: error.kind(),
            message: message(error),
            at: error.location().cloned(),
            column: error.location().and_then(|at| at.column),
            place: error.place(),
            suggestion: error.suggestion().map(Into::into),
            history: entries.map(|all| all[left_out..].iter().map(message).collect()),
            history_left_out: (left_out > 0).then_some(left_out),
            again: None,
            again_left_out: None,
        }
    }
}

/// The answers that led to an error, also where it says who called for what failed.
fn history(error: &Error) -> Option<&History> {
    match error {
        Error::Reached { history, .. } => Some(history),
        Error::Called { error, .. } => history(error),
        _ => None,
    }
}

/// What is printed for programs in place of a result.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Failed {
    /// What went wrong.
    pub error: ErrorReport,
}

/// Writes the error that goes with a part of a result.
pub(crate) fn reported<S: Serializer>(
    error: &Option<Error>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    error.as_ref().map(ErrorReport::of).serialize(serializer)
}

/// The message of an error, cut to the most letters of a message.
fn message(error: &impl std::fmt::Display) -> String {
    cut(&error.to_string(), MESSAGE)
}

/// The answers that lead to an error: the last ones.
fn after(history: &History) -> String {
    let all = &history.entries;
    let entries = all[all.len().saturating_sub(ENTRIES)..].iter().map(brief);
    let answers = tame(&entries.collect::<Vec<_>>().join("; ")).into_owned();
    match all.len() {
        0 => String::new(),
        count if count > ENTRIES => format!("\n  after {count} entries, in the end: {answers}"),
        _ => format!("\n  after: {answers}"),
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
        let function = brief(&frame.function);
        let is_of_conflict = function.contains(" of ");
        let function = if is_of_conflict { in_code(&function) } else { function };
        text.push_str(&tame(&format!("\n  in {function}{called}")));
    }
    if error.trace.len() > FRAMES {
        let more = many((error.trace.len() - FRAMES) as u64, "more call");
        text.push_str(&format!("\n  and {more}"));
    }
    let one =
        |(name, at): &(String, Location)| format!("`{}` ({}:{})", brief(name), at.file, at.line);
    let overridden = some_of(error.overridden.iter().map(one), OVERRIDDEN, ", ");
    if !overridden.is_empty() {
        text.push_str(&tame(&format!("\n  house rules are in force, with {overridden}")));
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
    use crate::error::{CallFrame, ScriptFault};
    use crate::game::{Action, Actor, Asked, Entry, Value};

    #[test]
    fn calls_beyond_those_that_are_shown_are_counted() {
        let frame = CallFrame { function: "f".to_owned(), at: None };
        let of = |calls: usize| ScriptError {
            trace: vec![frame.clone(); calls],
            ..ScriptError::new(ScriptFault::Failed(String::new()))
        };
        let last = |calls| trace(&of(calls)).lines().last().unwrap_or_default().to_owned();
        assert_eq!(last(FRAMES), "  in f");
        assert_eq!(last(FRAMES + 1), "  and 1 more call");
        assert_eq!(last(FRAMES + 2), "  and 2 more calls");
    }

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
        let failed = Error::agent("a", crate::error::AgentFault::Own, "y".repeat(30_000));
        let reached =
            Error::Reached { error: Box::new(failed), history, again: vec!["play".to_owned()] };
        for (error, says) in [
            (Error::Ambiguous { answer: answer.clone(), options: texts }, "988 more"),
            (Error::Answer { answer, asked: Box::new(asked), nearest: None }, "and 988 more"),
            (reached, "after 1000 entries"),
        ] {
            let text = as_text(&error, false, 80);
            assert!(text.contains(says) && text.len() < 10_000, "{}: {says}", text.len());
            let report = ErrorReport::of(&error);
            assert!(report.message.len() < 10_000, "{}", report.message.len());
            if let Some(entries) = report.history {
                assert_eq!((entries.len(), report.history_left_out), (200, Some(800)));
                assert!(entries.iter().all(|entry| entry.len() < 10_000));
            }
        }
    }
}
