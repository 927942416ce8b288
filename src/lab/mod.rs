//! The lab: evaluates lines of Rhai at the prompt and scripts of experiments, with the functions
//! that they call and the results that they get.

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
pub(crate) use results::ShowStyle;

#[cfg(test)]
mod tests;
