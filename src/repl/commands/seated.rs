//! What commands that measure share: the open conflict with its agents seated, and sentences about that.

use std::time::Duration;

use crate::conflict::{Conflict, Play, Seating};
use crate::error::Error;
use crate::repl::{Reply, Session};

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
