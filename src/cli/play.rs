//! `fracas play`: plays one conflict, with people at the terminal where seats are `human`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::common::CommonArguments;
use super::output::Output;
use super::terminal;
use crate::commands::{ScenarioArguments, written};
use crate::conflict::{Conflict, HISTORY, Play, RunUntil, replaceable};
use crate::error::Error;
use crate::game::{Entry, History};
use crate::repl::SessionOptions;

#[derive(Args, Debug)]
pub(super) struct PlayCommand {
    #[command(flatten)]
    scenario: ScenarioArguments,
    /// Begin after an entry of a history, such as `red bid 5` (repeatable)
    #[arg(long, value_name = "ENTRY", allow_hyphen_values = true)]
    after: Vec<Entry>,
    /// Save the history to a file
    #[arg(long, value_name = "FILE", value_parser = written(HISTORY))]
    save: Option<PathBuf>,
}

pub(super) fn run(
    common: &CommonArguments,
    arguments: &PlayCommand,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    let catalog = common.catalog()?;
    let limits = common.limits();
    let changes = arguments.scenario.changes()?;
    let conflict = Conflict::open(&catalog, &arguments.scenario.named.scenario, &changes, &limits)?;
    if let Some(path) = &arguments.save {
        // Nobody plays for an hour to hear that it cannot be kept.
        replaceable(path)?;
    }
    let seed = common.seed();
    output.warnings(&conflict);
    let after = History { entries: arguments.after.clone() };
    let hides = conflict.hides_from_people();
    let begun = Play::after(conflict, seed, &limits, after, RunUntil::PersonAsked);
    // Where the entries that were given lead elsewhere, whoever gave them knows them.
    let begun = begun.map_err(|error| match error.itself() {
        Error::Diverged { .. } => error,
        _ if hides => error.veiled(),
        _ => error,
    });
    // A seat that nobody can take has nothing to do with chance.
    if begun.as_ref().err().is_none_or(|error| error.exit_code() != 2) {
        output.say(&format!("seed {seed}"));
    }
    let play = begun?;
    let options = SessionOptions {
        limits,
        seed,
        width: output.width(),
        plain: output.plain(),
        json: false,
        name: "stdin",
        is_terminal: false,
    };
    // What people have played so far is kept even where they leave in the middle.
    let (play, ended) =
        terminal::play_out(play, &catalog, options, arguments.save.is_some(), output);
    let Some(play) = play else { return ended.map(|()| ExitCode::SUCCESS) };
    if let Some(path) = &arguments.save {
        play.saved().write_to(path)?;
        output.say(&format!("saved to {}", path.display()));
    }
    ended?;
    if output.json() {
        output.value(&play.played())?;
    }
    Ok(ExitCode::SUCCESS)
}
