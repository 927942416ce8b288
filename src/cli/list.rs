//! `fracas list`: the systems, and what their rules folders hold.

use std::process::ExitCode;

use super::common::CommonArguments;
use super::output::Output;
use crate::commands::SystemArgument;
use crate::error::Error;
use crate::listing;

pub(super) fn run(
    common: &CommonArguments,
    list: &SystemArgument,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    let catalog = common.catalog()?;
    let limits = common.limits();
    match &list.system {
        None => {
            let all = listing::systems(&catalog, &limits);
            output.show(&all.report())?;
        }
        Some(name) => {
            let system = listing::system(&catalog, name, &limits)?;
            output.show(&system.report(list.detail()))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
