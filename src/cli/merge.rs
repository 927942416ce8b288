//! `fracas merge`: joins the shards of a tournament, and tells what they come to together.

use std::process::ExitCode;

use super::arguments;
use super::output::Output;
use super::standings;
use crate::error::Error;
use crate::tournament::Results;
use crate::tournament::results::{merge, replay};

/// Runs the command.
///
/// # Errors
/// Those of the parts, and where they are of different tournaments or disagree; then nothing is
/// written.
pub fn run(arguments: &arguments::Merge, output: &mut Output) -> Result<ExitCode, Error> {
    let merged = merge(&arguments.parts, &arguments.out)?;
    let mut results = Results::read(&arguments.out)?;
    let spec = results.identity().read_spec(&arguments.out)?;
    let course = replay(&spec, &mut results, |_, _| Ok(()))?;
    standings::show(&course, &merged.missing, output)?;
    standings::forfeits(&spec, &mut results, None, output)?;
    standings::write(&spec, &mut results, None, &arguments.written, output)?;
    results.close()?;
    if let Some(missing) = merged.sentence() {
        output.say(&format!(
            "{missing}; these are the standings before the first of them; `fracas tournament` with \
             `--out {}` plays them",
            arguments.out.display()
        ));
    }
    Ok(ExitCode::SUCCESS)
}
