//! Completes the word before the cursor: in a command, by its definition, in an answer, or in code.

use clap::{Arg, ArgAction, Command};

use super::brackets::{OpenCall, calls, is_in_map};
use super::offers::{Completes, Completion, Offers, Suggestion};
use crate::game::{Value, option_name};
use crate::handbook::HandbookEntry;
use crate::lab::CONFLICT;
use crate::repl::script_line::HANDLE;
use crate::repl::words::{Word, typed};
use crate::repl::{Session, commands};
use crate::script::{KEYWORDS, Token, TokenKind, tokens};

pub(super) fn complete(offers: Offers<'_>, line: &str, cursor: usize) -> Completion {
    let Some(before) = line.get(..cursor) else { return Completion::default() };
    let begins = before.len() - before.trim_start().len();
    if before[begins..].starts_with(commands::MARK) {
        return of_command(offers, before, begins + commands::MARK.len_utf8());
    }
    let answers = answers(offers.session, &before[begins..]);
    if !answers.is_empty() {
        return Completion::new(begins, answers);
    }
    of_code(offers, before)
}

/// The options of the open decision that begin so, each with what the rules say of it; empty if no person
/// is asked.
pub(super) fn answers(session: &Session, typed: &str) -> Vec<Suggestion> {
    let asked = session.play.as_ref().and_then(|play| play.asked());
    let Some(asked) = asked.filter(|_| !typed.contains('\n') && !session.screen.is_awaiting())
    else {
        return Vec::new();
    };
    let typed = typed.to_lowercase();
    let wording = session.words.of(asked);
    let candidate = |(index, option): (usize, &Value)| {
        let name = option_name(option);
        let begins = name.to_lowercase().starts_with(&typed);
        let text = if begins { name } else { option.to_string() };
        let note = wording.help_of_option(index).or(wording.of_option(index));
        (begins || text.to_lowercase().starts_with(&typed))
            .then(|| Suggestion::noted(text, note.unwrap_or_default()))
    };
    asked.options.iter().enumerate().filter_map(candidate).collect()
}

/// The completions of the last word of a command's line; the command's name begins at `from`.
fn of_command(offers: Offers<'_>, line: &str, from: usize) -> Completion {
    let (words, _) = typed(line, from);
    let Some((typed, before)) = words.split_last() else { return Completion::default() };
    let Some((name, before)) = before.split_first() else {
        let mut names = offers.of(Completes::Command, &typed.text);
        for candidate in &mut names {
            let takes = commands::find(&candidate.text)
                .is_ok_and(|command| commands::arguments(command).next().is_some());
            candidate.text.push_str(if takes { " " } else { "" });
        }
        return Completion::new(typed.start, names);
    };
    let Ok(command) = commands::find(&name.text) else { return Completion::default() };
    let mut found = candidates(command, before, typed, offers.about(scenario(command, before)));
    for candidate in &mut found {
        candidate.text = quoted(&candidate.text);
    }
    Completion::new(typed.start, found)
}

/// A word as it is written in a line: in quotes that are not in it, where it needs them.
fn quoted(word: &str) -> String {
    let splits = |letter: char| letter.is_whitespace() || letter == '"' || letter == '\'';
    if !word.trim_end().contains(splits) {
        return word.to_owned();
    }
    match word.contains('"') {
        // A quote of either kind is within quotes of the other.
        true => format!("'{}'", word.replace('\'', "'\"'\"'")),
        false => format!("\"{word}\""),
    }
}

/// The names that the last word of a line of the shell may become, by the commands of `program`; none where an
/// option may follow, which the shell knows by itself.
pub(super) fn of_shell(offers: Offers<'_>, program: &Command, words: &[String]) -> Vec<Suggestion> {
    let command = words.iter().position(|word| program.find_subcommand(word).is_some());
    let Some((at, (typed, before))) = command.zip(words.split_last()) else { return Vec::new() };
    let Some(command) = program.find_subcommand(&words[at]) else { return Vec::new() };
    let word = |text: &String| Word { start: 0, text: text.clone() };
    let before: Vec<Word> = before.iter().skip(at + 1).map(word).collect();
    let offers = offers.about(scenario(command, &before));
    let mut found = candidates(command, &before, &word(typed), offers);
    found.retain(|one| !one.text.starts_with('-') || typed.contains('='));
    found
}

