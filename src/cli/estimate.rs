//! `fracas estimate`: the odds as playouts tell them, each with its interval.

use std::process::ExitCode;

use super::arguments::{self, CommonArguments};
use super::output::Output;
use super::progress::{PLAYOUTS, Progress};
use super::sampled;
use super::seated::seated;
use crate::analysis::Estimated;
use crate::error::Error;

/// Runs the command.
pub(super) fn run(
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
    Ok(sampled::exit(estimated.cut, missed, output))
}
