//! Finds where each function and constant of a script begins and ends, the comment above it, and the clauses that it
//! names. Reads the text, so that all layers are known: nothing here knows Rhai's parser.

use crate::error::Location;
use crate::script::lexer::{Token, TokenKind, tokens, tokens_within};

/// A function or a constant as it is written in a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    /// Its name.
    pub name: String,
    /// Whether it is a constant.
    pub constant: bool,
    /// The names of its parameters.
    pub parameters: Vec<String>,
    /// The number of its layer: 0 the rules, then the house rules in order.
    pub layer: usize,
    /// The line of its `fn` or `const`.
    pub at: Location,
    /// The line of its last brace, or of the `;` of a constant.
    pub last: usize,
    /// The comment above it, without its marks.
    pub comments: String,
    /// Its source, with the comment above it.
    pub text: String,
}

impl Definition {
    /// The definition that this one overrides: of those below with its name and as many parameters, the uppermost.
    pub(crate) fn overridden<'d>(&self, all: &'d [Definition]) -> Option<&'d Definition> {
        let below = all.iter().filter(|one| one.layer < self.layer && one.key() == self.key());
        below.max_by_key(|one| one.layer)
    }

    /// What no other of its layer has: its name, and the number of its parameters unless it is a constant.
    pub(crate) fn key(&self) -> (&str, Option<usize>) {
        (&self.name, (!self.constant).then_some(self.parameters.len()))
    }

    pub(crate) fn calls_super(&self) -> bool {
        occurrences(&self.text, "super").next().is_some()
    }

    /// Whether a place is within the function.
    pub fn holds(&self, at: &Location) -> bool {
        self.at.file == at.file && (self.at.line..=self.last).contains(&at.line)
    }
}

pub(crate) fn definitions(path: &str, text: &str, layer: usize) -> Vec<Definition> {
    let lines: Vec<&str> = text.lines().collect();
    let mut all = spans(path, text, layer);
    for one in &mut all {
        let first = one.at.line - 1;
        let above = lines[..first].iter().rev();
        let comment = above.take_while(|line| line.trim_start().starts_with("//")).count();
        one.comments = bare_lines(lines[first - comment..first].iter().copied());
        one.text = lines[first - comment..one.last.min(lines.len())].join("\n");
    }
    all
}

/// Where a word is in a script, also in what is computed within texts.
pub(crate) fn occurrences<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = Token> + 't {
    let is_word = |token: &Token| matches!(token.kind, TokenKind::Word | TokenKind::Keyword);
    tokens_within(text).into_iter().filter(move |token| is_word(token) && token.of(text) == word)
}

fn bare(line: &str) -> &str {
    let line = line.trim_start().trim_start_matches('/');
    line.strip_prefix(['!', ' ']).unwrap_or(line).trim_end()
}

/// Lines of comments without their marks.
pub(in crate::script) fn bare_lines<'t>(lines: impl IntoIterator<Item = &'t str>) -> String {
    lines.into_iter().map(bare).collect::<Vec<_>>().join("\n")
}

/// The nearest comment above a line of a function that names clauses.
pub(in crate::script) fn clause_above(text: &str, first: usize, line: usize) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let is_comment =
        |at: usize| lines.get(at - 1).is_some_and(|line| line.trim_start().starts_with("//"));
    let begins = |at: &usize| is_comment(*at) && clauses(bare(lines[*at - 1])).is_some();
    let start = (first + 1..line).rev().find(begins)?;
    let end = (start..line).take_while(|at| is_comment(*at)).last()?;
    Some(bare_lines(lines[start - 1..end].iter().copied()))
}

/// The functions and constants of a text, in order, without their texts and the comments above them; what is in texts
/// and comments is skipped.
fn spans(path: &str, text: &str, layer: usize) -> Vec<Definition> {
    let all = tokens(text);
    let (mut line, mut depth) = (1, 0usize);
    let mut open: Option<Definition> = None;
    let mut found = Vec::new();
    for (at, token) in all.iter().enumerate() {
        let part = token.of(text);
        let constant = open.as_ref().is_some_and(|open| open.constant);
        match (token.kind, part) {
            (TokenKind::Mark, "{") => depth += 1,
            (TokenKind::Mark, "[" | "(") if constant => depth += 1,
            (TokenKind::Mark, "]" | ")") if constant => depth = depth.saturating_sub(1),
            (TokenKind::Mark, "}") => {
                depth = depth.saturating_sub(1);
                if depth == 0 && !constant {
                    found.extend(open.take().map(|open| Definition { last: line, ..open }));
                }
            }
            (TokenKind::Mark, ";") if depth == 0 => {
                found.extend(open.take().map(|open| Definition { last: line, ..open }));
            }
            (TokenKind::Keyword, "fn" | "const") if depth == 0 && open.is_none() => {
                let at_line = Location { file: path.to_owned(), line, column: None };
                open = Some(opened(text, &all[at + 1..], (at_line, layer), part == "const"));
            }
            _ => {}
        }
        line += part.matches('\n').count();
    }
    found
}

fn opened(
    text: &str,
    behind: &[Token],
    (at, layer): (Location, usize),
    constant: bool,
) -> Definition {
    let is_word = |token: &&Token| matches!(token.kind, TokenKind::Word | TokenKind::Keyword);
    let name = behind.iter().find(is_word).map(|token| token.of(text)).unwrap_or_default();
    let list = behind.iter().take_while(|token| !constant && token.of(text) != ")");
    let words = list.filter(is_word).skip(1).map(|token| token.of(text).to_owned());
    let (name, parameters, last) = (name.to_owned(), words.collect(), at.line);
    let (comments, text) = Default::default();
    Definition { name, constant, parameters, layer, at, last, comments, text }
}

