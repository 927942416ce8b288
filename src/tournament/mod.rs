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

pub use arena::{Arena, Opening};
pub(crate) use by_scenario::ByScenario;
pub use cell::{Cell, First, Meeting, Record, Table};
pub use crosstable::{Crosstable, PairingResult};
pub use game::{End, Exact, Forfeit, Game, GameResult, Lineup};
pub use mean::Mean;
pub(crate) use notable_games::Strange;
pub use notable_games::{StrangeGame, Why};
pub(crate) use ratings::Misfit;
pub use ratings::{Evidence, Few, Prior, Rated, Ratings};
pub use referee::{Conditions, Referee, RefereeFactory};
pub use report::Report;
pub use results::{Claim, Disputed, Identity, Results};
pub use run::{Progress, Run, Running, run};
pub(crate) use schedule::{AskExact, Next, Schedule};
pub use shard::Shard;
pub(crate) use spec::{Allocate, SprtBounds};
pub use spec::{FormatName, Spec, Stop};
pub use sprt::Verdict;
pub(crate) use standings::Standing;
pub use standings::Standings;
pub(crate) use state::Narrowed;
pub use state::{Course, Stopped};
pub(crate) use tally::BySeat;
pub use tally::Tally;
