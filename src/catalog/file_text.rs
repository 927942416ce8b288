//! Reads the text of a file: UTF-8, of a bounded size, with the path that messages show. Paths written in a file are
//! confined to its folder; what a person names on the command line may be anywhere.

use std::fs::File;
use std::io::Read;
use std::path::{Component, Path};

use crate::error::{Error, Location, nearest};

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
            Ok(text) => Ok(FileText { path, text: unmarked(text).to_owned() }),
            Err(fault) => {
                let good = String::from_utf8_lossy(&bytes[..fault.valid_up_to()]);
                let at = Location::in_text(&path, &good, good.len());
                let reason = format!("it is not UTF-8 text, from byte {} on", good.len());
                Err(Error::file("read", path, reason).placed(|| Some(at)))
            }
        }
    }
}

/// A text without the byte order mark before it, if there is one.
pub(crate) fn unmarked(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

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

/// The agent that has the path of a saved solution in parentheses.
pub(crate) const SOLVED: &str = "solved";

/// The word that seats a person. Who answers for it depends on the command: `play` asks at the terminal, and
/// `odds` lets an agent play.
pub const HUMAN: &str = "human";

/// The agent that has the line of a command in parentheses: a program.
pub(crate) const PROGRAM: &str = "command";

pub(crate) const REFUSED_PROGRAM: &str =
    "is a program, which only a person may name: with `--seat`, or in the spec of a tournament";

pub(crate) fn names_program(word: &str) -> bool {
    word.trim_start().strip_prefix(PROGRAM).is_some_and(|rest| rest.trim_start().starts_with('('))
}

struct Parts<'a> {
    before: &'a str,
    path: &'a str,
    after: &'a str,
}

impl<'a> Parts<'a> {
    /// The parts of `a/b.rhai`, `a/b.rhai(rate=3)` or `solved(a/b.json)`; nothing for a name.
    fn of(word: &'a str) -> Option<Parts<'a>> {
        if let Some(rest) = solution(word) {
            let path = rest.strip_suffix(')')?.trim();
            return Some(Parts { before: &word[..word.len() - rest.len()], path, after: ")" });
        }
        let (path, after) = word.split_at(word.find('(').unwrap_or(word.len()));
        let is_path = path.contains(['/', '\\'])
            || [".rhai", ".toml"].iter().any(|extension| path.ends_with(extension));
        is_path.then_some(Parts { before: "", path, after })
    }
}

fn solution(word: &str) -> Option<&str> {
    word.strip_prefix(SOLVED)?.strip_prefix('(')
}

/// Refuses a word with a path behind a `(`: whoever reads the word as one path would find another file
/// than the one that was looked at.
pub(crate) fn refuse_path_behind(word: &str) -> Result<(), String> {
    let behind = word.split_once('(').map_or("", |(_, behind)| behind);
    match solution(word).is_none() && behind.contains(['/', '\\']) {
        true => {
            let name = word.split('(').next().unwrap_or_default();
            let near = nearest(name, [PROGRAM, SOLVED]);
            let near = near.map(|near| format!("; did you mean `{near}(…)`?")).unwrap_or_default();
            Err(format!("has a path after a `(`: `{word}`{near}"))
        }
        false => Ok(()),
    }
}

/// The word as it is read from the current folder, where a file in `folder` has it: a path is
/// the file beside that one, if there is one, so that both can be moved together.
pub(crate) fn own(folder: &Path, word: &str) -> Result<String, String> {
    refuse_path_behind(word)?;
    if names_program(word) {
        return Err(REFUSED_PROGRAM.to_owned());
    }
    let Some(Parts { before, path, after }) = Parts::of(word) else { return Ok(word.to_owned()) };
    let path = Path::new(path);
    let beside = folder.join(path);
    let is_there = |path: &Path| path.metadata().is_ok_and(|found| !found.is_dir());
    let found = [beside.as_path(), path].into_iter().find(|path| is_there(path));
    let stays = match found {
        Some(found) => is_within(folder, found),
        // A missing file cannot be read, but one that is created later could.
        None => {
            path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
        }
    };
    if !stays {
        return Err(format!(
            "names a file outside of this file's folder, `{}`; only what is named on the command line \
             may be anywhere",
            path.display()
        ));
    }
    Ok(match found {
        Some(found) => format!("{before}{}{after}", found.display()),
        None => word.to_owned(),
    })
}

/// The word with another path in it; the whole word counts as the path where nothing says what is one.
pub(crate) fn with_path<E>(
    word: &str,
    path: impl FnOnce(&str) -> Result<String, E>,
) -> Result<String, E> {
    let whole = Parts { before: "", path: word, after: "" };
    let Parts { before, path: old, after } = Parts::of(word).unwrap_or(whole);
    Ok(format!("{before}{}{after}", path(old)?))
}

/// Whether a file is in a folder or below it, with links followed.
pub(super) fn is_within(folder: &Path, file: &Path) -> bool {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    match (folder.canonicalize(), file.canonicalize()) {
        (Ok(folder), Ok(file)) => file.starts_with(folder),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_that_is_no_text_is_refused_with_its_path() {
        let error = FileText::from_bytes("a.toml".into(), b"a\nbc\xff").unwrap_err();
        let says = "cannot read `a.toml`: it is not UTF-8 text, from byte 4 on";
        assert_eq!(error.to_string(), says);
        assert_eq!(error.location().unwrap().to_string(), "a.toml:2:3");
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

    #[test]
    fn a_file_names_what_is_beside_it_and_below() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("spec");
        fs::create_dir_all(folder.join("agents")).unwrap();
        for file in ["spec/agents/a.rhai", "spec/s.json", "out.rhai", "out.json"] {
            fs::write(root.path().join(file), "").unwrap();
        }
        let at = |path: &str| folder.join(path).display().to_string();
        for (word, read_as) in [
            ("random", "random".to_owned()),
            ("duel/ford", "duel/ford".to_owned()),
            ("not_yet.rhai", "not_yet.rhai".to_owned()),
            ("agents/a.rhai", at("agents/a.rhai")),
            ("agents/a.rhai(rate=3)", format!("{}(rate=3)", at("agents/a.rhai"))),
            ("solved(s.json)", format!("solved({})", at("s.json"))),
            ("solved( s.json )", format!("solved({})", at("s.json"))),
        ] {
            assert_eq!(own(&folder, word), Ok(read_as), "{word}");
        }
        let outside = root.path().join("out.rhai").display().to_string();
        for word in [
            outside.as_str(),
            "../out.rhai",
            "agents/../../out.rhai",
            "solved(../out.json)",
            "../not_yet.rhai",
            "/nowhere/at/all.rhai",
            "/dev/zero",
            "solved(/dev/zero)",
        ] {
            let refused = own(&folder, word).unwrap_err();
            assert!(refused.starts_with("names a file outside of this file's folder"), "{word}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_leads_out_is_refused() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("spec");
        fs::create_dir(&folder).unwrap();
        fs::write(root.path().join("out.rhai"), "").unwrap();
        fs::write(folder.join("in.rhai"), "").unwrap();
        std::os::unix::fs::symlink("../out.rhai", folder.join("away.rhai")).unwrap();
        std::os::unix::fs::symlink("in.rhai", folder.join("same.rhai")).unwrap();
        assert!(own(&folder, "away.rhai").is_err());
        // A house rule is the whole word, so the path would be another than that before the `(`.
        assert!(own(&folder, "x(/../../out.rhai").is_err());
        assert!(own(&folder, "same.rhai").is_ok());
    }
}
