//! Opens the scenario of a command and seats its agents.

use super::arguments::CommonArguments;
use super::output::Output;
use crate::arguments::ScenarioArguments;
use crate::conflict::{Conflict, Seating};
use crate::error::Error;

/// Opens a scenario and seats its agents; prints warnings of the rules and for whom `random` plays.
pub(super) fn seated(
    common: &CommonArguments,
    scenario: &ScenarioArguments,
    output: &mut Output,
) -> Result<(Conflict, Seating), Error> {
    let conflict = opened(common, scenario, output)?;
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
    let mut conflict = opened(common, scenario, output)?;
    if conflict.scenario.campaign.is_some() && !whole {
        conflict = conflict.until(1)?;
        output
            .say("of the first conflict; `--whole` and `fracas estimate` take the whole campaign");
    }
    let seating = Seating::new(&conflict, common.graph_memory())?;
    output.people(&seating);
    Ok(seating)
}

fn opened(
    common: &CommonArguments,
    scenario: &ScenarioArguments,
    output: &mut Output,
) -> Result<Conflict, Error> {
    let catalog = common.catalog()?;
    let changes = scenario.changes()?;
    let conflict = Conflict::open(&catalog, &scenario.scenario, &changes, &common.limits())?;
    output.warnings(&conflict);
    Ok(conflict)
}
