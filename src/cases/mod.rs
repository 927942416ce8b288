//! Worked examples of rules (`cases/*.toml`): finds them, runs them, compares the outcomes.

mod find;
mod run;

pub use find::find;
pub use run::run_file;
pub(crate) use run::{Failure, run_case};
