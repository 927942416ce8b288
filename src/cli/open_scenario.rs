//! Opens the scenario of a command and seats its agents.

use super::common::CommonArguments;
use super::output::Output;
use crate::catalog::Catalog;
use crate::commands::ScenarioArguments;
use crate::conflict::{Conflict, Seating};
use crate::error::Error;
use crate::script::Limits;

/// Opens a scenario, of a campaign only the first conflict unless it is to be the whole, and seats its agents.
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
    let conflict = Conflict::open(catalog, &scenario.named.scenario, &scenario.changes()?, limits)?;
    output.warnings(&conflict);
    Ok(conflict)
}
