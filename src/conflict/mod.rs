//! A conflict under way: opened, played, undone, forked, saved and resumed.
//!
//! A line is the entries of a history under a name, with a current place on it; a fork begins another line. A
//! way is all that was played from the beginning, on a line or before it was left for another answer. Nothing
//! here knows Rhai or a terminal.

mod advice;
mod after_entries;
mod answer;
mod campaign;
mod compile;
mod fork;
mod line;
mod open;
mod option_labels;
mod past_ways;
mod person;
mod play;
mod play_report;
mod playable;
mod players;
mod reload;
mod reseat;
mod save_load;
mod saved_history;
mod seating;
mod undo;
mod write_files;

pub(crate) use compile::blueprint;
pub use compile::{Order, compile};
pub use line::Line;
pub(crate) use option_labels::Places;
pub use past_ways::Way;
pub(crate) use person::PendingQuestion;
pub(crate) use play::MAIN;
pub use play::{Play, Position, RunUntil};
pub use play_report::{Course, Played};
pub use playable::{Changes, Conflict, DefaultAgent};
pub use players::Seat;
pub(crate) use players::{Players, mean_of_players};
pub(crate) use reload::{Reloaded, RuleChanges, Snapshot};
pub(crate) use save_load::Loaded;
pub use save_load::SavedEnding;
pub use saved_history::Saved;
pub use seating::Seating;
pub(crate) use write_files::{apart, replace, replaceable};
