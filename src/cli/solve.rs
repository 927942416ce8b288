//! `fracas solve` and `fracas exploit`: equilibria, and what a perfect opponent wins.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use super::arguments::{self, CommonArguments};
use super::output::Output;
use super::progress::Progress;
use crate::agents::HUMAN;
use crate::analysis::equilibrium::Exploit;
use crate::analysis::{Moved, Solved, Solving};
use crate::conflict::{Changes, Conflict, Seat, Seating};
use crate::error::Error;
use crate::graph::Bounds;

pub(super) fn solve(
    common: &CommonArguments,
    arguments: &arguments::SolveCommand,
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
            let solved =
                find_solution(common, arguments, arguments.solving.limit.time, &conflict, output)?;
            let kept = keep(&solved, &[("as it is", &solved)], output);
            output.show(&solved, |width, plain| solved.as_text(width, plain))?;
            kept?;
            solved
        }
        true => {
            let base = Conflict::of(&catalog, scenario, &Changes::default(), &limits)?;
            // A checkpoint is of one game: of the one that was asked for.
            let mut alone = arguments.clone();
            alone.files.checkpoint = None;
            let base =
                find_solution(common, &alone, arguments.solving.left(begun, 2), &base, output)?;
            if base.interrupted {
                // What there is of one is shown; of the other there will be nothing.
                output.show(&base, |width, plain| base.as_text(width, plain))?;
                return Ok(ExitCode::from(130));
            }
            let left = arguments.solving.left(begun, 1);
            let house = find_solution(common, arguments, left, &conflict, output)?;
            let moved = Moved::of(base, house);
            let both = [("as it is", &moved.base), ("changed", &moved.house)];
            let kept = keep(&moved.house, &both, output);
            output.show(&moved, |width, plain| moved.as_text(width, plain))?;
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
    arguments: &arguments::SolveCommand,
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
        checkpoint: arguments.files.checkpoint.as_deref(),
    };
    let progress = Progress::new(output, "nodes", None);
    Solved::find(&seating, solving, &|stage| progress.stage(stage))
}

// `fracas exploit`: how much a perfect opponent wins against agents, and how.

/// What is being done after the perfect opponent was found.
const WORTH: &str = "solving the conflict, to say what that is beyond its worth";

pub(super) fn exploit(
    common: &CommonArguments,
    arguments: &arguments::ExploitCommand,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    let scenario = &arguments.scenario;
    let (catalog, changes) = (common.catalog()?, scenario.changes()?);
    let conflict = Conflict::open(&catalog, &scenario.scenario, &changes, &common.limits())?;
    output.warnings(&conflict);
    let seating = Seating::new(&conflict, common.graph_memory())?;
    let seating = seating.under(seating.budget().begin(arguments.limit.time));
    let named = changes.seats.iter().map(|(seat, _)| seat.as_str()).collect::<Vec<_>>();
    if let Some(twice) = named.iter().enumerate().find(|(at, seat)| named[..*at].contains(*seat)) {
        return Err(Error::usage(format!("`{}` is seated twice", twice.1)));
    }
    if let Some((seat, _)) = changes.seats.iter().find(|(_, agent)| agent == HUMAN) {
        return Err(Error::usage(format!(
            "what a person in the seat `{seat}` would answer is not known; name an agent, \
             or `random` for whoever answers anything"
        )));
    }
    let seat = left(&conflict, &seating, &named)?;
    let agents = |other: &Seat| Exploit::sitting(&conflict, &seating, other).to_owned();
    let bounds = Bounds { threads: common.threads(), nodes: u64::MAX };
    let progress = Progress::new(output, "nodes", None);
    let found = Exploit::find(&seating, &seat, agents, bounds, &|nodes| progress.at(nodes));
    let found = match found {
        Ok(found) => found,
        Err(error) => {
            drop(progress);
            return Err(error);
        }
    };
    let stage = |stage| progress.stage(stage);
    let found = progress.slowly(WORTH, || found.measured(&seating, common.threads(), &stage));
    drop(progress);
    output.show(&found, |width, plain| found.as_text(width, plain))?;
    Ok(ExitCode::from(if found.interrupted { 130 } else { 0 }))
}

/// The one seat that is left for the perfect opponent.
fn left(conflict: &Conflict, seating: &Seating, named: &[&str]) -> Result<Seat, Error> {
    let left = Exploit::seats_left(conflict, seating, named)?;
    match &left[..] {
        [one] => Ok(one.clone()),
        [] if seating.players.seats().len() == 1 => Err(Error::usage(
            "one seat plays alone, and with an agent in it nobody is left; without `--seat` the \
             perfect player takes it",
        )),
        [] => {
            let seats = seating.players.seats();
            Err(Error::usage(format!(
                "an agent sits in every seat; with `--seat {}=AGENT` the perfect opponent takes the \
                 other",
                seats.first().map(|seat| seat.name.as_str()).unwrap_or("PLAYER"),
            )))
        }
        [one, other, ..] => Err(Error::usage(format!(
            "the perfect opponent takes one seat; say who sits in the others: \
             `--seat {}=AGENT` or `--seat {}=AGENT`",
            one.name, other.name
        ))),
    }
}
