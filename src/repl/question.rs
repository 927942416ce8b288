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

/// The rules' picture, where there is one to be shown, or why it cannot be drawn.
pub fn picture(play: &Play, eyes: &Eyes) -> Vec<String> {
    let drawn = match eyes.picture(play) {
        Ok(drawn) => drawn,
        // Nobody may look, so there is nothing to be drawn.
        Err(_) if *eyes == Eyes::Nobody => None,
        Err(error) => {
            let at = error.location().map(|at| format!(" ({at})")).unwrap_or_default();
            Some(format!("no picture: {error}{at}"))
        }
    };
    drawn.map(|text| text.trim_end().to_owned()).into_iter().collect()
}

/// Who is asked what, and the options; numbered, unless there are numbers among them.
fn options(asked: &Asked) -> String {
    let mut text = format!("{}, {}?", asked.who, asked.name);
    let numbers = are_numbers(asked);
    for (i, option) in asked.options.iter().take(LISTED).enumerate() {
        match numbers {
            true => text.push_str(&format!("\n  {option}")),
            false => text.push_str(&format!("\n  {}  {option}", i + 1)),
        }
    }
    let left = asked.options.len().saturating_sub(LISTED);
    if left > 0 {
        text.push_str(&format!("\n  … and {left} more"));
    }
    text
}

/// Whether any option is a number: then a number that is typed means itself, never a place.
pub(super) fn are_numbers(asked: &Asked) -> bool {
    asked.options.iter().any(|option| option.as_number().is_some())
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
    format!("{player} ({})", play.seat_of(player).map_or("random", |(_, agent)| agent))
}
