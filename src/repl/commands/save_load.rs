//! The commands that keep a conflict and take it up again: `:save`, `:load`.

use std::path::Path;

use crate::arguments::SavedArguments;
use crate::conflict::{Loaded, Play, Saved, replace};
use crate::error::Error;
use crate::repl::rework::tell_cut;
use crate::repl::{Eyes, Reply, Said, Session, question};

/// Saves the history, or the whole session.
pub fn save(
    session: &mut Session,
    path: &Path,
    whole: bool,
    reply: &mut Reply,
) -> Result<(), Error> {
    let is_script = path.extension().is_some_and(|extension| extension == "rhai");
    match (whole || is_script, is_script) {
        (true, true) => replace(path, session.journal.as_script().as_bytes())?,
        (true, false) => replace(path, session.journal.as_lines().as_bytes())?,
        (false, _) => session.open()?.saved().write_to(path)?,
    }
    reply.note(format!("saved to {}", path.display()));
    Ok(())
}

/// Takes up a saved history.
pub fn load(
    session: &mut Session,
    arguments: &SavedArguments,
    reply: &mut Reply,
) -> Result<(), Error> {
    let SavedArguments { file, force } = arguments;
    let saved = Saved::read_from(file)?;
    let limits = session.options.limits.clone();
    let loaded = Play::load(&session.catalog, &saved, &limits, *force);
    let hides = || !session.revealed && saved.hides_from_people(&session.catalog, &limits);
    let loaded = loaded.map_err(|error| match error {
        Error::ChangedRules { mut differs } => {
            let last = differs.pop().unwrap_or_default();
            differs.push(format!("{last} (`:load {} --force` tries all the same)", file.display()));
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
