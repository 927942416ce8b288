//! What can be commanded? One table: name, arguments, a line on it, and the function that does it.
//!
//! The help is printed from the table, and names may be cut short as long as they stay unique.

mod advice;
mod bend;
mod completes;
mod conflict;
mod diff;
mod edit;
mod hint;
mod keep;
mod look;
mod names;
mod session;
mod solve;
mod time;
mod why;

pub use completes::Completes;
pub use edit::Edited;

use super::{Reply, Session, words};
use crate::error::{Error, nearest};

/// What a command begins with.
pub const MARK: char = ':';

/// A command of the prompt.
pub struct Command {
    /// What it is called by, without the mark.
    pub name: &'static str,
    /// The one letter that stands for it, where it has one.
    pub letter: Option<char>,
    /// What it takes, as people write it; what stands in brackets can be left out.
    pub arguments: &'static str,
    /// The fewest and the most words it takes.
    pub takes: (usize, usize),
    /// What its words can be, in order, and its options; completion offers what is there of each.
    pub completes: &'static [Completes],
    /// What it does, in a line.
    pub about: &'static str,
    /// What else is worth knowing.
    pub more: &'static str,
    /// Does it.
    pub run: fn(&mut Session, &[String], &mut Reply) -> Result<(), Error>,
}

/// The tables of all groups, in the order in which help tells them.
fn tables() -> [(&'static str, &'static [Command]); 10] {
    [
        ("a conflict", conflict::COMMANDS),
        ("back and forth", time::COMMANDS),
        ("looking", look::COMMANDS),
        ("the rules", why::COMMANDS),
        ("bending them", bend::COMMANDS),
        ("weighing", advice::COMMANDS),
        ("comparing", diff::COMMANDS),
        ("keeping", keep::COMMANDS),
        ("what there is", names::COMMANDS),
        ("the session", session::COMMANDS),
    ]
}

/// All commands.
pub fn all() -> impl Iterator<Item = &'static Command> {
    tables().into_iter().flat_map(|(_, commands)| commands)
}

/// Does what a line commands; the mark has been taken away.
///
/// # Errors
/// [`Error::Unknown`] with the nearest command, [`Error::Usage`] for one that may be several or is
/// used wrongly, and the command's own.
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

/// Whether a line's command looks into all worlds that could be, for whoever is asked.
pub fn supposes(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or_default();
    find(word).is_ok_and(|command| ["odds", "hint", "solve"].contains(&command.name))
}

impl Command {
    /// How it is written.
    pub fn usage(&self) -> String {
        format!("{MARK}{} {}", self.name, self.arguments).trim_end().to_owned()
    }
}

/// A whole number among a command's words, or what stands for none.
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
