//! Completion, hints and colours for a line while it is typed. No terminal is needed, and nothing
//! is changed.

mod brackets;
mod complete;
mod hint;
mod offers;

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use anstyle::{AnsiColor, Style};

use super::Session;
use crate::handbook::HandbookEntry;
use crate::lab;
use crate::repl::commands;
use crate::repl::commands::MARK;
use crate::repl::words::typed;
use crate::script::{Token, TokenKind, tokens};
pub(crate) use brackets::{STEP, dedentation, indentation};
use brackets::{call_at, pair};
pub use hint::Hint;
pub(crate) use hint::menu;
use offers::Offers;
pub use offers::{Completion, Suggestion};

/// The space of the terminal in which a line is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypingSpace {
    /// The columns of the window.
    pub columns: usize,
    pub rows: usize,
    /// The columns that are free after the end of the line.
    pub room: usize,
    /// Whether colours distinguish a hint from the typed text.
    pub coloured: bool,
}

/// Completes, hints and colours. It caches the functions of the language, which never change.
#[derive(Default)]
pub struct Guide {
    known: OnceCell<KnownFunctions>,
}

impl Guide {
    /// The completions of the word before the cursor.
    pub fn complete(&self, session: &Session, line: &str, cursor: usize) -> Completion {
        complete::complete(self.offers(session), line, cursor)
    }

    /// The names that the last of some words of the shell may become, by the commands of a program.
    pub(crate) fn complete_shell(
        &self,
        session: &Session,
        program: &clap::Command,
        words: &[String],
    ) -> Vec<Suggestion> {
        complete::of_shell(self.offers(session), program, words)
    }

    /// The hint after the line, if there is one; `history` finds the newest earlier line that
    /// begins with the given text.
    pub fn hint(
        &self,
        session: &Session,
        line: &str,
        cursor: usize,
        place: TypingSpace,
        history: &dyn Fn(&str) -> Option<String>,
    ) -> Option<Hint> {
        hint::hint(self.offers(session), (line, cursor), place, history)
    }

    /// The line in colours; with a cursor, the bracket beside it and its partner are highlighted.
    pub fn paint(&self, session: &Session, line: &str, cursor: Option<usize>) -> String {
        paint(self.offers(session), line, cursor)
    }

    /// The word at the cursor that can be explained: the line, where it is an answer; a command, a name,
    /// else the function called.
    pub fn word(&self, session: &Session, line: &str, cursor: usize) -> Option<String> {
        match session.answer_in(line) {
            Some(Ok(_)) => Some(line.trim().to_owned()),
            _ => word_at(line, cursor),
        }
    }

    fn offers<'a>(&'a self, session: &'a Session) -> Offers<'a> {
        let known = self.known.get_or_init(|| KnownFunctions::of(session));
        Offers { session, known, scenario: None }
    }
}

pub(crate) fn is_beside_bracket(line: &str, cursor: usize) -> bool {
    let is = |at: usize| line.as_bytes().get(at).is_some_and(|byte| b"()[]{}".contains(byte));
    is(cursor) || cursor.checked_sub(1).is_some_and(is)
}

/// The functions that lines can call without having defined them, by name.
pub(super) struct KnownFunctions {
    functions: BTreeMap<String, Vec<HandbookEntry>>,
    /// The names of all documented functions and families.
    pub documented: BTreeSet<String>,
}

impl KnownFunctions {
    /// The functions for a session's lines. The handbook's text on one replaces the engine's.
    pub(super) fn of(session: &Session) -> KnownFunctions {
        let handbook = lab::known();
        let mut functions: BTreeMap<String, Vec<HandbookEntry>> = BTreeMap::new();
        for entry in session.lab.language() {
            functions.entry(entry.name.clone()).or_default().push(entry);
        }
        for (name, forms) in &mut functions {
            let explains = |entry: &&HandbookEntry| {
                entry.name == *name && !entry.signature.starts_with("this.")
            };
            let better: Vec<HandbookEntry> = handbook.iter().filter(explains).cloned().collect();
            if !better.is_empty() {
                *forms = better;
            }
        }
        let names = handbook.iter().flat_map(|entry| [&entry.name, &entry.family]);
        let worded = functions.values().flatten().filter(|entry| !entry.text.is_empty());
        let documented = names.chain(worded.map(|entry| &entry.name)).cloned().collect();
        KnownFunctions { functions, documented }
    }

    /// The forms of a function; empty if there is no such function.
    pub(super) fn forms(&self, name: &str) -> &[HandbookEntry] {
        self.functions.get(name).map(Vec::as_slice).unwrap_or_default()
    }

    pub(super) fn beginning<'a>(
        &'a self,
        word: &'a str,
    ) -> impl Iterator<Item = &'a [HandbookEntry]> {
        let from = self.functions.range(word.to_owned()..);
        from.take_while(move |(name, _)| name.starts_with(word)).map(|(_, forms)| forms.as_slice())
    }
}

