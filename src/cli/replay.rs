//! `fracas replay`: shows a saved history, or checks that it still has the same outcome.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{ArgGroup, Args};
use serde::Serialize;

use super::common::CommonArguments;
use super::face::typed_line;
use super::output::Output;
use super::progress::Progress;
use crate::analysis::{Chances, Expectations};
use crate::commands::{
    LuckArguments, ReplayPage, SavedArguments, Status, Viewer, count, own_players, replay_line,
    write_drawing, written,
};
use crate::conflict::{DRAWING, Loaded, PAGE, Play, Played, Saved, replaceable};
use crate::error::Error;
use crate::game::Value;
use crate::report::{self, ErrorReport};
use crate::script::State;

/// Whether a saved history still has its outcome.
#[derive(Serialize)]
pub(super) struct Verified {
    same: bool,
    entries: usize,
    /// The outcome that it has now; null where it is not over.
    outcome: Option<Value>,
}

#[derive(Args, Debug)]
#[command(group(ArgGroup::new("weighed").args(["luck", "html"]).multiple(true)))]
#[command(group(ArgGroup::new("shown").args(["html", "svg"]).multiple(true)))]
#[command(mut_arg("n", |n| n.requires("weighed")), mut_arg("time", |time| time.requires("weighed")))]
pub(super) struct ReplayCommand {
    #[command(flatten)]
    saved: SavedArguments,
    /// Stop after this many entries
    #[arg(long, visible_alias = "at", value_name = "N", value_parser = count)]
    to: Option<usize>,
    /// Only test that it has the same outcome
    #[arg(long, conflicts_with = "to")]
    verify: bool,
    /// Say which rolls and choices moved most what each player could expect
    #[arg(long, conflicts_with = "verify")]
    luck: bool,
    #[command(flatten)]
    effort: LuckArguments,
    /// Write a page for a browser on which the history is stepped through; it holds the history
    #[arg(long, value_name = "FILE.html", value_parser = written(PAGE), conflicts_with = "verify")]
    html: Option<PathBuf>,
    /// Write the rules' drawing of where it stops
    #[arg(long, value_name = "FILE.svg", value_parser = written(DRAWING), conflicts_with = "verify")]
    svg: Option<PathBuf>,
    /// With `--html` or `--svg`: only what this player saw
    #[arg(long = "for", value_name = "PLAYER", requires = "shown")]
    viewer: Option<String>,
}

pub(super) fn run(
    common: &CommonArguments,
    arguments: &ReplayCommand,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    for file in [&arguments.html, &arguments.svg].into_iter().flatten() {
        replaceable(file)?;
    }
    let catalog = common.catalog()?;
    let limits = common.limits();
    let saved = Saved::read_from(&arguments.saved.file)?;
    let Loaded { mut play, differs, divergence, ending, .. } =
        Play::load(&catalog, &saved, &limits, arguments.saved.force)?;
    let divergence = divergence
        .map(|error| error.in_history(|entry| Saved::place_of(&arguments.saved.file, entry)));
    saved.notes_of_unseated().for_each(|(.., note)| output.warn(&note));
    for difference in &differs {
        output.say(&format!("changed: {difference}"));
    }
    if let Some(count) = arguments.to {
        play.goto(count)?;
    }
    if !arguments.verify
        && let Some(warning) = &ending
    {
        output.warn(warning);
    }
    if arguments.verify {
        return verify(&saved, &play, divergence, output);
    }
    // A page of what one player saw says nothing of it where something is hidden.
    let veiled = arguments.viewer.is_some() && play.conflict.rules.means_to_hide();
    let luck = match arguments.luck || (arguments.html.is_some() && !veiled) {
        false => None,
        true => {
            let progress = Progress::new(output, "nodes", None);
            let (how, stage) = (how(common, &play), |stage| progress.stage(stage));
            match arguments.effort.find_for_page(&play, how, &stage)? {
                Err(error) if !arguments.luck => {
                    drop(progress);
                    output.warn(&format!("{error}: the page is without what could be expected"));
                    None
                }
                found => Some(found?),
            }
        }
    };
    if let Some(path) = &arguments.html {
        let known = match arguments.viewer.as_deref().filter(|_| veiled) {
            Some(viewer) => known(common, arguments, (&play, viewer), output)?,
            None => Vec::new(),
        };
        let viewer = arguments.viewer.as_deref();
        let command = match viewer.filter(|_| veiled) {
            None => typed_line(),
            // No more than what the viewer needs: no seed, and no other file.
            Some(viewer) => {
                let (html, to) =
                    (path.display().to_string(), arguments.to.map(|to| to.to_string()));
                let to = to.iter().flat_map(|to| ["--to", to]);
                let options = ["--for", viewer].into_iter().chain(to).chain(["--html", &html]);
                replay_line(&arguments.saved.file, &options.collect::<Vec<_>>())
            }
        };
        let (play, luck) = (&play, luck.as_ref());
        ReplayPage { play, luck, viewer, known: &known, command }.write(path)?;
        output.say(&format!("wrote `{}`", path.display()));
    }
    if let Some(path) = &arguments.svg {
        let seen = match arguments.viewer.as_deref() {
            None => play.state(),
            Some(viewer) => {
                let own = play.players.of_seat(viewer)?;
                let player = own.first().map_or(viewer, String::as_str);
                State::from_value(&play.conflict.rules.view(&play.state(), player)?)
            }
        };
        write_drawing(&play.conflict, &seen, path)?;
        output.say(&format!("wrote `{}`", path.display()));
    }
    let luck = luck.filter(|_| arguments.luck);
    if output.json {
        return show_as_json((&play, luck), divergence, ending.is_none(), output);
    }
    show(&play, output)?;
    if let Some(luck) = &luck {
        output.show(&luck.report())?;
    }
    match divergence {
        Some(divergence) => Err(divergence),
        None => Ok(ExitCode::from(Status::of(luck.and_then(|luck| luck.cut)).code())),
    }
}

