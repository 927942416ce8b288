//! Do the rules compile, with their parameters, and is there anything odd in them?

use super::Check;
use super::finding::{Findings, top_of};
use crate::catalog::{Folder, Kind};
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
            // A scenario that does not read is a finding of its own.
            let scenarios = folder.names(Kind::Scenario).into_iter();
            let setups = scenarios.filter_map(|name| Some(folder.scenario(&name).ok()?.setup));
            for warning in rules.warnings_beside(&setups.collect::<Vec<_>>()) {
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

/// Warns of a `view` that hid nothing in any of the scenarios.
pub(super) fn tell_sight(check: &Check<'_>, folder: &Folder, findings: &mut Findings) {
    if let Ok(rules) = compile(folder, Order::default(), check.limits) {
        let at =
            rules.functions().find(|known| known.name == "view").and_then(|view| view.at.clone());
        let sight = std::mem::take(&mut findings.sight);
        sight.tell(at, findings);
    }
}
