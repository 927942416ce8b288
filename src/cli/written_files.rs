//! Writes files of a command into a folder, and lists what was written.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde::Serialize;

use super::output::Output;
use crate::conflict::replace;
use crate::error::Error;
use crate::report::{Block, Report};

#[derive(Serialize)]
pub(super) struct WrittenFiles {
    files: Vec<String>,
}

/// Prints the files that were written, a line each.
pub(super) fn show(paths: &[PathBuf], output: &mut Output) -> Result<(), Error> {
    let files = paths.iter().map(|path| path.display().to_string()).collect();
    let written = WrittenFiles { files };
    output.show(&Report::of(&written, vec![Block::Code(written.files.join("\n"))]))
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
