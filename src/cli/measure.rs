//! `fracas odds`, `estimate`, `portrait` and `bench`: outcomes, portrait and speed of a conflict.

use std::process::ExitCode;

use super::arguments::{self, CommonArguments};
use super::output::Output;
use super::play::{seated, seated_next};
use super::progress::{PLAYOUTS, Progress};
use crate::analysis::{Estimated, MeasureSelection, Odds, Portrait, Portraying, Seeking, Speed};
use crate::error::{Cut, Error};

pub(super) fn odds(
    common: &CommonArguments,
    arguments: &arguments::OddsCommand,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    let seating = seated_next(common, &arguments.scenario, arguments.whole, output)?;
    let progress = Progress::new(output, "nodes", None);
    let seeking = Seeking { float: arguments.float, threads: common.threads(), nodes: u64::MAX };
    let seating = seating.under(seating.budget().begin(arguments.limit.time));
    let odds = Odds::find(&seating, seeking, &|nodes| progress.at(nodes))?;
    drop(progress);
    output.show(&odds, |width, plain| odds.as_text(width, plain))?;
    Ok(ExitCode::from(match &odds.found {
        Ok(_) => 0,
        Err(_) => match odds.cut {
            Some(Cut::Time(_)) => 0,
            Some(Cut::Interrupted) => 130,
            Some(Cut::Memory(_)) | None => 1,
        },
    }))
}

// Says how sampling ended for those who wait: with the numbers asked for, or too early.

/// Says whether the numbers are those that were asked for; `missed` is the width that they do not
/// keep to.
pub(super) fn exit(cut: Option<Cut>, missed: Option<f64>, output: &mut Output) -> ExitCode {
    if let Some(cut) = cut {
        output.say(&format!("{cut}: these are the results of the playouts up to then"));
    } else if let Some(within) = missed {
        output.say(&format!("not every interval is within {within} yet: raise `-n`"));
    }
    code(cut)
}

/// The exit code of work that was cut, or was not: a time limit does what it was asked to do.
pub(super) fn code(cut: Option<Cut>) -> ExitCode {
    ExitCode::from(if cut == Some(Cut::Interrupted) { 130 } else { 0 })
}

// `fracas estimate`: the odds from playouts, each with its interval.

pub(super) fn estimate(
    common: &CommonArguments,
    arguments: &arguments::EstimateCommand,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    let (_, seating) = seated(common, &arguments.scenario, output)?;
    let seed = common.seed();
    let sampling = arguments.sampling.sampling(common.threads(), seed);
    let seating = seating.under(seating.budget().begin(arguments.sampling.limit.time));
    let progress = Progress::new(output, PLAYOUTS, sampling.known_total());
    let made = Estimated::watched(&seating, sampling, &[], &|stage| progress.stage(stage));
    drop(progress);
    let estimated = made?;
    output.show(&estimated, |width, plain| estimated.as_text(width, plain))?;
    let missed = sampling.enough.within().filter(|within| !estimated.is_within(*within));
    Ok(exit(estimated.cut, missed, output))
}

// `fracas portrait`: what a conflict is like, measure by measure.

pub(super) fn portrait(
    common: &CommonArguments,
    arguments: &arguments::PortraitCommand,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    let (conflict, seating) = seated(common, &arguments.scenario, output)?;
    let wanted = MeasureSelection::read(&arguments.portrait.measures, &conflict, &seating)?;
    let sampling = arguments.portrait.sampling(common.threads(), common.seed());
    let nodes = Portraying::explores(sampling, &seating);
    let time = arguments.portrait.sampling.limit.time;
    let portraying = Portraying { wanted: &wanted, sampling, nodes, time };
    let progress = Progress::new(output, "nodes", None);
    let found = Portrait::find(&conflict, &seating, portraying, &|stage| progress.stage(stage));
    drop(progress);
    let portrait = found?;
    output.show(&portrait, |width, plain| portrait.as_text(width, plain))?;
    Ok(exit(portrait.cut, None, output))
}

// `fracas bench`: playouts per second: the script alone, new ones through the graph, the same ones again.

pub(super) fn bench(
    common: &CommonArguments,
    arguments: &arguments::BenchCommand,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    let (_, seating) = seated(common, &arguments.scenario, output)?;
    let seed = common.seed();
    output.say(&format!("seed {seed}"));
    let speed = Speed::measure(&seating, seed, arguments.bench.time)?;
    output.show(&speed, |width, plain| speed.as_text(width, plain))?;
    Ok(ExitCode::SUCCESS)
}