/// The word at the cursor that can be explained: a command with its mark, a name, else the
/// function that is called there.
fn word_at(line: &str, cursor: usize) -> Option<String> {
    let before = line.get(..cursor)?;
    let trimmed = line.trim_start();
    if let Some(command) = trimmed.strip_prefix(MARK) {
        let name = command.split_whitespace().next().unwrap_or_default();
        let ends = line.len() - trimmed.len() + MARK.len_utf8() + name.len();
        if cursor <= ends || !before[ends..].trim_end().contains(' ') {
            return Some(format!("{MARK}{name}"));
        }
    }
    let all = tokens(line);
    let beside = all.iter().find(|token| {
        token.kind == TokenKind::Word && token.start <= cursor && cursor <= token.end
    });
    match beside {
        Some(token) => Some(line[token.start..token.end].to_owned()),
        None => call_at(before).map(|call| call.name),
    }
}

const COMMAND: Style = AnsiColor::Cyan.on_default().bold();
const UNKNOWN: Style = AnsiColor::Red.on_default();
const OPTION: Style = AnsiColor::Yellow.on_default();
const ANSWER: Style = AnsiColor::Green.on_default().bold();
const KEYWORD: Style = AnsiColor::Magenta.on_default();
const TEXT: Style = AnsiColor::Green.on_default();
const NUMBER: Style = AnsiColor::Cyan.on_default();
const COMMENT: Style = Style::new().dimmed();
const FUNCTION: Style = AnsiColor::Blue.on_default();
const PARTNER: Style = Style::new().bold().underline();

/// The line in colours, as wide as before.
fn paint(offers: Offers<'_>, line: &str, cursor: Option<usize>) -> String {
    let begins = line.len() - line.trim_start().len();
    if line[begins..].starts_with(commands::MARK) {
        return command(line, begins);
    }
    if matches!(offers.session.answer_in(line), Some(Ok(_))) {
        return painted(line, ANSWER);
    }
    let all = tokens(line);
    let pair = cursor.and_then(|cursor| pair(line, &all, cursor));
    let mut text = String::new();
    for (at, token) in all.iter().enumerate() {
        let style = style(offers, line, &all, at);
        let partner = pair.is_some_and(|(one, other)| token.start == one || token.start == other);
        let style = if partner { Some(PARTNER) } else { style };
        let part = &line[token.start..token.end];
        match style {
            Some(style) => text.push_str(&painted(part, style)),
            None => text.push_str(part),
        }
    }
    text
}

fn style(offers: Offers<'_>, line: &str, all: &[Token], at: usize) -> Option<Style> {
    let Offers { session, known, .. } = offers;
    let token = all[at];
    match token.kind {
        TokenKind::Keyword => Some(KEYWORD),
        TokenKind::Text => Some(TEXT),
        TokenKind::Number => Some(NUMBER),
        TokenKind::LineComment | TokenKind::Comment => Some(COMMENT),
        TokenKind::Word => {
            let name = &line[token.start..token.end];
            let next = all.get(at + 1).map(|next| &line[next.start..next.end]);
            let called = next == Some("(");
            let there = || {
                !known.forms(name).is_empty()
                    || session.lab.functions().iter().any(|entry| entry.name == name)
            };
            (called && there()).then_some(FUNCTION)
        }
        TokenKind::Space | TokenKind::Mark => None,
    }
}

/// A command's line: its name, red if there is no such command, and its options.
fn command(line: &str, begins: usize) -> String {
    let (words, _) = typed(line, begins);
    let mut text = line[..begins].to_owned();
    for (i, word) in words.iter().enumerate() {
        let end = words.get(i + 1).map_or(line.len(), |next| next.start);
        let part = &line[word.start..end];
        let (body, space) = part.split_at(part.trim_end().len());
        let style = match i {
            0 => Some(name(&word.text)),
            _ if body.starts_with("--") => Some(OPTION),
            _ if body.starts_with(['"', '\'']) => Some(TEXT),
            _ => None,
        };
        let body = style.map_or_else(|| body.to_owned(), |style| painted(body, style));
        text.push_str(&body);
        text.push_str(space);
    }
    text
}

/// The colour of a command's name; a beginning that several commands share has none yet.
fn name(word: &str) -> Style {
    let typed = word.trim_start_matches(commands::MARK);
    let begun = commands::all().any(|command| command.get_name().starts_with(typed));
    match commands::find(typed) {
        Ok(_) => COMMAND,
        Err(_) if begun => Style::new(),
        Err(_) => UNKNOWN,
    }
}

fn painted(text: &str, style: Style) -> String {
    format!("{style}{text}{style:#}")
}
