//! The command that measures what the open conflict is like, from its beginning: `:portrait`.

use crate::analysis::{Portrait, Portraying, Wanted};
use crate::arguments::PortraitArguments;
use crate::error::Error;
use crate::repl::{Reply, Session};

/// Measures it.
pub fn portrait(
    session: &Session,
    asked: &PortraitArguments,
    reply: &mut Reply,
) -> Result<(), Error> {
    let play = session.open()?;
    let seating = play.seating()?;
    let wanted = Wanted::read(&asked.measures, &play.conflict, &seating)?;
    // Under its own seed the first playout is the open conflict, with all that is hidden there.
    let sampling = asked.sampling(session.lab.threads(), play.seed.wrapping_add(1));
    let nodes = Portraying::explores(sampling, &seating);
    let time = asked.sampling.limit.time;
    let portraying = Portraying { wanted: &wanted, sampling, nodes, time };
    let audience = session.lab.audience();
    let progress = audience.solves();
    let found = Portrait::find(&play.conflict, &seating, portraying, &*progress);
    drop(progress);
    let portrait = found?;
    if !seating.people.is_empty() {
        reply.note(format!("`random` sits in for people: {}", seating.people.join(", ")));
    }
    session.show(reply, || &portrait, |width, plain| portrait.as_text(width, plain));
    if let Some(cut) = portrait.cut {
        reply.note(format!("{cut}: this is what was known by then"));
    }
    Ok(())
}
