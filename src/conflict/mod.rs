//! A conflict under way: opened, played, taken back, forked, saved and taken up again.
//!
//! Where is undo? In `undo.rs`; answers are in `answer.rs`. Nothing here knows Rhai or a terminal.

mod abandoned_lines;
mod advice;
mod after_entries;
mod answer;
mod campaign;
mod course;
mod file_conflicts;
mod file_digest;
mod fork;
mod line;
mod open;
mod option_labels;
mod people;
mod play;
mod played;
mod players;
mod reload;
mod replace;
mod save_load;
mod save_reader;
mod save_writer;
mod saved;
mod seat_assignment;
mod seating;
mod seats;
mod so_far;
mod toml_value;
mod undo;
mod ways;

pub use course::Course;
pub(crate) use file_conflicts::apart;
pub use line::Line;
pub use open::{Changes, Conflict, Order, compile};
pub(crate) use option_labels::Places;
pub(crate) use people::PendingQuestion;
pub(crate) use play::MAIN;
pub use play::{Play, Position, RunUntil};
pub use played::Played;
pub(crate) use players::Players;
pub(crate) use reload::{Ground, Reloaded, RuleChanges};
pub(crate) use replace::{replace, replaceable};
pub use save_load::Ending;
pub(crate) use save_load::Loaded;
pub use saved::Saved;
pub use seating::Seating;
pub use seats::Seat;
pub(crate) use seats::mean_of_players;
pub use ways::Way;
