//! File access for scripts: only below the current folder, and only by functions of the lab.

use std::path::{Component, Path, PathBuf};

use super::context::LabContext;
use crate::catalog::{REFUSED_PROGRAM, names_program, refuse_path_behind, with_path};
use crate::conflict::replace;
use crate::error::Error;

/// The word for a scenario, house rule or agent as it is looked up: the path of a file beside the
/// running script names that file. Words that are no paths are left as they are.
pub(super) fn word(desk: &LabContext, word: &str) -> Result<String, Error> {
    if names_program(word) {
        return Err(Error::usage(format!("agent `{word}` {REFUSED_PROGRAM}")));
    }
    let word = with_path(word, |path| self::path(desk, path))?;
    refuse_path_behind(&word).map_err(|_| {
        let reason = "scripts reach only files below the current folder; a path ends before a `(`";
        Error::file("read", &word, reason)
    })?;
    Ok(word)
}

fn path(desk: &LabContext, word: &str) -> Result<String, Error> {
    let path = Path::new(word);
    let beside = desk.folder.borrow().as_ref().map(|folder| folder.join(path));
    if let Some(beside) = beside.filter(|beside| !path.is_absolute() && is_path(word, beside)) {
        return within("read", &beside).map(|path| path.display().to_string());
    }
    let is_path = path.is_absolute() || is_path(word, path) || climbs(path);
    if is_path {
        within("read", path).map(|path| path.display().to_string())
    } else {
        Ok(word.to_owned())
    }
}

fn is_path(word: &str, path: &Path) -> bool {
    (word.contains(['/', '\\']) || word.contains('.')) && path.exists()
}

fn climbs(path: &Path) -> bool {
    path.components().any(|part| part == Component::ParentDir)
}

/// A path below the current folder, as it was given.
///
/// # Errors
/// [`Error::File`] for one that is absolute, has a `..`, or goes over a link that leads out.
pub(super) fn within(action: &'static str, path: &Path) -> Result<PathBuf, Error> {
    let refused = |reason: &str| Err(Error::file(action, path, reason));
    if path.as_os_str().is_empty() {
        return refused("it is not a file name");
    }
    if path.is_absolute() || path.has_root() {
        return refused(
            "scripts reach only files below the current folder; write a path from there",
        );
    }
    if climbs(path) {
        return refused("scripts reach only files below the current folder, so no `..`");
    }
    let failed = |reason: std::io::Error| Error::file(action, path, reason);
    let here = std::env::current_dir().and_then(|here| here.canonicalize()).map_err(failed)?;
    // A missing file belongs to the nearest folder above it that exists.
    let there = path.ancestors().find(|part| part.symlink_metadata().is_ok());
    let there = match there {
        Some(there) => there.canonicalize().map_err(failed)?,
        None => here.clone(),
    };
    if !there.starts_with(&here) {
        return refused("a link on the way leads out of the current folder");
    }
    Ok(path.to_owned())
}

/// Writes a file whole or not at all.
///
/// # Errors
/// Those of [`within`], and [`Error::File`] where it cannot be written: what was there stays.
pub(super) fn write(path: &str, bytes: &[u8]) -> Result<(), Error> {
    replace(&within("write", Path::new(path))?, bytes)
}
