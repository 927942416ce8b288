//! Writes files: whole or not at all, and over no other file that the same command reads or writes.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::catalog::unmarked;
use crate::error::{Error, Reason};

/// Replaces the content of a file, or creates it; on error a file that was there before is unchanged. A link stays, and
/// the file it leads to is replaced.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    replace_by(path, |file| {
        file.write_all(bytes).map_err(|error| Error::file("write", path, error))
    })
}

/// As [`replace()`], with what is written piece by piece.
pub(crate) fn replace_by(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), Error>,
) -> Result<(), Error> {
    let (target, beside, old) = target(path)?;
    let failed = |error: io::Error| Error::file("write", path, error);
    remove_leftovers(&beside);
    let written = write_new(&beside, old, |file| {
        let mut buffer = BufWriter::new(file);
        write(&mut buffer)?;
        buffer.flush().map_err(failed)
    });
    let written = written.unwrap_or_else(|error| Err(failed(error)));
    let named = || fs::rename(&beside, &target).map_err(failed);
    written.and_then(|()| named()).inspect_err(|_| {
        // The first mistake is the one to report; the leftover is only untidy.
        let _ = fs::remove_file(&beside);
    })
}

/// What is written to a file that a person names, and how its name ends; without an end any name will do that is not
/// one of [`OTHERS`].
pub(crate) type WrittenFile = (&'static str, Option<&'static str>);

pub(crate) const GAMES: WrittenFile = ("games", Some("json"));
pub(crate) const PAGE: WrittenFile = ("a page", Some("html"));
pub(crate) const DRAWING: WrittenFile = ("a drawing", Some("svg"));
pub(crate) const GAMBIT_GAME: WrittenFile = ("a game for Gambit", Some("efg"));
pub(crate) const HISTORY: WrittenFile = ("a history", None);
pub(crate) const SESSION: WrittenFile = ("a session", None);
pub(crate) const STRATEGY: WrittenFile = ("a strategy", None);

/// The ends of files that have something else in them.
const OTHERS: [&str; 11] =
    ["toml", "rhai", "db", "html", "htm", "svg", "efg", "csv", "md", "py", "rs"];

/// Tests that a name is one for what is written, so that a slip of the hand replaces no other file; the error says
/// which name is wanted.
pub(crate) fn named((what, end): WrittenFile, path: &Path) -> Result<(), String> {
    if path == Path::new("-") {
        return Err(format!("{what} cannot be written to `-`: name a file"));
    }
    // Folders and devices are refused or written to as what they are.
    if path.metadata().is_ok_and(|known| !known.is_file()) {
        return Ok(());
    }
    let own = path.extension().unwrap_or_default();
    let is = |end: &str| own.eq_ignore_ascii_case(end);
    let example = |end: &str| path.with_extension(end).display().to_string();
    match end {
        Some(end) if is(end) => Ok(()),
        Some(end) => {
            let table = "; for a table, `sqlite3 -csv -header RESULTS.db \"SELECT * FROM seats\"`";
            let table = if is("csv") && end == "json" { table } else { "" };
            Err(format!("{what} must end in `.{end}`, such as `{}`{table}", example(end)))
        }
        None if is("htm") => {
            Err(format!("a page must end in `.html`, such as `{}`", example("html")))
        }
        None if OTHERS.into_iter().any(is) => Err(format!(
            "{what} must not end in `.{}`; name it `{}`",
            own.display(),
            example("fracas")
        )),
        None => Ok(()),
    }
}

/// Tests whether [`replace()`] would work, and leaves everything as it is.
pub(crate) fn replaceable(path: &Path) -> Result<(), Error> {
    let (_, beside, _) = target(path)?;
    let written = write_new(&beside, None, |_| ()).and_then(|()| fs::remove_file(&beside));
    written.map_err(|error| Error::file("write", path, error))
}

/// Tests that no other file would be lost: none is there, an empty one, or one of this kind, which begins with the
/// first of its marks and contains the others.
pub(crate) fn covers_only((what, marks): (&str, &[&str]), path: &Path) -> Result<(), Error> {
    if !path.is_file() {
        return Ok(());
    }
    let there = fs::read(path).map_err(|error| Error::file("read", path, error))?;
    let text = String::from_utf8_lossy(&there);
    let begins = marks.first().is_none_or(|mark| unmarked(&text).starts_with(mark));
    if text.is_empty() || begins && marks.iter().all(|mark| text.contains(mark)) {
        return Ok(());
    }
    let reason = format!("the file there is not {what}; take another name, or remove it first");
    Err(Error::file("write", path, reason))
}

