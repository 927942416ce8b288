//! Analysis of a conflict: exact and enclosed probabilities, estimates from samples, equilibria.

mod batches;
mod chances;
mod compare;
pub mod equilibrium;
mod estimate;
mod expectations;
mod growing_state;
mod odds;
mod portrait;
mod prospects;
mod speed;
mod sweep;
mod tune;
mod visits;

use crate::conflict::Seating;
pub(crate) use batches::FailedPlayout;
pub use chances::{Chances, CountedEndings};
pub(crate) use chances::{cut_off_block, exact_utility};
pub use compare::{Compared, ComparedVariants, Contrasting, DivergingPlayout, Pair, Side, alone};
pub(crate) use compare::{FirstDifferent, Known};
pub(crate) use equilibrium::Moved;
pub use equilibrium::{GameKind, PayoffMatrix, Solution, Solved, Solving, StrategyLine, nearly};
use estimate::complete;
pub use estimate::{Enough, Estimated, Sampling};
pub(crate) use expectations::{Expectations, LuckParts, Move};
pub(crate) use odds::{FoundOdds, ends, explore_unmanned, halved};
pub use odds::{Odds, Seeking};
pub(crate) use portrait::{GLOSSARY, Meaning, holm};
pub use portrait::{MeasureSelection, Portrait, Portraying};
pub(crate) use prospects::Here;
pub use prospects::{Effort, OpenDecision, Prospect, Prospects};
pub(crate) use speed::Speed;
pub(crate) use sweep::{Balance, Broken, Target, figures, items, range};
pub use sweep::{Sweep, SweepRun, Swept};
pub(crate) use tune::WISHES;
pub use tune::{Best, Candidate, CandidateGrid, Tuned, Tuning, WishCertainty, Wishes};
pub use visits::{VisitsError, visits};

pub(crate) const PLAYOUTS: &str = "playouts";

/// A report of progress.
#[derive(Clone, Debug, PartialEq)]
pub enum Stage {
    /// The number of nodes of the graph that are explored, and how much of the memory is taken, in percent.
    Nodes(u64, u64),
    /// The number of playouts that are made, and of all where it is known.
    Playouts(u64, Option<u64>),
    /// The number of points of a sweep that are found, and of all where it is known.
    Points(u64, Option<u64>),
    /// This much of the whole work is done, and of how much.
    Done(u64, u64),
    /// This many were known before, this many are done, and of how many, if that is known.
    Resumed(u64, u64, Option<u64>),
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

/// Hears how far work is, until it is dropped.
pub type ReportsStage = Box<dyn Fn(Stage) + Sync>;

/// Reports the nodes that are explored, and how much of the memory of these seats is taken by then.
pub(crate) fn exploring<'a>(
    seating: &'a Seating,
    progress: &'a (dyn Fn(Stage) + Sync),
) -> impl Fn(u64) + Sync + 'a {
    let budget = seating.budget();
    move |nodes| {
        progress(Stage::Nodes(nodes, budget.used().saturating_mul(100) / budget.bound().max(1)))
    }
}
