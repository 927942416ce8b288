//! Prints what the parser of the command line says: for people as it is, for programs as JSON.

use std::process::ExitCode;

use super::output::print_failed;
use crate::arguments::mistake;
use crate::render::ErrorReport;

/// Prints what clap says about the command line; errors as JSON where that was asked for.
pub(super) fn usage(error: &clap::Error) -> ExitCode {
    let asked_json = std::env::args_os().any(|argument| argument == "--json");
    if error.use_stderr() && asked_json {
        print_failed(ErrorReport::of(&mistake(error)));
        return ExitCode::from(2);
    }
    let _ = error.print();
    ExitCode::from(if error.use_stderr() { 2 } else { 0 })
}
