//! The forms of a game that methods work on: the graph as its sides see it, as places that may lead back
//! to each other, as sequences of answers, and in extensive form with information sets.

pub(super) mod arena;
pub(super) mod around;
pub(super) mod board;
pub(super) mod kind;
pub(super) mod lines;
pub(super) mod place_values;
pub(super) mod plan;
pub(super) mod recall;
pub(super) mod sequences;
pub(super) mod shared_draw;
pub(super) mod strategy;
pub(super) mod tree;
pub(super) mod worth;
