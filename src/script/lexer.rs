//! A lexer for Rhai: splits a text into tokens, and finds what is still open at its end.

use rhai::Position;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Space,
    LineComment,
    /// A `/* … */`.
    Comment,
    /// A text, with its marks and all that is computed within.
    Text,
    Number,
    /// A word that belongs to the language.
    Keyword,
    /// Any other word.
    Word,
    /// One letter of anything else.
    Mark,
}

/// A part of a text, from `start` up to `end`, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub kind: TokenKind,
    /// Where it begins.
    pub start: usize,
    /// Where the next one begins.
    pub end: usize,
    /// The construct that is not closed, where the text ends before the part does.
    pub open: Option<OpenConstruct>,
}

impl Token {
    pub(crate) fn of(self, text: &str) -> &str {
        &text[self.start..self.end]
    }

    pub(crate) fn is_gap(self) -> bool {
        matches!(self.kind, TokenKind::Space | TokenKind::LineComment | TokenKind::Comment)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OpenConstruct {
    Code,
    LineComment,
    /// A `/*` that is not closed.
    Comment,
    /// A `"` that is not closed.
    Text,
    /// A text that may span lines, and is not closed.
    LongText,
}

pub(crate) const KEYWORDS: [&str; 23] = [
    "break", "catch", "const", "continue", "do", "else", "false", "fn", "for", "if", "in", "let",
    "loop", "private", "return", "switch", "this", "throw", "true", "try", "until", "while", "Fn",
];

/// The parts of a text, in order; together they are the text.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    lexed(text, false)
}

/// The parts of a text, and before each text those of what is computed within it.
pub(crate) fn tokens_within(text: &str) -> Vec<Token> {
    lexed(text, true)
}

fn lexed(text: &str, within: bool) -> Vec<Token> {
    let mut lexer = Lexer { text, at: 0, tokens: Vec::new(), within };
    lexer.code(false);
    lexer.tokens
}

pub(crate) fn end_of(text: &str) -> OpenConstruct {
    let tokens = tokens(text);
    let open = tokens.iter().find_map(|token| token.open);
    let comment = tokens.last().filter(|token| token.kind == TokenKind::LineComment);
    open.or(comment.map(|_| OpenConstruct::LineComment)).unwrap_or(OpenConstruct::Code)
}

/// Whether the last thing in the code is a `;`, comments aside.
pub(crate) fn ends_quietly(text: &str) -> bool {
    let tokens = tokens(text);
    let last = tokens.iter().rev().find(|token| !token.is_gap());
    last.is_some_and(|token| token.of(text) == ";")
}

/// Whether a position is past the last letter of a text that is no space.
pub(crate) fn is_past_end(position: Position, text: &str) -> bool {
    let text = text.trim_end();
    let lines = text.lines().count().max(1);
    let last = text.lines().last().map_or(0, |line| line.chars().count());
    match (position.line(), position.position()) {
        (Some(line), Some(column)) => line > lines || (line == lines && column > last),
        (Some(line), None) => line > lines,
        (None, _) => false,
    }
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    tokens: Vec<Token>,
    /// Whether what is computed within texts has parts of its own.
    within: bool,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn take(&mut self, word: &str) -> bool {
        let begins = self.rest().starts_with(word);
        self.at += if begins { word.len() } else { 0 };
        begins
    }

    fn next(&mut self) -> Option<char> {
        let letter = self.rest().chars().next()?;
        self.at += letter.len_utf8();
        Some(letter)
    }

    fn skip(&mut self, continues: impl Fn(char) -> bool) {
        let rest = self.rest();
        self.at += rest.find(|letter| !continues(letter)).unwrap_or(rest.len());
    }

    /// Code up to the end, or, `within` a text, up to the `}` that closes it; whether it closed.
    fn code(&mut self, within: bool) -> bool {
        let mut depth = 0;
        while self.at < self.text.len() {
            let start = self.at;
            let (kind, open) = self.token();
            self.tokens.push(Token { kind, start, end: self.at, open });
            match &self.text[start..self.at] {
                "}" if within && depth == 0 => return true,
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => {}
            }
        }
        false
    }

    /// Goes past the next part.
    fn token(&mut self) -> (TokenKind, Option<OpenConstruct>) {
        if self.take("//") {
            self.skip(|letter| !matches!(letter, '\n' | '\r'));
            return (TokenKind::LineComment, None);
        }
        if self.take("/*") {
            return (TokenKind::Comment, self.comment());
        }
        let signs = self.rest().chars().take_while(|letter| *letter == '#').count();
        if signs > 0 && self.rest()[signs..].starts_with('"') {
            return (TokenKind::Text, self.raw_text(signs));
        }
        let start = self.at;
        let Some(letter) = self.next() else { return (TokenKind::Space, None) };
        let kind = match letter {
            '"' | '\'' => return (TokenKind::Text, self.short_text(letter)),
            '`' => return (TokenKind::Text, self.long_text()),
            '0'..='9' => {
                self.number();
                TokenKind::Number
            }
            letter if letter.is_whitespace() => {
                self.skip(char::is_whitespace);
                TokenKind::Space
            }
            letter if is_word(letter) => {
                self.skip(is_word);
                let word = &self.text[start..self.at];
                if KEYWORDS.contains(&word) { TokenKind::Keyword } else { TokenKind::Word }
            }
            _ => TokenKind::Mark,
        };
        (kind, None)
    }

    /// A number has a `.` only before a digit: `1..6` is a range, `1.max(2)` a call.
    fn number(&mut self) {
        self.skip(is_word);
        let mut rest = self.rest().chars();
        if rest.next() == Some('.') && rest.next().is_some_and(|digit| digit.is_ascii_digit()) {
            self.at += 1;
            self.skip(is_word);
        }
    }

    /// Comments nest.
    fn comment(&mut self) -> Option<OpenConstruct> {
        let mut depth = 1;
        while depth > 0 {
            if self.take("/*") {
                depth += 1;
            } else if self.take("*/") {
                depth -= 1;
            } else if self.next().is_none() {
                return Some(OpenConstruct::Comment);
            }
        }
        None
    }

    /// A text in which nothing is escaped: a quote with as many signs as are before it ends it.
    fn raw_text(&mut self, signs: usize) -> Option<OpenConstruct> {
        self.at += signs + 1;
        let close = format!("\"{}", "#".repeat(signs));
        let end = self.rest().find(&close);
        self.at = end.map_or(self.text.len(), |end| self.at + end + close.len());
        end.is_none().then_some(OpenConstruct::LongText)
    }

    fn short_text(&mut self, mark: char) -> Option<OpenConstruct> {
        loop {
            match self.next() {
                // A `\` at the end of a line carries the text on to the next.
                Some('\\') if matches!(self.rest(), "" | "\n") => {
                    self.at = self.text.len();
                    return Some(OpenConstruct::LongText);
                }
                Some('\\') => drop(self.next()),
                Some('\n') | None => return Some(OpenConstruct::Text),
                Some(letter) if letter == mark => return None,
                Some(_) => {}
            }
        }
    }

    fn long_text(&mut self) -> Option<OpenConstruct> {
        loop {
            if self.take("``") {
                continue;
            }
            if self.take("${") {
                // What is computed within belongs to the text; only what is open there matters.
                let before = self.tokens.len();
                let closed = self.code(true);
                let open = self.tokens[before..].iter().find_map(|token| token.open);
                if !self.within {
                    self.tokens.truncate(before);
                }
                if open.is_some() || !closed {
                    return open.or(Some(OpenConstruct::LongText));
                }
                continue;
            }
            match self.next() {
                Some('`') => return None,
                Some(_) => {}
                None => return Some(OpenConstruct::LongText),
            }
        }
    }
}

/// Whether a letter may be part of a name.
pub(super) fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_open_at_the_end_is_reported() {
        for (text, end) in [
            ("1 + 2", OpenConstruct::Code),
            ("1 // \"", OpenConstruct::LineComment),
            ("1 // \"\n", OpenConstruct::Code),
            ("/* a /* b */", OpenConstruct::Comment),
            ("\"/*", OpenConstruct::Text),
            ("\"a\\\"", OpenConstruct::Text),
            ("\"a\\\"\"", OpenConstruct::Code),
            ("`a\n", OpenConstruct::LongText),
            ("`a ${ \"`\" } b", OpenConstruct::LongText),
            ("`a ${ #{x: 1}.x } `", OpenConstruct::Code),
            ("`a ${ 1 +", OpenConstruct::LongText),
            ("'\"'", OpenConstruct::Code),
            ("#\"a\n\"b\"#", OpenConstruct::Code),
            ("\"carried \\", OpenConstruct::LongText),
        ] {
            assert_eq!(end_of(text), end, "{text}");
        }
    }

