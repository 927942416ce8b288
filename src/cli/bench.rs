//! `fracas bench`: how many playouts a second a scenario takes.

use std::process::ExitCode;

use clap::Args;

use super::common::CommonArguments;
use super::open_scenario::seated;
use super::output::Output;
use crate::analysis::Speed;
use crate::arguments::{BenchArguments, ScenarioArguments};
use crate::error::Error;

#[derive(Args, Debug)]
pub(super) struct BenchCommand {
    #[command(flatten)]
    scenario: ScenarioArguments,
    #[command(flatten)]
    bench: BenchArguments,
}

pub(super) fn run(
    common: &CommonArguments,
    arguments: &BenchCommand,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    let (_, seating) = seated(common, &arguments.scenario, output)?;
    let seed = common.seed();
    output.say(&format!("seed {seed}"));
    let speed = Speed::measure(&seating, seed, arguments.bench.time)?;
    output.show(&speed.report())?;
    Ok(ExitCode::SUCCESS)
}
