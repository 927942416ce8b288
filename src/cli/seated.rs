//! Opens the scenario of a command and seats its agents.

use super::arguments::Common;
use super::output::Output;
use crate::arguments::ScenarioArguments;
use crate::conflict::{Conflict, Seating};
use crate::error::Error;

/// Opens a scenario and seats its agents; prints warnings of the rules and for whom `random` plays.
///
/// # Errors
/// Those of the scenario, the rules and the seats.
pub fn seated(
    common: &Common,
    scenario: &ScenarioArguments,
    output: &mut Output,
) -> Result<(Conflict, Seating), Error> {
    let catalog = common.catalog()?;
    let changes = scenario.changes()?;
    let conflict = Conflict::open(&catalog, &scenario.scenario, &changes, &common.limits())?;
    output.warnings(&conflict);
    let seating = Seating::new(&conflict, common.graph_memory())?;
    output.people(&seating);
    Ok((conflict, seating))
}
