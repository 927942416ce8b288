//! The seats that a perfect opponent can take, and the agents in the others.

use super::Exploit;
use crate::agents::HUMAN;
use crate::conflict::{Conflict, Seat, Seating};
use crate::error::Error;

impl Exploit {
    /// The seats in which no agent was seated: all but those named, or, if none is named, those to
    /// which the scenario gives a person or nobody. The perfect opponent can take one.
    ///
    /// # Errors
    /// [`Error::Unknown`] for a name that is no seat.
    pub(crate) fn seats_left(
        conflict: &Conflict,
        seating: &Seating,
        named: &[&str],
    ) -> Result<Vec<Seat>, Error> {
        let mut seated = Vec::new();
        for name in named {
            seated.extend(seating.players.of_seat(name)?);
        }
        let is_left = |seat: &Seat| match named.is_empty() {
            true => matches!(word(conflict, seating, seat), None | Some(HUMAN)),
            false => !seat.players.iter().any(|player| seated.contains(player)),
        };
        let mut seats = seating.players.seats();
        seats.retain(is_left);
        Ok(seats)
    }

    /// The agent that plays a seat: `random` if the seat is empty or a person's.
    pub(crate) fn sitting<'a>(conflict: &'a Conflict, seating: &Seating, seat: &Seat) -> &'a str {
        word(conflict, seating, seat).filter(|agent| *agent != HUMAN).unwrap_or("random")
    }
}

/// The agent that the commands or the scenario seat there.
fn word<'a>(conflict: &'a Conflict, seating: &Seating, seat: &Seat) -> Option<&'a str> {
    let player = seat.players.first()?;
    conflict.seat_of(&seating.players, player).map(|(_, agent)| agent)
}
