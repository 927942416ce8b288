//! Who can be replaced by an agent? The seats of a scenario: its sides, or else its players.

use crate::conflict::Players;
use crate::graph::Ending;

/// A seat that an agent can take.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Seat {
    /// The side, or the player.
    pub name: String,
    /// The players for whom it answers.
    pub players: Vec<String>,
}

/// The seats of a conflict: its sides, if it has any, else its players, in the order of the setup.
pub(super) fn of(players: &Players) -> Vec<Seat> {
    if players.sides.is_empty() {
        let alone = |name: &String| Seat { name: name.clone(), players: vec![name.clone()] };
        return players.names.iter().map(alone).collect();
    }
    let side = |(name, players): (&String, &Vec<String>)| Seat {
        name: name.clone(),
        players: players.clone(),
    };
    let mut seats: Vec<Seat> = players.sides.iter().map(side).collect();
    // Script maps are sorted; the order of the setup is the one people know.
    let place = |seat: &Seat| {
        let places = seat.players.iter().map(|name| players.names.get_index_of(name));
        places.map(|place| place.unwrap_or(usize::MAX)).min()
    };
    seats.sort_by_key(place);
    seats
}

/// The utility of each seat at an end: the mean of its players'; without one a player counts 0.
pub(super) fn utility(seats: &[Seat], ending: &Ending) -> Vec<f64> {
    let of = |player: &String| ending.utility.get(player).and_then(|number| number.as_number());
    let mean = |seat: &Seat| {
        let sum: f64 = seat.players.iter().map(|player| of(player).unwrap_or_default()).sum();
        sum / seat.players.len().max(1) as f64
    };
    seats.iter().map(mean).collect()
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
        let told = |players: &Players| {
            of(players).into_iter().map(|seat| seat.name).collect::<Vec<String>>()
        };
        assert_eq!(told(&players), ["cato", "ayla", "bren"]);
        players.sides.insert("alone".into(), list(&["bren"]));
        players.sides.insert("both".into(), list(&["ayla", "cato"]));
        assert_eq!(told(&players), ["both", "alone"]);
        let utility = [("ayla", 1.into()), ("cato", (-2).into())];
        let ending = Ending {
            result: "over".into(),
            utility: utility.into_iter().map(|(name, number)| (name.to_owned(), number)).collect(),
        };
        assert_eq!(super::utility(&of(&players), &ending), [-0.5, 0.0]);
    }
}
