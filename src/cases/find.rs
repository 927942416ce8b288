//! Finds the case files: in all rules folders, or at the paths that the user gives.

use std::path::{Path, PathBuf};

use crate::catalog::{CaseFile, Catalog, Kind};
use crate::error::Error;

/// The case files of all rules folders, or those of the paths: files, and folders with all the
/// `*.toml` in them and, for a rules folder, those in its `cases/`.
///
/// # Errors
/// The path does not exist, the file is not a case file, or no case file is found at a path.
pub fn find(catalog: &Catalog, paths: &[PathBuf]) -> Result<Vec<CaseFile>, Error> {
    let mut files = Vec::new();
    if paths.is_empty() {
        for folder in catalog.folders() {
            for name in folder.names(Kind::Case) {
                files.push(folder.cases(&name)?);
            }
        }
    }
    for path in paths {
        let before = files.len();
        if path.is_dir() {
            collect(catalog, path, path, &mut files)?;
        } else {
            named(catalog, path, &mut files)?;
        }
        if files.len() == before {
            return Err(Error::usage(format!("`{}` holds no case file", path.display())));
        }
    }
    Ok(files)
}

/// The case file at a path, or those of a system of that name.
fn named(catalog: &Catalog, path: &Path, files: &mut Vec<CaseFile>) -> Result<(), Error> {
    // A system's name stands for its cases, unless a file has that name.
    let name = path.to_str().filter(|name| !path.exists() && !name.contains(['/', '.']));
    let Some(name) = name else {
        files.push(catalog.case_file(path)?);
        return Ok(());
    };
    let folder = catalog.folder(name)?;
    for name in folder.names(Kind::Case) {
        files.push(folder.cases(&name)?);
    }
    Ok(())
}

/// The case files in a folder and below it. A person named the folder alone, so that no link within it
/// is followed out of it.
fn collect(
    catalog: &Catalog,
    named: &Path,
    path: &Path,
    files: &mut Vec<CaseFile>,
) -> Result<(), Error> {
    let cases = path.join("cases");
    if path.join("rules.rhai").is_file() && cases.is_dir() {
        return collect(catalog, named, &cases, files);
    }
    let entries = std::fs::read_dir(path).map_err(|error| Error::file("read", path, error))?;
    let mut inside: Vec<PathBuf> = entries
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| Error::file("read", path, error))?
        .into_iter()
        .map(|entry| entry.path())
        .collect();
    inside.sort();
    for entry in inside {
        if entry.is_dir() {
            // The target of a link to a folder is found at its own path, or does not belong to this folder.
            if !entry.is_symlink() {
                collect(catalog, named, &entry, files)?;
            }
        } else if entry.extension().is_some_and(|extension| extension == "toml") {
            files.push(catalog.case_file_within(named, &entry)?);
        }
    }
    Ok(())
}
