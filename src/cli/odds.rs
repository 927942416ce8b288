//! `fracas odds`: the exact odds of a conflict.

use std::process::ExitCode;

use clap::Args;

use super::common::CommonArguments;
use super::open_scenario::seated_next;
use super::output::Output;
use super::progress::Progress;
use crate::analysis::{Odds, Seeking};
use crate::commands::{FloatArgument, PageArgument, ScenarioArguments, TimeArgument};
use crate::error::{Cut, Error};

#[derive(Args, Debug)]
pub(super) struct OddsCommand {
    #[command(flatten)]
    scenario: ScenarioArguments,
    #[command(flatten)]
    float: FloatArgument,
    /// For a campaign, take all of it, not only its first conflict
    #[arg(long)]
    whole: bool,
    #[command(flatten)]
    limit: TimeArgument,
    #[command(flatten)]
    pub page: PageArgument,
}

pub(super) fn run(
    common: &CommonArguments,
    arguments: &OddsCommand,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    let seating = seated_next(common, &arguments.scenario, arguments.whole, output)?;
    let progress = Progress::new(output, "nodes", None);
    let seeking =
        Seeking { float: arguments.float.float, threads: common.threads(), nodes: u64::MAX };
    let seating = seating.under(seating.budget().begin(arguments.limit.time));
    let odds = Odds::find(&seating, seeking, &|nodes| progress.at(nodes))?;
    drop(progress);
    output.show(&odds.report())?;
    Ok(ExitCode::from(match &odds.found {
        Ok(_) => 0,
        Err(_) => match odds.cut {
            Some(Cut::Time(_)) => 0,
            Some(Cut::Interrupted) => 130,
            Some(Cut::Memory(_)) | None => 1,
        },
    }))
}
