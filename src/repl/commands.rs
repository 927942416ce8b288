//! The commands of the prompt: finds and runs the one that a line names, and says how one is written. Those of
//! the shell are in `cli`.

mod conflict;
mod definitions;
mod diff;
mod edit;
mod face;
mod help;
mod history;
mod house;
mod inspect;
mod rulebook;
mod why;

pub(crate) use super::MARK;
use std::sync::LazyLock;

use clap::error::{ContextKind, ErrorKind};
use clap::{Arg, Command, FromArgMatches, Subcommand};

pub use definitions::PromptCommand;
pub(crate) use edit::FileWatch;
pub(crate) use help::CONFIG;
pub(crate) use house::NEW;
pub use rulebook::explain;

use super::Session;
use super::words::{Word, split, typed};
use crate::catalog::PROGRAM;
use crate::commands::mistake;
use crate::error::{Error, nearest};

/// The definitions of all commands, as subcommands of a program without a name.
static DEFINITIONS: LazyLock<Command> = LazyLock::new(|| {
    let bare = Command::new("").no_binary_name(true).disable_help_subcommand(true);
    let mut all = PromptCommand::augment_subcommands(bare.disable_help_flag(true));
    all.build();
    all
});

pub fn all() -> impl Iterator<Item = &'static Command> {
    DEFINITIONS.get_subcommands()
}

/// Runs the command of a line from which the mark has been removed.
pub fn run(session: &mut Session, line: &str) -> Result<(), Error> {
    parse(line)?.run(session)
}

/// The command of a line from which the mark has been removed, with its arguments.
///
/// # Errors
/// [`Error::Unknown`] with the nearest command, [`Error::Usage`] for one that is ambiguous or used
/// wrongly.
pub fn parse(line: &str) -> Result<PromptCommand, Error> {
    let words = split(line)?;
    let Some((name, arguments)) = words.split_first() else {
        return Err(Error::usage("a command needs a name; `:help` lists them"));
    };
    let command = find(name)?;
    if arguments.iter().any(|word| word == "--help" || word == "-h") {
        return Ok(PromptCommand::Help { command: Some(command.get_name().to_owned()) });
    }
    if let Some(player) = arguments.first().filter(|_| command.get_name() == "seat")
        && let Some((player, agent)) = player.split_once('=')
    {
        let agent = line.split_once('=').map_or(agent, |(_, rest)| rest.trim_end());
        let agent = if agent.is_empty() { "AGENT" } else { agent };
        let line = format!("{} {player} {agent}", command.get_name());
        return Err(Error::usage(format!(
            "a player and an agent are two words; write it as `{MARK}{}`",
            with_program_quoted(&line).unwrap_or(line)
        )));
    }
    let words = std::iter::once(command.get_name()).chain(arguments.iter().map(String::as_str));
    let matches = DEFINITIONS.clone().try_get_matches_from(words);
    let parsed = matches.and_then(|matches| PromptCommand::from_arg_matches(&matches));
    parsed.map_err(|error| match with_program_quoted(line) {
        Some(mended) => Error::usage(format!(
            "a program with arguments is one word only in quotes; write it as `{MARK}{mended}`"
        )),
        None => misused(command, &error),
    })
}

/// The line with quotes around a program that has none, such as `command(python3 mine.py)`, which is several words.
fn with_program_quoted(line: &str) -> Option<String> {
    let (words, _) = typed(line, 0);
    let begins = |word: &&Word| {
        let program = word.text.split('=').next_back().unwrap_or_default();
        let open = program.strip_prefix(PROGRAM).is_some_and(|rest| rest.starts_with('('));
        open && !word.text.ends_with(')') && line[word.start..].starts_with(&word.text)
    };
    let start = words.iter().find(begins)?.start;
    let end = start + line[start..].rfind(')')? + 1;
    let (before, word, after) = (&line[..start], &line[start..end], &line[end..]);
    let quote = ['\'', '"'].into_iter().find(|quote| !word.contains(*quote))?;
    Some(format!("{before}{quote}{word}{quote}{after}"))
}

/// The error for a command with wrong arguments; where there are too many or too few, with its usage.
fn misused(command: &Command, error: &clap::Error) -> Error {
    let counts = [ErrorKind::MissingRequiredArgument, ErrorKind::UnknownArgument];
    match mistake(error) {
        Error::Usage { message, nearest: None } if counts.contains(&error.kind()) => {
            // The parser does not know the option that all commands have.
            let word = error.get(ContextKind::InvalidArg).map(ToString::to_string);
            let help = word.and_then(|word| nearest(&word, ["--help"]));
            match help {
                Some(_) => Error::Usage { message, nearest: help },
                None => Error::usage(format!("{message}; write it as `{}`", usage(command))),
            }
        }
        other => other,
    }
}

