//! `fracas portrait`: what a conflict is like.

use std::process::ExitCode;

use clap::Args;

use super::common::CommonArguments;
use super::open_scenario::{sampled, seated};
use super::output::Output;
use super::progress::Progress;
use crate::analysis::{MeasureSelection, Portrait, Portraying};
use crate::arguments::{PageArgument, PortraitArguments, ScenarioArguments};
use crate::error::Error;

#[derive(Args, Debug)]
pub(super) struct PortraitCommand {
    #[command(flatten)]
    scenario: ScenarioArguments,
    #[command(flatten)]
    portrait: PortraitArguments,
    #[command(flatten)]
    pub page: PageArgument,
}

pub(super) fn run(
    common: &CommonArguments,
    arguments: &PortraitCommand,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    let (conflict, seating) = seated(common, &arguments.scenario, output)?;
    let wanted = MeasureSelection::read(&arguments.portrait.measures, &conflict, &seating)?;
    let sampling = arguments.portrait.sampling(common.threads(), common.seed());
    let nodes = Portraying::explores(sampling, &seating);
    let time = arguments.portrait.sampling.limit.time;
    let portraying = Portraying { wanted: &wanted, sampling, nodes, time };
    let progress = Progress::new(output, "nodes", None);
    let stage = |stage| progress.stage(stage);
    portraying.foretell(&seating, &stage);
    let found = Portrait::find(&conflict, &seating, portraying, &stage);
    drop(progress);
    let portrait = found?;
    output.show(&portrait.report())?;
    Ok(sampled(portrait.cut, None, output))
}
