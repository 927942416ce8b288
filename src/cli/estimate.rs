//! `fracas estimate`: the odds as playouts tell them, each with its interval.

use std::process::ExitCode;

use super::arguments::{self, Common};
use super::output::Output;
use super::progress::Progress;
use crate::analysis::Estimated;
use crate::conflict::{Conflict, Seating};
use crate::error::Error;
use crate::handlers::Generator;

/// Runs the command.
///
/// # Errors
/// Those of the scenario, the rules and the agents.
pub fn run(
    common: &Common,
    arguments: &arguments::Estimate,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    let catalog = common.catalog()?;
    let changes = arguments.scenario.changes()?;
    let conflict =
        Conflict::open(&catalog, &arguments.scenario.scenario, &changes, &common.limits())?;
    output.warnings(&conflict);
    let seating = Seating::new(&conflict, common.graph_memory)?;
    output.people(&seating);
    let seed = common.seed();
    let sampling = arguments.sampling.sampling(common, seed);
    // How many an interval will take nobody knows.
    let total = sampling.within.is_none().then_some(sampling.n);
    let progress = Progress::new(output, "playouts", total);
    let sampled = Estimated::sample(&seating, sampling, &|done| progress.at(done));
    drop(progress);
    let estimated = sampled.map_err(|failed| {
        if let Some(playout) = failed.playout {
            let seed = Generator::seed_of(seed, playout);
            let line = arguments.scenario.again(common, &conflict, seed);
            output.say(&format!("a playout failed; `{line}` plays it"));
        }
        failed.error
    })?;
    output.show(|| estimated.as_json(), |width, plain| estimated.as_text(width, plain))?;
    if estimated.interrupted {
        output.say("interrupted: this is what the playouts up to then say");
        return Ok(ExitCode::from(130));
    }
    if let Some(within) = sampling.within
        && !estimated.is_within(within)
    {
        output.say(&format!("not every interval is within {within} yet: raise `-n`"));
    }
    Ok(ExitCode::SUCCESS)
}
