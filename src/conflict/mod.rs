//! A conflict under way: opened, played, taken back, forked, saved and taken up again.
//!
//! Nothing here knows Rhai or a terminal.

mod advice;
mod after_entries;
mod answer;
mod campaign;
mod course;
mod line;
mod open;
mod option_labels;
mod people;
mod play;
mod players;
mod reload;
mod save_load;
mod save_reader;
mod save_writer;
mod saved;
mod seating;
mod undo;
mod ways;
mod write_files;

pub use course::{Course, Played};
pub use line::Line;
pub use open::{Changes, Conflict, Order, compile};
pub(crate) use option_labels::Places;
pub(crate) use people::PendingQuestion;
pub(crate) use play::MAIN;
pub use play::{Play, Position, RunUntil};
pub use players::Seat;
pub(crate) use players::{Players, mean_of_players};
pub(crate) use reload::{Reloaded, RuleChanges, Snapshot};
pub(crate) use save_load::Loaded;
pub use save_load::SavedEnding;
pub use saved::Saved;
pub use seating::Seating;
pub use ways::Way;
pub(crate) use write_files::{apart, replace, replaceable};
