//! Completes the word before the cursor: in a command, by its definition, in an answer, or in code.

use clap::{Arg, ArgAction, Command};

use super::complete_code;
use super::offers::{Completes, Completion, Offers, Suggestion};
use crate::game::{Value, option_name};
use crate::repl::words::{Word, typed};
use crate::repl::{Session, commands};

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
    complete_code::complete(offers, before)
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
        if candidate.text.trim_end().contains(char::is_whitespace) {
            candidate.text = format!("\"{}\"", candidate.text);
        }
    }
    Completion::new(typed.start, found)
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
    let own = own.map(|place| offers.values(place, &typed.text)).unwrap_or_default();
    if !own.is_empty() {
        return own;
    }
    let options = commands::arguments(command).filter_map(|argument| {
        let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
        Some(Suggestion::noted(format!("{} ", commands::option(argument)?), help))
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
