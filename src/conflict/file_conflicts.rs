//! Checks that no file a command writes overwrites another file that it reads or writes.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::error::Error;

/// What a database keeps beside itself while it is open.
const BESIDE: [&str; 3] = ["", "-wal", "-shm"];

/// Tests that no file is written over another one; each comes with what the person calls it. Files
/// that are only read may be the same.
pub(crate) fn apart(read: &[(&str, &Path)], written: &[(&str, &Path)]) -> Result<(), Error> {
    for (index, &(what, path)) in written.iter().enumerate() {
        let others = read.iter().chain(written.iter().take(index));
        for &(other, taken) in others {
            if same(path, taken) {
                let path = path.display();
                let message = format!("{what} and {other} are the same file, `{path}`");
                return Err(Error::usage(message));
            }
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

    #[test]
    fn what_is_only_read_may_be_given_twice() {
        let part = Path::new("a.db");
        let parts = [("a part", part), ("a part", part)];
        apart(&parts, &[("`--out`", Path::new("b.db"))]).unwrap();
        let message = apart(&parts, &[("`--out`", Path::new("./a.db"))]).unwrap_err().to_string();
        assert!(message.contains("`--out` and a part are the same file, `./a.db`"), "{message}");
    }
}
