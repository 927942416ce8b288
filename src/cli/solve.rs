//! `fracas solve`: what the players should do, and what changed rules change about it.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Args;

use super::common::CommonArguments;
use super::output::Output;
use super::progress::Progress;
use crate::analysis::{Moved, Solved, Solving};
use crate::arguments::{PageArgument, ScenarioArguments, SolvingArguments, SolvingFiles};
use crate::conflict::{Changes, Conflict, Seating};
use crate::error::Error;

#[derive(Args, Debug, Clone)]
#[command(mut_arg("time", |time| {
    time.help("Stop after S seconds; with changes, half of them are for the conflict as it is")
}))]
pub(super) struct SolveCommand {
    #[command(flatten)]
    scenario: ScenarioArguments,
    #[command(flatten)]
    files: SolvingFiles,
    #[command(flatten)]
    solving: SolvingArguments,
    #[command(flatten)]
    pub page: PageArgument,
}

pub(super) fn run(
    common: &CommonArguments,
    arguments: &SolveCommand,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    if let Some(seat) = arguments.scenario.seats.first() {
        return Err(Error::usage(format!(
            "`--seat {seat}`: what is solved is what everybody should do, whoever sits there; \
             `fracas exploit` says what wins against an agent"
        )));
    }
    let (begun, files) = (Instant::now(), &arguments.files);
    files.test()?;
    let catalog = common.catalog()?;
    let limits = common.limits();
    let changes = arguments.scenario.changes()?;
    let scenario = catalog.scenario(&arguments.scenario.scenario)?;
    let conflict = Conflict::of(&catalog, scenario.clone(), &changes, &limits)?;
    output.warnings(&conflict);
    let changed = !changes.house.is_empty() || !changes.params.is_empty();
    let players = files.players(&conflict)?;
    // What was computed is kept before anybody reads it: a reader may go away.
    let keep = |solved: &Solved, all: &[(&str, &Solved)], output: &mut Output| {
        files.keep(solved, &conflict, players.as_ref())?;
        files.draw(all).map(|nothing| nothing.into_iter().for_each(|nothing| output.say(nothing)))
    };
    let solved = match changed {
        false => {
            let left = arguments.solving.left(begun, 1);
            let solved = find_solution(common, arguments, left, &conflict, output)?;
            let kept = keep(&solved, &[("as it is", &solved)], output);
            output.show(&solved.report(arguments.solving.all))?;
            kept?;
            solved
        }
        true => {
            let base = Conflict::of(&catalog, scenario, &Changes::default(), &limits)?;
            let base =
                find_solution(common, arguments, arguments.solving.left(begun, 2), &base, output)?;
            if base.interrupted {
                // What there is of one is shown; of the other there will be nothing.
                output.show(&base.report(arguments.solving.all))?;
                return Ok(ExitCode::from(130));
            }
            let left = arguments.solving.left(begun, 1);
            let house = find_solution(common, arguments, left, &conflict, output)?;
            let moved = Moved::of(base, house);
            let both = [("as it is", &moved.base), ("changed", &moved.house)];
            let kept = keep(&moved.house, &both, output);
            output.show(&moved.report(arguments.solving.all))?;
            kept?;
            let Moved { base, house, .. } = moved;
            if base.interrupted || base.found.is_err() { base } else { house }
        }
    };
    Ok(ExitCode::from(match &solved.found {
        _ if solved.interrupted => 130,
        Ok(_) => 0,
        Err(_) => 1,
    }))
}

fn find_solution(
    common: &CommonArguments,
    arguments: &SolveCommand,
    time: Option<Duration>,
    conflict: &Conflict,
    output: &mut Output,
) -> Result<Solved, Error> {
    let seating = Seating::new(conflict, common.graph_memory())?;
    // The limit that is named is the whole one, of which this may be a part.
    let seating = seating.under(seating.budget().begin(arguments.solving.limit.time));
    let solving = Solving {
        exact: arguments.solving.exact,
        within: arguments.solving.within,
        time,
        threads: common.threads(),
        nodes: u64::MAX,
    };
    let progress = Progress::new(output, "nodes", None);
    Solved::find(&seating, solving, &|stage| progress.stage(stage))
}
