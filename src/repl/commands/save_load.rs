//! The commands that keep a conflict and take it up again: `:save`, `:load`.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use crate::conflict::{Loaded, Play, replace};
use crate::error::Error;
use crate::repl::rework::report_cut;
use crate::repl::session::unsaved::{Keeper, Unsaved};
use crate::repl::{Eyes, Reply, Said, Session, question};

/// `:load`.
#[derive(Args, Debug)]
pub struct Load {
    /// The saved history; or `#` and the number of a conflict that was not saved. Without it, lists those
    #[arg(value_name = "FILE | #N")]
    file: Option<PathBuf>,
    /// Continue under changed rules, to the first divergence
    #[arg(long)]
    force: bool,
}

pub(super) fn save(
    session: &mut Session,
    path: &Path,
    whole: bool,
    reply: &mut Reply,
) -> Result<(), Error> {
    let is_script = path.extension().is_some_and(|extension| extension == "rhai");
    match (whole || is_script, is_script) {
        (true, true) => replace(path, session.journal.as_script().as_bytes())?,
        (true, false) => replace(path, session.journal.as_lines().as_bytes())?,
        (false, _) => {
            session.open()?.saved().write_to(path)?;
            session.is_saved();
        }
    }
    reply.note(format!("saved to {}", path.display()));
    Ok(())
}

pub(super) fn load(
    session: &mut Session,
    arguments: &Load,
    reply: &mut Reply,
) -> Result<(), Error> {
    let Load { file: Some(file), force } = arguments else { return list(session, reply) };
    let number = file.to_str().and_then(|name| name.strip_prefix('#')?.parse().ok());
    let file = &number.map_or_else(|| Ok(file.clone()), |number| session.unsaved(number))?;
    let saved = session.read_saved(file)?;
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
    session.keep_before(Some(file), reply);
    for difference in differs {
        reply.note(format!("changed: {difference}"));
    }
    reply.note(question::introduction(&play));
    for (seat, agent, note) in saved.notes_of_unseated() {
        reply.note(format!("{note}; `:seat {seat} {agent}` seats it"));
    }
    ending.warning().into_iter().for_each(|warning| reply.note(warning));
    report_cut(&cut, &Eyes::of(&play, session.revealed), reply);
    let lines: Vec<String> = play.lines().iter().map(|(name, ..)| format!("`{name}`")).collect();
    if lines.len() > 1 {
        reply.note(format!("lines of play: {}; on `{}`", lines.join(", "), play.line_name()));
    }
    session.take_up(play);
    session.is_taken_up(Some(file));
    session.report_anew(reply);
    let eyes = session.eyes()?;
    reply.said.extend(divergence.map(|parted| Said::Error(eyes.error(parted))));
    Ok(())
}

/// Lists the conflicts that were left without being saved.
fn list(session: &Session, reply: &mut Reply) -> Result<(), Error> {
    let all = session.keeper.as_ref().map(Keeper::others).unwrap_or_default();
    if all.is_empty() {
        reply.note("no conflict was left without being saved; `:load FILE` takes up a saved one");
    }
    if session.options.json {
        let file = |unsaved: &Unsaved| json!({ "file": unsaved.file.display().to_string(), "scenario": unsaved.scenario });
        reply.data(json!(all.iter().map(file).collect::<Vec<_>>()).to_string());
        return Ok(());
    }
    for (number, unsaved) in (1..).zip(&all) {
        reply.data(format!("#{number}  {}", unsaved.sentence()));
    }
    Ok(())
}
