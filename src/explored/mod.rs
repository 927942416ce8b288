//! An explored game: a part of the graph, frozen, in compact arrays. What is computed on it is a function of it.
//! Nothing here runs rules.

mod game;
mod order;

pub(crate) use game::{ExploredGame, Share, StepWeights, surely};
pub use order::Lists;
pub(crate) use order::{Components, PlaceWays, components, components_while, is_passed};
pub(crate) use order::{kept_inside, lasting_sets, shortest_loop};
