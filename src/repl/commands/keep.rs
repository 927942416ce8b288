//! How is a conflict kept and taken up again? `:save`, `:load`.

use std::path::Path;

use super::{Command, Completes};
use crate::conflict::{Loaded, Play, Saved};
use crate::error::Error;
use crate::repl::{Reply, Said, Session, question};

/// The commands of this group.
pub const COMMANDS: &[Command] = &[
    Command {
        name: "save",
        letter: None,
        arguments: "FILE",
        takes: (1, 1),
        completes: &[Completes::File],
        about: "saves the history, with all that is needed to play it again",
        more: "An older file of that name is replaced. The file tells all, hidden things too.",
        run: save,
    },
    Command {
        name: "load",
        letter: None,
        arguments: "FILE [--force]",
        takes: (1, 2),
        completes: &[Completes::File, Completes::Option("--force", None)],
        about: "takes up a saved history where it was left",
        more: "Under rules that have changed since, only with `--force`: to the first divergence.",
        run: load,
    },
];

fn save(session: &mut Session, words: &[String], reply: &mut Reply) -> Result<(), Error> {
    let path = words.first().map(String::as_str).unwrap_or_default();
    session.open()?.saved().write_to(Path::new(path))?;
    reply.note(format!("saved to {path}"));
    Ok(())
}

fn load(session: &mut Session, words: &[String], reply: &mut Reply) -> Result<(), Error> {
    let force = words.iter().any(|word| word == "--force");
    let files: Vec<&String> = words.iter().filter(|word| *word != "--force").collect();
    let [file] = files[..] else {
        return Err(Error::usage("write it as `:load FILE [--force]`"));
    };
    let saved = Saved::read_from(Path::new(file))?;
    let limits = session.options.limits.clone();
    let loaded =
        Play::load(&session.catalog, &saved, &limits, force).map_err(|error| match error {
            Error::ChangedRules { mut differs } => {
                let last = differs.pop().unwrap_or_default();
                differs.push(format!("{last} (`:load {file} --force` tries all the same)"));
                Error::ChangedRules { differs }
            }
            other => other,
        })?;
    let Loaded { play, differs, divergence, ending } = loaded;
    for difference in differs {
        reply.note(format!("changed: {difference}"));
    }
    reply.note(question::introduction(&play));
    ending.warning().into_iter().for_each(|warning| reply.note(warning));
    session.take_up(play);
    session.tell_anew(reply);
    reply.said.extend(divergence.map(Said::Error));
    Ok(())
}
