//! Writes rules folders: all their files or none, and the files of a new system.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::report::some_of;

/// The most paths that a message lists; the rest are counted.
const SHOWN: usize = 5;

/// Writes files below a folder, which is created if it is missing: all of them, or none.
pub(super) fn write_new(
    dir: &Path,
    files: &[(String, impl AsRef<[u8]>)],
) -> Result<Vec<PathBuf>, Error> {
    let paths: Vec<PathBuf> = files.iter().map(|(path, _)| dir.join(path)).collect();
    let there: Vec<&PathBuf> =
        paths.iter().filter(|path| path.symlink_metadata().is_ok()).collect();
    if !there.is_empty() {
        return Err(Error::file("write", dir, already(&there)));
    }
    let mut made = MadeFolder::default();
    for (path, (_, bytes)) in paths.iter().zip(files) {
        if let Err(reason) = made.write(path, bytes.as_ref()) {
            made.undo();
            return Err(Error::file("write", path, reason));
        }
    }
    Ok(paths)
}

fn already(there: &[&PathBuf]) -> String {
    let named = some_of(there.iter().map(|path| format!("`{}`", path.display())), SHOWN, ", ");
    let verb = if there.len() == 1 { "is" } else { "are" };
    format!("{named} {verb} there already")
}

#[derive(Default)]
struct MadeFolder {
    folders: Vec<PathBuf>,
    files: Vec<PathBuf>,
}

impl MadeFolder {
    fn write(&mut self, path: &Path, bytes: &[u8]) -> std::io::Result<()> {
        if let Some(folder) = path.parent() {
            self.folder(folder)?;
        }
        let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
        self.files.push(path.to_owned());
        file.write_all(bytes)
    }

    fn folder(&mut self, path: &Path) -> std::io::Result<()> {
        if path.as_os_str().is_empty() || path.is_dir() {
            return Ok(());
        }
        if path.exists() {
            let message = format!("`{}` is not a folder", path.display());
            return Err(std::io::Error::new(std::io::ErrorKind::NotADirectory, message));
        }
        if let Some(above) = path.parent() {
            self.folder(above)?;
        }
        fs::create_dir(path)?;
        self.folders.push(path.to_owned());
        Ok(())
    }

    /// Removes them. What cannot be removed is left: the first error is the one to report.
    fn undo(&self) {
        for file in &self.files {
            let _ = fs::remove_file(file);
        }
        for folder in self.folders.iter().rev() {
            let _ = fs::remove_dir(folder);
        }
    }
}

/// The placeholder for the name of the system in the files of `template/`.
const NAME: &str = "NEW_SYSTEM";

const FILES: [(&str, &str); 10] = [
    ("rules.rhai", include_str!("template/rules.rhai")),
    ("params.toml", include_str!("template/params.toml")),
    ("scenarios/one_round.toml", include_str!("template/scenarios/one_round.toml")),
    ("scenarios/three_rounds.toml", include_str!("template/scenarios/three_rounds.toml")),
    ("scenarios/strength.toml", include_str!("template/scenarios/strength.toml")),
    ("cases/rounds.toml", include_str!("template/cases/rounds.toml")),
    ("house/low_wins.rhai", include_str!("template/house/low_wins.rhai")),
    ("house/five_cards.rhai", include_str!("template/house/five_cards.rhai")),
    ("agents/highest.rhai", include_str!("template/agents/highest.rhai")),
    ("agents/middle.rhai", include_str!("template/agents/middle.rhai")),
];

pub(super) fn new_system_files(name: &str) -> Vec<(String, String)> {
    FILES.iter().map(|(path, text)| (format!("{name}/{path}"), text.replace(NAME, name))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_in_the_middle_leaves_nothing() {
        let root = tempfile::tempdir().unwrap();
        let dir = root.path().join("new");
        let error = write_new(&dir, &[("x".into(), b"1"), ("x/y".into(), b"2")]).unwrap_err();
        assert_eq!(error.kind(), "file");
        assert!(!dir.exists());
    }
}
