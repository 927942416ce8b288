//! Analysis of a conflict: exact and enclosed probabilities, estimates from samples, equilibria.
//! Its numbers (`number`, `exact_fraction`, `interval`, `statistics`) know no graph and no rules.

mod batches;
mod chances;
mod compare;
pub mod equilibrium;
mod estimate;
mod exact_fraction;
mod fraction;
mod growing_state;
mod interval;
mod number;
mod odds;
mod portrait;
mod prospects;
mod speed;
mod statistics;
mod sweep;
mod tally;
mod tune;
mod visits;

pub(crate) use batches::FailedPlayout;
pub use chances::Chances;
pub(crate) use chances::cut_off_text;
pub use compare::{Compared, Contrasting, DivergingPlayout, Pair, Side, alone};
pub(crate) use compare::{FirstDifferent, Known};
pub(crate) use equilibrium::Moved;
pub use equilibrium::{
    GameKind, PayoffMatrix, Solution, SolutionNumber, Solved, Solving, StrategyLine, nearly,
};
pub use estimate::{Enough, Estimated, Sampling};
pub use exact_fraction::Exact;
pub(crate) use fraction::simplest_between;
pub use fraction::{Fraction, fraction};
pub(crate) use fraction::{exact_utility, fraction_of_decimal, is_whole};
pub use interval::Interval;
pub use number::{Amount, Number};
use number::{complete, open_end};
pub(crate) use odds::FoundOdds;
pub(crate) use odds::halved;
pub use odds::{Odds, Seeking};
pub(crate) use portrait::{GLOSSARY, Meaning};
pub use portrait::{MeasureSelection, Portrait, Portraying};
pub(crate) use prospects::Here;
pub use prospects::{Effort, OpenDecision, Prospect, Prospects};
pub(crate) use speed::Speed;
pub(crate) use statistics::{
    Estimate, FEW, NORMAL_95, clustered_share, cumulative, difference, jackknife, mean,
    passed_with, share, share_difference, uneven_mean,
};
pub(crate) use sweep::{Balance, Broken, Target, figures};
pub use sweep::{Sweep, SweepRun, Swept};
pub use tally::CountedEndings;
pub(crate) use tally::{ends, explore_unmanned};
pub use tune::{Best, CandidateGrid, Tuned, Tuning, WishCertainty, Wishes};
pub(crate) use tune::{BrokenCandidate, WISHES};
pub use visits::{VisitsError, visits};

/// The work that is counted in playouts.
pub(crate) const PLAYOUTS: &str = "playouts";

/// A report of progress.
#[derive(Clone, Debug, PartialEq)]
pub enum Stage {
    /// The number of nodes of the graph that are explored.
    Nodes(u64),
    /// The number of playouts that are made, and of all where it is known.
    Playouts(u64, Option<u64>),
    /// The number of points of a sweep that are found, and of all where it is known.
    Points(u64, Option<u64>),
    /// A part of the work begins, in which this is counted.
    Begin(&'static str),
    /// A part of the work: what is counted, how many of them are done, and about how many there are.
    Part(&'static str, u64, u64),
    /// What is known so far, in a line, until more is known.
    Known(String),
    /// What is being done, in words that the next ones replace.
    Doing(String),
    /// A sentence to print once.
    Notice(String),
    /// The number of iterations of regret minimisation, and the exploitability of the strategy.
    Near(u64, f64),
}
