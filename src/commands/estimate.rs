//! The command `estimate`: the odds of a conflict from playouts.

use clap::Args;

use super::{Desk, Runnable, SamplingArguments, Status};
use crate::analysis::{Estimated, PLAYOUTS};
use crate::error::Error;

/// Estimate the odds from playouts, with 95 % intervals
///
/// They are those of the open conflict from its beginning. The rules, parameters and agents are the current ones;
/// for people the agent of `:odds` plays. With `--here` it is estimated from the current place: where something is
/// hidden from the one who is asked, from places that look alike to that player. `:odds` shows what each option
/// leads to.
#[derive(Args, Debug)]
pub(crate) struct EstimateCommand {
    #[command(flatten)]
    sampling: SamplingArguments,
}

impl Runnable for EstimateCommand {
    const NAME: &'static str = "estimate";
    const SEED: Option<&'static str> = Some(super::SEED);
    const HERE: Option<&'static str> =
        Some("Begin at the current place; what is hidden from the one who is asked stays hidden");

    fn run(&self, desk: &mut Desk<'_>) -> Result<Status, Error> {
        let time = self.sampling.limit.time;
        let sampling = desk.sampling(&self.sampling)?;
        let (seating, here) = match desk.here {
            true => desk.face.here(sampling.n, time).map(|(one, here)| (one, Some(here)))?,
            false => (desk.seating(time)?, None),
        };
        let from = here.as_ref().map_or(&[][..], |here| &here.nodes);
        let progress = desk.face.begins(PLAYOUTS, sampling.known_total());
        let made = Estimated::watched(&seating, sampling, from, &*progress);
        drop(progress);
        let estimated = made?;
        desk.face.show(&estimated.report())?;
        here.iter().for_each(|here| desk.face.began_at(here));
        let missed = sampling.enough.within().and_then(|within| estimated.chances.missed(within));
        Ok(desk.ended(estimated.cut, missed))
    }
}