fn candidates(
    command: &Command,
    before: &[Word],
    typed: &Word,
    offers: Offers<'_>,
) -> Vec<Suggestion> {
    let last = before.last().map(|word| word.text.as_str()).unwrap_or_default();
    if let Some(argument) = valued(command, last) {
        return offers.values(argument, &typed.text);
    }
    if let Some((name, value)) = typed.text.split_once('=')
        && let Some(argument) = valued(command, name)
    {
        let whole = |one: Suggestion| Suggestion { text: format!("{name}={}", one.text), ..one };
        return offers.values(argument, value).into_iter().map(whole).collect();
    }
    let places: Vec<&Arg> =
        commands::arguments(command).filter(|one| one.is_positional()).collect();
    let repeats = |last: &&&Arg| matches!(last.get_action(), ArgAction::Append);
    let at = positional(command, before).count();
    let own = places.get(at).or_else(|| places.last().filter(repeats));
    // What a new house rule overrides follows its name.
    let new = positional(command, before).next().is_some_and(|word| word.text == commands::NEW);
    if new && at == 2 && own.is_some_and(|own| Completes::of(own) == Some(Completes::House)) {
        return offers.of(Completes::Function, &typed.text);
    }
    let is_known = own.is_some_and(|own| Completes::of(own).is_some());
    let own = own.map(|place| offers.values(place, &typed.text)).unwrap_or_default();
    if !own.is_empty() || (is_known && typed.text.is_empty()) {
        return own;
    }
    // What is in the line already, or cannot be beside that, is not offered.
    let is_free = |argument: &&Arg| {
        let excludes = |place: &&Arg| command.get_arg_conflicts_with(place).contains(argument);
        let taken = places.iter().take(at).any(excludes);
        let named = |word: &Word| {
            commands::option(argument)
                .is_some_and(|name| word.text.split('=').next() == Some(&name))
        };
        !taken && (repeats(&argument) || !before.iter().any(named))
    };
    let options = commands::arguments(command).filter(is_free).filter_map(|argument| {
        let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
        Some(Suggestion::noted(format!("{} ", commands::option(argument)?), help))
    });
    options.filter(|option| option.text.starts_with(&typed.text)).collect()
}

/// The scenario that a line names, or the system, if its command takes one.
fn scenario<'a>(command: &Command, before: &'a [Word]) -> Option<&'a str> {
    let mut places = command.get_positionals();
    let place = places.position(|one| Completes::of(one).is_some_and(Completes::has_rules))?;
    positional(command, before).nth(place).map(|word| word.text.as_str())
}

/// The words that are neither options nor values of options.
fn positional<'a>(command: &Command, words: &'a [Word]) -> impl Iterator<Item = &'a Word> {
    let mut value = false;
    words.iter().filter(move |word| {
        let is_value = std::mem::take(&mut value);
        value = valued(command, &word.text).is_some();
        !is_value && !value && !word.text.starts_with("--")
    })
}

/// The option of this name, if it takes a value.
fn valued<'a>(command: &'a Command, word: &str) -> Option<&'a Arg> {
    let named = |one: &&Arg| commands::option(one).is_some_and(|name| name == word);
    command.get_opts().find(named)
}

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

/// The completions of the word before the cursor in a line of Rhai, by the code around it.
fn of_code(offers: Offers<'_>, text: &str) -> Completion {
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
        let offers = offers.about(named_scenario(text, before));
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
    let found = offers.about(named_scenario(text, before)).of(*kind, typed).into_iter();
    // In a text a parameter is alone.
    let named =
        |one: Suggestion| Suggestion { text: one.text.trim_end_matches('=').to_owned(), ..one };
    Completion::new(open.start + 1, found.map(named))
}

/// The last scenario that some code names: `scenario("…")`.
fn named_scenario<'a>(text: &'a str, tokens: &[Token]) -> Option<&'a str> {
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
