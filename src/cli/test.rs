//! `fracas test`: do the cases come out as they must?

use std::process::ExitCode;

use serde_json::json;

use super::arguments::{Common, Test};
use super::output::Output;
use crate::cases::{self, Failure};
use crate::error::Error;

/// Runs the command.
///
/// # Errors
/// A path or case file that cannot be read.
pub fn run(common: &Common, test: &Test, output: &mut Output) -> Result<ExitCode, Error> {
    let catalog = common.catalog()?;
    let files = cases::find(&catalog, &test.paths)?;
    let limits = common.limits();
    let mut passed = 0;
    let mut failures: Vec<Failure> = Vec::new();
    for file in &files {
        let result = cases::run_file(&catalog, file, &limits)?;
        passed += result.passed;
        for failure in &result.failures {
            output.say(&format!("{}: {}\n  {}", failure.at, failure.title, failure.message));
        }
        failures.extend(result.failures);
    }
    let failed = failures.len();
    if output.json() {
        let failures: Vec<_> = failures
            .iter()
            .map(|failure| json!({ "file": failure.at.file, "title": failure.title, "message": failure.message }))
            .collect();
        output.value(&json!({ "passed": passed, "failed": failed, "failures": failures }))?;
    } else {
        output.data(&format!("{passed} passed, {failed} failed"))?;
    }
    Ok(ExitCode::from(u8::from(failed > 0)))
}
