//! The arguments of `solve` in the shell and at the prompt: how it is solved, and the files that are written.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;

use super::{TimeArgument, above_zero};
use crate::analysis::equilibrium::{self, Checkpoint};
use crate::analysis::{Solved, Solving};
use crate::conflict::{Conflict, Players, replace, replaceable};
use crate::error::Error;
use crate::render::{Figure, Series};

/// How a conflict is solved.
#[derive(Args, Debug, Clone)]
pub(crate) struct SolvingArguments {
    /// Compute in fractions, joint decisions too
    #[arg(long)]
    pub exact: bool,
    /// Where it is a matter of time: stop once the exploitability is within so much
    #[arg(long, value_name = "X", default_value_t = Solving::WITHIN, value_parser = above_zero, allow_negative_numbers = true)]
    pub within: f64,
    /// How long it may take.
    #[command(flatten)]
    pub limit: TimeArgument,
}

/// The files that solving writes.
#[derive(Args, Debug, Clone, Default)]
pub(crate) struct SolvingFiles {
    /// Save the strategy to a file
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Keep regret minimisation that is stopped in a file, and go on from there
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// Draw the exploitability over the seconds as SVG, where it is a matter of time
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

impl SolvingFiles {
    /// Tests that all can be written: who waited for the work is not to hear it after that.
    ///
    /// # Errors
    /// [`Error::File`] for one that cannot; [`Error::Results`] for a checkpoint that is none.
    pub(crate) fn test(&self) -> Result<(), Error> {
        for path in self.save.iter().chain(&self.checkpoint).chain(&self.svg) {
            replaceable(path)?;
        }
        // Also where the game turns out to need none.
        self.checkpoint.as_ref().map_or(Ok(()), |path| Checkpoint::read(path).map(|_| ()))
    }

    /// The players, where the strategy is to be saved. Rules answer for their sides only before somebody
    /// wanted the work to stop.
    pub(crate) fn players(&self, conflict: &Conflict) -> Result<Option<Players>, Error> {
        self.save.as_ref().map(|_| Players::find(conflict)).transpose()
    }

    /// Saves the strategy, where that is wanted and there is one; returns whether it did.
    pub(crate) fn keep(
        &self,
        solved: &Solved,
        conflict: &Conflict,
        players: Option<&Players>,
    ) -> Result<bool, Error> {
        match (&self.save, players, &solved.found) {
            (Some(path), Some(players), Ok(solution)) => {
                solution.save(conflict, players, path).map(|()| true)
            }
            _ => Ok(false),
        }
    }

    /// Draws how the exploitability fell, where that is wanted. Where nothing was learned there is nothing
    /// to be drawn: then it returns a sentence that says so.
    pub(crate) fn draw(&self, solved: &[(&str, &Solved)]) -> Result<Option<&'static str>, Error> {
        let Some(file) = &self.svg else { return Ok(None) };
        let curves: Vec<Series> = solved.iter().filter_map(|(name, one)| one.curve(name)).collect();
        if curves.is_empty() {
            return Ok(Some(
                "nothing was learned in time: there is no curve, and no file was written",
            ));
        }
        let figure = Figure::Plot(equilibrium::curves("seconds", curves));
        replace(file, Figure::svg(&[figure]).as_bytes()).map(|()| None)
    }
}

impl SolvingArguments {
    /// What is left of the time, evenly for so many solutions.
    pub(crate) fn left(&self, begun: Instant, solutions: u32) -> Option<Duration> {
        self.limit.time.map(|time| part(time, begun.elapsed(), solutions))
    }
}

/// The time for the next of so many solutions, in whole tenths of a second where it is longer, as it is
/// printed.
fn part(time: Duration, spent: Duration, solutions: u32) -> Duration {
    let part = time.saturating_sub(spent) / solutions.max(1);
    let tenths = part.as_millis() / 100 * 100;
    let tenths = Duration::from_millis(tenths.try_into().unwrap_or(u64::MAX));
    if tenths.is_zero() { part } else { tenths }
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
