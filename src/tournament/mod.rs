//! Which agent is better, and how sure is that? Matches between agents, their results kept, and
//! standings. Nothing here knows rules or graphs: games are played behind [`Referee`].

mod course;
mod game;
mod ratings;
mod referee;
mod schedule;
mod spec;
mod sprt;
mod tally;

pub use course::{Course, Narrowed, Stopped};
pub use game::{End, Exact, Forfeit, Game, GameResult, Seating};
pub use ratings::{Connected, Prior, Rated, Ratings};
pub use referee::{Conditions, Panel, Referee};
pub use schedule::{AskExact, Next, Schedule};
pub use spec::{Allocate, FormatName, Spec, SprtBounds, Stop};
pub use sprt::{Sprt, Verdict};
pub use tally::{Cell, First, Mean, Meeting, Tally};
