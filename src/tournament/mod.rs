//! Tournaments between agents: schedules of matches, stored results, ratings and standings with
//! their uncertainty. Nothing but [`Arena`] knows rules or graphs: games are played behind
//! [`Referee`].

mod arena;
mod by_scenario;
mod cell;
mod crosstable;
mod game;
mod mean;
mod notable_games;
mod ratings;
mod referee;
mod report;
pub mod results;
mod run;
mod schedule;
mod shard;
mod spec;
mod sprt;
mod standings;
mod state;
mod tally;

pub use arena::{Arena, MakeConflict, Opening};
pub use by_scenario::ByScenario;
pub use cell::{Cell, First, Meeting, Record, Table};
pub use crosstable::{Crosstable, PairingResult};
pub use game::{End, Exact, Forfeit, Game, GameResult, Seating};
pub use mean::Mean;
pub use notable_games::{Strange, StrangeGame, Why};
pub use ratings::{Connected, Evidence, Few, Misfit, Mismatch, Prior, Rated, Ratings};
pub use referee::{Conditions, Referee, RefereeFactory};
pub use report::Report;
pub use results::{Claim, Disputed, Identity, Results};
pub use run::{Progress, Run, Running, run};
pub use schedule::{AskExact, Next, Schedule};
pub use shard::Shard;
pub use spec::{Allocate, FormatName, Spec, SprtBounds, Stop};
pub use sprt::{Sprt, Verdict};
pub use standings::{ScenarioFit, Standing, Standings};
pub use state::{Course, Narrowed, Stopped};
pub use tally::{BySeat, Tally};
