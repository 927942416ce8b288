//! How does sampling end for those who wait? With numbers, too early, or with a playout that failed.

use std::process::ExitCode;

use super::output::Output;
use crate::analysis::Failed;
use crate::error::Error;

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

/// Says how to see the playout that failed, by the line that plays one of a number again.
pub fn failed(failed: Failed, line: impl FnOnce(u64) -> String, output: &mut Output) -> Error {
    if let Some(playout) = failed.playout {
        output.say(&format!("a playout failed; `{}` plays it", line(playout)));
    }
    failed.error
}
