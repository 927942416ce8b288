//! Puts scripts together, compiles and runs them within limits. Only this and the lab know Rhai.

mod agent;
mod assemble;
mod campaign;
mod diagnostics;
mod lexer;
mod lint;
mod machine;
mod playout;
pub mod primitives;
mod questions;
mod rules;
mod run;
mod sandbox;
mod scene;
mod setup;
mod value;

pub use agent::{AgentScript, Pick};
pub use assemble::blueprint::Blueprint;
pub(crate) use assemble::definition::{
    Definition, clauses, definitions, is_clause, occurrences, uncommented,
};
pub use assemble::house_params::house_params;
pub(crate) use assemble::imports::wanted as wanted_imports;
pub(crate) use assemble::join::RuleFunction;
#[cfg(test)]
pub(crate) use assemble::layers::CONTRACT;
pub use assemble::layers::Layer;
pub(crate) use assemble::layers::{Import, Part, digest};
pub(crate) use lexer::{
    KEYWORDS, OpenConstruct, Token, TokenKind, end_of, ends_quietly, is_past_end, tokens,
};
pub(crate) use lint::warning::{Fields, Warning};
pub use machine::Call;
pub(crate) use playout::call_counter::Counted;
pub(crate) use playout::countable_functions::Countable;
pub use playout::origin::{FinishedPlayout, State};
pub(crate) use primitives::distribution::{Dist, documentation as distributions};
pub use questions::context::Context;
pub(crate) use questions::effects::DOCUMENTATION as EFFECTS;
pub use rules::Rules;
pub(crate) use rules::parameters;
pub use run::{Ear, Run, Turn};
pub use sandbox::budget::Budget;
pub(crate) use sandbox::budget::MEMORY;
pub(crate) use sandbox::engine::guarded;
pub use sandbox::engine::{Trust, build, on_large_stack};
pub use sandbox::fuel::Fuel;
pub(crate) use sandbox::fuel::processor_time;
pub use sandbox::limits::Limits;
pub(crate) use sandbox::memory::{Counting, HeldBytes};
pub use sandbox::memory::{live_bytes, traffic};
pub use setup::Setup;
pub(crate) use setup::{DOCUMENTATION as READER, ONE_OF};

// The lab evaluates the lines of the prompt with the same means.
pub(crate) use assemble::source::Sources;
pub(crate) use diagnostics::call_errors::there_is;
pub(crate) use diagnostics::type_names::a_word;
pub(crate) use diagnostics::{explain_in_lab, explain_parse, stopped};
pub(crate) use primitives::describe;
pub(crate) use value::{from_value, to_value};

#[cfg(test)]
mod tests;
