//! Seats the agents of the open conflict for `:odds` and `:hint`, and says who sits where.

use crate::agents::HUMAN;
use crate::conflict::{Play, Seating};
use crate::error::Error;
use crate::report::some_of;

/// No more seats than these are listed.
const SEATS: usize = 8;

/// Playouts of each option, where nothing else was said; and where an agent plays for people whom nobody
/// named: scripts that weigh their moves take ten times as long as chance.
const PLAYOUTS: u64 = 1_000;
const PLAYOUTS_OF_DEFAULT: u64 = 200;

/// How many playouts of each option are made where nobody says how many, with an agent who was named or not.
pub(super) fn playouts(play: &Play, named: Option<&str>) -> u64 {
    match (named, for_people(play)) {
        (None, Some(word)) if word != "random" => PLAYOUTS_OF_DEFAULT,
        _ => PLAYOUTS,
    }
}

/// The agent that plays for people; nothing where no person plays.
pub(super) fn for_people(play: &Play) -> Option<&str> {
    (!play.people().is_empty()).then_some(play.conflict.default_agent.word.as_str())
}

/// The seats of the open conflict, where an agent is named with it in those of people and in that of the player
/// who is asked.
pub(super) fn seating(play: &Play, whole: bool, named: Option<&str>) -> Result<Seating, Error> {
    let seated = if whole { play.seating()? } else { play.seating_of_conflict()? };
    match named {
        Some(named) => play.seating_with(named, &seated),
        None => Ok(seated),
    }
}

/// Who sits where, with an agent in the seats of people and in one more: `red (you) plays as `greedy`, blue
/// as `patient``.
pub(super) fn seats_in_words(play: &Play, word: &str, seat: Option<&str>) -> String {
    let seats = &play.conflict.seats;
    let people = seats.values().filter(|agent| *agent == HUMAN).count();
    let one = |(at, (name, agent)): (usize, (&String, &String))| {
        let is_person = agent == HUMAN;
        let who = match (is_person, people) {
            (true, 1) => format!("{name} (you)"),
            (true, _) => format!("{name} (a person)"),
            (false, _) => name.clone(),
        };
        let agent = if is_person || seat == Some(name) { word } else { agent };
        match at {
            0 => format!("{who} plays as `{agent}`"),
            _ => format!("{who} as `{agent}`"),
        }
    };
    some_of(seats.iter().enumerate().map(one), SEATS, ", ")
}
