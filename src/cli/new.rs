//! `fracas new` and `fracas init`: a new rules folder, and copies of the built-in ones.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use super::common::CommonArguments;
use super::output::Output;
use crate::catalog::Catalog;
use crate::commands::listed_files;
use crate::error::Error;

#[derive(Args, Debug)]
pub(super) struct NewCommand {
    /// Its name: lower-case letters, digits and `_`
    name: String,
}

#[derive(Args, Debug)]
pub(super) struct InitCommand {
    /// The folder, made where it is missing
    dir: PathBuf,
}

/// Makes a small complete rules folder under a new name, in the first `--rules` folder, else in `rules/`.
///
/// # Errors
/// [`Error::Usage`] for a name that is none or taken; [`Error::File`] where a file is there
/// already or cannot be written; then nothing is.
pub(super) fn run(
    common: &CommonArguments,
    new: &NewCommand,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    let dir = common.rules.first().map_or(Path::new("rules"), PathBuf::as_path);
    if dir.join("rules.rhai").is_file() {
        let message =
            format!("`{}` is itself a rules folder, and cannot contain another", dir.display());
        return Err(Error::usage(message));
    }
    // A folder that is empty, or not there yet, may well become the home of new systems.
    let catalog = common.catalog().or_else(|_| Catalog::new(&[]))?;
    let name = &new.name;
    let paths = catalog.new_system(name, dir)?;
    output.show(&listed_files(&paths))?;
    let rules =
        if common.rules.is_empty() { String::new() } else { format!("--rules {} ", dir.display()) };
    output.say(&format!(
        "try `fracas {rules}check {name}`, `fracas {rules}test {name}`, `fracas {rules}play {name}/one_round --seat red=human`"
    ));
    Ok(ExitCode::SUCCESS)
}

/// Writes out the rules folders inside the program, to be edited.
///
/// # Errors
/// [`Error::File`] where a file is there already or cannot be written; then nothing is.
pub(super) fn init(init: &InitCommand, output: &mut Output) -> Result<ExitCode, Error> {
    let paths = Catalog::init(&init.dir)?;
    output.show(&listed_files(&paths))?;
    output.say("a folder `rules` in the current folder is found by itself, another by --rules");
    Ok(ExitCode::SUCCESS)
}
