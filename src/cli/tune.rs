//! `fracas tune`: the parameters and house rules under which a conflict is as wanted.

use std::process::ExitCode;

use super::arguments::{self, CommonArguments};
use super::output::Output;
use super::progress::Progress;
use super::sampled;
use crate::analysis::{BrokenCandidate, CommandFormat, Tuning};
use crate::conflict::{Conflict, Seating};
use crate::error::Error;
use crate::render::shell_line;
use crate::script::Limits;

/// Runs the command.
///
/// # Errors
/// Those of the scenario, of what is varied and wanted, the rules and the agents; before anything is
/// measured, but for those of playouts.
pub(super) fn run(
    common: &CommonArguments,
    arguments: &arguments::TuneCommand,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    let catalog = common.catalog()?;
    let limits = common.limits();
    // The time is for all candidates together.
    let budget = limits.budget.begin(arguments.tune.limit.time);
    let limits = Limits { budget, ..limits };
    let changes = arguments.scenario.changes()?;
    let conflict = Conflict::open(&catalog, &arguments.scenario.scenario, &changes, &limits)?;
    output.warnings(&conflict);
    let seating = Seating::new(&conflict, common.graph_memory())?;
    let grid = arguments.tune.grid((&catalog, &conflict, &limits))?;
    let wishes = arguments.tune.wishes(&conflict, &seating)?;
    output.people(&seating);

    let show = |words: &[String]| Some(shell_line(words, &common.rules));
    let go_on = |beside: &[String], own: &[String]| {
        let words = [&["tune".to_owned()], beside, own].concat();
        (!beside.is_empty()).then(|| shell_line(&words, &common.rules))
    };
    let progress = Progress::new(output, "candidates", None);
    let tuning = Tuning {
        catalog: &catalog,
        scenario: &conflict.scenario,
        changes: &changes,
        limits: &limits,
        memory: common.graph_memory(),
        sampling: arguments.tune.sampling(common.threads(), common.seed()),
        grid: &grid,
        wishes: &wishes,
        again: CommandFormat { show: &show, go_on: &go_on },
        progress: &|stage| progress.stage(stage),
    };
    let found = tuning.find();
    drop(progress);
    let tuned = found.map_err(|BrokenCandidate { at, error }| {
        at.iter().for_each(|at| output.say(&format!("it failed at {at}")));
        error
    })?;
    output.show(&tuned, |width, plain| tuned.as_text(width, plain))?;
    if let Some(cut) = tuned.cut {
        output.say(&format!("{cut}: these are the best of what was measured before"));
    }
    Ok(sampled::code(tuned.cut))
}
