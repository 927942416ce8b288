//! Who plays? The players of a conflict, and the sides whose seat answers for several.

use std::cell::RefCell;
use std::rc::Rc;

use indexmap::{IndexMap, IndexSet};

use super::Conflict;
use crate::error::{Error, nearest};
use crate::game::Actor;
use crate::handlers::{Record, Sampler};

/// The players of a conflict, and its sides.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Players {
    /// All players, in the order of the setup where the outcome tells it.
    pub names: IndexSet<String>,
    /// Side -> the players one seat answers for.
    pub sides: IndexMap<String, Vec<String>>,
}

impl Players {
    /// Finds the players by playing once at random: who has a utility, and who was asked.
    ///
    /// # Errors
    /// Those of the playout.
    pub fn find(conflict: &Conflict) -> Result<Players, Error> {
        let probe = Rc::new(RefCell::new(Record::new(Sampler::new(0, 0))));
        let played = conflict.rules.play(&conflict.setup, &probe)?;
        let sides = conflict.rules.sides(&played.state)?.unwrap_or_default();
        let mut found: IndexSet<String> = sides.values().flatten().cloned().collect();
        found.extend(played.outcome.utility.keys().cloned());
        for action in probe.borrow().history().actions() {
            if let Actor::Player(player) = &action.actor {
                found.insert(player.clone());
            }
        }
        // Script maps are sorted; the setup's own order is the one people know.
        let order = conflict.setup.value.literal();
        let place = |name: &String| order.find(&format!("{name:?}")).unwrap_or(usize::MAX);
        let mut names: Vec<String> = found.into_iter().collect();
        names.sort_by_key(place);
        Ok(Players { names: names.into_iter().collect(), sides })
    }

    /// The players for whom a seat of this name answers.
    ///
    /// # Errors
    /// [`Error::Unknown`] with the nearest player or side.
    pub fn of_seat(&self, seat: &str) -> Result<Vec<String>, Error> {
        if let Some(players) = self.sides.get(seat) {
            return Ok(players.clone());
        }
        if self.names.contains(seat) {
            return Ok(vec![seat.to_owned()]);
        }
        let known = self.names.iter().chain(self.sides.keys()).map(String::as_str);
        let nearest = nearest(seat, known);
        Err(Error::Unknown { what: "player", name: seat.to_owned(), nearest, at: None })
    }
}
