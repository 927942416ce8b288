//! Says how sampling ended for those who wait: with the numbers asked for, or too early.

use std::process::ExitCode;

use super::output::Output;
use crate::error::Cut;

/// Says whether the numbers are those that were asked for; `missed` is the width that they do not
/// keep to.
pub(super) fn exit(cut: Option<Cut>, missed: Option<f64>, output: &mut Output) -> ExitCode {
    if let Some(cut) = cut {
        output.say(&format!("{cut}: this is what the playouts up to then say"));
    } else if let Some(within) = missed {
        output.say(&format!("not every interval is within {within} yet: raise `-n`"));
    }
    code(cut)
}

/// The exit code of work that was cut, or was not: a time limit does what it was asked to do.
pub(super) fn code(cut: Option<Cut>) -> ExitCode {
    ExitCode::from(if cut == Some(Cut::Interrupted) { 130 } else { 0 })
}
