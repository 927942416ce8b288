//! Where does the conflict stand? The picture, the question with its options, or the end.

use super::Eyes;
use crate::conflict::{Play, Standing};
use crate::game::Asked;

/// At most this many options are listed one by one.
const LISTED: usize = 40;

/// Picture and question, as far as these eyes may see them; nothing where the conflict is over.
pub fn asked(play: &Play, eyes: &Eyes) -> Vec<String> {
    let Standing::Asked(moment) = play.standing() else { return Vec::new() };
    let mut parts = picture(play, eyes);
    match (play.asked(), moment.asked.first()) {
        (Some(asked), _) => parts.push(options(asked)),
        (None, Some(next)) => {
            let who =
                if next.chance { format!("chance for {}", next.who) } else { next.who.clone() };
            parts.push(format!("next: {who}, {} (`:play` goes on)", next.name));
        }
        (None, None) => {}
    }
    parts
}

/// The rules' picture, where there is one to be shown.
pub fn picture(play: &Play, eyes: &Eyes) -> Vec<String> {
    let drawn = eyes.picture(play).unwrap_or_else(|error| Some(format!("no picture: {error}")));
    drawn.map(|text| text.trim_end().to_owned()).into_iter().collect()
}

/// Who is asked what, and the options, numbered.
fn options(asked: &Asked) -> String {
    let mut text = format!("{}, {}?", asked.who, asked.name);
    for (i, option) in asked.options.iter().take(LISTED).enumerate() {
        text.push_str(&format!("\n  {}  {option}", i + 1));
    }
    let left = asked.options.len().saturating_sub(LISTED);
    if left > 0 {
        text.push_str(&format!("\n  … and {left} more"));
    }
    text
}

/// What is played, by whom, under which seed.
pub fn introduction(play: &Play) -> String {
    let conflict = &play.conflict;
    let title = conflict.scenario.title.as_ref().map(|title| format!(": {title}"));
    let house = match conflict.rules.house() {
        [] => String::new(),
        house => format!("\nhouse rules: {}", house.join(", ")),
    };
    let seats: Vec<String> = play.players.names.iter().map(|name| seated(play, name)).collect();
    format!(
        "{}{}{house}\nplayers: {}\nseed {}",
        conflict.scenario.name,
        title.unwrap_or_default(),
        seats.join(", "),
        play.seed
    )
}

/// A player with the agent who answers.
fn seated(play: &Play, player: &str) -> String {
    let answers = |seat: &str| {
        play.players.of_seat(seat).is_ok_and(|players| players.iter().any(|name| name == player))
    };
    let seat = play.conflict.seats.iter().rev().find(|(seat, _)| answers(seat));
    format!("{player} ({})", seat.map_or("random", |(_, agent)| agent))
}
