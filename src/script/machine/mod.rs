//! The machine for rules: values, a compiler from Rhai's syntax tree, and what runs the result.
//!
//! Read [`value`], then [`code`], then [`compile`], then [`run`]. The rest are rooms of these:
//! - [`map`], [`text`], [`convert`]: maps, printed values, the way to Rhai and to plain data.
//! - [`operations`], [`paths`], [`arithmetic`], [`call`], [`within`], [`question`]: what instructions do; [`within`]
//!   runs closures.
//! - [`natives`], [`host`]: the functions that rules call, and Rhai's behind them.
//! - [`size`], [`room`], [`limits`]: how large values and machines are, and what a run may take.
//! - [`runner`], [`scene`]: how the host calls functions on it, and answers.
//! - [`listing`]: instructions in words.

mod arithmetic;
mod call;
pub(super) mod code;
mod compile;
pub(super) mod convert;
mod events;
pub(super) mod host;
mod letters;
mod limits;
pub(super) mod list;
mod listing;
pub(super) mod map;
mod natives;
mod offer;
mod operations;
mod paths;
mod program;
mod question;
mod rhai_call;
mod room;
mod run;
mod runner;
mod scene;
mod size;
mod table;
mod text;
pub(super) mod value;
mod within;

#[cfg(test)]
mod programs;
#[cfg(test)]
mod tests;

pub(crate) use compile::{Source, TOP};
pub(super) use convert::check;
pub(crate) use convert::{from_plain, outcome_of, plain, to_dynamic, to_plain};
pub(crate) use host::Host;
pub(crate) use listing::Listing;
pub(crate) use map::Map;
pub(crate) use program::{Function, Texts};
pub(crate) use run::Machine;
pub(crate) use runner::{Called, Runner};
pub(crate) use size::NESTED;
pub(super) use value::{Text, Value};
