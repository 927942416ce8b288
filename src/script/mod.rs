//! The only place that knows Rhai: the sandbox, the layers of rules, what scripts ask and read.

mod agent;
mod blueprint;
mod budget;
mod canonical;
mod clock;
mod constants;
mod context;
mod dead;
mod definition;
mod diagnostics;
mod dice;
mod digest;
mod distribution;
mod effects;
mod engine;
mod events;
mod filed;
mod guard;
mod imports;
mod layers;
mod limits;
mod lint;
mod look;
mod memory;
mod misuse;
mod natives;
mod offered;
mod params;
mod parsing;
mod playout;
pub mod primitives;
mod reading;
mod rewrite;
mod rules;
mod run;
mod scripted_scene;
mod series;
mod setup;
mod source;
mod start;
mod tab;
mod trail;
mod value;
mod warning;
mod watch;

pub use agent::{AgentScript, Pick};
pub use blueprint::Blueprint;
pub use budget::{Budget, MEMORY};
pub use context::Context;
pub use definition::{Call, Definition, clauses};
pub use digest::digest;
pub use distribution::documentation as distributions;
pub use effects::DOCUMENTATION as EFFECTS;
pub use engine::{Trust, build};
pub use guard::{guarded, on_large_stack};
pub use imports::{Import, Wanted, wanted as wanted_imports};
pub use layers::{CONTRACT, Function, Layer};
pub use limits::Limits;
pub use memory::{Counting, live_bytes, uncounted};
pub use rules::{Rules, State, house_params};
pub use setup::{DOCUMENTATION as READER, Locate};
pub use start::{Origin, Played, Setup};
pub use tab::{Held, Tab};
pub use warning::Warning;
pub use watch::{Unwatched, Watch};

// The lab evaluates the lines of the prompt with the same means.
pub(crate) use diagnostics::{explain, explain_parse};
pub(crate) use distribution::Dist;
pub(crate) use primitives::describe;
pub(crate) use run::stopped;
pub(crate) use source::Sources;
pub(crate) use value::{from_value, to_value};

#[cfg(test)]
mod tests;
