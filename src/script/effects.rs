//! The effects: what rules ask and announce. How they work is in `machine/ask.rs`.

use rhai::{EvalAltResult, Position};

use super::context::fail;
use crate::render::tame_message;

type Result<T> = std::result::Result<T, Box<EvalAltResult>>;

/// The effects' names, each with how many values it takes, the state among them.
pub const NAMES: [(&str, usize); 7] = [
    ("choose", 4),
    ("choose_onto", 6),
    ("choose_secretly", 3),
    ("choose_secretly", 2),
    ("roll", 4),
    ("emit", 2),
    ("emit_each", 2),
];

/// The effects' documentation: signature and what it does.
pub const DOCUMENTATION: [(&str, &str); 7] = [
    (
        "this.choose(player, name, options)",
        "Asks a player to pick one of a list; returns it. One option alone is not asked.",
    ),
    (
        "this.choose_onto(list, length, player, name, options)",
        "Asks a player the same again and again, until a list of the state is so long: each pick goes onto its end at once. `list` is its place in the state, such as `[\"stacks\", player]`.",
    ),
    (
        "this.choose_secretly(name, options)",
        "Asks several players at once, `#{ player: options, … }`; nobody sees another's. Returns `#{ player: picked, … }`.",
    ),
    (
        "this.choose_secretly(questions)",
        "The same where the players are asked different things, `#{ player: #{ name: options }, … }`.",
    ),
    (
        "this.roll(roller, name, distribution)",
        "Lets something fall for somebody; returns a value of the distribution.",
    ),
    ("this.emit(text)", "Announces an event, for people and for views."),
    ("this.emit_each(texts)", "Announces several events, one after another."),
];

/// The most bytes in the name of a player or a question.
const LONGEST_NAME: usize = 200;

/// Names stand in every line that shows a question.
pub(super) fn check_names(names: [&str; 2], at: Position) -> Result<()> {
    for name in names {
        if name.len() > LONGEST_NAME {
            let start: String = name.chars().take(20).collect();
            let start = tame_message(&start);
            return fail(format!("a name has at most {LONGEST_NAME} bytes; got `{start}…`"), at);
        }
        if name.chars().any(char::is_control) {
            let name = tame_message(name);
            return fail(format!("a name holds no control characters; got `{name}`"), at);
        }
    }
    Ok(())
}
