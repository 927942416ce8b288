//! `fracas replay`: shows a saved history, or checks that it still has the same outcome.

use std::process::ExitCode;

use clap::Args;
use serde::Serialize;

use super::common::CommonArguments;
use super::output::Output;
use super::progress::Progress;
use crate::analysis::Expectations;
use crate::commands::{LuckArguments, SavedArguments, count};
use crate::conflict::{Loaded, Play, Played, Position, Saved, SavedEnding};
use crate::error::Error;
use crate::game::Value;
use crate::report::{self, ErrorReport};

/// Whether a saved history still has its outcome.
#[derive(Serialize)]
pub(super) struct Verified {
    /// Whether it has.
    same: bool,
    entries: usize,
    /// The outcome that it has now; null where it is not over.
    outcome: Option<Value>,
}

#[derive(Args, Debug)]
#[command(mut_arg("n", |n| n.requires("luck")), mut_arg("time", |time| time.requires("luck")))]
pub(super) struct ReplayCommand {
    #[command(flatten)]
    saved: SavedArguments,
    /// Stop after this many entries
    #[arg(long, value_name = "N", value_parser = count)]
    to: Option<usize>,
    /// Only test that it has the same outcome
    #[arg(long, conflicts_with = "to")]
    verify: bool,
    /// Say which rolls and choices moved most what each player could expect
    #[arg(long, conflicts_with = "verify")]
    luck: bool,
    #[command(flatten)]
    effort: LuckArguments,
}

pub(super) fn run(
    common: &CommonArguments,
    arguments: &ReplayCommand,
    output: &mut Output,
) -> Result<ExitCode, Error> {
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
        && let Some(warning) = ending.warning()
    {
        output.warn(&warning);
    }
    if arguments.verify {
        return verify(&saved, &play, divergence, output);
    }
    let luck = match arguments.luck {
        true => Some(lucky(common, arguments, &play, output)?),
        false => None,
    };
    if output.json() {
        return show_as_json((&play, luck), divergence, ending == SavedEnding::Same, output);
    }
    show(&play, output)?;
    if let Some(luck) = &luck {
        output.show(&luck.report())?;
    }
    match divergence {
        Some(divergence) => Err(divergence),
        None => Ok(ExitCode::SUCCESS),
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

fn lucky(
    common: &CommonArguments,
    arguments: &ReplayCommand,
    play: &Play,
    output: &Output,
) -> Result<Expectations, Error> {
    let progress = Progress::new(output, "nodes", None);
    let how = (common.seed(), common.threads());
    arguments.effort.find(play, how, &|stage| progress.stage(stage))
}

/// The conflict as far as it has come; a divergence is a field of it, for two values on stdout
/// would be none that a program can read.
fn show_as_json(
    (play, luck): (&Play, Option<Expectations>),
    divergence: Option<Error>,
    same: bool,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    let code = divergence.as_ref().map_or(0, Error::exit_code);
    let error = divergence.as_ref().map(ErrorReport::of);
    let played = Played { error, same: (!same).then_some(false), ..play.played() };
    output.value(&Replayed { played, luck })?;
    Ok(ExitCode::from(code))
}

/// The history line by line, each with the events that followed it, then the current place.
fn show(play: &Play, output: &mut Output) -> Result<(), Error> {
    // Events and picture are for people who look on; `--quiet` keeps what was decided.
    let quiet = output.quiet();
    let say_events = |after: usize, output: &mut Output| {
        let heard = play.events().iter().filter(|heard| heard.after == after && !quiet);
        heard
            .map(|heard| output.prose(&format!("      {}", heard.text)))
            .collect::<Result<Vec<_>, _>>()
    };
    say_events(0, output)?;
    for (i, entry) in play.history().entries.iter().enumerate() {
        output.prose(&format!("{:>4}  {}", i + 1, entry.in_words()))?;
        say_events(i + 1, output)?;
    }
    match play.conflict.rules.picture(&play.state()) {
        Ok(Some(picture)) if !quiet => output.prose(picture.trim_end())?,
        Ok(_) => {}
        // What was played is worth showing without it.
        Err(error) => output.warn(&format!("there is no picture: {error}")),
    }
    match play.position() {
        Position::Over { outcome, .. } => output.prose(&report::outcome(outcome)),
        Position::Asked(moment) => match moment.asked.first() {
            Some(asked) => output.prose(&format!("next: {asked}")),
            None => Ok(()),
        },
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
    if output.json() {
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
