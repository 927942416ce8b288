//! Do worked examples come out as they must? Cases found, run and compared.

mod find;
mod run;

pub use find::find;
pub use run::{Failure, FileResult, run_case, run_file};
