//! The utility of an end for a seat: the mean of its players' utilities.

use crate::conflict::Seat;
use crate::graph::Ending;

/// The utility of each seat at an end: the mean of its players'; without one a player counts 0.
pub(super) fn utility(seats: &[Seat], ending: &Ending) -> Vec<f64> {
    let of = |player: &String| ending.utility.get(player).and_then(|number| number.as_utility());
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
        assert_eq!(super::utility(&seats, &ending), [-0.5, 0.0]);
    }
}
