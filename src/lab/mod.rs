//! The lab: evaluates lines of Rhai at the prompt and scripts of experiments, with the functions
//! that they call and the results that they get.

/// Registers a function of scripts that the host runs: what goes wrong is a mistake of the line that calls it.
macro_rules! host {
    ($engine:ident, $desk:ident, $name:literal, |$own:ident $(, $argument:ident: $kind:ty)*| -> $found:ty $work:block) => {{
        let $own = $desk.clone();
        $engine.register_fn($name, move |call: Call $(, $argument: $kind)*| -> CallResult<$found> {
            $own.beside(call.call_position(), || $work)
        });
    }};
}

mod context;
mod convert;
mod evaluator;
mod face;
mod failure;
mod files;
mod register;
mod results;
mod scenario;
mod show;
mod table;

pub use context::LabConfig;
pub(crate) use evaluator::CONFLICT;
pub use evaluator::Lab;
pub use evaluator::functions::{callable, documentation, known, measures, wishes};
pub use results::LineResult;

#[cfg(test)]
mod tests;
