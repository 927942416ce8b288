//! Analysis of a conflict: exact and enclosed probabilities, estimates from samples, equilibria.
//! Its numbers (`amount`, `exact`, `interval`, `chain`, `statistics`) know no graph and no rules.

mod amount;
mod batches;
mod chain;
mod chances;
mod compare;
mod complete;
mod either;
mod ends;
pub mod equilibrium;
mod estimate;
mod exact;
mod fraction;
mod interval;
mod number;
mod odds;
mod portrait;
mod prospects;
mod reachable;
mod speed;
mod statistics;
mod sweep;
mod tally;
mod tune;

pub use amount::Amount;
pub use batches::{Done, Failed, Work};
pub use chain::{Chain, ChainError};
pub use chances::Chances;
pub(crate) use chances::cut_off_text;
pub use compare::{Compared, Contrasting, FirstDifferent, Known, Pair, Refused, Side, Way, alone};
pub use ends::{ends, explore_unmanned};
pub use equilibrium::{
    Choice, Figure, Kind, Knowing, Line, Mixed, Moved, Solution, Solved, Solving, Stage, Table,
    Why, exactly, nearly,
};
pub use estimate::{Enough, Estimated, Sample, Sampling};
pub use exact::Exact;
pub(crate) use fraction::simplest_between;
pub use fraction::{Fraction, fraction, fraction_of_decimal};
pub use interval::Interval;
pub use number::Number;
pub(crate) use odds::halved;
pub use odds::{FoundOdds, Odds, Seeking, Unreached};
pub use portrait::{Contrast, GLOSSARY, Meaning, Portrait, Portraying, Wanted};
pub use prospects::{Effort, Here, Place, Prospect, Prospects};
pub use speed::Speed;
pub use statistics::{
    Estimate, NORMAL_95, cumulative, difference, mean, passed_with, share, share_difference,
};
pub use sweep::{
    Balance, Broken, Found, Measure, Over, Point, Sweep, Swept, Target, Whole, figures,
};
pub use tally::{Counts, Tally};
pub use tune::{Again, BrokenCandidate, Certainty, Grid, Tuned, Tuning, WISHES, Wishes};
