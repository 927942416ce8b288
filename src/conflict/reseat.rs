//! Who sits in the seats of a conflict under way; seats another agent.

use super::Play;
use crate::agents::{self, HUMAN};
use crate::catalog::give;
use crate::error::Error;

impl Play {
    /// The seat that answers for a player, and the agent in it; nothing where nobody was seated.
    pub fn seat_of(&self, player: &str) -> Option<(&str, &str)> {
        self.conflict.seat_of(&self.players, player)
    }

    /// Whether a person answers for this player.
    pub(crate) fn is_person(&self, player: &str) -> bool {
        self.seat_of(player).is_some_and(|(_, agent)| agent == HUMAN)
    }

    /// The players of each seat in which a person sits.
    pub fn people(&self) -> Vec<Vec<String>> {
        let seats = self.conflict.seats.iter().filter(|(_, agent)| *agent == HUMAN);
        let own = seats.map(|(seat, _)| {
            let mut players = self.players.of_seat(seat).unwrap_or_default();
            players.retain(|player| self.seat_of(player).is_some_and(|(its, _)| its == seat));
            players
        });
        own.filter(|players| !players.is_empty()).collect()
    }

    /// Seats an agent, from here on. What a person has answered in secret to a question that others
    /// still think about is forgotten where the agent answers instead.
    ///
    /// # Errors
    /// [`Error::Unknown`] for a player or agent that is not there. The seat stays as it was.
    pub fn seat(&mut self, seat: &str, agent: &str) -> Result<(), Error> {
        self.players.of_seat(seat)?;
        if agent != HUMAN {
            agents::check(agent, &self.conflict.folder, &self.conflict.blueprint)?;
        }
        give(&mut self.conflict.seats, seat, agent);
        let mut given = std::mem::take(&mut self.given);
        given.retain(|(player, _), _| self.is_person(player));
        self.given = given;
        Ok(())
    }
}
