//! The machine for rules: values, a compiler from Rhai's syntax tree, and what runs the result.
//!
//! Read [`value`], then [`code`], then [`compile`], then [`run`]. The rest belongs to these:
//! - [`joined_text`], [`convert`]: values as text, as Rhai's, and as plain data.
//! - [`long_instructions`], [`paths`], [`arithmetic`], [`call`], [`open_question`], [`question`]: what instructions do, and
//!   in `call` what runs closures.
//! - [`natives`], [`host`]: the functions that rules call, and Rhai's behind them; what a run may take.
//! - [`memory_bound`]: how large machines are.
//! - [`runner`]: how the host calls functions on it.

mod arithmetic;
mod call;
pub(super) mod code;
mod compile;
pub(super) mod convert;
mod distribution_cache;
pub(super) mod events;
pub(super) mod host;
mod interned_texts;
mod joined_text;
mod jump_table;
mod long_instructions;
mod memory_bound;
mod natives;
mod offer;
mod open_question;
mod paths;
mod program;
mod question;
mod run;
mod runner;
pub(super) mod value;

#[cfg(test)]
mod random_programs;
#[cfg(test)]
mod tests;

pub(crate) use compile::{Source, TOP};
pub(super) use convert::{check, is_plain_as, is_whole};
pub(crate) use convert::{from_plain, outcome_of, plain, to_dynamic, to_plain};
pub(crate) use host::Host;
pub(crate) use interned_texts::Texts;
pub(crate) use open_question::{OfferedDecision, OpenQuestion, QuestionKind};
pub(crate) use program::{Function, Shared};
pub(crate) use run::{Machine, Turn};
pub use runner::Call;
pub(crate) use runner::{Called, Runner, refused};
pub(crate) use value::{Map, NESTED};
pub(super) use value::{Text, Value};
