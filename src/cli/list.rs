//! `fracas list`: the systems, and what their rules folders hold.

use std::process::ExitCode;

use super::common::CommonArguments;
use super::output::Output;
use crate::commands::SystemArgument;
use crate::error::Error;

pub(super) fn run(
    common: &CommonArguments,
    list: &SystemArgument,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    list.show(&common.catalog()?, &common.limits(), &mut |report| output.show(report))?;
    Ok(ExitCode::SUCCESS)
}
