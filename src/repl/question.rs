//! Where the conflict stands: the picture, the question with its options, or the end.

use super::Eyes;
use crate::conflict::{Places, Play, Standing};
use crate::error::Error;
use crate::game::{Asked, brief};
use crate::render;

/// Up to this many options stand below each other; more of them stand in columns.
const BELOW: usize = 9;
/// So many lines of options are shown unasked.
const LINES: usize = 20;
/// What stands before each option, and between two columns.
const INDENT: usize = 2;
const GAP: usize = 3;

/// The question, as far as these eyes may see it; nothing where the conflict is over.
pub fn asked(play: &Play, width: usize) -> Option<String> {
    let Standing::Asked(moment) = play.standing() else { return None };
    match (play.asked(), moment.asked.first()) {
        (Some(asked), _) => {
            let mut text = render::in_line(&format!("{}, {}?", asked.who, asked.name));
            let entries = entries(asked, "");
            let (listed, shown) = columns(&entries, width, LINES);
            text.push_str(&listed);
            let left = entries.len().saturating_sub(shown);
            if left > 0 {
                text.push_str(&format!(
                    "\n  … and {left} more: `:options` lists all, `:options TEXT` those with TEXT"
                ));
            }
            Some(text)
        }
        (None, Some(next)) => {
            let who =
                if next.chance { format!("chance for {}", next.who) } else { next.who.clone() };
            Some(format!("next: {who}, {} (`:play` goes on)", next.name))
        }
        (None, None) => None,
    }
}

/// The rules' picture, where there is one to be shown.
///
/// # Errors
/// Why it cannot be drawn.
pub fn picture(play: &Play, eyes: &Eyes) -> Result<Option<String>, String> {
    match eyes.picture(play) {
        Ok(drawn) => Ok(drawn),
        // Nobody may look, so there is nothing to be drawn.
        Err(_) if *eyes == Eyes::Nobody => Ok(None),
        // As long as the setup asks there is no state yet, so no picture of it is owed.
        Err(Error::Script(_)) if play.is_setting_up() => Ok(None),
        Err(error) => {
            let at = error.location().map(|at| format!(" ({at})")).unwrap_or_default();
            Err(format!("no picture: {error}{at}"))
        }
    }
}

/// The options that hold a text, in lines of a width.
pub fn options(asked: &Asked, part: &str, width: usize) -> String {
    columns(&entries(asked, part), width, usize::MAX).0.trim_start_matches('\n').to_owned()
}

/// The options that hold a text, each with its number, unless there are numbers among them.
fn entries(asked: &Asked, part: &str) -> Vec<String> {
    let places = Places::of(&asked.options);
    let mark = if places == Places::Marked { "#" } else { "" };
    let widest = mark.len() + asked.options.len().to_string().len();
    let entry = |(i, option): (usize, String)| match places {
        Places::None => option,
        _ => format!("{:>widest$}  {option}", format!("{mark}{}", i + 1)),
    };
    let part = part.to_lowercase();
    let options =
        asked.options.iter().map(|option| render::in_line(&option.to_string())).enumerate();
    options.filter(|(_, option)| option.to_lowercase().contains(&part)).map(entry).collect()
}

/// Entries below each other, or in columns read downwards, a line break before each line; and how many
/// of them so many lines hold. What is wider than the width is cut.
fn columns(entries: &[String], width: usize, lines: usize) -> (String, usize) {
    let room = width.saturating_sub(INDENT).max(1);
    let cut: Vec<String> = entries.iter().map(|entry| render::cut(entry, room)).collect();
    let widest = cut.iter().map(|entry| entry.chars().count()).max().unwrap_or(0);
    let across = match entries.len() {
        0..=BELOW => 1,
        _ => ((room + GAP) / (widest + GAP)).max(1),
    };
    let high = cut.len().div_ceil(across).min(lines);
    let shown = (high * across).min(cut.len());
    let mut text = String::new();
    for row in 0..high {
        let cells = (0..across).filter_map(|column| cut.get(column * high + row));
        let cells: Vec<String> = cells.map(|cell| format!("{cell:<widest$}")).collect();
        text.push_str(&format!("\n  {}", cells.join("   ").trim_end()));
    }
    (text, shown)
}

/// What is played, by whom, under which seed.
pub fn introduction(play: &Play) -> String {
    let conflict = &play.conflict;
    let title = conflict.scenario.title.as_ref().map(|title| format!(": {}", brief(title)));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Value;

    fn asked(options: Vec<Value>) -> Asked {
        let (who, name) = ("red".to_owned(), "bid".to_owned());
        Asked { chance: false, who, name, options, at: None }
    }

    #[test]
    fn a_long_list_stands_in_columns_read_downwards() {
        let few = asked(["rock", "paper"].map(Value::from).to_vec());
        assert_eq!(options(&few, "", 40), "  1  rock\n  2  paper");
        let many = asked((1..=12).map(Value::Int).collect());
        // Two digits and a gap of 3: in 14 columns there is room for three.
        assert_eq!(
            options(&many, "", 14),
            "  1    5    9\n  2    6    10\n  3    7    11\n  4    8    12"
        );
        assert_eq!(options(&many, "1", 14), "  1\n  10\n  11\n  12");
    }

    #[test]
    fn places_that_could_be_taken_for_options_are_marked() {
        let tiles = asked(["tile 2", "tile 3"].map(Value::from).to_vec());
        assert_eq!(options(&tiles, "", 40), "  #1  tile 2\n  #2  tile 3");
    }

    #[test]
    fn options_keep_their_numbers_where_others_are_left_out() {
        let many: Vec<Value> =
            ('a'..='j').map(|to| Value::from(format!("to {to}").as_str())).collect();
        assert_eq!(options(&asked(many), "j", 30), "  10  to j");
    }

    #[test]
    fn so_many_lines_hold_so_many_options() {
        let entries: Vec<String> = (1..=100).map(|i| i.to_string()).collect();
        let (text, shown) = columns(&entries, 20, 3);
        // 18 columns for entries of 3, and 3 between them: three beside each other.
        assert_eq!((text.lines().count() - 1, shown), (3, 9));
        assert_eq!(columns(&["a".repeat(50)], 20, 3).0, format!("\n  {}…", "a".repeat(17)));
    }
}
