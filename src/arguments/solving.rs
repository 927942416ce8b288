//! The arguments of `solve`, `compare` and `tune` in the shell and at the prompt, and numbers on a command line.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;

use super::{PlayoutsArgument, RuleArguments, TimeArgument};
use crate::analysis::equilibrium;
use crate::analysis::{
    CandidateGrid, Enough, Portraying, Sampling, Solved, Solving, Swept, Wishes,
};
use crate::catalog::Catalog;
use crate::conflict::{Conflict, Players, Seating, replace, replaceable};
use crate::error::Error;
use crate::report::{Figure, Series};
use crate::script::Limits;

/// How a conflict is solved.
#[derive(Args, Debug, Clone)]
pub(crate) struct SolvingArguments {
    /// Compute in fractions, joint decisions too
    #[arg(long)]
    pub exact: bool,
    /// If the method is iterative, stop once the exploitability is at most X
    #[arg(long, value_name = "X", default_value_t = Solving::WITHIN, value_parser = above_zero, allow_negative_numbers = true)]
    pub within: f64,
    #[command(flatten)]
    pub limit: TimeArgument,
    /// Print all information sets and equilibria, not only what fits on two screens
    #[arg(long)]
    pub all: bool,
}

/// The files that solving writes.
#[derive(Args, Debug, Clone, Default)]
pub(crate) struct SolvingFiles {
    /// Save the strategy to a file
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Draw how the exploitability falls over time as SVG, if the method is iterative
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

impl SolvingFiles {
    /// Tests, before long work begins, that all files can be written.
    pub(crate) fn test(&self) -> Result<(), Error> {
        for path in self.save.iter().chain(&self.svg) {
            replaceable(path)?;
        }
        Ok(())
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
                "there was no time to learn anything, so there is no curve, and no file was written",
            ));
        }
        let figure = Figure::Plot(equilibrium::curves("seconds", curves));
        replace(file, Figure::svg(&[figure]).as_bytes()).map(|()| None)
    }
}

impl SolvingArguments {
    /// What is left of the time, evenly for this many solutions.
    pub(crate) fn left(&self, begun: Instant, solutions: u32) -> Option<Duration> {
        self.limit.time.map(|time| part(time, begun.elapsed(), solutions))
    }
}

/// The time for the next of this many solutions, in whole tenths of a second where it is longer, as it is
/// printed.
fn part(time: Duration, spent: Duration, solutions: u32) -> Duration {
    let part = time.saturating_sub(spent) / solutions.max(1);
    let tenths = part.as_millis() / 100 * 100;
    let tenths = Duration::from_millis(tenths.try_into().unwrap_or(u64::MAX));
    if tenths.is_zero() { part } else { tenths }
}

// The arguments of comparisons beside those of the odds.

/// What is compared beside the odds, and how much of it is shown.
#[derive(Args, Debug, Clone, Default)]
pub(crate) struct ContrastArguments {
    /// Compare only a measure of `portrait` or a group of them; or a number of the outcome, by its path, beside the others (repeatable)
    #[arg(long = "measure", value_name = "NAME")]
    pub measures: Vec<String>,
    /// Show what did not change, too
    #[arg(long)]
    pub all: bool,
}

impl ContrastArguments {
    /// What `-n` means for a comparison.
    pub(crate) const PLAYOUTS: &str = "How many pairs of playouts, and how many playouts for the portrait of each side; up to 10000 pairs until the odds are clear, and 2000 for portraits";
}

impl RuleArguments {
    /// One of the changes, by its number among all, house rules first.
    pub(crate) fn one(&self, number: usize) -> RuleArguments {
        let param = number.checked_sub(self.house.len()).and_then(|at| self.params.get(at));
        RuleArguments {
            house: self.house.get(number).cloned().into_iter().collect(),
            params: param.cloned().into_iter().collect(),
        }
    }
}

// Numbers on a command line, each with the error that says what it must be.

pub(crate) fn whole(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("must be a whole number from 0 to {}", u64::MAX))
}

/// A whole number from 1 to this one.
pub(crate) fn one_to<T: TryFrom<u64>>(most: u64) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| (1..=most).contains(number));
        let number = number.and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| format!("must be a whole number from 1 to {most}"))
    }
}

/// A number of things.
pub(crate) fn count(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "must be a whole number of 0 or more".to_owned())
}

/// A number above 0.
pub(crate) fn above_zero(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| "must be a number above 0, as in 0.01".to_owned())
}

/// A time in seconds; one that no duration is long enough for is as long as there is.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    above_zero(text).map(|time| Duration::try_from_secs_f64(time).unwrap_or(Duration::MAX))
}

// The arguments of a tuning: what is varied, what is wanted, and how much is measured.

/// What is varied about a conflict, and what is wanted of it.
#[derive(Args, Debug, Clone)]
#[command(mut_arg("n", |argument| {
    argument.help("At most this many playouts of a candidate whose graph is too large to explore fully; 4000")
}))]
pub(crate) struct TuneArguments {
    /// A parameter and its values: `faces=1..8` (8 included), `faces=1..9..2`, `tie=a,b`, or `tie` for all (repeatable)
    #[arg(long, value_name = "NAME=VALUES")]
    pub vary: Vec<String>,
    /// House rules to apply or not, by name or path; all subsets of them are tried (repeatable)
    #[arg(id = "vary-house", long, value_name = "NAME,NAME", value_delimiter = ',')]
    pub(crate) vary_house: Vec<String>,
    /// What a measure of the portrait is to be: `fairness within 0.05`, `length <= 20`, `ties = 0.1 within 0.05` (repeatable)
    #[arg(long, value_name = "WISH", required = true)]
    pub want: Vec<String>,
    #[command(flatten)]
    pub playouts: PlayoutsArgument,
    #[command(flatten)]
    pub limit: TimeArgument,
}

impl TuneArguments {
    /// What is varied, checked.
    pub(crate) fn grid(
        &self,
        (catalog, conflict, limits): (&Catalog, &Conflict, &Limits),
    ) -> Result<CandidateGrid, Error> {
        let params = Swept::each(&self.vary, &CandidateGrid::specs(conflict)?)?;
        CandidateGrid::new(params, &self.vary_house, (catalog, conflict, limits))
    }

    /// What is wanted, checked.
    pub(crate) fn wishes(&self, conflict: &Conflict, seating: &Seating) -> Result<Wishes, Error> {
        Wishes::read(&self.want, conflict, seating)
    }

    /// How many playouts a candidate gets under a seed, on this many threads.
    pub(crate) fn sampling(&self, threads: usize, seed: u64) -> Sampling {
        let n = self.playouts.n.unwrap_or(Portraying::PLAYOUTS);
        Sampling { seed, n, enough: Enough::All, threads }
    }
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
