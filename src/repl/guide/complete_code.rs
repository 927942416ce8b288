//! Completes the word before the cursor in a line of Rhai, by the code around it.

use super::brackets::{OpenCall, calls, is_in_map};
use super::offers::{Completes, Completion, Offers, Suggestion};
use crate::handbook::HandbookEntry;
use crate::lab::CONFLICT;
use crate::repl::script_line::HANDLE;
use crate::script::{KEYWORDS, Token, TokenKind, tokens};

/// The kinds of names that arguments take: function, argument from 0, kind.
const ARGUMENTS: [(&str, usize, Completes); 8] = [
    ("scenario", 0, Completes::Scenario),
    ("house", 0, Completes::House),
    ("seat", 0, Completes::Player),
    ("seat", 1, Completes::Agent),
    ("sweep", 0, Completes::Params),
    ("save_csv", 0, Completes::File),
    ("save_json", 0, Completes::File),
    ("save_svg", 0, Completes::File),
];

/// The function whose map has the parameters as its keys.
const CHANGES: &str = "with";

pub(super) fn complete(offers: Offers<'_>, text: &str) -> Completion {
    let all = tokens(text);
    let last = all.last();
    match last.map(|token| token.kind) {
        Some(TokenKind::LineComment) => return Completion::default(),
        Some(TokenKind::Comment) if last.is_some_and(|token| token.open.is_some()) => {
            return Completion::default();
        }
        Some(TokenKind::Text) if last.is_some_and(|token| token.open.is_some()) => {
            return within_text(offers, text, &all);
        }
        Some(TokenKind::Number | TokenKind::Text) => return Completion::default(),
        _ => {}
    }
    let word = last.filter(|token| matches!(token.kind, TokenKind::Word | TokenKind::Keyword));
    let start = word.map_or(text.len(), |token| token.start);
    let typed = &text[start..];
    let before = &all[..all.len() - usize::from(word.is_some())];
    if let Some((dot, ahead)) = before.split_last()
        && &text[dot.start..dot.end] == "."
    {
        return Completion::new(start, members(offers, &path(text, ahead), typed));
    }
    let changes = calls(text, before).first().is_some_and(|call| call.name == CHANGES);
    if changes && is_in_map(text, before) {
        let offers = offers.about(scenario(text, before));
        let params = offers.of(Completes::Params, typed).into_iter();
        let key = |one: Suggestion| Suggestion { text: format!("{}: ", one.shown), ..one };
        return Completion::new(start, params.map(key));
    }
    Completion::new(start, names(offers, typed))
}

/// The completions of a name in quotes; its kind depends on the function whose argument it is.
fn within_text(offers: Offers<'_>, text: &str, all: &[Token]) -> Completion {
    let Some((open, before)) = all.split_last() else { return Completion::default() };
    let Some(typed) = text[open.start..].strip_prefix('"') else { return Completion::default() };
    let Some(OpenCall { name, argument }) = calls(text, before).into_iter().next() else {
        return Completion::default();
    };
    let kind = ARGUMENTS.iter().find(|(one, place, _)| *one == name && *place == argument);
    let Some((_, _, kind)) = kind else { return Completion::default() };
    let found = offers.about(scenario(text, before)).of(*kind, typed).into_iter();
    // In a text a parameter is alone.
    let named =
        |one: Suggestion| Suggestion { text: one.text.trim_end_matches('=').to_owned(), ..one };
    Completion::new(open.start + 1, found.map(named))
}

/// The last scenario that some code names: `scenario("…")`.
fn scenario<'a>(text: &'a str, tokens: &[Token]) -> Option<&'a str> {
    let of = |token: &Token| &text[token.start..token.end];
    let named = tokens.windows(3).rev().find(|three| {
        of(&three[0]) == "scenario" && of(&three[1]) == "(" && three[2].kind == TokenKind::Text
    })?;
    Some(of(&named[2]).trim_matches('"'))
}

/// The names before a dot: `a.b` as `["a", "b"]`; empty if there is anything but names.
fn path<'a>(text: &'a str, tokens: &[Token]) -> Vec<&'a str> {
    let mut names = Vec::new();
    for pair in tokens.rchunks(2) {
        let Some(name) = pair.last().filter(|token| token.kind == TokenKind::Word) else { break };
        names.push(&text[name.start..name.end]);
        if pair.len() < 2 || &text[pair[0].start..pair[0].end] != "." {
            names.reverse();
            return names;
        }
    }
    names.clear();
    names
}

/// The completions after a dot: the keys of a map, then what the value can do, first what only its kind can.
fn members(offers: Offers<'_>, path: &[&str], typed: &str) -> Vec<Suggestion> {
    let Offers { session, known, .. } = offers;
    let keys = session.lab.keys(path).into_iter().filter(|key| key.starts_with(typed));
    let mut all: Vec<Suggestion> = keys.map(Suggestion::plain).collect();
    let handle = || (path == [CONFLICT]).then(|| session.handle().map(|_| HANDLE.to_owned()));
    let Some(kind) = session.lab.kind(path).or_else(|| handle().flatten()) else {
        all.extend(functions(offers, typed));
        return all;
    };
    let is_own = |entry: &&HandbookEntry| match entry.takes_first() {
        Some("number") => ["number", "whole number"].contains(&kind.as_str()),
        taken => taken == Some(kind.as_str()),
    };
    let forms = || known.beginning(typed);
    let own = forms().filter_map(|forms| forms.iter().find(is_own));
    let others = forms().filter(|forms| !forms.iter().any(|form| is_own(&form)));
    let of_all = |forms: &'_ [HandbookEntry]| {
        forms.iter().position(|form| form.takes_first() == Some("any"))
    };
    let others = others.filter_map(|forms| forms.get(of_all(forms)?));
    all.extend(own.chain(others).map(called));
    all
}

fn called(entry: &HandbookEntry) -> Suggestion {
    Suggestion { text: format!("{}(", entry.name), shown: entry.call(), note: entry.summary() }
}

fn names(offers: Offers<'_>, typed: &str) -> Vec<Suggestion> {
    let session = offers.session;
    let mut variables: Vec<&str> = session.lab.variables().collect();
    if session.handle().is_some() && !variables.contains(&CONFLICT) {
        variables.push(CONFLICT);
    }
    variables.sort_unstable();
    let variables = variables.into_iter().filter(|name| name.starts_with(typed));
    let keywords = KEYWORDS.iter().filter(|word| !typed.is_empty() && word.starts_with(typed));
    let mut all: Vec<Suggestion> = variables.map(Suggestion::plain).collect();
    all.extend(functions(offers, typed));
    all.extend(keywords.map(|word| Suggestion::plain(*word)));
    all
}

/// Functions whose names begin so, the lines' own first; one of several forms is listed once.
fn functions(offers: Offers<'_>, typed: &str) -> Vec<Suggestion> {
    let own = offers.session.lab.functions();
    let own = own.iter().filter(|entry| entry.name.starts_with(typed)).map(called);
    let known = offers.known.beginning(typed).filter_map(<[HandbookEntry]>::first).map(called);
    own.chain(known).collect()
}
