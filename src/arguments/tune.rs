//! The arguments of a tuning: what is varied, what is wanted, and how much is measured.

use clap::Args;

use super::{PlayoutsArgument, TimeArgument};
use crate::analysis::{CandidateGrid, Enough, Portraying, Sampling, Swept, Wishes};
use crate::catalog::Catalog;
use crate::conflict::{Conflict, Seating};
use crate::error::Error;
use crate::script::Limits;

/// What is varied about a conflict, and what is wanted of it.
#[derive(Args, Debug, Clone)]
#[command(mut_arg("n", |argument| {
    argument.help("How many playouts of a candidate whose graph is too large to be seen whole, at most; 4000")
}))]
pub(crate) struct TuneArguments {
    /// A parameter and its values: `faces=1..8` (8 included), `faces=1..9..2`, `tie=a,b`, or `tie` for all (repeatable)
    #[arg(long, value_name = "NAME=VALUES")]
    pub vary: Vec<String>,
    /// House rules to lay or not, by name or path; all subsets of them are tried (repeatable)
    #[arg(id = "vary-house", long, value_name = "NAME,NAME", value_delimiter = ',')]
    pub vary_house: Vec<String>,
    /// What a measure of the portrait is to be: `fairness within 0.05`, `length <= 20`, `ties = 0.1 within 0.05` (repeatable)
    #[arg(long, value_name = "WISH", required = true)]
    pub want: Vec<String>,
    /// Only candidates of these numbers, as in `1..5,9`
    #[arg(long, value_name = "NUMBERS")]
    pub among: Option<String>,
    /// How many playouts.
    #[command(flatten)]
    pub playouts: PlayoutsArgument,
    /// How long it may take.
    #[command(flatten)]
    pub limit: TimeArgument,
}

impl TuneArguments {
    /// What is varied, checked.
    ///
    /// # Errors
    /// Those of the parameters and of [`CandidateGrid::new`].
    pub(crate) fn grid(
        &self,
        (catalog, conflict, limits): (&Catalog, &Conflict, &Limits),
    ) -> Result<CandidateGrid, Error> {
        let params = Swept::each(&self.vary, &CandidateGrid::specs(conflict)?)?;
        CandidateGrid::new(
            params,
            &self.vary_house,
            self.among.as_deref(),
            (catalog, conflict, limits),
        )
    }

    /// What is wanted, checked.
    pub(crate) fn wishes(&self, conflict: &Conflict, seating: &Seating) -> Result<Wishes, Error> {
        Wishes::read(&self.want, conflict, seating)
    }

    /// How many playouts a candidate gets under a seed, on so many threads.
    pub(crate) fn sampling(&self, threads: usize, seed: u64) -> Sampling {
        let n = self.playouts.n.unwrap_or(Portraying::PLAYOUTS);
        Sampling { seed, n, enough: Enough::All, threads }
    }
}
