//! The command `portrait`: what a conflict is like.

use clap::Args;

use super::{CommandEntry, Desk, Runnable, SamplingArguments, Status};
use crate::analysis::{Enough, MeasureSelection, Portrait, Portraying, Sampling};
use crate::error::{Cut, Error};

/// Measure what a conflict is like: length, choice, fairness, drama, luck, skill, clauses
///
/// It is that of the open conflict from its beginning. The rules, parameters and agents are the current ones; for
/// people the agent of `:odds` plays. On the graph it is exact; where that is too large it is estimated from
/// playouts. `:doc measures` says what each means.
#[derive(Args, Debug)]
#[command(mut_args(|argument| match argument.get_id().as_str() {
    "n" => argument.help("How many playouts, if the graph is too large to explore fully; 2000, or with `--within` as many as it takes"),
    "within" => argument.help("Stop once the 95 % intervals of results and utilities are within X of their means"),
    _ => argument,
}))]
pub(crate) struct PortraitCommand {
    #[command(flatten)]
    sampling: SamplingArguments,
    /// Only a measure or a group of them; or a number of the outcome, by its path, beside the others (repeatable)
    #[arg(long = "measure", value_name = "NAME")]
    measures: Vec<String>,
    /// Refused, with the reason: it is of a whole conflict
    #[arg(long, hide = true)]
    here: bool,
}

impl Runnable for PortraitCommand {
    const ENTRY: CommandEntry =
        CommandEntry { seed: Some(super::SEED), ..CommandEntry::new::<Self>("portrait") };

    fn run(&self, desk: &mut Desk<'_>) -> Result<Status, Error> {
        if self.here {
            return Err(Error::usage(
                "a portrait is of a whole conflict: its length, turns and luck are counted from the setup on; \
                 `:estimate --here` and `:odds` begin at the current place",
            ));
        }
        let sampling = match desk.sampling(&self.sampling)? {
            Sampling { enough: Enough::Clear, seed, threads, .. } => {
                Sampling { seed, n: Portraying::PLAYOUTS, enough: Enough::All, threads }
            }
            asked => asked,
        };
        let seating = desk.seating(None)?;
        let wanted = MeasureSelection::read(&self.measures, desk.conflict()?, &seating)?;
        let nodes = Portraying::explores(sampling, &seating);
        let time = self.sampling.limit.time;
        let portraying = Portraying { wanted: &wanted, sampling, nodes, time };
        let conflict = desk.conflict()?;
        let mut portrait = desk.work(("nodes", None), |progress| {
            portraying.foretell(&seating, progress);
            Portrait::find(conflict, &seating, portraying, progress)
        })?;
        if let Some(cut @ Cut::Time(_)) = portrait.cut
            && portrait.n == 0
            && portrait.measures.is_empty()
        {
            return Err(Error::Bound(cut));
        }
        portrait.notes.extend(wanted.absent(&[&portrait]));
        desk.face.show(&portrait.report())?;
        if let [first, _, ..] = &seating.players.seats()[..] {
            desk.face.say(&format!("the first seat is `{}`", first.name));
        }
        Ok(desk.ended(portrait.cut, None))
    }
}
