//! Finds matching brackets, open brackets and the calls around the cursor, and indents lines.

use crate::script::{Token, TokenKind, tokens};

/// The indentation of a line within brackets, in spaces.
pub(crate) const STEP: u8 = 4;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OpenCall {
    /// The name of the function.
    pub name: String,
    /// The argument that is being written, from 0.
    pub argument: usize,
}

/// The innermost call that is open at the end of a text. Brackets around the end that belong to
/// no call are skipped.
pub(super) fn call_at(text: &str) -> Option<OpenCall> {
    let all = tokens(text);
    calls(text, &all).into_iter().next()
}

pub(super) fn calls(text: &str, tokens: &[Token]) -> Vec<OpenCall> {
    let call = |(at, argument): (usize, usize)| {
        let called = tokens[..at].last().filter(|called| called.kind == TokenKind::Word)?;
        let is_call = mark(text, &tokens[at]) == Some('(');
        is_call.then(|| OpenCall { name: called.of(text).to_owned(), argument })
    };
    open(text, tokens).filter_map(call).collect()
}

/// Whether the innermost bracket that is open at the end is that of a map: `#{`.
pub(super) fn is_in_map(text: &str, tokens: &[Token]) -> bool {
    open(text, tokens).next().is_some_and(|(at, _)| {
        let before = tokens[..at].last().and_then(|before| mark(text, before));
        (before, mark(text, &tokens[at])) == (Some('#'), Some('{'))
    })
}

/// The brackets that are open at the end, the innermost first, each by its token, with the commas behind it that are in
/// no other bracket.
fn open<'t>(text: &'t str, tokens: &'t [Token]) -> impl Iterator<Item = (usize, usize)> + 't {
    let (mut depth, mut commas) = (0_usize, 0);
    tokens.iter().enumerate().rev().filter_map(move |(at, token)| {
        match mark(text, token) {
            Some(')' | ']' | '}') => depth += 1,
            Some('(' | '[' | '{') if depth > 0 => depth -= 1,
            Some('(' | '[' | '{') => return Some((at, std::mem::take(&mut commas))),
            Some(',') if depth == 0 => commas += 1,
            _ => {}
        }
        None
    })
}

/// The positions of two matching brackets, one of which is at the cursor or just before it.
pub(super) fn pair(text: &str, tokens: &[Token], cursor: usize) -> Option<(usize, usize)> {
    let bracket = |place: usize| {
        let at = tokens.iter().position(|token| token.start == place)?;
        mark(text, &tokens[at]).filter(|mark| "()[]{}".contains(*mark)).map(|_| at)
    };
    let at = bracket(cursor).or_else(|| cursor.checked_sub(1).and_then(bracket))?;
    let partner = match mark(text, &tokens[at]) {
        Some('(' | '[' | '{') => {
            let mut depth = 0_i64;
            tokens[at..].iter().find(|token| {
                match mark(text, token) {
                    Some('(' | '[' | '{') => depth += 1,
                    Some(')' | ']' | '}') => depth -= 1,
                    _ => {}
                }
                depth == 0
            })?
        }
        _ => open(text, &tokens[..at]).next().map(|(at, _)| &tokens[at])?,
    };
    Some((tokens[at].start, partner.start))
}

/// The spaces at the beginning of the line after a text: as many as in its last line, and a step
/// more if that line opened more brackets than it closed.
pub(crate) fn indentation(text: &str) -> String {
    let line = last_line(text);
    let mut own = tokens(text);
    // What closes an earlier line opens nothing here.
    own.retain(|token| token.start >= text.len() - line.len());
    let step = if open(text, &own).next().is_some() { usize::from(STEP) } else { 0 };
    " ".repeat(spaces_before(line) + step)
}

/// The spaces before a bracket that closes the last open one of a text: as many as in the line of that one.
pub(crate) fn dedentation(text: &str) -> String {
    let all = tokens(text);
    let before = open(text, &all).next().map_or("", |(at, _)| &text[..all[at].start]);
    " ".repeat(spaces_before(last_line(before)))
}

fn last_line(text: &str) -> &str {
    text.rsplit('\n').next().unwrap_or_default()
}

fn spaces_before(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

fn mark(text: &str, token: &Token) -> Option<char> {
    let letter = text[token.start..token.end].chars().next();
    letter.filter(|_| token.kind == TokenKind::Mark)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_call_and_its_argument_are_found() {
        let call = |name: &str, argument| Some(OpenCall { name: name.to_owned(), argument });
        for (text, expected) in [
            ("f(", call("f", 0)),
            ("f(1, ", call("f", 1)),
            ("f(g(1, 2), ", call("f", 1)),
            ("f(g(1, ", call("g", 1)),
            ("f(1, [2, 3, #{ a: 4, ", call("f", 1)),
            ("f(\"(,\", ", call("f", 1)),
            ("f(1)", None),
            ("(1, ", None),
            ("f(`${ g(`, ", call("f", 0)),
        ] {
            assert_eq!(call_at(text), expected, "{text}");
        }
    }

    #[test]
    fn brackets_of_a_pair_find_each_other() {
        let pair = |text: &str, cursor| super::pair(text, &tokens(text), cursor);
        assert_eq!(pair("f([1])", 1), Some((1, 5)));
        assert_eq!(pair("f([1])", 6), Some((5, 1)));
        assert_eq!(pair("f([1])", 5), Some((5, 1)));
        assert_eq!(pair("f(\")\"", 1), None);
        assert_eq!(pair("abc", 1), None);
        assert_eq!(pair("", 0), None);
    }

    #[test]
    fn a_bracket_that_closes_is_as_far_in_as_the_line_that_opens() {
        for (text, spaces) in [
            ("fn f(n) {\n    ", 0),
            ("fn f(n) {\n    if n {\n        n\n        ", 4),
            ("fn f(n) {\n    if n {\n        n\n    }\n    ", 0),
            ("let a = [\n    f(1, #{\n        ", 4),
            ("1 +\n    ", 0),
        ] {
            assert_eq!(dedentation(text).len(), spaces, "{text}");
        }
    }

    #[test]
    fn a_line_is_as_far_in_as_its_brackets() {
        for (text, spaces) in [
            ("fn f(n) {", 4),
            ("fn f(n) {\n    if n {", 8),
            ("fn f(n) {\n    n", 4),
            ("fn f(n) {\n    } else {", 8),
            ("let x =", 0),
            ("f(1, [", 4),
            ("// {", 0),
        ] {
            assert_eq!(indentation(text).len(), spaces, "{text}");
        }
    }
}
