//! The current place of the open conflict, for commands that begin there: with nothing hidden given away.

use std::time::Duration;

use super::{Desk, Viewer};
use crate::analysis::{Here, OpenDecision};
use crate::conflict::{Play, RuleChanges, Seating};
use crate::error::Error;

impl<'a> Desk<'a> {
    /// What whoever looks may see of the open conflict.
    pub(super) fn viewer(&self) -> Result<Viewer, Error> {
        Ok(Viewer::of(self.open()?, self.revealed))
    }

    /// The seats of the open conflict, and the places of their graph where playouts begin: the current one, or
    /// for a player from whom something is hidden, about this many places that look alike.
    pub(super) fn here(
        &mut self,
        (n, seed): (u64, u64),
        time: Option<Duration>,
    ) -> Result<(Seating, Here), Error> {
        let (play, viewer) = (self.open()?, self.viewer()?);
        is_under_way(play)?;
        let seating = play.seating()?;
        let seating = seating.under(seating.budget().begin(time));
        self.people(&seating);
        let history = play.history();
        let here = match play.decision().filter(|asked| viewer.see_as(&asked.who)) {
            Some(asked) => {
                let place = OpenDecision {
                    history: &history,
                    who: &asked.who,
                    name: &asked.name,
                    revealed: viewer == Viewer::All,
                };
                Here::of_decision(&seating, place, (n, seed), time)?
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

    /// The node of the current place in the graph of a seating, for the odds from there. Whoever is asked later knows
    /// no more than at the beginning, but who reads the odds learns what is hidden.
    pub(super) fn node_here(&mut self, seating: &Seating) -> Result<u32, Error> {
        let play = self.open()?;
        may_begin(play)?;
        if play.conflict.rules.means_to_hide() && self.viewer()? != Viewer::All {
            return Err(Error::usage(
                "chance is next, and odds from here would show what these rules hide from players: `:play` continues \
                 to a question, at which `:odds` takes all places that look alike; or `:reveal` first",
            ));
        }
        let here = Here::after(seating, &play.history())?;
        self.face.say("from the current place");
        Ok(here.nodes.first().copied().unwrap_or_default())
    }

    /// Lets seatings with graphs of their own begin at the current place of the open conflict, if everybody knows all:
    /// whoever is asked later on would otherwise know what is hidden from them. Under other rules the history has
    /// to lead there too. Says so, if `aloud`.
    pub(super) fn begin_here(
        &mut self,
        seatings: &[(&Seating, Option<&RuleChanges>)],
        aloud: bool,
    ) -> Result<(), Error> {
        let play = self.open()?;
        may_begin(play)?;
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
            let other = changes.map(|changes| play.snapshot().play(self.catalog, changes));
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
        if aloud {
            self.face.say("from the current place");
        }
        Ok(())
    }

    /// Says from where this many playouts began.
    pub(super) fn began_at(&mut self, here: &Here, playouts: u64) {
        let from = match &here.alike_to {
            None => "from the current place".to_owned(),
            Some(who) => {
                let places = here.places(playouts);
                format!("from here; {}", how_drawn(who, places, playouts, (here.drawn, here.few)))
            }
        };
        self.face.say(&from);
    }
}

/// From how many places that look alike to a player this many playouts continued; whether these were drawn at random, and
/// whether fewer were found than were sought.
pub(super) fn how_drawn(
    who: &str,
    places: usize,
    playouts: u64,
    (drawn, few): (bool, bool),
) -> String {
    if !drawn {
        return format!("no other place looks like this one to {who}");
    }
    let places = match places {
        1 => "1 place that looks alike".to_owned(),
        places => format!("{places} places that look alike"),
    };
    let times = match playouts {
        1 => "once".to_owned(),
        many => format!("{many} times"),
    };
    let few = if few { "; no more were found" } else { "" };
    format!(
        "what is hidden is drawn from {places}, found {times} by drawing at random all that {who} did not answer, each time \
         for one playout{few}"
    )
}

fn may_begin(play: &Play) -> Result<(), Error> {
    is_under_way(play)?;
    match play.is_setting_up() {
        true => Err(Error::usage("the setup still asks, so nothing can begin here yet")),
        false => Ok(()),
    }
}

fn is_under_way(play: &Play) -> Result<(), Error> {
    match play.outcome() {
        Some(_) => Err(Error::usage("the conflict is over, and nothing begins here")),
        None => Ok(()),
    }
}
