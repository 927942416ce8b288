//! `fracas solve`: what the players should do, and what a house rule changes about it.

use std::process::ExitCode;
use std::time::Duration;

use super::arguments::{self, Common};
use super::output::Output;
use super::progress::Progress;
use crate::analysis::{Moved, Solved, Solving, Stage};
use crate::conflict::{Changes, Conflict, Players, Seating};
use crate::error::Error;

/// Runs the command.
///
/// # Errors
/// Those of the scenario and the rules; [`Error::File`] where the strategy cannot be saved.
pub fn run(
    common: &Common,
    arguments: &arguments::Solve,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    let catalog = common.catalog()?;
    let limits = common.limits();
    let changes = arguments.scenario.changes()?;
    let scenario = catalog.scenario(&arguments.scenario.scenario)?;
    let conflict = Conflict::of(&catalog, scenario.clone(), &changes, &limits)?;
    output.warnings(&conflict);
    let changed = !arguments.scenario.house.is_empty() || !arguments.scenario.params.is_empty();
    // What was computed is kept before anybody reads it: a reader may go away.
    let keep = |solved: &Solved| match (&arguments.save, &solved.found) {
        (Some(path), Ok(solution)) => solution.save(&conflict, &Players::find(&conflict)?, path),
        _ => Ok(()),
    };
    let solved = match changed {
        false => {
            let solved = solve(common, arguments, &conflict, output)?;
            keep(&solved)?;
            output.show(|| solved.as_json(), |width, plain| solved.as_text(width, plain))?;
            solved
        }
        true => {
            let seated = Changes { seats: changes.seats.clone(), ..Changes::default() };
            let base = Conflict::of(&catalog, scenario, &seated, &limits)?;
            let base = solve(common, arguments, &base, output)?;
            let moved = Moved { base, house: solve(common, arguments, &conflict, output)? };
            keep(&moved.house)?;
            output.show(|| moved.as_json(), |width, plain| moved.as_text(width, plain))?;
            let Moved { base, house } = moved;
            if base.interrupted || base.found.is_err() { base } else { house }
        }
    };
    Ok(ExitCode::from(match &solved.found {
        _ if solved.interrupted => 130,
        Ok(_) => 0,
        Err(_) => 1,
    }))
}

fn solve(
    common: &Common,
    arguments: &arguments::Solve,
    conflict: &Conflict,
    output: &mut Output,
) -> Result<Solved, Error> {
    let seating = Seating::new(conflict, common.graph_memory())?;
    let solving = Solving {
        exact: arguments.exact,
        within: arguments.within,
        time: arguments.time.and_then(|time| Duration::try_from_secs_f64(time).ok()),
        threads: common.threads(),
        nodes: u64::MAX,
        checkpoint: arguments.checkpoint.as_deref(),
    };
    let progress = Progress::new(output, "nodes", None);
    Solved::find(&seating, solving, &|stage| match stage {
        Stage::Nodes(nodes) => progress.at(nodes),
        Stage::Told(text) => progress.say(&text),
        Stage::Near(iterations, gap) => progress.near(iterations, gap),
    })
}
