//! `fracas list`: lists the systems, or the scenarios, parameters, agents and functions of one.

use std::process::ExitCode;

use super::arguments::Common;
use super::output::Output;
use crate::arguments::SystemArgument;
use crate::error::Error;
use crate::listing;

/// Runs the command.
///
/// # Errors
/// A system that is not there. One that does not load is shown with its error.
pub(super) fn run(
    common: &Common,
    list: &SystemArgument,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    let catalog = common.catalog()?;
    let limits = common.limits();
    match &list.system {
        None => {
            let all = listing::systems(&catalog, &limits);
            output.show(&all, |width, plain| all.as_text(width, plain))?;
        }
        Some(name) => {
            let system = listing::system(&catalog, name, &limits)?;
            output.show(&system, |width, plain| system.as_text(list.detail(), width, plain))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
