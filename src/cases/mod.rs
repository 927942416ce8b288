//! Worked examples of rules (`cases/*.toml`): finds them, runs them, compares the outcomes.

mod find;
mod run;

pub use find::find;
pub use run::{Failure, FileResult, run_case, run_file};
