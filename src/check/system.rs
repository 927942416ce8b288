//! Checks the `system` key of a file in a rules folder. The key has no effect there, but a wrong
//! name is probably a mistake.

use super::Check;
use super::finding::Findings;
use crate::error::{Error, Location};

/// Warns of a `system` key that names neither the folder nor any other system. The name of another
/// system is accepted, because the files of a copied folder still contain it.
pub(super) fn check(
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
