//! `fracas estimate`: the odds of a conflict from playouts.

use std::process::ExitCode;

use clap::Args;

use super::common::CommonArguments;
use super::open_scenario::{sampled, seated};
use super::output::Output;
use super::progress::Progress;
use crate::analysis::{Estimated, PLAYOUTS};
use crate::arguments::{PageArgument, SamplingArguments, ScenarioArguments};
use crate::error::Error;

#[derive(Args, Debug)]
pub(super) struct EstimateCommand {
    #[command(flatten)]
    scenario: ScenarioArguments,
    #[command(flatten)]
    sampling: SamplingArguments,
    #[command(flatten)]
    pub page: PageArgument,
}

pub(super) fn run(
    common: &CommonArguments,
    arguments: &EstimateCommand,
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
    output.show(&estimated.report())?;
    let missed = sampling.enough.within().and_then(|within| estimated.chances.missed(within));
    Ok(sampled(estimated.cut, missed, output))
}