/// A script without its comments, with a space for each gap: scripts that differ only there do the same.
pub(crate) fn uncommented(text: &str) -> String {
    let (mut gap, mut rest) = (false, String::new());
    for token in tokens(text) {
        if token.is_gap() {
            gap = true;
            continue;
        }
        if std::mem::take(&mut gap) && !rest.is_empty() {
            rest.push(' ');
        }
        rest.push_str(token.of(text));
    }
    rest
}

/// The clauses that a comment names at its beginning, and what it says of them: `T3 to T8. What…`.
pub(crate) fn clauses(comment: &str) -> Option<(&str, &str)> {
    let mut end = 0;
    loop {
        let word = comment[end..].split_whitespace().next()?;
        let begins = end + comment[end..].find(word)?;
        end = begins + word.len();
        if let Some(last) = word.strip_suffix(['.', ':']) {
            let named = &comment[..begins + last.len()];
            return is_clause(last).then(|| (named, comment[end..].trim()));
        }
        if !is_clause(word.trim_end_matches(',')) && !matches!(word, "to" | "and" | "or") {
            return None;
        }
    }
}

/// Whether a word is the id of a clause: letters and a number, `W7`.
pub(crate) fn is_clause(word: &str) -> bool {
    let digits = word.trim_start_matches(|c: char| c.is_ascii_uppercase());
    let letters = word.len() - digits.len();
    let number = digits.trim_end_matches(|c: char| c.is_ascii_lowercase());
    (1..=3).contains(&letters)
        && !number.is_empty()
        && digits.len() - number.len() <= 1
        && number.chars().all(|c| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCRIPT: &str = "//! Prose {\n\n/// W1. Looks\n/// around.\nfn look(a) {\n    // W2, W3. Nothing } here.\n    \
        let t = \"}\" + `}${if a { `x${1}` } else { \"{\" }}`;\n    // Not this.\n    /* } */ ask(t)\n}\n\
        private fn ask(t) { #{ a: '}' } }\n";

    #[test]
    fn functions_begin_and_end_where_they_do() {
        let all = definitions("a.rhai", SCRIPT, 2);
        let spans: Vec<(&str, usize, usize)> =
            all.iter().map(|one| (one.name.as_str(), one.at.line, one.last)).collect();
        assert_eq!(spans, [("look", 5, 10), ("ask", 11, 11)]);
        assert_eq!(all[0].parameters, ["a"]);
        assert_eq!(all[0].comments, "W1. Looks\naround.");
        assert!(all[0].text.starts_with("/// W1. Looks\n") && all[0].text.ends_with("ask(t)\n}"));
        assert_eq!((all[1].layer, all[1].comments.as_str()), (2, ""));
        let at = |line| Location { file: "a.rhai".to_owned(), line, column: None };
        assert!(all[0].holds(&at(10)) && !all[0].holds(&at(11)));
    }

    #[test]
    fn only_comments_and_gaps_are_nothing() {
        let bare = "fn f() { let a = \"//\"; g(`/* ${ \"}`\" } */`, '\"') }";
        assert_eq!(uncommented(bare), bare);
        let text = format!("//! # Of f\n\n{} // f\n", bare.replace("; ", "; /* ; /* \" */ */\n\t"));
        assert_eq!(uncommented(&text), bare);
        // Nothing is escaped in a raw text, and a lone carriage return ends a comment.
        let raw = "let a = #\"\\\"#; let b = ##\"a \"# // 1\"##; f(\"  //\")";
        assert_eq!(uncommented(raw), raw);
        assert_eq!(uncommented("// note\rthis.n = 5;"), "this.n = 5;");
        // What joins two words is another thing than a gap.
        assert_eq!(uncommented("let/**/a = b/ c"), "let a = b/ c");
    }

    #[test]
    fn constants_begin_and_end_where_they_do() {
        let text = "// W1. Cards.\nconst CARDS = [\n    #{ a: \";\" }, // one; two\n    (2),\n];\nconst B = 1;\n\
            fn f() { const C = 2; C }\n";
        let all = definitions("a.rhai", text, 0);
        let spans: Vec<(&str, bool, usize, usize)> = all
            .iter()
            .map(|one| (one.name.as_str(), one.constant, one.at.line, one.last))
            .collect();
        assert_eq!(spans, [("CARDS", true, 2, 5), ("B", true, 6, 6), ("f", false, 7, 7)]);
        assert_eq!(all[0].comments, "W1. Cards.");
        assert!(all[0].text.starts_with("// W1.") && all[0].text.ends_with("];"));
    }

    #[test]
    fn the_nearest_clause_above_a_line_counts() {
        assert_eq!(clause_above(SCRIPT, 5, 9).as_deref(), Some("W2, W3. Nothing } here."));
        assert_eq!(clause_above(SCRIPT, 5, 6), None);
    }

    #[test]
    fn clauses_are_told_from_other_words() {
        assert_eq!(
            clauses("T3 to T8. What becomes of it."),
            Some(("T3 to T8", "What becomes of it."))
        );
        assert_eq!(clauses("L23: a hand"), Some(("L23", "a hand")));
        assert_eq!(clauses("W5, W8 to W10:\nmore"), Some(("W5, W8 to W10", "more")));
        for none in ["A turn.", "Who stays.", "", "To 3. x", "B12 is a clause."] {
            assert_eq!(clauses(none), None, "{none}");
        }
    }
}
