//! `fracas portrait`: what a conflict is like, measure by measure.

use std::process::ExitCode;

use super::arguments::{self, CommonArguments};
use super::output::Output;
use super::progress::Progress;
use super::sampled;
use super::seated::seated;
use crate::analysis::{MeasureSelection, Portrait, Portraying};
use crate::error::Error;

/// Runs the command.
///
/// # Errors
/// Those of the scenario, the rules and the agents; of measures that there are not.
pub(super) fn run(
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
    Ok(sampled::exit(portrait.cut, None, output))
}
