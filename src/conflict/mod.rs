//! A conflict under way: opened, played, taken back, forked, saved and taken up again.
//!
//! Where is undo? In `undo.rs`; answers are in `answer.rs`. Nothing here knows Rhai or a terminal.

mod advice;
mod answer;
mod course;
mod crew;
mod fork;
mod furthest;
mod inline;
mod json;
mod keep;
mod line;
mod open;
mod people;
mod play;
mod players;
mod reader;
mod reload;
mod replace;
mod saved;
mod seating;
mod seats;
mod text;
mod undo;
mod watched;

pub use answer::Places;
pub use course::Course;
pub use crew::Seating;
pub use keep::{Ending, Loaded};
pub use line::Line;
pub use open::{Changes, Conflict, Order, compile};
pub use people::Moment;
pub use play::{Go, MAIN, Play, Standing};
pub use players::Players;
pub use reload::{Ground, Reloaded, Rework};
pub use replace::{replace, replaceable};
pub use saved::Saved;
pub use seats::Seat;
