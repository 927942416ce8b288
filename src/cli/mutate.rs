//! `fracas mutate`: which changes of rules no case and no law would notice.

use std::process::ExitCode;

use clap::Args;

use super::common::CommonArguments;
use super::output::Output;
use super::progress::Progress;
use crate::check::Mutating;
use crate::commands::{Status, TimeArgument, one_to, whole};
use crate::error::Error;
use crate::script::Limits;

#[derive(Args, Debug)]
pub(super) struct MutateCommand {
    /// The system whose scripts are changed
    system: String,
    /// Change the script of this house rule instead
    #[arg(long, value_name = "NAME")]
    house: Option<String>,
    /// Scenarios of at most N nodes are small: their laws are checked, and their exact odds compared
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = one_to::<u64>(u64::MAX), allow_negative_numbers = true)]
    nodes: u64,
    /// How many random playouts of each small scenario under its laws
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = whole, allow_negative_numbers = true)]
    playouts: u64,
    #[command(flatten)]
    limit: TimeArgument,
}

pub(super) fn run(
    common: &CommonArguments,
    arguments: &MutateCommand,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    let catalog = common.catalog()?;
    let limits = common.limits();
    let limits = Limits { budget: limits.budget.begin(arguments.limit.time), ..limits };
    let progress = Progress::new(output, "mutants", Some(0));
    let mutating = Mutating {
        catalog: &catalog,
        system: &arguments.system,
        house: arguments.house.as_deref(),
        limits: &limits,
        nodes: arguments.nodes,
        memory: common.graph_memory(),
        playouts: arguments.playouts,
        threads: common.threads(),
        progress: &|done, all| progress.beyond(0, done, Some(all)),
    };
    let found = mutating.run()?;
    drop(progress);
    output.show(&found.report())?;
    let cut = Status::of(found.cut).code();
    if let Some(cut) = found.cut {
        output.say(&format!("{cut}: the mutants after these were not tried"));
    }
    let left = u8::from(found.unnoticed().next().is_some());
    Ok(ExitCode::from(left.max(cut)))
}
