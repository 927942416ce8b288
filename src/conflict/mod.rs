//! A conflict under way: opened, played, undone, forked, saved and resumed.
//!
//! A line is the entries of a history under a name, with a current place on it; a fork begins another line. A
//! way is all that was played from the beginning, on a line or before it was left for another answer. Nothing
//! here knows Rhai or a terminal.

mod answer;
mod campaign;
mod compile;
mod line;
mod moves;
mod open;
mod play;
mod playable;
mod players;
mod promotion;
mod reload;
mod save_load;
mod saved_history;
mod seating;
mod write_files;

pub(crate) use answer::Places;
pub(crate) use compile::blueprint;
pub use compile::{Order, compile};
pub use line::{Line, Way};
pub use play::{Course, Play, Played, Position, RunUntil};
pub(crate) use play::{MAIN, PendingQuestion, words_after};
pub use playable::{Changes, Conflict, DefaultAgent};
pub use players::Seat;
pub(crate) use players::{
    Players, alter, fixed_secrets, hides_what_is_fixed, mean_of_players, parts_of, place_in,
};
pub(crate) use promotion::Promotion;
pub(crate) use reload::{Reloaded, Retold, RetoldLine, RuleChanges, Snapshot};
pub(crate) use save_load::Loaded;
pub use saved_history::Saved;
pub(crate) use saved_history::{as_toml, changed_entries, changed_scripts, toml_key};
pub use seating::Seating;
pub(crate) use seating::seats_in_words;
pub(crate) use write_files::{
    DRAWING, GAMBIT_GAME, GAMES, HISTORY, PAGE, SESSION, STRATEGY, WrittenFile, apart, covers_only,
    named, replace, replace_by, replaceable,
};
