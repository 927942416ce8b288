//! The open position as the start of other commands, with nothing hidden given away.

use std::time::Duration;

use crate::analysis::{Here, OpenDecision};
use crate::conflict::{Play, Position, RuleChanges, Seating};
use crate::error::Error;
use crate::repl::{Reply, Session, Viewer};

/// The seats of the open conflict, and the places of their graph where playouts begin: the current one, or
/// for a player from whom something is hidden, about this many places that look alike.
pub(super) fn here(
    session: &Session,
    n: u64,
    time: Option<Duration>,
    reply: &mut Reply,
) -> Result<(Seating, Here), Error> {
    let (play, viewer) = (session.open()?, session.viewer()?);
    is_under_way(play)?;
    let seating = play.seating()?;
    let seating = seating.under(seating.budget().begin(time));
    report_people(&seating, reply);
    let history = play.history();
    let here = match play.decision().filter(|asked| viewer.see_as(&asked.who)) {
        Some(asked) => {
            let place = OpenDecision {
                history: &history,
                who: &asked.who,
                name: &asked.name,
                revealed: viewer == Viewer::All,
            };
            Here::of_decision(&seating, place, Here::sought(n, time.is_some()))?
        }
        None if viewer == Viewer::All => Here::after(&seating, &history)?,
        None => {
            return Err(Error::usage(
                "something is hidden and you are not asked, so the place is not known; `:play` \
                 continues to a question, `:reveal` shows all",
            ));
        }
    };
    Ok((seating, here))
}

/// Lets seatings with graphs of their own begin at the current place of the open conflict, if everybody knows all:
/// whoever is asked later on would otherwise know what is hidden from them. Under other rules the history has
/// to lead there too.
pub(super) fn begin_here<'a>(
    session: &Session,
    seatings: impl IntoIterator<Item = (&'a Seating, Option<&'a RuleChanges>)>,
    reply: &mut Reply,
) -> Result<(), Error> {
    let play = session.open()?;
    is_under_way(play)?;
    if play.is_setting_up() {
        return Err(Error::usage("the setup still asks, so nothing can begin here yet"));
    }
    let hides = || {
        Err(Error::usage(
            "these rules hide something from players, and a start here would show it; `:estimate \
             --here` and `:odds` take all places that look alike",
        ))
    };
    // Before anything is played again: where other rules part from the history would show what is hidden.
    if play.conflict.rules.means_to_hide() {
        return hides();
    }
    for (seating, changes) in seatings {
        let other = changes.map(|changes| play.snapshot().play(&session.catalog, changes));
        let (other, parted) = other.transpose()?.unzip();
        let conflict = other.as_ref().map_or(&play.conflict, |other| &other.conflict);
        if conflict.rules.means_to_hide() {
            return hides();
        }
        if let Some(parted) = parted.flatten() {
            return Err(parted);
        }
        let here = Here::after(seating, &play.history())?;
        here.nodes.iter().for_each(|node| seating.graph.begin_at(*node));
    }
    reply.note("from the current place");
    Ok(())
}

fn is_under_way(play: &Play) -> Result<(), Error> {
    match play.position() {
        Position::Over { .. } => Err(Error::usage("the conflict is over, and nothing begins here")),
        Position::Asked(_) => Ok(()),
    }
}

/// Says who plays for people.
pub(super) fn report_people(seating: &Seating, reply: &mut Reply) {
    let people = seating.in_sentences(|seat| format!(":seat {seat} AGENT"));
    people.into_iter().for_each(|people| reply.note(people));
}

/// Says from where playouts began.
pub(super) fn report(here: &Here, reply: &mut Reply) {
    let place = match here.places() {
        1 => "1 place that looks alike".to_owned(),
        places => format!("{places} places that look alike"),
    };
    reply.note(match (here.is_hidden, here.nodes.len()) {
        (false, _) => "from the current place".to_owned(),
        (true, 1) => {
            format!("from here; what is hidden is drawn from {place}, found by playing at random")
        }
        (true, met) => format!(
            "from here; what is hidden is drawn from {place}, found {met} times by playing at random, \
             each time for at most one playout"
        ),
    });
}

/// Whether chance is asked next, and no player.
pub(super) fn is_before_chance(session: &Session) -> Result<bool, Error> {
    let play = session.open()?;
    Ok(play.decision().is_none() && matches!(play.position(), Position::Asked(_)))
}