/// The file to replace, with links followed, the one to write first, and the permissions of the one that is there.
fn target(path: &Path) -> Result<(PathBuf, PathBuf, Option<fs::Permissions>), Error> {
    let failed = |reason: Reason| Error::file("write", path, reason);
    let old = match fs::metadata(path) {
        Ok(old) if old.is_dir() => return Err(failed("it is a folder".into())),
        Ok(old) if !old.is_file() => return Err(failed("it is not an ordinary file".into())),
        // To rename over a file needs no right to write to it, so its owner's wish is asked here.
        Ok(old) if old.permissions().readonly() => return Err(failed("it is read-only".into())),
        Ok(old) => Some(old.permissions()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() && !folder.exists() => {
                return Err(failed(format!("there is no folder `{}`", folder.display()).into()));
            }
            _ => None,
        },
        Err(error) => return Err(failed(error.into())),
    };
    let target = if old.is_some() { path.canonicalize() } else { Ok(path.to_owned()) };
    let target = target.map_err(|error| failed(error.into()))?;
    let beside = beside(&target).ok_or_else(|| failed("it is not a file name".into()))?;
    Ok((target, beside, old))
}

/// A name in the same folder that nobody else uses: a rename between folders is not atomic.
fn beside(target: &Path) -> Option<PathBuf> {
    let mut name = std::ffi::OsString::from(".");
    name.push(target.file_name()?);
    name.push(format!("{OURS}{}{UNFINISHED}", std::process::id()));
    Some(target.with_file_name(name))
}

/// Before the number of the process in the name of a file that is being written: other programs leave
/// hidden files with a number, too.
const OURS: &str = ".fracas-";

const UNFINISHED: &str = ".tmp";

/// Removes what processes that were killed have left unfinished in the folder of this file.
fn remove_leftovers(beside: &Path) {
    let folder = beside.parent().filter(|folder| *folder != OsStr::new(""));
    let files = fs::read_dir(folder.unwrap_or(Path::new("."))).into_iter().flatten().flatten();
    for file in files {
        if writer(&file.file_name()).is_some_and(is_gone) {
            // What cannot be removed is only untidy.
            let _ = fs::remove_file(file.path());
        }
    }
}

/// The number of the process that writes a file of this name, if it is one of [`beside`]. Older versions wrote
/// `.NAME.fracas.PID.tmp` for the history `NAME.fracas`.
fn writer(name: &OsStr) -> Option<i32> {
    let name = name.to_str()?.strip_prefix('.')?.strip_suffix(UNFINISHED)?;
    let (file, process) = name.rsplit_once(OURS).or_else(|| name.rsplit_once(".fracas."))?;
    let digits = process.bytes().all(|byte| byte.is_ascii_digit());
    process.parse().ok().filter(|_| !file.is_empty() && digits)
}

#[cfg(unix)]
fn is_gone(process: i32) -> bool {
    use rustix::process::{Pid, test_kill_process};
    Pid::from_raw(process).is_some_and(|id| test_kill_process(id) == Err(rustix::io::Errno::SRCH))
}

#[cfg(not(unix))]
fn is_gone(_process: i32) -> bool {
    false
}

fn write_new<T>(
    path: &Path,
    permissions: Option<fs::Permissions>,
    write: impl FnOnce(&mut fs::File) -> T,
) -> io::Result<T> {
    // One left over by a killed process of the same number is nobody's.
    let _ = fs::remove_file(path);
    let mut file = fs::File::create_new(path)?;
    let written = write(&mut file);
    if let Some(permissions) = permissions {
        file.set_permissions(permissions)?;
    }
    // The content must be on the disk before the name is, or a crash leaves an empty file.
    file.sync_all().map(|()| written)
}

/// What a database keeps beside itself while it is open.
const BESIDE: [&str; 3] = ["", "-wal", "-shm"];

/// Tests that no file is written over another one; each comes with what the person calls it. Files
/// that are only read may be the same.
pub(crate) fn apart(read: &[(&str, &Path)], written: &[(&str, &Path)]) -> Result<(), Error> {
    for (index, &(what, path)) in written.iter().enumerate() {
        let mut others = read.iter().chain(&written[..index]);
        if let Some((other, _)) = others.find(|(_, taken)| same(path, taken)) {
            let path = path.display();
            let message = format!("{what} and {other} are the same file, `{path}`");
            return Err(Error::usage(message));
        }
    }
    Ok(())
}

/// Whether two paths lead to one file, or one of them to what a database keeps beside the other.
fn same(one: &Path, other: &Path) -> bool {
    let (Some(one), Some(other)) = (place(one), place(other)) else { return false };
    let leads = |from: &Path, to: &Path| {
        BESIDE.iter().any(|end| {
            let mut name = from.as_os_str().to_owned();
            name.push(end);
            name == to.as_os_str()
        })
    };
    leads(&one, &other) || leads(&other, &one)
}

