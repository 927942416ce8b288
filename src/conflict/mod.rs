//! A conflict under way: opened, played, taken back, forked, saved and taken up again.
//!
//! Where is undo? In `undo.rs`; answers are in `answer.rs`. Nothing here knows Rhai or a terminal.

mod advice;
mod answer;
mod campaign;
mod course;
mod file_conflicts;
mod file_digest;
mod fork;
mod furthest;
mod keep;
mod line;
mod open;
mod past;
mod people;
mod places;
mod play;
mod played;
mod players;
mod reader;
mod reload;
mod replace;
mod saved;
mod seat_choice;
mod seats;
mod so_far;
mod text;
mod toml_value;
mod undo;
mod ways;
mod workers;

pub use course::Course;
pub use file_conflicts::apart;
pub use keep::{Ending, Loaded};
pub use line::Line;
pub use open::{Changes, Conflict, Order, compile};
pub use people::PendingQuestion;
pub use places::Places;
pub use play::{MAIN, Play, RunUntil, Standing};
pub use played::Played;
pub use players::Players;
pub use reload::{Ground, Reloaded, RuleChanges};
pub use replace::{replace, replaceable};
pub use saved::Saved;
pub use seats::Seat;
pub use ways::Way;
pub use workers::Seating;
