//! Commands that write folders: `fracas new` and `fracas init`, and what lists the files that were written.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use schemars::JsonSchema;
use serde::Serialize;

use super::arguments::{CommonArguments, InitCommand, NewCommand};
use super::output::Output;
use crate::catalog::Catalog;
use crate::conflict::replace;
use crate::error::Error;

/// Makes a small complete rules folder under a new name, in the first `--rules` folder, else in `rules/`.
///
/// # Errors
/// [`Error::Usage`] for a name that is none or taken; [`Error::File`] where a file is there
/// already or cannot be written; then nothing is.
pub(super) fn new(
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
    show(&paths, output)?;
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
    show(&paths, output)?;
    output.say("a folder `rules` in the current folder is found by itself, another by --rules");
    Ok(ExitCode::SUCCESS)
}

/// The files that a command wrote.
#[derive(Serialize, JsonSchema)]
pub(super) struct WrittenFiles {
    /// The path of each.
    files: Vec<String>,
}

/// Prints the files that were written, a line each.
pub(super) fn show(paths: &[PathBuf], output: &mut Output) -> Result<(), Error> {
    let files = paths.iter().map(|path| path.display().to_string()).collect();
    let written = WrittenFiles { files };
    output.show(&written, |_, _| written.files.join("\n"))
}

/// Writes files, each a name and its text, into a folder that is made where it is missing. Older files
/// of these names are replaced.
///
/// # Errors
/// [`Error::File`] where one cannot be written; those before it stay.
pub(super) fn write(
    dir: &Path,
    files: &[(String, Vec<u8>)],
    output: &mut Output,
) -> Result<ExitCode, Error> {
    std::fs::create_dir_all(dir).map_err(|error| Error::file("make", dir, error))?;
    let mut paths = Vec::new();
    for (name, text) in files {
        let path = dir.join(name);
        replace(&path, text)?;
        paths.push(path);
    }
    show(&paths, output)?;
    Ok(ExitCode::SUCCESS)
}
