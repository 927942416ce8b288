//! What `:luck` and `fracas replay --luck` have in common: how much is looked at, and the finding.

use clap::Args;

use super::{TimeArgument, one_to};
use crate::analysis::{Enough, Expectations, Expecting, Sampling, Stage};
use crate::conflict::Play;
use crate::error::Error;

/// Playouts from each place, where nothing else was said.
const PLAYOUTS: u64 = 200;

/// How much is looked at to say how lucky somebody was.
#[derive(Args, Debug, Clone, Copy, Default)]
pub(crate) struct LuckArguments {
    /// How many playouts from each place, where what may follow cannot be explored whole [default: 200]
    #[arg(short = 'n', value_name = "N", value_parser = one_to::<u64>(100_000), allow_negative_numbers = true)]
    n: Option<u64>,
    #[command(flatten)]
    limit: TimeArgument,
}

impl LuckArguments {
    /// What each player could expect along the line that is played.
    pub(crate) fn find(
        self,
        play: &Play,
        (seed, threads): (u64, usize),
        progress: &(dyn Fn(Stage) + Sync),
    ) -> Result<Expectations, Error> {
        let seating = play.seating()?;
        let seating = seating.under(seating.budget().begin(self.limit.time));
        let history = play.history();
        let n = self.n.unwrap_or(PLAYOUTS);
        let all = n.saturating_mul(history.len() as u64 + 1);
        let sampling = Sampling { seed, n: all, enough: Enough::All, threads };
        let how = Expecting { threads, nodes: sampling.explores(&seating), n, seed };
        Expectations::find(&seating, &history, how, progress)
    }
}
