//! How is a conflict kept, taken up, and tried under edited rules? `:save`, `:load`, `:reload`.

use std::path::Path;

use super::{Command, Completes};
use crate::conflict::{Loaded, Play, Reloaded, Saved, Standing};
use crate::error::Error;
use crate::game::{Outcome, Value};
use crate::render;
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
    Command {
        name: "reload",
        letter: None,
        arguments: "",
        takes: (0, 0),
        completes: &[],
        about: "reads the rules from disk again and plays the open conflict under them",
        more: "Rules that do not compile leave the old ones in place. Where the new ones ask something else \
               than the history answers, the conflict stands there.",
        run: reload,
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

fn reload(session: &mut Session, _: &[String], reply: &mut Reply) -> Result<(), Error> {
    session.open()?;
    let catalog = session.catalog.clone();
    let reloaded = session.open_mut()?.reload(&catalog);
    let Reloaded { changed, divergence, cut, ended } = reloaded.inspect_err(|_| {
        reply.note("the old rules stay in place");
    })?;
    if changed.is_empty() {
        reply.note("no rule has changed");
    }
    for change in changed {
        reply.note(format!("changed: {change}"));
    }
    for (name, entries) in cut {
        let noun = if entries == 1 { "entry" } else { "entries" };
        reply.note(format!("cut: {entries} {noun} of the line `{name}`"));
    }
    if divergence.is_none() {
        match (ended, session.open()?.standing()) {
            (None, _) => reply.note("same up to here"),
            (Some(was), Standing::Over { .. }) => {
                reply.note(format!("the same history, another outcome; it was {}", short(was)));
            }
            (Some(_), Standing::Asked(_)) => reply.note("the same history, and it goes on"),
        }
    }
    session.tell_anew(reply);
    reply.said.extend(divergence.map(Said::Error));
    Ok(())
}

/// An outcome in a line: the result and the utilities.
fn short(outcome: Value) -> String {
    let Ok(outcome) = Outcome::new(outcome) else { return "none".to_owned() };
    let utility: Vec<String> = outcome
        .utility
        .iter()
        .map(|(player, number)| format!("{player} {}", render::signed(*number)))
        .collect();
    format!("{}: {}", outcome.result, utility.join(", "))
}
