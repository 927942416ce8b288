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
    let mut open = Vec::new();
    let (mut depth, mut commas) = (0_usize, 0);
    for (at, token) in tokens.iter().enumerate().rev() {
        match mark(text, token) {
            Some(')' | ']' | '}') => depth += 1,
            Some('(' | '[' | '{') if depth > 0 => depth -= 1,
            Some('(') => {
                let called = at.checked_sub(1).map(|before| &tokens[before]);
                if let Some(called) = called.filter(|called| called.kind == TokenKind::Word) {
                    let name = text[called.start..called.end].to_owned();
                    open.push(OpenCall { name, argument: commas });
                }
                commas = 0;
            }
            Some('[' | '{') => commas = 0,
            Some(',') if depth == 0 => commas += 1,
            _ => {}
        }
    }
    open
}

/// Whether the innermost bracket that is open at the end is that of a map: `#{`.
pub(super) fn is_in_map(text: &str, tokens: &[Token]) -> bool {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().rev() {
        match mark(text, token) {
            Some(')' | ']' | '}') => depth += 1,
            Some('(' | '[' | '{') if depth > 0 => depth -= 1,
            Some('{') => {
                return at.checked_sub(1).is_some_and(|at| mark(text, &tokens[at]) == Some('#'));
            }
            Some('(' | '[') => return false,
            _ => {}
        }
    }
    false
}

/// The positions of two matching brackets, one of which is at the cursor or just before it.
pub(super) fn pair(text: &str, tokens: &[Token], cursor: usize) -> Option<(usize, usize)> {
    let bracket = |place: usize| {
        let at = tokens.iter().position(|token| token.start == place)?;
        mark(text, &tokens[at]).filter(|mark| "()[]{}".contains(*mark)).map(|_| at)
    };
    let at = bracket(cursor).or_else(|| cursor.checked_sub(1).and_then(bracket))?;
    let opens = mark(text, &tokens[at]).is_some_and(|mark| "([{".contains(mark));
    let mut depth = 0_i64;
    let ahead = tokens[at..].iter();
    let back = tokens[..=at].iter().rev();
    let mut ways: [Box<dyn Iterator<Item = &Token>>; 2] = [Box::new(ahead), Box::new(back)];
    let way = if opens { &mut ways[0] } else { &mut ways[1] };
    let partner = way.find(|token| {
        match mark(text, token) {
            Some('(' | '[' | '{') => depth += 1,
            Some(')' | ']' | '}') => depth -= 1,
            _ => return false,
        }
        depth == 0
    })?;
    Some((tokens[at].start, partner.start))
}

/// The spaces at the beginning of the line after a text: as many as in its last line, and a step
/// more if that line opened more brackets than it closed.
pub(crate) fn indentation(text: &str) -> String {
    let line = text.rsplit('\n').next().unwrap_or_default();
    let spaces = line.len() - line.trim_start_matches(' ').len();
    let begins = text.len() - line.len();
    let mut depth = 0_i64;
    for token in tokens(text).iter().filter(|token| token.start >= begins) {
        match mark(text, token) {
            Some('(' | '[' | '{') => depth += 1,
            // What closes an earlier line opens nothing here.
            Some(')' | ']' | '}') => depth = (depth - 1).max(0),
            _ => {}
        }
    }
    " ".repeat(spaces + if depth > 0 { usize::from(STEP) } else { 0 })
}

/// The spaces before a bracket that closes the last open one of a text: as many as in the line of that one.
pub(crate) fn dedentation(text: &str) -> String {
    let mut depth = 0_usize;
    let all = tokens(text);
    let open = all.iter().rev().find(|token| match mark(text, token) {
        Some(')' | ']' | '}') => {
            depth += 1;
            false
        }
        Some('(' | '[' | '{') if depth > 0 => {
            depth -= 1;
            false
        }
        Some('(' | '[' | '{') => true,
        _ => false,
    });
    let before = open.map_or("", |open| &text[..open.start]);
    let line = before.rsplit('\n').next().unwrap_or_default();
    " ".repeat(line.len() - line.trim_start_matches(' ').len())
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
