//! `fracas solve`: what the players should do, and what a house rule changes about it.

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use super::arguments::{self, Common};
use super::output::Output;
use super::progress::Progress;
use crate::analysis::equilibrium::{self, Checkpoint};
use crate::analysis::{Moved, Solved, Solving};
use crate::conflict::{Changes, Conflict, Players, Seating, replace, replaceable};
use crate::error::Error;
use crate::render::{Figure, Series};

/// Runs the command.
///
/// # Errors
/// Those of the scenario and the rules; [`Error::File`] where the strategy cannot be saved.
pub fn run(
    common: &Common,
    arguments: &arguments::Solve,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    if let Some(seat) = arguments.scenario.seats.first() {
        return Err(Error::usage(format!(
            "`--seat {seat}`: what is solved is what everybody should do, whoever sits there; \
             `fracas exploit` says what wins against an agent"
        )));
    }
    let begun = Instant::now();
    let time = arguments.solving.limit.time;
    // What is left of the time, evenly for so many solutions.
    let left = |solutions: u32| time.map(|time| part(time, begun.elapsed(), solutions));
    // A file that cannot be written is told before the work, not after it.
    for path in arguments.save.iter().chain(&arguments.checkpoint).chain(&arguments.svg) {
        replaceable(path)?;
    }
    if let Some(path) = &arguments.checkpoint {
        // Also where the game turns out to need none.
        Checkpoint::read(path)?;
    }
    let catalog = common.catalog()?;
    let limits = common.limits();
    let changes = arguments.scenario.changes()?;
    let scenario = catalog.scenario(&arguments.scenario.scenario)?;
    let conflict = Conflict::of(&catalog, scenario.clone(), &changes, &limits)?;
    output.warnings(&conflict);
    let changed = !changes.house.is_empty() || !changes.params.is_empty();
    // The rules are not asked for the sides after somebody wanted it to stop: they would not answer.
    let players = arguments.save.as_ref().map(|_| Players::find(&conflict)).transpose()?;
    // What was computed is kept before anybody reads it: a reader may go away.
    let keep = |solved: &Solved| match (&arguments.save, &players, &solved.found) {
        (Some(path), Some(players), Ok(solution)) => solution.save(&conflict, players, path),
        _ => Ok(()),
    };
    let draw = |solved: &[(&str, &Solved)], output: &mut Output| match &arguments.svg {
        Some(file) => drawn(file, solved, output),
        None => Ok(()),
    };
    let solved = match changed {
        false => {
            let solved = solve(common, arguments, time, &conflict, output)?;
            let kept = keep(&solved).and_then(|()| draw(&[("as it is", &solved)], output));
            output.show(&solved, |width, plain| solved.as_text(width, plain))?;
            kept?;
            solved
        }
        true => {
            let base = Conflict::of(&catalog, scenario, &Changes::default(), &limits)?;
            // A checkpoint is of one game: of the one that was asked for.
            let alone = arguments::Solve { checkpoint: None, ..arguments.clone() };
            let base = solve(common, &alone, left(2), &base, output)?;
            if base.interrupted {
                // What there is of one is shown; of the other there will be nothing.
                output.show(&base, |width, plain| base.as_text(width, plain))?;
                return Ok(ExitCode::from(130));
            }
            let house = solve(common, arguments, left(1), &conflict, output)?;
            let moved = Moved::of(base, house);
            let both = [("as it is", &moved.base), ("changed", &moved.house)];
            let kept = keep(&moved.house).and_then(|()| draw(&both, output));
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

/// The time for the next of so many solutions, in whole tenths of a second where it is longer, as it is
/// printed.
fn part(time: Duration, spent: Duration, solutions: u32) -> Duration {
    let part = time.saturating_sub(spent) / solutions.max(1);
    let tenths = part.as_millis() / 100 * 100;
    let tenths = Duration::from_millis(tenths.try_into().unwrap_or(u64::MAX));
    if tenths.is_zero() { part } else { tenths }
}

fn solve(
    common: &Common,
    arguments: &arguments::Solve,
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
        checkpoint: arguments.checkpoint.as_deref(),
    };
    let progress = Progress::new(output, "nodes", None);
    Solved::find(&seating, solving, &|stage| progress.stage(stage))
}

/// Draws how the exploitability fell. Where nothing was learned there is nothing to be drawn.
fn drawn(file: &Path, solved: &[(&str, &Solved)], output: &mut Output) -> Result<(), Error> {
    let curves: Vec<Series> = solved.iter().filter_map(|(name, one)| one.curve(name)).collect();
    if curves.is_empty() {
        output.say("nothing was learned in time: there is no curve, and no file was written");
        return Ok(());
    }
    replace(file, Figure::svg(&[Figure::Plot(equilibrium::curves("seconds", curves))]).as_bytes())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::part;

    #[test]
    fn all_solutions_of_a_command_share_its_time() {
        let seconds = Duration::from_secs;
        assert_eq!(part(seconds(8), seconds(0), 2), seconds(4));
        // The first took all of its half, or less.
        assert_eq!(part(seconds(8), seconds(4), 1), seconds(4));
        assert_eq!(part(seconds(8), seconds(1), 1), seconds(7));
        assert_eq!(part(seconds(8), seconds(9), 1), seconds(0));
        let millis = Duration::from_millis;
        assert_eq!(part(seconds(8), millis(1), 2), millis(3900));
        assert_eq!(part(millis(60), seconds(0), 1), millis(60));
        // Longer than anybody waits, and than 64 bits of milliseconds.
        assert_eq!(part(Duration::MAX, seconds(0), 1), millis(u64::MAX));
    }
}
