//! `fracas bench`: playouts a second: the script alone, fresh ones through the graph, the same again.

use std::process::ExitCode;

use super::arguments::{self, CommonArguments};
use super::output::Output;
use super::seated::seated;
use crate::analysis::Speed;
use crate::error::Error;

/// Runs the command.
pub(super) fn run(
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
