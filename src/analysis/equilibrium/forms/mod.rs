//! The forms of a game that methods work on: the graph as its sides see it, as places that may lead back
//! to each other, as sequences of answers, and in extensive form with information sets.

pub(super) mod board;
pub(super) mod cyclic_game;
pub(super) mod extensive_form;
pub(super) mod game_builder;
pub(super) mod kind;
pub(super) mod lines;
pub(super) mod one_free_seat;
pub(super) mod place_values;
pub(super) mod sequences;
pub(super) mod strategy;
pub(super) mod tree;
pub(super) mod worth;
