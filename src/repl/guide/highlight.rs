//! Highlights the syntax of a line: keywords, texts, numbers, functions, commands, unknown names.

use anstyle::{AnsiColor, Style};

use super::KnownFunctions;
use super::brackets::pair;
use crate::repl::words::typed;
use crate::repl::{Session, commands};
use crate::script::{Token, TokenKind, tokens};

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
pub(super) fn paint(
    session: &Session,
    known: &KnownFunctions,
    line: &str,
    cursor: Option<usize>,
) -> String {
    let begins = line.len() - line.trim_start().len();
    if line[begins..].starts_with(commands::MARK) {
        return command(line, begins);
    }
    if matches!(session.answer_in(line), Some(Ok(_))) {
        return painted(line, ANSWER);
    }
    let all = tokens(line);
    let pair = cursor.and_then(|cursor| pair(line, &all, cursor));
    let mut text = String::new();
    for (at, token) in all.iter().enumerate() {
        let style = style(session, known, line, &all, at);
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

fn style(
    session: &Session,
    known: &KnownFunctions,
    line: &str,
    all: &[Token],
    at: usize,
) -> Option<Style> {
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
