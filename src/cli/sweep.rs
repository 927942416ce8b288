//! `fracas sweep`: a scenario under many values of its parameters.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use indexmap::IndexMap;

use super::common::CommonArguments;
use super::open_scenario::{exit_code, opened};
use super::output::Output;
use super::progress::{POINTS, Progress};
use crate::analysis::{Balance, Broken, Sweep, SweepRun, Swept, Target, figures};
use crate::arguments::{PageArgument, ScenarioArguments, SweepArguments};
use crate::conflict::{Conflict, Seating, replace, replaceable};
use crate::error::Error;
use crate::game::Value;
use crate::report::Figure;
use crate::script::Limits;

#[derive(Args, Debug)]
pub(super) struct SweepCommand {
    #[command(flatten)]
    scenario: ScenarioArguments,
    #[command(flatten)]
    sweep: SweepArguments,
    /// Write what is plotted to a file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    pub page: PageArgument,
}

/// Runs the command.
///
/// # Errors
/// Those of the scenario, the parameters, the rules and the agents; [`Error::File`] for a file that
/// cannot be written, before anything is played.
pub(super) fn run(
    common: &CommonArguments,
    arguments: &SweepCommand,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    let catalog = common.catalog()?;
    let limits = common.limits();
    let conflict = opened(&catalog, &arguments.scenario, &limits, output)?;
    let swept = swept(arguments, &conflict)?;
    if let Some(file) = &arguments.svg {
        replaceable(file)?;
    }
    let seating = Seating::new(&conflict, common.graph_memory())?;
    output.people(&seating);
    let (balanced, targets) = arguments.sweep.targets(&seating.players);

    let seed = common.seed();
    let points = swept.iter().map(|swept| swept.values.len() as u64).product();
    let progress = Progress::new(output, POINTS, Some(points));
    // The time is for all points together.
    let limits =
        Limits { budget: limits.budget.begin(arguments.sweep.sampling.limit.time), ..limits };
    let run = SweepRun {
        catalog: &catalog,
        scenario: &conflict.scenario,
        changes: &conflict.changes,
        swept: &swept,
        limits: &limits,
        memory: common.graph_memory(),
        sampling: arguments.sweep.sampling.sampling(common.threads(), seed),
        targets: &targets,
        progress: &|stage| progress.stage(stage),
    };
    let found = match &balanced {
        Some(target) => Balance::search(&run, target),
        None => Sweep::run(&run),
    };
    drop(progress);
    let sweep = found.map_err(|broken| failed(broken, output))?;
    show(&sweep, &targets, arguments, output)
}

/// The parameters of the command line with all their values checked.
fn swept(arguments: &SweepCommand, conflict: &Conflict) -> Result<Vec<Swept>, Error> {
    let swept = arguments.sweep.swept(conflict)?;
    let changed = &conflict.changes.params;
    let twice = |swept: &&Swept| changed.iter().any(|setting| setting.name == swept.name);
    match swept.iter().find(twice) {
        Some(Swept { name, .. }) => {
            Err(Error::usage(format!("`{name}` is swept, so `--param {name}=…` cannot hold")))
        }
        None => Ok(swept),
    }
}

fn show(
    sweep: &Sweep,
    targets: &[Target],
    arguments: &SweepCommand,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    output.show(&sweep.report(targets))?;
    if let Some((point, why)) = sweep.out_of_reach() {
        let at = settings(&point.values).join(", ");
        output.say(&format!(
            "at {at} and at every value with playouts, exact odds are out of reach: {why}"
        ));
    }
    if let Some(cut) = sweep.cut {
        let file = if arguments.svg.is_some() { "; no file was written" } else { "" };
        let known = match sweep.points.first().is_some_and(|point| point.cut().is_some()) {
            true => "at the first point: these are the results of a few playouts of it",
            false => ": these are the points found before",
        };
        output.say(&format!("{cut}{known}{file}"));
        return Ok(exit_code(Some(cut)));
    }
    if let Some(file) = &arguments.svg {
        replace(file, Figure::svg(&figures(sweep, targets)).as_bytes())?;
        output.say(&format!("wrote `{}`", file.display()));
    }
    Ok(ExitCode::SUCCESS)
}

/// Says at which values it failed.
fn failed(broken: Broken, output: &mut Output) -> Error {
    let settings = settings(&broken.values);
    if !settings.is_empty() {
        output.say(&format!("it failed at {}", settings.join(", ")));
    }
    broken.failed.error
}

/// Values as `--param` takes them.
fn settings(values: &IndexMap<String, Value>) -> Vec<String> {
    let setting = |(name, value): (&String, &Value)| match value {
        Value::Text(word) => format!("{name}={word}"),
        value => format!("{name}={}", value.literal()),
    };
    values.iter().map(setting).collect()
}
