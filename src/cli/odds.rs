//! `fracas odds`: the exact odds, or why they are out of reach.

use std::process::ExitCode;

use super::arguments::{self, CommonArguments};
use super::output::Output;
use super::progress::Progress;
use super::seated::seated_next;
use crate::analysis::{Odds, Seeking};
use crate::error::{Cut, Error};

/// Runs the command.
pub(super) fn run(
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
