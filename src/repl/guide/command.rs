//! Completes the words of a command's line, by its definition.

use clap::{Arg, ArgAction, Command};

use super::complete::{Candidate, Completion};

use super::Known;
use super::offers::{Completes, Offers};
use crate::repl::Session;
use crate::repl::commands;
use crate::repl::words::{Word, typed};

/// The completions of the last word of a command's line; the command's name begins at `from`.
pub(super) fn complete(session: &Session, known: &Known, line: &str, from: usize) -> Completion {
    let (words, _) = typed(line, from);
    let Some((typed, before)) = words.split_last() else { return Completion::default() };
    let offers = Offers { session, known, scenario: None };
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
    if let Some(argument) = valued(command, last) {
        return offers.values(argument, &typed.text);
    }
    if let Some((name, value)) = typed.text.split_once('=')
        && let Some(argument) = valued(command, name)
    {
        let whole = |one: Candidate| Candidate { text: format!("{name}={}", one.text), ..one };
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
    let own = own.map(|place| offers.values(place, &typed.text)).unwrap_or_default();
    if !own.is_empty() {
        return own;
    }
    let options = commands::arguments(command).filter_map(|argument| {
        let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
        Some(Candidate::noted(format!("{} ", commands::option(argument)?), help))
    });
    options.filter(|option| option.text.starts_with(&typed.text)).collect()
}

/// The scenario that a line names, if its command takes one.
fn scenario<'a>(command: &Command, before: &'a [Word]) -> Option<&'a str> {
    let mut places = command.get_positionals();
    let place = places.position(|one| Completes::of(one) == Some(Completes::Scenario))?;
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