/// Where a path leads, whether a file is there or not; nothing for a device, which holds nothing.
fn place(path: &Path) -> Option<PathBuf> {
    if path.metadata().is_ok_and(|known| !known.is_file() && !known.is_dir()) {
        return None;
    }
    if let Ok(place) = path.canonicalize() {
        return Some(place);
    }
    let folder = path.parent().filter(|folder| *folder != OsStr::new(""));
    let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
    Some(folder.join(path.file_name()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let name = |entry: io::Result<fs::DirEntry>| {
            entry.unwrap().file_name().to_string_lossy().into_owned()
        };
        fs::read_dir(folder).unwrap().map(name).collect()
    }

    #[test]
    fn a_file_is_made_and_replaced_without_leftovers() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.history");
        replace(&path, b"one").unwrap();
        replace(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(names(folder.path()), ["a.history"]);
    }

    #[test]
    fn what_fails_half_written_leaves_the_file_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.json");
        replace(&path, b"old").unwrap();
        // More than a buffer holds, so that the first half is on the disk when it fails.
        let failed = replace_by(&path, |file| {
            file.write_all(&[b'x'; 100_000]).unwrap();
            Err(Error::usage("the other half is missing"))
        });
        assert_eq!(failed.unwrap_err().to_string(), "the other half is missing");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names(folder.path()), ["games.json"]);
    }

    #[cfg(unix)]
    #[test]
    fn what_a_killed_process_left_is_removed_by_the_next_one() {
        let folder = tempfile::tempdir().unwrap();
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let dead = child.id();
        child.wait().unwrap();
        // Of this process, of no process, without a dot, and of another program.
        let kept = [
            format!(".b.fracas-{}.tmp", std::process::id()),
            format!(".c.fracas.{}.tmp", std::process::id()),
            ".b.fracas-x1.tmp".into(),
            format!("b.fracas-{dead}.tmp"),
            format!(".b.{dead}.tmp"),
        ];
        let left = [
            format!(".a.fracas-{dead}.tmp"),
            format!(".other.fracas.fracas-{dead}.tmp"),
            format!(".s.fracas.{dead}.tmp"),
        ];
        for name in kept.iter().chain(&left) {
            fs::write(folder.path().join(name), "half").unwrap();
        }
        replace(&folder.path().join("a"), b"whole").unwrap();
        let mut there = names(folder.path());
        let mut expected: Vec<String> = kept.into_iter().chain(["a".to_owned()]).collect();
        there.sort();
        expected.sort();
        assert_eq!(there, expected);
    }

    #[test]
    fn what_cannot_be_replaced_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let reason = |path: &Path| replace(path, b"x").unwrap_err().to_string();
        assert!(reason(folder.path()).ends_with("it is a folder"));
        assert!(reason(&folder.path().join("none/a.history")).starts_with("cannot write"));
        assert!(reason(Path::new("")).starts_with("cannot write"));

        let path = folder.path().join("kept");
        fs::write(&path, "old").unwrap();
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
        assert!(reason(&path).ends_with("it is read-only"));
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names(folder.path()), ["kept"]);
    }

    #[test]
    fn only_a_file_of_the_same_kind_is_covered() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes.txt");
        let kind: (&str, &[&str]) = ("a list", &["# A list", "- "]);
        covers_only(kind, &path).unwrap();
        for (text, is_covered) in [
            ("", true),
            ("# A list\n- one", true),
            ("# A list\n", false),
            ("- one\n# A list", false),
            ("notes", false),
        ] {
            fs::write(&path, text).unwrap();
            let covered = covers_only(kind, &path).map_err(|error| error.to_string());
            let refused = "the file there is not a list; take another name, or remove it first";
            assert_eq!(covered.is_ok(), is_covered, "{text:?}");
            assert!(covered.err().is_none_or(|error| error.ends_with(refused)));
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_and_no_device_is_replaced() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let in_folder = |name: &str| folder.path().join(name);
        fs::write(in_folder("real"), "old").unwrap();
        symlink("real", in_folder("link")).unwrap();
        replace(&in_folder("link"), b"new").unwrap();
        assert_eq!(fs::read(in_folder("real")).unwrap(), b"new");
        assert!(in_folder("link").is_symlink());

        symlink(folder.path(), in_folder("loop")).unwrap();
        let error = replace(&in_folder("loop"), b"x").unwrap_err().to_string();
        assert!(error.ends_with("it is a folder"), "{error}");
        symlink("/dev/null", in_folder("device")).unwrap();
        let error = replace(&in_folder("device"), b"x").unwrap_err().to_string();
        assert!(error.ends_with("it is not an ordinary file"), "{error}");
    }

    #[test]
    fn what_is_written_covers_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("sub")).unwrap();
        std::fs::write(at("cup.toml"), "").unwrap();
        std::fs::write(at("cup.db"), "").unwrap();
        let refused = |report: &str| {
            let (spec, out, report) = (at("cup.toml"), at("cup.db"), at(report));
            let written = [("`--out`", out.as_path()), ("`--report`", report.as_path())];
            apart(&[("the spec", &spec)], &written).is_err()
        };
        for taken in ["cup.db", "cup.toml", "sub/../cup.db", "cup.db-wal", "sub/../cup.db-shm"] {
            assert!(refused(taken), "{taken}");
        }
        for free in ["cup.html", "sub/cup.db", "cup.db.html"] {
            assert!(!refused(free), "{free}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(at("cup.db"), at("link")).unwrap();
            assert!(refused("link"));
        }
        let null = Path::new("/dev/null");
        apart(&[], &[("`--report`", null), ("`--games`", null)]).unwrap();
    }
}
