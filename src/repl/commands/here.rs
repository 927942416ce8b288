//! Where tools begin that are asked to begin where the conflict stands, with what is hidden kept hidden.

use std::time::Duration;

use super::measure::tell_people;
use crate::analysis::{Here, Place};
use crate::conflict::{Position, Seating};
use crate::error::Error;
use crate::repl::{Eyes, Reply, Session};

/// The seats of the open conflict, and the places of their graph where playouts begin: where it stands, or
/// for a player from whom something is hidden, the places that look alike; about so many.
pub(super) fn here(
    session: &Session,
    n: u64,
    time: Option<Duration>,
    reply: &mut Reply,
) -> Result<(Seating, Here), Error> {
    let (play, eyes) = (session.open()?, session.eyes()?);
    if let Position::Over { .. } = play.position() {
        return Err(Error::usage("the conflict is over, and nothing begins here"));
    }
    let seating = play.seating()?;
    let seating = seating.under(seating.budget().begin(time));
    tell_people(&seating, reply);
    let history = play.history();
    let here = match play.decision().filter(|asked| eyes.see_as(&asked.who)) {
        Some(asked) => {
            let place = Place {
                history: &history,
                who: &asked.who,
                name: &asked.name,
                revealed: eyes == Eyes::All,
            };
            Here::of_decision(&seating, place, Here::sought(n, time.is_some()))?
        }
        None if eyes == Eyes::All => Here::after(&seating, &history)?,
        None => {
            return Err(Error::usage(
                "something is hidden and you are not asked, so where it may be is not known; `:play` \
                 goes on to a question, `:reveal` shows all",
            ));
        }
    };
    Ok((seating, here))
}

/// Says from where playouts began.
pub(super) fn tell(here: &Here, reply: &mut Reply) {
    let place = match here.places() {
        1 => "1 place that looks alike".to_owned(),
        places => format!("{places} places that look alike"),
    };
    reply.note(match (here.is_hidden, here.nodes.len()) {
        (false, _) => "from where the conflict stands".to_owned(),
        (true, 1) => {
            format!("from here; what is hidden is drawn from {place}, met by playing at random")
        }
        (true, met) => format!(
            "from here; what is hidden is drawn from {place}, met {met} times by playing at random, each \
             time for one playout at most"
        ),
    });
}
