//! Replaces a file whole or not at all: writes a new file beside it, then renames it.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::error::{Error, Reason};

/// Replaces the content of a file, or creates it. A link stays, and the file it leads to is
/// replaced.
///
/// # Errors
/// [`Error::File`]; a file that was there before is then unchanged.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let (target, old) = target(path)?;
    let failed = |reason: Reason| Error::file("write", path, reason);
    let beside = beside(&target).ok_or_else(|| failed("it is not a name of a file".into()))?;
    let written = write_new(&beside, bytes, old).and_then(|()| fs::rename(&beside, &target));
    written.map_err(|error| {
        // The first mistake is the one to report; the leftover is only untidy.
        let _ = fs::remove_file(&beside);
        failed(error.into())
    })
}

/// Tests whether [`replace()`] would work, and leaves everything as it is.
pub(crate) fn replaceable(path: &Path) -> Result<(), Error> {
    let (target, _) = target(path)?;
    let failed = |reason: Reason| Error::file("write", path, reason);
    let beside = beside(&target).ok_or_else(|| failed("it is not a name of a file".into()))?;
    let written = write_new(&beside, b"", None).and_then(|()| fs::remove_file(&beside));
    written.map_err(|error| failed(error.into()))
}

/// The file to replace, with links followed, and the permissions of the one that is there.
fn target(path: &Path) -> Result<(PathBuf, Option<fs::Permissions>), Error> {
    let failed = |reason: Reason| Error::file("write", path, reason);
    let old = match fs::metadata(path) {
        Ok(old) if old.is_dir() => return Err(failed("it is a folder".into())),
        Ok(old) if !old.is_file() => return Err(failed("it is not an ordinary file".into())),
        // To rename over a file needs no right to write to it, so its owner's wish is asked here.
        Ok(old) if old.permissions().readonly() => return Err(failed("it is read-only".into())),
        Ok(old) => Some(old.permissions()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(failed(error.into())),
    };
    let target = if old.is_some() {
        path.canonicalize().map_err(|error| failed(error.into()))?
    } else {
        path.to_owned()
    };
    Ok((target, old))
}

/// A name in the same folder that nobody else uses: a rename between folders is not atomic.
fn beside(target: &Path) -> Option<PathBuf> {
    let mut name = std::ffi::OsString::from(".");
    name.push(target.file_name()?);
    name.push(format!(".{}.tmp", std::process::id()));
    Some(target.with_file_name(name))
}

fn write_new(path: &Path, bytes: &[u8], permissions: Option<fs::Permissions>) -> io::Result<()> {
    // One left over by a killed process of the same number is nobody's.
    let _ = fs::remove_file(path);
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(bytes)?;
    if let Some(permissions) = permissions {
        file.set_permissions(permissions)?;
    }
    // The content must be on the disk before the name is, or a crash leaves an empty file.
    file.sync_all()
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
}
