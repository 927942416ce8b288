//! The structure of a function's code, from its tokens: brackets, blocks, conditions, cases, statements.

use std::ops::Range;

use crate::script::{Definition, Token, TokenKind, tokens};

/// The tokens of a function or constant, without spaces and comments.
pub(super) struct Code<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    /// For each opening bracket the number of the token that closes it; else its own.
    closes: Vec<usize>,
}

/// The operators of two letters.
const OPERATORS: [&str; 12] =
    ["<=", ">=", "==", "!=", "&&", "||", "=>", "<<", ">>", "..", "**", "??"];

/// A statement that needs no `;` begins with one of these.
const CONTROL: [&str; 8] = ["if", "while", "for", "loop", "switch", "do", "try", "{"];

impl<'t> Code<'t> {
    pub(super) fn of(text: &'t str, definition: &Definition) -> Code<'t> {
        let line_start = |line: usize| {
            let ends = text.match_indices('\n').map(|(at, _)| at + 1);
            std::iter::once(0).chain(ends).nth(line - 1).unwrap_or(text.len())
        };
        let lines = line_start(definition.at.line)..line_start(definition.last + 1);
        let within = |token: &Token| lines.contains(&token.start) && !token.is_gap();
        let tokens: Vec<Token> = tokens(text).into_iter().filter(within).collect();
        let mut closes: Vec<usize> = (0..tokens.len()).collect();
        let mut open = Vec::new();
        for (at, token) in tokens.iter().enumerate().filter(|(_, one)| one.kind == TokenKind::Mark)
        {
            match token.of(text) {
                "(" | "[" | "{" => open.push(at),
                ")" | "]" | "}" => {
                    if let Some(opening) = open.pop() {
                        closes[opening] = at;
                    }
                }
                _ => {}
            }
        }
        Code { text, tokens, closes }
    }

    pub(super) fn len(&self) -> usize {
        self.tokens.len()
    }

    pub(super) fn kind(&self, at: usize) -> TokenKind {
        self.tokens[at].kind
    }

    pub(super) fn part(&self, at: usize) -> &'t str {
        self.tokens.get(at).map_or("", |token| token.of(self.text))
    }

    pub(super) fn is(&self, at: usize, part: &str) -> bool {
        self.part(at) == part
    }

    pub(super) fn range(&self, at: usize) -> Range<usize> {
        self.tokens[at].start..self.tokens[at].end
    }

    pub(super) fn text(&self, range: &Range<usize>) -> &'t str {
        &self.text[range.clone()]
    }

    /// The operator that begins at a token: two letters without a space between, or one.
    pub(super) fn operator(&self, at: usize) -> &'t str {
        let start = self.tokens[at].start;
        let two = self.text.get(start..start + 2);
        let own = self.range(at);
        two.filter(|two| OPERATORS.contains(two)).unwrap_or(&self.text[own])
    }

    fn bytes(&self, first: usize, last: usize) -> Range<usize> {
        self.tokens[first].start..self.tokens[last].end
    }

    /// Whether a token opens a block, or the cases of a `switch`, not a map.
    fn opens_block(&self, at: usize) -> bool {
        self.is(at, "{") && !(at > 0 && self.is(at - 1, "#"))
    }

    /// The first block that opens behind a token, outside all brackets that open there.
    fn block_behind(&self, at: usize) -> Option<usize> {
        let mut next = at + 1;
        while next < self.len() && !self.opens_block(next) {
            next = self.closes[next] + 1;
        }
        (next < self.len()).then_some(next)
    }

    fn keywords(&self, word: &'static str) -> impl Iterator<Item = usize> + '_ {
        let is_word = move |at: &usize| self.kind(*at) == TokenKind::Keyword && self.is(*at, word);
        (0..self.len()).filter(is_word)
    }

    pub(super) fn conditions(&self) -> Vec<Range<usize>> {
        let condition = |at| {
            let block = self.block_behind(at)?;
            (block > at + 1).then(|| self.bytes(at + 1, block - 1))
        };
        self.keywords("if").filter_map(condition).collect()
    }

    /// What each case of each `switch` does, in the order of the text.
    pub(super) fn switches(&self) -> Vec<Vec<Range<usize>>> {
        self.keywords("switch").filter_map(|at| Some(self.arms(self.block_behind(at)?))).collect()
    }

    fn arms(&self, open: usize) -> Vec<Range<usize>> {
        let close = self.closes[open];
        let mut arms = Vec::new();
        let mut at = open + 1;
        while at < close {
            if self.kind(at) != TokenKind::Mark || self.operator(at) != "=>" {
                at = self.closes[at] + 1;
                continue;
            }
            let first = at + 2;
            let mut next = first;
            if first < close && self.opens_block(first) {
                next = self.closes[first] + 1;
            } else {
                while next < close && !self.is(next, ",") {
                    next = self.closes[next] + 1;
                }
            }
            if next > first {
                arms.push(self.bytes(first, next - 1));
            }
            at = next;
        }
        arms
    }

    /// The statements of all blocks that can be left out: no declarations, and no plain values at the end of a block.
    pub(super) fn statements(&self) -> Vec<Range<usize>> {
        let cases: Vec<usize> =
            self.keywords("switch").filter_map(|at| self.block_behind(at)).collect();
        let is_block = |at: &usize| self.opens_block(*at) && !cases.contains(at);
        (0..self.len()).filter(is_block).flat_map(|open| self.statements_of(open)).collect()
    }

    fn statements_of(&self, open: usize) -> Vec<Range<usize>> {
        let close = self.closes[open];
        let mut found = Vec::new();
        let mut first = open + 1;
        while first < close {
            let (last, is_whole) = self.end_of_statement(first, close);
            if is_whole && !matches!(self.part(first), "let" | "const" | ";") {
                found.push(self.bytes(first, last));
            }
            first = last + 1;
        }
        found
    }

    /// The last token of the statement that begins at `first` in a block, and whether it is more than the block's
    /// value.
    fn end_of_statement(&self, first: usize, close: usize) -> (usize, bool) {
        let control = CONTROL.contains(&self.part(first));
        let mut at = first;
        while at < close {
            if self.is(at, ";") {
                return (at, true);
            }
            let is_block = self.opens_block(at);
            at = self.closes[at] + 1;
            let goes_on = match self.part(at) {
                "else" | "catch" | ";" => true,
                "while" | "until" => self.is(first, "do"),
                _ => false,
            };
            if control && is_block && !goes_on {
                return (at - 1, true);
            }
        }
        (close - 1, false)
    }
}
