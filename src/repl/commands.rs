//! The commands of the prompt, as one table: name, arguments, a one-line description, the function.
//!
//! The help is printed from the table, and a name may be shortened as long as it stays unique.

mod advice;
mod completes;
mod conflict;
mod diff;
mod edit;
mod edit_rules;
mod hint;
mod history;
mod inspect;
mod names;
mod portrait;
mod save_load;
mod session;
mod solve;
mod why;

pub use completes::Completes;
pub use edit::Edited;

use super::{Reply, Session, words};
use crate::error::{Error, nearest};

/// The character with which a command begins.
pub const MARK: char = ':';

/// A command of the prompt.
pub struct Command {
    /// Its name, without the mark.
    pub name: &'static str,
    /// Its abbreviation of one letter, if it has one.
    pub letter: Option<char>,
    /// Its arguments, as people write them; those in brackets are optional.
    pub arguments: &'static str,
    /// The least and the greatest number of its words.
    pub takes: (usize, usize),
    /// The kinds of its words, in order, and its options; completion offers the candidates of each.
    pub completes: &'static [Completes],
    /// A description of one line.
    pub about: &'static str,
    /// Further details for the help.
    pub more: &'static str,
    /// The function that runs it.
    pub run: fn(&mut Session, &[String], &mut Reply) -> Result<(), Error>,
}

/// The tables of all groups, in the order in which the help prints them.
fn tables() -> [(&'static str, &'static [Command]); 10] {
    [
        ("a conflict", conflict::COMMANDS),
        ("back and forth", history::COMMANDS),
        ("looking", inspect::COMMANDS),
        ("the rules", why::COMMANDS),
        ("bending them", edit_rules::COMMANDS),
        ("weighing", advice::COMMANDS),
        ("comparing", diff::COMMANDS),
        ("keeping", save_load::COMMANDS),
        ("what there is", names::COMMANDS),
        ("the session", session::COMMANDS),
    ]
}

/// All commands.
pub fn all() -> impl Iterator<Item = &'static Command> {
    tables().into_iter().flat_map(|(_, commands)| commands)
}

/// Runs the command of a line from which the mark has been removed.
///
/// # Errors
/// [`Error::Unknown`] with the nearest command, [`Error::Usage`] for one that is ambiguous or used
/// wrongly, and the command's own.
pub fn run(session: &mut Session, line: &str, reply: &mut Reply) -> Result<(), Error> {
    let words = words::split(line)?;
    let Some((name, arguments)) = words.split_first() else {
        return Err(Error::usage("a command needs a name; `:help` lists them"));
    };
    let command = find(name)?;
    let (fewest, most) = command.takes;
    if !(fewest..=most).contains(&arguments.len()) {
        return Err(Error::usage(format!("write it as `{}`", command.usage())));
    }
    (command.run)(session, arguments, reply)
}

/// The command that a word means: its name, its letter, or a beginning that no other has.
///
/// # Errors
/// [`Error::Unknown`] with the nearest name; [`Error::Usage`] that lists what it may be.
pub fn find(word: &str) -> Result<&'static Command, Error> {
    let word = word.strip_prefix(MARK).unwrap_or(word);
    let mut letters = word.chars();
    let letter = letters.next().filter(|_| letters.next().is_none());
    let exact =
        |command: &&Command| command.name == word || letter.is_some() && command.letter == letter;
    if let Some(command) = all().find(exact) {
        return Ok(command);
    }
    let begun: Vec<&Command> =
        all().filter(|command| !word.is_empty() && command.name.starts_with(word)).collect();
    match &begun[..] {
        [one] => Ok(one),
        [] => {
            let near = nearest(word, all().map(|command| command.name));
            Err(Error::Unknown {
                what: "command",
                name: format!("{MARK}{word}"),
                nearest: near.map(|name| format!("{MARK}{name}")),
                known: Vec::new(),
                at: None,
            })
        }
        several => {
            let names: Vec<String> =
                several.iter().map(|command| format!("`{MARK}{}`", command.name)).collect();
            Err(Error::usage(format!("`{MARK}{word}` may be {}", names.join(", "))))
        }
    }
}

/// Whether a mistake of a line's command tells nothing of the open conflict: the command looks into all
/// worlds that could be, for whoever is asked, or takes up another conflict.
pub fn is_of_others(line: &str) -> bool {
    const OTHERS: [&str; 6] = ["odds", "hint", "solve", "portrait", "open", "load"];
    let word = line.split_whitespace().next().unwrap_or_default();
    find(word).is_ok_and(|command| OTHERS.contains(&command.name))
}

impl Command {
    /// The command with its arguments, as it is written.
    pub fn usage(&self) -> String {
        format!("{MARK}{} {}", self.name, self.arguments).trim_end().to_owned()
    }
}

/// The whole number that is a command's first word, or a default if there is none.
fn number(words: &[String], otherwise: usize) -> Result<usize, Error> {
    match words.first() {
        None => Ok(otherwise),
        Some(word) => word
            .parse()
            .map_err(|_| Error::usage(format!("`{word}` must be a whole number of 0 or more"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_letters_belong_to_one_command_each() {
        let mut names: Vec<&str> = all().map(|command| command.name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        let mut letters: Vec<char> = all().filter_map(|command| command.letter).collect();
        let count = letters.len();
        letters.sort_unstable();
        letters.dedup();
        assert_eq!(letters.len(), count);
        assert!(all().all(|one| one.letter.is_none_or(|letter| one.name.starts_with(letter))));
    }

    #[test]
    fn a_beginning_is_enough_where_it_is_unique() {
        let name = |word| find(word).map(|command| command.name).map_err(|error| error.to_string());
        assert_eq!(name("q"), Ok("quit"));
        assert_eq!(name("h"), Ok("help"));
        assert_eq!(name("u"), Ok("undo"));
        assert_eq!(name("hist"), Ok("history"));
        assert_eq!(name(":undo"), Ok("undo"));
        assert_eq!(name("re"), Err("`:re` may be `:redo`, `:reveal`, `:reload`".to_owned()));
        assert_eq!(name("opne"), Err("unknown command `:opne`; did you mean `:open`?".to_owned()));
    }
}