    #[test]
    fn a_last_semicolon_keeps_quiet() {
        assert!(ends_quietly("1; // a comment"));
        assert!(!ends_quietly("1 // quiet;"));
        assert!(!ends_quietly("\";\""));
        assert!(ends_quietly("1;  "));
    }

    #[test]
    fn the_parts_together_are_the_text() {
        let text = "let größe = [1..6, 2.5, x.len()]; // the end\n/* a */ `b ${ c + \"}\" } d`";
        let tokens = tokens(text);
        let joined: String = tokens.iter().map(|token| &text[token.start..token.end]).collect();
        assert_eq!(joined, text);
        let of = |kind: TokenKind| -> Vec<&str> {
            let tokens = tokens.iter().filter(|token| token.kind == kind);
            tokens.map(|token| &text[token.start..token.end]).collect()
        };
        assert_eq!(of(TokenKind::Keyword), ["let"]);
        assert_eq!(of(TokenKind::Word), ["größe", "x", "len"]);
        assert_eq!(of(TokenKind::Number), ["1", "6", "2.5"]);
        assert_eq!(of(TokenKind::LineComment), ["// the end"]);
        assert_eq!(of(TokenKind::Comment), ["/* a */"]);
        assert_eq!(of(TokenKind::Text), ["`b ${ c + \"}\" } d`"]);
    }
}
