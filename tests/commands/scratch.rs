//! Temporary folders in which tests run commands, with the template as the system `duel`.

use std::fs;
use std::path::{Path, PathBuf};

use super::run::fracas;

/// A folder that is removed when the test ends.
pub struct Scratch(tempfile::TempDir);

impl Scratch {
    /// With a system `duel` in its `rules/`, made by `fracas new`.
    pub fn with_duel() -> Scratch {
        let scratch = Scratch::empty();
        fracas("new duel").inside(scratch.path()).run().succeeds();
        scratch
    }

    pub fn empty() -> Scratch {
        Scratch(tempfile::tempdir().expect("a folder for the test"))
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn file(&self, path: &str) -> PathBuf {
        self.path().join(path)
    }

    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.file(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.file(path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).expect("a folder for the file");
        }
        fs::write(path, text).expect("a file for the test");
    }

    /// Replaces a text in a file, which must contain it.
    #[track_caller]
    pub fn edit(&self, path: &str, old: &str, new: &str) {
        let text = self.read(path);
        assert!(text.contains(old), "{path} has no `{old}`");
        self.write(path, text.replacen(old, new, 1));
    }

    /// Everything below the folder, sorted.
    pub fn names(&self) -> Vec<String> {
        fn collect(folder: &Path, names: &mut Vec<String>) {
            for entry in fs::read_dir(folder).expect("a folder of the test").flatten() {
                names.push(entry.path().display().to_string());
                if entry.path().is_dir() {
                    collect(&entry.path(), names);
                }
            }
        }
        let mut names = Vec::new();
        collect(self.path(), &mut names);
        names.sort();
        names
    }
}
