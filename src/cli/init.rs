//! `fracas init`: the rules folders inside the program, written out to be edited.

use std::process::ExitCode;

use super::arguments::{Common, Init};
use super::folder;
use super::output::Output;
use crate::catalog::Catalog;
use crate::error::Error;

/// Runs the command.
///
/// # Errors
/// [`Error::File`] where a file is there already or cannot be written; then nothing is.
pub(super) fn run(_: &Common, init: &Init, output: &mut Output) -> Result<ExitCode, Error> {
    let paths = Catalog::init(&init.dir)?;
    folder::show(&paths, output)?;
    output.say("a folder `rules` in the current folder is found by itself, another by --rules");
    Ok(ExitCode::SUCCESS)
}
