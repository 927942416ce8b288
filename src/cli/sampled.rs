//! Says how sampling ended for those who wait: with the numbers asked for, or too early.

use std::process::ExitCode;

use super::output::Output;

/// Says whether the numbers are those that were asked for; `missed` is the width that they do not
/// keep to.
pub fn exit(interrupted: bool, missed: Option<f64>, output: &mut Output) -> ExitCode {
    if interrupted {
        output.say("interrupted: this is what the playouts up to then say");
        return ExitCode::from(130);
    }
    if let Some(within) = missed {
        output.say(&format!("not every interval is within {within} yet: raise `-n`"));
    }
    ExitCode::SUCCESS
}
