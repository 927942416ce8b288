//! Do the rules compile, with their parameters, and is there anything odd in them?

use super::Check;
use super::finding::{Findings, top_of};
use crate::catalog::Folder;
use crate::conflict::{Order, compile};
use crate::error::Error;

/// Compiles the rules alone; returns whether they did.
pub(super) fn check(
    check: &Check<'_>,
    folder: &Folder,
    findings: &mut Findings,
) -> Result<bool, Error> {
    match compile(folder, Order::default(), check.limits) {
        Ok(rules) => {
            for warning in rules.warnings() {
                findings.warning(warning.at, warning.message);
            }
            Ok(true)
        }
        Err(error) => {
            findings.fault(&error, || top_of(folder.rules_path()))?;
            Ok(false)
        }
    }
}
