//! The commands that keep a conflict and take it up again: `:save`, `:load`.

use std::path::Path;

use super::{Command, Completes};
use crate::conflict::{Loaded, Play, Saved, replace};
use crate::error::Error;
use crate::repl::rework::tell_cut;
use crate::repl::{Eyes, Reply, Said, Session, question};

/// The commands of this group.
pub const COMMANDS: &[Command] = &[
    Command {
        name: "save",
        letter: None,
        arguments: "FILE [--session]",
        takes: (1, 2),
        completes: &[Completes::File, Completes::Option("--session", None)],
        about: "saves the history, with its forks and all that is needed to play it again; or the lines of this session",
        more: "With `--session` it keeps the lines that were followed so far, with their seeds: `fracas < FILE` runs them \
               again. Where FILE ends in `.rhai`, it keeps the statements alone, as a script. An older file of that \
               name is replaced. The history tells all, hidden things too.",
        run: save,
    },
    Command {
        name: "load",
        letter: None,
        arguments: "FILE [--force]",
        takes: (1, 2),
        completes: &[Completes::File, Completes::Option("--force", None)],
        about: "takes up a saved history where it was left, with its forks",
        more: "Under rules that have changed since, only with `--force`: to the first divergence.",
        run: load,
    },
];

fn save(session: &mut Session, words: &[String], reply: &mut Reply) -> Result<(), Error> {
    let (path, whole) = file_and_flag(words, "--session", "write it as `:save FILE [--session]`")?;
    let is_script = path.ends_with(".rhai");
    match (whole || is_script, is_script) {
        (true, true) => replace(Path::new(path), session.journal.as_script().as_bytes())?,
        (true, false) => replace(Path::new(path), session.journal.as_lines().as_bytes())?,
        (false, _) => session.open()?.saved().write_to(Path::new(path))?,
    }
    reply.note(format!("saved to {path}"));
    Ok(())
}

/// The one file among the words, and whether the flag is there.
fn file_and_flag<'a>(
    words: &'a [String],
    flag: &str,
    usage: &str,
) -> Result<(&'a String, bool), Error> {
    let files: Vec<&String> = words.iter().filter(|word| *word != flag).collect();
    match files[..] {
        [file] => Ok((file, files.len() < words.len())),
        _ => Err(Error::usage(usage)),
    }
}

fn load(session: &mut Session, words: &[String], reply: &mut Reply) -> Result<(), Error> {
    let (file, force) = file_and_flag(words, "--force", "write it as `:load FILE [--force]`")?;
    let saved = Saved::read_from(Path::new(file))?;
    let limits = session.options.limits.clone();
    let loaded = Play::load(&session.catalog, &saved, &limits, force);
    let hides = || !session.revealed && saved.hides_from_people(&session.catalog, &limits);
    let loaded = loaded.map_err(|error| match error {
        Error::ChangedRules { mut differs } => {
            let last = differs.pop().unwrap_or_default();
            differs.push(format!("{last} (`:load {file} --force` tries all the same)"));
            Error::ChangedRules { differs }
        }
        other if hides() => other.veiled(),
        other => other,
    })?;
    let Loaded { play, differs, divergence, cut, ending } = loaded;
    for difference in differs {
        reply.note(format!("changed: {difference}"));
    }
    reply.note(question::introduction(&play));
    for (seat, agent, note) in saved.notes_of_unseated() {
        reply.note(format!("{note}; `:seat {seat} {agent}` seats it"));
    }
    ending.warning().into_iter().for_each(|warning| reply.note(warning));
    tell_cut(&cut, &Eyes::of(&play, session.revealed), reply);
    let lines: Vec<String> = play.lines().iter().map(|(name, ..)| format!("`{name}`")).collect();
    if lines.len() > 1 {
        reply.note(format!("lines of play: {}; on `{}`", lines.join(", "), play.line_name()));
    }
    session.take_up(play);
    session.tell_anew(reply);
    let eyes = session.eyes()?;
    reply.said.extend(divergence.map(|parted| Said::Error(eyes.error(parted))));
    Ok(())
}
