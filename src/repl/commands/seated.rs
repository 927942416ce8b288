//! What commands that measure share: the open conflict with its agents seated, and sentences about that.

use std::time::Duration;

use crate::analysis::Sampling;
use crate::arguments::{SamplingArguments, SeedArgument};
use crate::conflict::{Conflict, Play, Seating};
use crate::error::{Cut, Error};
use crate::repl::{Reply, Session};

/// What the option `--seed` means here.
pub(super) const SEED: &str = "The seed of playouts; without it, the one after that of the open conflict, whose own is refused";

/// The seats of the open conflict at its beginning, on a graph of their own; says who plays for people.
pub(super) fn seated(
    session: &Session,
    time: Option<Duration>,
    reply: &mut Reply,
) -> Result<Seating, Error> {
    let seating = timed(session, &session.open()?.conflict, time)?;
    report_people(&seating, reply);
    Ok(seating)
}

/// The seats of a conflict, within the session's memory and a time.
pub(super) fn timed(
    session: &Session,
    conflict: &Conflict,
    time: Option<Duration>,
) -> Result<Seating, Error> {
    let seating = Seating::new(conflict, memory(session))?;
    let budget = seating.budget().begin(time);
    Ok(seating.under(budget))
}

pub(super) fn memory(session: &Session) -> u64 {
    session.options.limits.budget.bound()
}

pub(super) fn sampling(
    session: &Session,
    asked: &SamplingArguments,
    seed: SeedArgument,
) -> Result<Sampling, Error> {
    Ok(asked.sampling(session.lab.threads(), session.seed_apart(seed.seed)?))
}

/// Names the first seat, of which portraits and tournaments speak.
pub(super) fn report_first_seat(play: &Play, reply: &mut Reply) {
    if let [first, _, ..] = &play.players.seats()[..] {
        reply.note(format!("the first seat is `{}`", first.name));
    }
}

/// Says who plays for people.
pub(super) fn report_people(seating: &Seating, reply: &mut Reply) {
    let people = seating.people_in_words(|seat| format!(":seat {seat} AGENT"));
    people.into_iter().for_each(|people| reply.note(people));
}

/// Says that it was stopped.
pub(super) fn report_cut(cut: Option<Cut>, reply: &mut Reply) {
    if let Some(cut) = cut {
        reply.note(format!("{cut}: this is what was known by then"));
    }
}
