//! Opens the scenario of a command and seats its agents, and says how sampling ended.

use std::process::ExitCode;

use super::common::CommonArguments;
use super::output::Output;
use crate::arguments::ScenarioArguments;
use crate::catalog::Catalog;
use crate::conflict::{Conflict, Seating};
use crate::error::{Cut, Error};
use crate::script::Limits;

/// Opens a scenario and seats its agents; prints warnings of the rules and who plays for people.
pub(super) fn seated(
    common: &CommonArguments,
    scenario: &ScenarioArguments,
    output: &mut Output,
) -> Result<(Conflict, Seating), Error> {
    let conflict = opened(&common.catalog()?, scenario, &common.limits(), output)?;
    let seating = Seating::new(&conflict, common.graph_memory())?;
    output.people(&seating);
    Ok((conflict, seating))
}

/// As [`seated`], but of a campaign only the first conflict, unless it is to be the whole.
pub(super) fn seated_next(
    common: &CommonArguments,
    scenario: &ScenarioArguments,
    whole: bool,
    output: &mut Output,
) -> Result<Seating, Error> {
    let mut conflict = opened(&common.catalog()?, scenario, &common.limits(), output)?;
    if conflict.scenario.campaign.is_some() && !whole {
        conflict = conflict.until(1)?;
        output.say(
            "these are the odds of the first conflict; `--whole` and `fracas estimate` take the whole campaign",
        );
    }
    let seating = Seating::new(&conflict, common.graph_memory())?;
    output.people(&seating);
    Ok(seating)
}

/// Opens a scenario with its changes, and prints the warnings of its rules.
pub(super) fn opened(
    catalog: &Catalog,
    scenario: &ScenarioArguments,
    limits: &Limits,
    output: &mut Output,
) -> Result<Conflict, Error> {
    let conflict = Conflict::open(catalog, &scenario.scenario, &scenario.changes()?, limits)?;
    output.warnings(&conflict);
    Ok(conflict)
}

/// Says whether the numbers are those that were asked for; `missed` is why they are not.
pub(super) fn sampled(cut: Option<Cut>, missed: Option<String>, output: &mut Output) -> ExitCode {
    if let Some(cut) = cut {
        output.say(&format!("{cut}: these are the results of the playouts up to then"));
    } else if let Some(missed) = missed {
        output.say(&missed);
    }
    exit_code(cut)
}

/// The exit code of work that was cut, or was not: a time limit does what it was asked to do.
pub(super) fn exit_code(cut: Option<Cut>) -> ExitCode {
    ExitCode::from(if cut == Some(Cut::Interrupted) { 130 } else { 0 })
}
