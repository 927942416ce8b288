//! Checks that the rules of a folder compile with their parameters, and adds their warnings.

use super::Check;
use super::finding::{Findings, top_of};
use crate::catalog::{Folder, Kind};
use crate::conflict::{Order, compile};
use crate::error::Error;
use crate::game::Value;
use crate::script::Fields;

/// Compiles the rules without house rules; if they compile, returns their and the setups' fields.
pub(super) fn check(
    check: &Check<'_>,
    folder: &Folder,
    findings: &mut Findings,
) -> Result<Option<Fields>, Error> {
    match compile(folder, Order::default(), check.limits) {
        Ok(rules) => {
            // A scenario that does not read is a finding of its own.
            let scenarios = folder.names(Kind::Scenario).into_iter();
            let setups = scenarios.filter_map(|name| Some(folder.scenario(&name).ok()?.setup));
            let setups: Vec<Value> = setups.collect();
            for warning in rules.warnings_beside(&setups) {
                findings.warning(warning.at, warning.message);
            }
            let mut fields = rules.fields().clone();
            setups.iter().for_each(|setup| fields.declare_all(setup));
            Ok(Some(fields))
        }
        Err(error) => {
            findings.fault(&error, || top_of(folder.rules_path()))?;
            Ok(None)
        }
    }
}

/// Warns of a `view` that hid nothing in any of the scenarios.
pub(super) fn tell_sight(check: &Check<'_>, folder: &Folder, findings: &mut Findings) {
    if let Ok(rules) = compile(folder, Order::default(), check.limits) {
        let at =
            rules.functions().find(|known| known.name == "view").and_then(|view| view.at.clone());
        let sight = std::mem::take(&mut findings.sight);
        if let Some(message) = sight.warning() {
            findings.warning(at, message);
        }
    }
}
