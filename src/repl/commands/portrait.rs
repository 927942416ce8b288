//! The command that measures what the open conflict is like, from its beginning: `:portrait`.

use clap::Args;

use super::measure::{SEED, tell_cut, tell_people};
use crate::analysis::{Portrait as Measured, Portraying, Wanted};
use crate::arguments::{PortraitArguments, SeedArgument};
use crate::error::Error;
use crate::repl::{Reply, Session};

/// `:portrait`.
#[derive(Args, Debug)]
#[command(mut_arg("seed", |seed| seed.help(SEED)))]
pub struct Portrait {
    /// What is measured.
    #[command(flatten)]
    portrait: PortraitArguments,
    /// The seed of playouts.
    #[command(flatten)]
    seed: SeedArgument,
}

/// Measures it.
pub(super) fn portrait(
    session: &Session,
    asked: &Portrait,
    reply: &mut Reply,
) -> Result<(), Error> {
    let Portrait { portrait: asked, seed } = asked;
    let play = session.open()?;
    let seating = play.seating()?;
    let wanted = Wanted::read(&asked.measures, &play.conflict, &seating)?;
    let sampling = asked.sampling(session.lab.threads(), session.seed_apart(seed.seed)?);
    let nodes = Portraying::explores(sampling, &seating);
    let time = asked.sampling.limit.time;
    let portraying = Portraying { wanted: &wanted, sampling, nodes, time };
    let audience = session.lab.audience();
    let progress = audience.solves();
    let found = Measured::find(&play.conflict, &seating, portraying, &*progress);
    drop(progress);
    let portrait = found?;
    tell_people(&seating, reply);
    session.show(reply, || &portrait, |width, plain| portrait.as_text(width, plain));
    tell_cut(portrait.cut, reply);
    Ok(())
}
