//! `fracas play`: plays one conflict, with people at the terminal where seats are `human`, in a session like that of
//! the prompt.

use std::cell::RefCell;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;
use std::rc::Rc;

use clap::Args;

use super::common::CommonArguments;
use super::output::Output;
use super::pager;
use super::stdin_lines::STDIN;
use super::typist::{Talk, is_asked, talk};
use crate::commands::{ScenarioArguments, unsaved_folder, written};
use crate::conflict::{Conflict, HISTORY, Play, RunUntil, Saved};
use crate::error::Error;
use crate::game::{Entry, History};
use crate::repl::{Session, SessionOptions};

#[derive(Args, Debug)]
pub(super) struct PlayCommand {
    #[command(flatten)]
    scenario: ScenarioArguments,
    /// Begin after an entry of a history, such as `chance red deal 3`, or `red bid 5 & blue bid 1` where they decide
    /// together (repeatable)
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
        Saved::replaceable(path)?;
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
    let types = std::io::stdin().is_terminal();
    let options = SessionOptions {
        limits,
        seed,
        width: output.width(),
        plain: output.plain,
        json: false,
        name: STDIN,
        is_terminal: types && std::io::stdout().is_terminal() && !play.people().is_empty(),
    };
    let mut session = Session::new(catalog, options);
    let shows = std::io::stdout().is_terminal() || std::io::stderr().is_terminal();
    session.screen.is_shared = types && shows;
    session.take_up(play);
    if let (true, Some(folder)) = (types, unsaved_folder()) {
        session.keep_in(folder);
    }
    session.report();
    let shown = pager::show(&session.take_reply(), true, output);
    if is_asked(&session) && types {
        output.say(
            "(an option, or its number or letter; `:undo` takes back, `:help` lists the commands)",
        );
    }
    let session = Rc::new(RefCell::new(session));
    let ended = shown.and_then(|()| talk(&session, Talk::Play, output));
    let mut session = session.borrow_mut();
    // What people have played so far is kept even where they leave in the middle.
    let saved = arguments.save.as_ref().zip(session.play.as_ref());
    let wrote = saved.map(|(path, play)| play.saved().write_to(path).map(|()| path));
    if !matches!(wrote, Some(Ok(_))) && (wrote.is_some() || is_asked(&session)) {
        session.keep_unsaved();
        pager::show(&session.take_reply(), true, output)?;
    } else {
        session.is_saved();
    }
    if let Some(path) = wrote.transpose()? {
        output.say(&format!("saved to {}", path.display()));
    }
    let Some(play) = &session.play else { return ended };
    ended?;
    if output.json {
        output.value(&play.played())?;
    }
    Ok(ExitCode::SUCCESS)
}
