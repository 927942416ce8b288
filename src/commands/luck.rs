//! The command `luck`, and what `fracas replay --luck` has in common with it: how much is looked at, and the finding.

use clap::Args;

use super::{CommandEntry, Desk, Faces, Runnable, Status, TimeArgument, one_to};
use crate::analysis::{Chances, Effort, Enough, Expectations, Prospects, Sampling, Stage};
use crate::conflict::{Play, Seating, hides_what_is_fixed};
use crate::error::Error;

/// Playouts from each place, where nothing else was said, and in all: of a long history fewer from each, as each of
/// them is longer, too.
const PLAYOUTS: u64 = 200;
const IN_ALL: u64 = 20_000;

/// How much is looked at to say how lucky somebody was.
#[derive(Args, Debug, Clone, Copy, Default)]
pub(crate) struct LuckArguments {
    /// How many playouts from each place, where what may follow cannot be explored whole [default: 200; fewer if the history has more than 100 answers]
    #[arg(short = 'n', value_name = "N", value_parser = one_to::<u64>(100_000), allow_negative_numbers = true)]
    n: Option<u64>,
    #[command(flatten)]
    limit: TimeArgument,
}

/// Say which rolls and choices moved most what each player could expect, under the seated agents
///
/// What a player has at the end is what they could expect at the beginning, and what each roll and each choice
/// moved since. For the largest choices it says what the best option would have been worth. The numbers are exact
/// where all that may follow can be explored, else estimated from playouts from each place: the best option is
/// chosen by some and estimated from others, as the highest of several estimates is too high. With `--time` it
/// says how many there were. For people the agent of `:odds` plays. All that is hidden is taken to be known, so it waits for the end, or for `:reveal`.
#[derive(Args, Debug)]
pub(crate) struct LuckCommand {
    #[command(flatten)]
    effort: LuckArguments,
}

impl Runnable for LuckCommand {
    const ENTRY: CommandEntry =
        CommandEntry { faces: Faces::Prompt, place: true, ..CommandEntry::new::<Self>("luck") };

    fn run(&self, desk: &mut Desk<'_>) -> Result<Status, Error> {
        let play = desk.open()?;
        if desk.viewer()?.misses(&play.history()) {
            return Err(Error::usage(
                "luck is weighed as if all were seen, which would show what is hidden; `:reveal` first",
            ));
        }
        let how = (desk.seed()?, desk.threads);
        let found = desk.work(("nodes", None), |progress| self.effort.find(play, how, progress))?;
        desk.face.show(&found.report())?;
        Ok(Status::Done)
    }
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

    /// The same for a page, which is worth having without it: then why it is not known.
    pub(crate) fn find_for_page(
        self,
        play: &Play,
        how: (u64, usize),
        progress: &(dyn Fn(Stage) + Sync),
    ) -> Result<Result<Expectations, Error>, Error> {
        match self.find(play, how, progress) {
            Err(error) if error.cut().is_none() => Err(error),
            found => Ok(found),
        }
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
    fn work(self, play: &Play, (seed, threads): (u64, usize)) -> Result<(Seating, Effort), Error> {
        let seating = play.seating()?;
        let seating = seating.under(seating.budget().begin(self.limit.time));
        let places = play.history().len() as u64 + 1;
        let n = self.n.unwrap_or((IN_ALL / places).clamp(10, PLAYOUTS));
        let all = n.saturating_mul(places);
        let sampling = Sampling { seed, n: all, enough: Enough::All, threads };
        let nodes = sampling.explores(&seating);
        Ok((seating, Effort { float: false, threads, nodes, n, seed, time: None, work: u64::MAX }))
    }
}
