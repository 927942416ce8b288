//! Completes the words of a command's line, by the kinds of words that the command declares.

use super::complete::{Candidate, Completion};
use super::known::Known;
use super::offers::Offers;
use super::words::{Word, split};
use crate::repl::Session;
use crate::repl::commands::{self, Command, Completes};

/// The completions of the last word of a command's line; the command's name begins at `from`.
pub fn complete(session: &Session, known: &Known, line: &str, from: usize) -> Completion {
    let words = split(line, from);
    let Some((typed, before)) = words.split_last() else { return Completion::default() };
    let offers = Offers { session, known, scenario: None };
    let Some((name, before)) = before.split_first() else {
        let mut names = offers.of(Completes::Command, &typed.text);
        for candidate in &mut names {
            let takes = commands::find(&candidate.text).is_ok_and(|command| command.takes.1 > 0);
            candidate.text.push_str(if takes { " " } else { "" });
        }
        return Completion::new(typed.start, names);
    };
    let Ok(command) = commands::find(&name.text) else { return Completion::default() };
    let offers = Offers { scenario: scenario(command, before), ..offers };
    let mut found = candidates(command, before, typed, &offers);
    for candidate in &mut found {
        if candidate.text.trim_end().contains(char::is_whitespace) {
            candidate.text = format!("\"{}\"", candidate.text);
        }
    }
    Completion::new(typed.start, found)
}

fn candidates(
    command: &Command,
    before: &[Word],
    typed: &Word,
    offers: &Offers<'_>,
) -> Vec<Candidate> {
    let last = before.last().map(|word| word.text.as_str()).unwrap_or_default();
    if let Some(Completes::Option(_, Some(value))) = option(command, last) {
        return offers.of(**value, &typed.text);
    }
    if let Some((name, value)) = typed.text.split_once('=')
        && let Some(Completes::Option(_, Some(kind))) = option(command, name)
    {
        let whole = |one: Candidate| Candidate { text: format!("{name}={}", one.text), ..one };
        return offers.of(**kind, value).into_iter().map(whole).collect();
    }
    let place = positional(command, before).count();
    let mut kinds = command.completes.iter().filter(|one| !matches!(one, Completes::Option(..)));
    let own = kinds.nth(place).filter(|_| !typed.text.starts_with('-'));
    let own = own.map(|kind| offers.of(*kind, &typed.text)).unwrap_or_default();
    if !own.is_empty() {
        return own;
    }
    let options = command.completes.iter().filter_map(|one| match one {
        Completes::Option(name, _) => Some(format!("{name} ")),
        _ => None,
    });
    options.filter(|name| name.starts_with(&typed.text)).map(Candidate::plain).collect()
}

/// The scenario that a line names, if its command takes one.
fn scenario<'a>(command: &Command, before: &'a [Word]) -> Option<&'a str> {
    let place = command.completes.iter().position(|one| *one == Completes::Scenario)?;
    positional(command, before).nth(place).map(|word| word.text.as_str())
}

/// The words that are neither options nor values of options.
fn positional<'a>(command: &Command, words: &'a [Word]) -> impl Iterator<Item = &'a Word> {
    let mut value = false;
    words.iter().filter(move |word| {
        let is_value = std::mem::take(&mut value);
        value = matches!(option(command, &word.text), Some(Completes::Option(_, Some(_))));
        !is_value && !word.text.starts_with("--")
    })
}

fn option<'a>(command: &'a Command, word: &str) -> Option<&'a Completes> {
    let named = |one: &&Completes| matches!(one, Completes::Option(name, _) if *name == word);
    command.completes.iter().find(named)
}
