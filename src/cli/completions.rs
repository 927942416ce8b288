//! `fracas completions`: what a shell needs to complete commands and options.

use std::process::ExitCode;

use clap::CommandFactory;

use super::arguments::{Arguments, Completions};
use super::output::Output;
use crate::error::Error;

/// Runs the command.
///
/// # Errors
/// [`Error::File`] where stdout cannot be written.
pub(super) fn run(completions: &Completions, output: &mut Output) -> Result<ExitCode, Error> {
    let mut script = Vec::new();
    let mut command = Arguments::command();
    clap_complete::generate(completions.shell, &mut command, "fracas", &mut script);
    output.data(String::from_utf8_lossy(&script).trim_end())?;
    Ok(ExitCode::SUCCESS)
}
