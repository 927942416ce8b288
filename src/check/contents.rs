//! Checks the files of a rules folder: enough of each kind, a title, cases that parse, and the `system` keys.

use super::Check;
use super::finding::{Findings, top_of};
use crate::catalog::{CaseFile, FileKind, Folder};
use crate::error::{Error, Location};

/// The least number of files of each kind that a rules folder should have.
const LEAST: [(FileKind, usize); 4] =
    [(FileKind::Scenario, 3), (FileKind::House, 2), (FileKind::Agent, 2), (FileKind::Case, 1)];

/// Counts the files and reads the case files; `fracas test` checks whether the cases pass.
pub(super) fn check(
    check: &Check<'_>,
    folder: &Folder,
    findings: &mut Findings,
) -> Result<(), Error> {
    for (kind, least) in LEAST {
        let count = folder.names(kind).len();
        if count < least {
            let message = format!(
                "a rules folder should have {least} or more {}s in `{}/`, this one has {count}",
                kind.what(),
                kind.folder()
            );
            findings.warning(top_of(folder.rules_path()), message);
        }
    }
    if folder.scripts().is_ok_and(|scripts| scripts.first().is_some_and(|s| s.title().is_none())) {
        let message = "the rules have no title: a line `//! # …` at the top";
        findings.warning(top_of(folder.rules_path()), message);
    }
    for name in folder.names(FileKind::Case) {
        match folder.find(FileKind::Case, &name).and_then(CaseFile::parse) {
            Ok(file) => {
                check_system(check, folder.name(), &file.system, file.system_at, findings);
            }
            Err(error) => findings.fault(&error, || None)?,
        }
    }
    Ok(())
}

/// Warns of a `system` key that names neither the folder nor any other system. The name of another
/// system is accepted, because the files of a copied folder still contain it.
pub(super) fn check_system(
    check: &Check<'_>,
    folder: &str,
    named: &str,
    at: Option<Location>,
    findings: &mut Findings,
) {
    if named != folder && check.catalog.folder(named).is_err() {
        let known = check.catalog.systems().chain([folder]);
        let unknown = Error::unknown("system", named, known);
        findings.warning(at, format!("{unknown} (played as `{folder}`, which its folder is)"));
    }
}
