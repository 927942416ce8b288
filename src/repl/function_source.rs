//! Finds the source of a function in the lines of a session, with the comment above it.

use super::Session;
use crate::script::{Token, TokenKind, tokens};

/// The last function of a name that a line defined, below a line with its location.
pub(super) fn of_lines(session: &Session, name: &str) -> Option<String> {
    session.lab.defining().find_map(|(file, first, text)| {
        let (line, written) = named(text, name)?;
        Some(format!("// {file}:{}\n{written}", first + line - 1))
    })
}

/// The last function of a name in a text, and its line from 1.
fn named<'a>(text: &'a str, name: &str) -> Option<(usize, &'a str)> {
    let tokens = tokens(text);
    let is = |token: &Token, word: &str| &text[token.start..token.end] == word;
    let found = tokens.windows(3).rposition(|three| {
        three[0].kind == TokenKind::Keyword && is(&three[0], "fn") && is(&three[2], name)
    })?;
    let line = text[..tokens[found].start].matches('\n').count() + 1;
    Some((line, written(text, &tokens, found)?))
}

/// The line, from 1, of the last function or constant of a name in a text, which may contain mistakes.
pub(super) fn line_of(text: &str, name: &str) -> Option<usize> {
    let at = begins(text).into_iter().rev().find(|(_, found)| *found == name)?.0;
    Some(text[..at].matches('\n').count() + 1)
}

pub(super) fn functions(text: &str) -> Vec<&str> {
    begins(text).into_iter().map(|(_, name)| name).collect()
}

/// The start of each function and constant of a text, with its name.
fn begins(text: &str) -> Vec<(usize, &str)> {
    let tokens = tokens(text);
    let part = |token: &Token| &text[token.start..token.end];
    let begins = |three: &&[Token]| {
        three[0].kind == TokenKind::Keyword && matches!(part(&three[0]), "fn" | "const")
    };
    tokens.windows(3).filter(begins).map(|three| (three[0].start, part(&three[2]))).collect()
}

/// All of the function whose `fn` is that token: from the comments on the lines above it to the
/// bracket that closes it.
fn written<'a>(text: &'a str, tokens: &[Token], at: usize) -> Option<&'a str> {
    let mut depth = 0_i64;
    let end = tokens[at..].iter().find(|token| {
        match &text[token.start..token.end] {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => return false,
        }
        depth == 0
    })?;
    let mut begin = tokens[at].start;
    for token in tokens[..at].iter().rev() {
        let part = &text[token.start..token.end];
        match token.kind {
            // An empty line parts a comment from what is below it.
            TokenKind::Space if part.matches('\n').count() < 2 => {}
            TokenKind::Keyword if part == "private" => begin = token.start,
            TokenKind::LineComment | TokenKind::Comment => begin = token.start,
            _ => break,
        }
    }
    Some(&text[begin..end.end])
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
// Apart.

/// Twice as much.
fn twice(n) {
    `${n}}` + n
}
fn other() { 1 }
fn again(n) { 1 }
fn again(n) { if n { 2 } else { 3 } }";

    #[test]
    fn a_function_goes_from_its_comment_to_its_last_bracket() {
        let first = "/// Twice as much.\nfn twice(n) {\n    `${n}}` + n\n}";
        assert_eq!(named(TEXT, "twice"), Some((4, first)));
        assert_eq!(named(TEXT, "other"), Some((7, "fn other() { 1 }")));
        assert_eq!(named(TEXT, "again"), Some((9, "fn again(n) { if n { 2 } else { 3 } }")));
        assert_eq!(named(TEXT, "none"), None);
        assert_eq!(line_of("fn a() {}\nconst B = 1;", "B"), Some(2));
    }
}
