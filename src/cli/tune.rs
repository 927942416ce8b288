//! `fracas tune`: the parameters and house rules under which a conflict is as wanted.

use std::process::ExitCode;

use clap::Args;

use super::common::CommonArguments;
use super::open_scenario::{exit_code, opened};
use super::output::Output;
use super::progress::Progress;
use crate::analysis::{BrokenCandidate, Tuning};
use crate::arguments::{PageArgument, ScenarioArguments, TuneArguments};
use crate::conflict::Seating;
use crate::error::Error;
use crate::report::shell_line;
use crate::script::Limits;

#[derive(Args, Debug)]
pub(super) struct TuneCommand {
    #[command(flatten)]
    scenario: ScenarioArguments,
    #[command(flatten)]
    tune: TuneArguments,
    #[command(flatten)]
    pub page: PageArgument,
}

pub(super) fn run(
    common: &CommonArguments,
    arguments: &TuneCommand,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    let catalog = common.catalog()?;
    let limits = common.limits();
    // The time is for all candidates together.
    let budget = limits.budget.begin(arguments.tune.limit.time);
    let limits = Limits { budget, ..limits };
    let conflict = opened(&catalog, &arguments.scenario, &limits, output)?;
    let seating = Seating::new(&conflict, common.graph_memory())?;
    let grid = arguments.tune.grid((&catalog, &conflict, &limits))?;
    let wishes = arguments.tune.wishes(&conflict, &seating)?;
    output.people(&seating);

    let show = |words: &[String]| Some(shell_line(words, &common.rules));
    let progress = Progress::new(output, "candidates", None);
    let tuning = Tuning {
        catalog: &catalog,
        scenario: &conflict.scenario,
        changes: &conflict.changes,
        limits: &limits,
        memory: common.graph_memory(),
        sampling: arguments.tune.sampling(common.threads(), common.seed()),
        grid: &grid,
        wishes: &wishes,
        show: &show,
        progress: &|stage| progress.stage(stage),
    };
    let found = tuning.find();
    drop(progress);
    let tuned = found.map_err(|BrokenCandidate { at, error }| {
        at.iter().for_each(|at| output.say(&format!("it failed at {at}")));
        error
    })?;
    output.show(&tuned.report(|best| best.command.clone()))?;
    if let Some(cut) = tuned.cut {
        output.say(&format!("{cut}: these are the best of what was measured before"));
    }
    Ok(exit_code(tuned.cut))
}
