//! `fracas new`: a small complete rules folder under a new name.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::arguments::{Common, New};
use super::folder;
use super::output::Output;
use crate::catalog::Catalog;
use crate::error::Error;

/// Runs the command. The folder goes into the first `--rules` folder, else into `rules/`.
///
/// # Errors
/// [`Error::Usage`] for a name that is none or taken; [`Error::File`] where a file is there
/// already or cannot be written; then nothing is.
pub(super) fn run(common: &Common, new: &New, output: &mut Output) -> Result<ExitCode, Error> {
    let dir = common.rules.first().map_or(Path::new("rules"), PathBuf::as_path);
    if dir.join("rules.rhai").is_file() {
        let message = format!("`{}` is a rules folder itself, none may lie in it", dir.display());
        return Err(Error::usage(message));
    }
    // A folder that is empty, or not there yet, may well become the home of new systems.
    let catalog = common.catalog().or_else(|_| Catalog::new(&[]))?;
    let name = &new.name;
    let paths = catalog.new_system(name, dir)?;
    folder::show(&paths, output)?;
    let rules =
        if common.rules.is_empty() { String::new() } else { format!("--rules {} ", dir.display()) };
    output.say(&format!(
        "try `fracas {rules}check {name}`, `fracas {rules}test {name}`, `fracas {rules}play {name}/one_round --seat red=human`"
    ));
    Ok(ExitCode::SUCCESS)
}
