//! Which conflict does a command look into? Opened, with agents in its seats.

use super::arguments::{Common, ScenarioArguments};
use super::output::Output;
use crate::conflict::{Conflict, Seating};
use crate::error::Error;

/// Opens a scenario and seats its agents; says what the rules warn of, and for whom `random` sits in.
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
