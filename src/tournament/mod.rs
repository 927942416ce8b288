//! Tournaments between agents: schedules of matches, stored results, ratings and standings with their uncertainty. Only
//! [`Arena`] knows rules or graphs: games are played behind [`Referee`].

mod arena;
mod costs;
mod crosstable;
mod game;
mod meta;
mod notable_games;
mod ratings;
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
mod win_draw_loss;

pub use arena::{Arena, Opening};
pub use costs::Costs;
pub use crosstable::{Crosstable, PairingResult};
pub use game::{Adjudicated, ExactEnd, ExactOdds, Forfeit, Game, GameResult, Lineup};
pub use game::{Conditions, Referee, RefereeFactory};
pub use meta::MetaGame;
pub use notable_games::NotableGame;
pub(crate) use notable_games::NotableGames;
pub use ratings::{Evidence, Few, Mismatch, Prior, RatingMisfit, Ratings};
pub use report::LeaguePage;
pub use results::{Identity, Results};
pub use run::{RunResult, Running, run};
pub use schedule::MatchRecord;
pub(crate) use schedule::{AskExact, Next, Schedule};
pub use shard::Shard;
pub(crate) use spec::SprtBounds;
pub(crate) use spec::report_of_keys;
pub use spec::{Adjudication, FormatName, Spec, SpecProgram, StopRule};
pub(crate) use sprt::Sprt;
pub use sprt::SprtVerdict;
pub(crate) use standings::AgentStanding;
pub use standings::{AgentMatches, Standings};
pub(crate) use state::Narrowed;
pub use state::{StopReason, TournamentState};
pub(crate) use tally::BySeat;
pub use tally::Tally;
pub use win_draw_loss::{Cell, FirstSeat, Meeting, PairRecord, TableGame};