/// The command that a word means: its name, its letter, or a beginning that no other has.
pub fn find(word: &str) -> Result<&'static Command, Error> {
    let word = word.strip_prefix(MARK).unwrap_or(word);
    let exact = |command: &&Command| {
        command.get_name() == word || command.get_all_aliases().any(|letter| letter == word)
    };
    if let Some(command) = all().find(exact) {
        return Ok(command);
    }
    let begun: Vec<&Command> =
        all().filter(|command| !word.is_empty() && command.get_name().starts_with(word)).collect();
    match &begun[..] {
        [one] => Ok(one),
        [] => {
            let near = nearest(word, all().map(Command::get_name));
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
                several.iter().map(|command| format!("`{MARK}{}`", command.get_name())).collect();
            Err(Error::usage(format!("`{MARK}{word}` may be {}", names.join(", "))))
        }
    }
}

/// The arguments of a command that people may type, without those kept for what was typed before.
pub fn arguments(command: &Command) -> impl Iterator<Item = &Arg> {
    command.get_arguments().filter(|argument| !argument.is_hide_set())
}

/// The name of an option, as it is typed.
pub fn option(argument: &Arg) -> Option<String> {
    let long = argument.get_long().map(|long| format!("--{long}"));
    long.or_else(|| argument.get_short().map(|short| format!("-{short}")))
}

/// A command with its arguments, as it is written; those in brackets are optional.
pub fn usage(command: &Command) -> String {
    written(command, |_| true)
}

fn written(command: &Command, which: impl Fn(&Arg) -> bool) -> String {
    let one = |argument: &Arg| {
        let values = argument.get_value_names().filter(|_| argument.get_action().takes_values());
        let value = values.and_then(|names| names.first()).map(ToString::to_string);
        let words: Vec<String> = option(argument).into_iter().chain(value).collect();
        let text = words.join(" ");
        if argument.is_required_set() { format!(" {text}") } else { format!(" [{text}]") }
    };
    let arguments: String = arguments(command).filter(|one| which(one)).map(one).collect();
    format!("{MARK}{}{arguments}", command.get_name())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_letters_belong_to_one_command_each() {
        // The parser looks for names that are given twice, and for much else.
        DEFINITIONS.clone().debug_assert();
        let mut listed: Vec<&str> =
            help::GROUPS.iter().flat_map(|(_, names)| names.split(' ')).collect();
        let mut known: Vec<&str> = all().map(Command::get_name).collect();
        listed.sort_unstable();
        known.sort_unstable();
        assert_eq!(listed, known, "as the help lists them");
        let letter = |one: &Command| one.get_all_aliases().next().map(str::to_owned);
        assert!(
            all().all(|one| letter(one).is_none_or(|letter| one.get_name().starts_with(&letter)))
        );
    }

    #[test]
    fn what_only_prints_is_not_kept() {
        let kept = |line| parse(line).map(|command| command.care().is_kept).unwrap();
        assert!(!kept("help undo") && !kept("doc") && !kept("q"));
        assert!(kept("undo") && kept("open a/b --seed 3"));
    }

    #[test]
    fn a_program_without_quotes_is_written_with_them() {
        for (line, mended) in [
            ("seat red command(python3 mine.py)", "seat red 'command(python3 mine.py)'"),
            ("seat red command(sh 'my agent') ", "seat red \"command(sh 'my agent')\" "),
            (
                "open a/b --seat red=command(a b) --seed 1",
                "open a/b --seat 'red=command(a b)' --seed 1",
            ),
        ] {
            let said = parse(line).unwrap_err().to_string();
            assert!(said.ends_with(&format!("; write it as `:{mended}`")), "{said}");
            assert!(parse(mended).is_ok(), "{mended}");
        }
        let said = parse("seat red 'command(a b)' blue").unwrap_err().to_string();
        assert!(said.ends_with("write it as `:seat PLAYER AGENT`"), "{said}");
        let said = parse("odds --hlep").unwrap_err().to_string();
        assert!(said.ends_with("'--hlep' found; did you mean `--help`?"), "{said}");
    }

    #[test]
    fn a_beginning_is_enough_where_it_is_unique() {
        let name =
            |word| find(word).map(|command| command.get_name()).map_err(|error| error.to_string());
        assert_eq!(name("q"), Ok("quit"));
        assert_eq!(name("h"), Ok("help"));
        assert_eq!(name("u"), Ok("undo"));
        assert_eq!(name("hist"), Ok("history"));
        assert_eq!(name(":undo"), Ok("undo"));
        assert_eq!(name("re"), Err("`:re` may be `:redo`, `:reveal`, `:reload`".to_owned()));
        assert_eq!(name("opne"), Err("unknown command `:opne`; did you mean `:open`?".to_owned()));
    }
}
