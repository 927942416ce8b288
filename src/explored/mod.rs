//! An explored game: a part of the graph, frozen, in compact arrays. What is computed on it is a function of it.
//! Nothing here runs rules.

mod game;
mod lasting;
mod order;

pub(crate) use game::{ExploredGame, Extent, Share, StepWeights, surely};
pub(crate) use lasting::{PlaceWays, kept_inside, lasting_sets, shortest_loop};
pub use order::Lists;
pub(crate) use order::{Components, components, components_while, is_passed};
