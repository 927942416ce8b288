//! The commands of the session itself: `:help`, `:quit`.

use super::{Command, Completes, MARK, find, tables};
use crate::error::Error;
use crate::render::{filled, wrapped};
use crate::repl::{Reply, Session, explained};

/// The commands of this group.
pub const COMMANDS: &[Command] = &[
    Command {
        name: "help",
        letter: Some('h'),
        arguments: "[COMMAND|config]",
        takes: (0, 1),
        completes: &[Completes::Command],
        about: "all commands, or what is to be known of one",
        more: "`:help config` tells which files of your own are read.",
        run: help,
    },
    Command {
        name: "quit",
        letter: Some('q'),
        arguments: "",
        takes: (0, 0),
        completes: &[],
        about: "leaves; so does Ctrl-D",
        more: "",
        run: quit,
    },
];

/// The word after `:help` that is not a command: it explains the files of settings.
const CONFIG: &str = "config";

/// The help on lines that are not commands.
const LINES: &str = "\
All other lines are Rhai: `dice(\"2d6\")`, `let x = 3`, `fn f(n) { n * 2 }`. `ans` is the last result, and a
`;` at the end keeps quiet. Where a person is asked, a line that is one of the options, its place in the list, or
a beginning that no other option has, is the answer; `#3` is always the third option. Where the options are
numbers, a number is that option, not its place; where it may be a place or a part of another option, it is
refused. `(3)` is Rhai all the same.
Commands may be cut short as long as it is clear which is meant: `:hist`, `:q`.
`name?` tells what a name does, `name??` how it is written. At a terminal Tab completes, F1 explains the word at
the cursor, Alt-Enter begins a further line, Up finds what began alike, Ctrl-R what held it.";

fn help(session: &mut Session, words: &[String], reply: &mut Reply) -> Result<(), Error> {
    if let Some(word) = words.first() {
        if word == CONFIG {
            reply.data(wrapped(&explained(), session.options.width));
            return Ok(());
        }
        let command = find(word)?;
        let letter = command.letter.map(|letter| format!(", or {MARK}{letter}"));
        reply.data(format!("{}{}", command.usage(), letter.unwrap_or_default()));
        let more =
            if command.more.is_empty() { String::new() } else { format!(". {}", command.more) };
        reply.data(filled(&format!("{}{more}", command.about), session.options.width));
        return Ok(());
    }
    for (title, commands) in tables() {
        reply.data(format!("{title}:"));
        for command in commands {
            let short = command.arguments.split(" [--").next().unwrap_or_default();
            let usage = format!("{MARK}{} {short}", command.name);
            reply.data(entry(usage.trim_end(), command.about, session.options.width));
        }
    }
    reply.data(filled(LINES, session.options.width));
    Ok(())
}

/// The width of the column of usages.
const COLUMN: usize = 22;

/// A usage with its description beside it, or below it if there is too little room.
fn entry(usage: &str, about: &str, width: usize) -> String {
    let indent = if width < 60 { 6 } else { COLUMN + 4 };
    let text = filled(about, width.saturating_sub(indent).max(20));
    let text = text.replace('\n', &format!("\n{}", " ".repeat(indent)));
    if width < 60 || usage.chars().count() > COLUMN {
        format!("  {usage}\n{}{text}", " ".repeat(indent))
    } else {
        format!("  {usage:<COLUMN$}  {text}")
    }
}

fn quit(_: &mut Session, _: &[String], reply: &mut Reply) -> Result<(), Error> {
    reply.ends = true;
    Ok(())
}
