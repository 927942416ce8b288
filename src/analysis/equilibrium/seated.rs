//! The nodes of a graph that may be met under the agents seated, and which seat answers at each.

use hashbrown::HashMap;

use crate::analysis::reachable::Chart;
use crate::conflict::{Seat, Seating};
use crate::error::Error;
use crate::graph::Policies;

/// What each method begins with.
pub struct Seated {
    /// How the agents in the seats answer.
    pub policies: Policies,
    /// The nodes that may be met.
    pub chart: Chart,
    /// The seats of the conflict; a player of no seat has one of their own behind these.
    pub seats: Vec<Seat>,
    /// The seat of each player, by the numbers by which nodes know players.
    pub of_actors: HashMap<u32, usize>,
}

impl Seated {
    /// Walks through a graph that has been explored under the agents seated.
    ///
    /// # Errors
    /// Those of the agents; as [`Seating::go_on`].
    pub fn at(seating: &Seating) -> Result<Seated, Error> {
        let policies = seating.policies()?;
        let chart = Chart::draw(seating, &policies)?;
        let mut seats = seating.players.seats();
        let mut of_actors = HashMap::new();
        for (number, player) in seating.graph.actors() {
            let seat = seats.iter().position(|seat| seat.players.contains(player));
            let seat = seat.unwrap_or_else(|| {
                seats.push(Seat { name: player.clone(), players: vec![player.clone()] });
                seats.len() - 1
            });
            of_actors.insert(number, seat);
        }
        Ok(Seated { policies, chart, seats, of_actors })
    }
}
