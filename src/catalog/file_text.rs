//! Reads the text of a file: UTF-8, of a bounded size, with the path that messages show.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::confined_paths::is_within;
use crate::error::Error;

/// The most bytes that are read of a file: a device that never ends must not fill the memory.
const LARGEST: u64 = 16 << 20;

/// A file's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileText {
    /// The path as shown to the user.
    pub path: String,
    /// Its content, without a byte order mark.
    pub text: String,
}

impl FileText {
    /// The title of a script: the first heading of its `//!` lines.
    pub fn title(&self) -> Option<&str> {
        let mut prose = self.text.lines().map_while(|line| line.trim().strip_prefix("//!"));
        let title = prose.find_map(|line| line.trim().strip_prefix("# "))?.trim();
        (!title.is_empty()).then_some(title)
    }

    /// The first sentence of the `//!` lines of a script below its title; else the title.
    pub(crate) fn about(&self) -> String {
        let prose = self.text.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim);
        let (titles, prose): (Vec<&str>, Vec<&str>) = prose.partition(|line| line.starts_with('#'));
        let prose = prose.join(" ");
        let prose = prose.trim();
        let end = prose.find(". ").map_or(prose.len(), |end| end + 1);
        let title = || titles.first().map(|title| title.trim_matches(['#', ' ']));
        match prose[..end].trim() {
            "" => title().unwrap_or_default(),
            sentence => sentence,
        }
        .to_owned()
    }

    /// Reads a file.
    ///
    /// # Errors
    /// [`Error::File`] where it cannot be read, is a pipe or a device, is larger than 16 MiB, or is
    /// not UTF-8.
    pub fn read(path: &Path) -> Result<FileText, Error> {
        FileText::read_at_most(path, LARGEST)
    }

    /// As [`FileText::read`], with another bound: this many bytes.
    pub(crate) fn read_at_most(path: &Path, most: u64) -> Result<FileText, Error> {
        FileText::from_bytes(path.display().to_string(), &bytes(path, most)?)
    }

    /// Reads a file that is in a folder or below it, with links followed: a stranger's folder must not
    /// show files elsewhere, not even in a message.
    pub(crate) fn read_within(folder: &Path, path: &Path) -> Result<FileText, Error> {
        if path.exists() && !is_within(folder, path) {
            return Err(Error::file("read", path, "it is a link that leads out of its folder"));
        }
        FileText::read(path)
    }

    /// The text of a file with these bytes.
    ///
    /// # Errors
    /// [`Error::File`] where the bytes are not UTF-8.
    pub fn from_bytes(path: String, bytes: &[u8]) -> Result<FileText, Error> {
        match std::str::from_utf8(bytes) {
            Ok(text) => {
                let text = text.strip_prefix('\u{feff}').unwrap_or(text).to_owned();
                Ok(FileText { path, text })
            }
            Err(fault) => {
                let reason = format!("it is not UTF-8 text, from byte {} on", fault.valid_up_to());
                Err(Error::file("read", path, reason))
            }
        }
    }
}

/// The bytes of a file, of which there may be this many.
pub(crate) fn bytes(path: &Path, most: u64) -> Result<Vec<u8>, Error> {
    let fail = |reason: std::io::Error| Error::file("read", path, reason);
    let mut bytes = Vec::new();
    opened(path)?.take(most + 1).read_to_end(&mut bytes).map_err(fail)?;
    if bytes.len() as u64 > most {
        let reason = format!("it is larger than {} MiB", most >> 20);
        return Err(Error::file("read", path, reason));
    }
    Ok(bytes)
}

/// Opens a file to be read; only an ordinary one, since whoever opens a pipe waits for a writer, perhaps
/// for ever.
pub(crate) fn opened(path: &Path) -> Result<File, Error> {
    let fail = |reason: std::io::Error| Error::file("read", path, reason);
    let found = std::fs::metadata(path).map_err(fail)?;
    if !found.is_file() && !found.is_dir() {
        return Err(Error::file("read", path, "it is a pipe or a device, not a file"));
    }
    File::open(path).map_err(fail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_no_text_is_refused_with_its_path() {
        let error = FileText::from_bytes("a.toml".into(), b"ab\xff").unwrap_err().to_string();
        assert_eq!(error, "cannot read `a.toml`: it is not UTF-8 text, from byte 2 on");
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(FileText::read(folder.path()).unwrap_err().kind(), "file");
        assert_eq!(FileText::read(&folder.path().join("none")).unwrap_err().kind(), "file");
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_a_device_and_a_file_too_large_are_refused() {
        let message = |path: &Path| FileText::read(path).unwrap_err().to_string();
        let zero = message(Path::new("/dev/zero"));
        assert_eq!(zero, "cannot read `/dev/zero`: it is a pipe or a device, not a file");
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe.rhai");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert!(message(&pipe).ends_with("it is a pipe or a device, not a file"));
        let large = folder.path().join("large.rhai");
        File::create(&large).unwrap().set_len(LARGEST + 1).unwrap();
        assert!(message(&large).ends_with("it is larger than 16 MiB"));
    }

    #[test]
    fn the_title_is_the_first_heading_of_the_prose() {
        let title = |text: &str| {
            FileText { path: "a.rhai".into(), text: text.into() }.title().map(str::to_owned)
        };
        assert_eq!(title("//! # A duel\n//! ## Not this\n").as_deref(), Some("A duel"));
        assert_eq!(title("//! In words.\n//!\n//! # A duel\n").as_deref(), Some("A duel"));
        assert_eq!(title("fn step() {}\n//! # Too late\n"), None);
        assert_eq!(title("//! # \n"), None);
    }

    #[test]
    fn a_byte_order_mark_is_left_out() {
        let text = FileText::from_bytes("a".into(), "\u{feff}x = 1".as_bytes()).unwrap();
        assert_eq!(text.text, "x = 1");
    }
}