/// What was replayed, and where it was asked for, how lucky everybody was.
#[derive(Serialize)]
struct Replayed {
    #[serde(flatten)]
    played: Played,
    #[serde(skip_serializing_if = "Option::is_none")]
    luck: Option<Expectations>,
}

/// The seed of playouts, and the threads.
fn how(common: &CommonArguments, play: &Play) -> (u64, usize) {
    (common.chance.seed.unwrap_or(play.seed), common.threads())
}

/// What each player could expect as far as a viewer knew. A page is worth having without it.
fn known(
    common: &CommonArguments,
    arguments: &ReplayCommand,
    (play, viewer): (&Play, &str),
    output: &Output,
) -> Result<Vec<Option<Chances>>, Error> {
    let own = own_players(play, viewer)?;
    let progress = Progress::new(output, "nodes", None);
    let report = |stage| progress.stage(stage);
    match arguments.effort.as_known(play, &own, how(common, play), &report) {
        Err(error) if error.cut().is_none() => Err(error),
        found => Ok(found.ok().flatten().unwrap_or_default()),
    }
}

/// The conflict as far as it has come; a divergence is a field of it, for two values on stdout
/// would be none that a program can read.
fn show_as_json(
    (play, luck): (&Play, Option<Expectations>),
    divergence: Option<Error>,
    same: bool,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    let ended = Status::of(luck.as_ref().and_then(|luck| luck.cut)).code();
    let code = divergence.as_ref().map_or(ended, Error::exit_code);
    let error = divergence.as_ref().map(ErrorReport::of);
    let played = Played { error, same: (!same).then_some(false), ..play.played() };
    output.value(&Replayed { played, luck })?;
    Ok(ExitCode::from(code))
}

/// The history line by line, each with the events that followed it, then the current place.
fn show(play: &Play, output: &mut Output) -> Result<(), Error> {
    // Events and picture are for people who look on; `--quiet` keeps what was decided.
    let quiet = output.quiet;
    let (history, events) = (play.history(), if quiet { &[] } else { play.events() });
    let lines = Viewer::All.history(&history, history.len(), events);
    lines.iter().try_for_each(|line| output.prose(line))?;
    match play.conflict.rules.picture(&play.state()) {
        Ok(Some(picture)) if !quiet => output.prose(picture.trim_end())?,
        Ok(_) => {}
        // What was played is worth showing without it.
        Err(error) => output.warn(&format!("there is no picture: {error}")),
    }
    match (play.position().outcome(), play.position().asked().first()) {
        (Some(outcome), _) => output.prose(&report::outcome(outcome)),
        (None, Some(asked)) => output.prose(&format!("next: {asked}")),
        (None, None) => Ok(()),
    }
}

fn verify(
    saved: &Saved,
    play: &Play,
    divergence: Option<Error>,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    if let Some(divergence) = divergence {
        return Err(divergence);
    }
    let now = play.outcome().cloned();
    let same = now == saved.outcome;
    let entries = saved.history.len();
    if output.json {
        output.value(&Verified { same, entries, outcome: now })?;
    } else if same {
        output.data(&format!("the same: {}", report::many(entries as u64, "entry")))?;
    } else {
        let shown = |outcome: &Option<Value>| match outcome {
            Some(outcome) => outcome.to_string(),
            None => "unfinished".to_owned(),
        };
        let was = shown(&saved.outcome);
        output.data(&format!("another outcome: it was {was}, it is {}", shown(&now)))?;
    }
    Ok(ExitCode::from(u8::from(!same)))
}
