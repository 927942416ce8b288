//! The seats of a conflict: its sides, or else its players; a seat's utility, and the agents in the seats.

use std::iter::Sum;

use num_traits::Num;

use super::{Conflict, Play, Players};
use crate::agents::{self, HUMAN};
use crate::catalog::give;
use crate::error::Error;
use crate::graph::Ending;

/// A seat that an agent can take.
#[derive(Clone, Debug, PartialEq)]
pub struct Seat {
    /// The side, or the player.
    pub name: String,
    /// The players for whom it answers.
    pub players: Vec<String>,
}

impl Seat {
    /// The utility of an ending for the seat: the mean of its players'.
    pub(crate) fn utility(&self, ending: &Ending) -> f64 {
        self.mean(|player| ending.utility.get(player)?.as_utility())
    }

    /// The mean of a number of its players; without one a player counts 0.
    pub(crate) fn mean<N: Num + Sum>(&self, number: impl Fn(&String) -> Option<N>) -> N {
        mean_of_players(&self.players, number)
    }
}

/// The mean of a number of players; without one a player counts 0.
pub(crate) fn mean_of_players<N: Num + Sum>(
    players: &[String],
    number: impl Fn(&String) -> Option<N>,
) -> N {
    if players.is_empty() {
        return N::zero();
    }
    let sum: N = players.iter().map(|player| number(player).unwrap_or_else(N::zero)).sum();
    sum / players.iter().map(|_| N::one()).sum()
}

impl Players {
    /// The seats of a conflict: its sides, and the players who are of none, in the order of the setup.
    pub fn seats(&self) -> Vec<Seat> {
        let side = |(name, players): (&String, &Vec<String>)| Seat {
            name: name.clone(),
            players: players.clone(),
        };
        let of_none = |name: &&String| !self.sides.values().flatten().any(|known| known == *name);
        let alone = |name: &String| Seat { name: name.clone(), players: vec![name.clone()] };
        let alone = self.names.iter().filter(of_none).map(alone);
        let mut seats: Vec<Seat> = self.sides.iter().map(side).chain(alone).collect();
        // Script maps are sorted; the order of the setup is the one people know.
        let place = |seat: &Seat| {
            let places = seat.players.iter().map(|name| self.names.get_index_of(name));
            places.map(|place| place.unwrap_or(usize::MAX)).min()
        };
        seats.sort_by_key(place);
        seats
    }
}

impl Conflict {
    /// The seat that answers for a player, and the agent in it; nothing where nobody was seated.
    pub fn seat_of(&self, players: &Players, player: &str) -> Option<(&str, &str)> {
        let answers = |seat: &str| {
            players.of_seat(seat).is_ok_and(|players| players.iter().any(|name| name == player))
        };
        let mut seats = self.seats.iter().rev();
        seats.find(|(seat, _)| answers(seat)).map(|(seat, agent)| (seat.as_str(), agent.as_str()))
    }
}

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
            agents::check(agent, &self.conflict.folder, &self.limits)?;
        }
        give(&mut self.conflict.seats, seat, agent);
        let mut given = std::mem::take(&mut self.given);
        given.retain(|(player, _), _| self.is_person(player));
        self.given = given;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_seats_in_the_order_of_the_setup() {
        let names = ["cato", "ayla", "bren"].map(str::to_owned);
        let list = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let mut players =
            Players { names: names.into_iter().collect(), certain: true, ..Players::default() };
        let message = |players: &Players| {
            players.seats().into_iter().map(|seat| seat.name).collect::<Vec<String>>()
        };
        assert_eq!(message(&players), ["cato", "ayla", "bren"]);
        players.sides.insert("alone".into(), list(&["bren"]));
        players.sides.insert("both".into(), list(&["ayla", "cato"]));
        assert_eq!(message(&players), ["both", "alone"]);
        // Who is of no side, as in another conflict of a campaign, answers alone.
        players.names.insert("dara".into());
        assert_eq!(message(&players), ["both", "alone", "dara"]);
    }

    #[test]
    fn a_side_has_the_mean_of_its_players() {
        let seat = |name: &str, players: &[&str]| Seat {
            name: name.to_owned(),
            players: players.iter().map(|player| (*player).to_owned()).collect(),
        };
        let seats = [seat("both", &["ayla", "cato"]), seat("alone", &["bren"])];
        let utility = [("ayla", 1.into()), ("cato", (-2).into())];
        let ending = Ending {
            result: "over".into(),
            utility: utility.into_iter().map(|(name, number)| (name.to_owned(), number)).collect(),
        };
        assert_eq!(seats.map(|seat| seat.utility(&ending)), [-0.5, 0.0]);
    }
}
