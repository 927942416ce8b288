//! What `:luck` and `fracas replay --luck` have in common: how much is looked at, and the finding.

use clap::Args;

use super::{TimeArgument, one_to};
use crate::analysis::{Chances, Enough, Expectations, Expecting, Prospects, Sampling, Stage};
use crate::conflict::{Play, Seating, hides_what_is_fixed};
use crate::error::Error;

/// Playouts from each place, where nothing else was said, and in all: of a long history fewer from each, as each of
/// them is longer, too.
const PLAYOUTS: u64 = 200;
const IN_ALL: u64 = 20_000;

/// How much is looked at to say how lucky somebody was.
#[derive(Args, Debug, Clone, Copy, Default)]
pub(crate) struct LuckArguments {
    /// How many playouts from each place, where what may follow cannot be explored whole [default: 200; of more than 100 answers fewer]
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
        let (seating, how) = self.work(play, (seed, threads))?;
        Expectations::find(&seating, &play.history(), how, progress)
    }

    /// The same for those who know no more than some players saw, at each answer of these; nothing where that is not
    /// known: the graph is too large, or what they do not see is not drawn, so that the numbers would tell it.
    pub(crate) fn as_known(
        self,
        play: &Play,
        own: &[String],
        (seed, threads): (u64, usize),
        progress: &(dyn Fn(Stage) + Sync),
    ) -> Result<Option<Vec<Option<Chances>>>, Error> {
        let (seating, how) = self.work(play, (seed, threads))?;
        match how.nodes == 0 || hides_what_is_fixed(&play.conflict, own)? {
            true => Ok(None),
            false => Prospects::along(&seating, &play.history(), own, how, progress),
        }
    }

    /// Who plays on, and how much is looked at.
    fn work(
        self,
        play: &Play,
        (seed, threads): (u64, usize),
    ) -> Result<(Seating, Expecting), Error> {
        let seating = play.seating()?;
        let seating = seating.under(seating.budget().begin(self.limit.time));
        let places = play.history().len() as u64 + 1;
        let n = self.n.unwrap_or((IN_ALL / places).clamp(10, PLAYOUTS));
        let all = n.saturating_mul(places);
        let sampling = Sampling { seed, n: all, enough: Enough::All, threads };
        let nodes = sampling.explores(&seating);
        Ok((seating, Expecting { threads, nodes, n, seed }))
    }
}
