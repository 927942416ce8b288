//! `fracas merge`: joins the shards of a tournament, and tells what they come to together.

use std::path::Path;
use std::process::ExitCode;

use super::apart::apart;
use super::arguments::{self, Common};
use super::output::Output;
use super::report;
use super::standings;
use crate::error::Error;
use crate::tournament::results::{merge, replay};
use crate::tournament::{Results, Strange};

/// Runs the command.
///
/// # Errors
/// The exit code is 1 where games are missing. Those of the parts, and where they are of different tournaments or disagree; then nothing is
/// written.
pub fn run(
    common: &Common,
    arguments: &arguments::Merge,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    let parts: Vec<(&str, &Path)> =
        arguments.parts.iter().map(|part| ("a part", part.as_path())).collect();
    let mut written = vec![("`--out`", arguments.out.as_path())];
    written.extend(arguments.written.files());
    apart(&parts, &written)?;
    let merged = merge(&arguments.parts, &arguments.out)?;
    let mut results = Results::read(&arguments.out)?;
    let spec = results.identity().read_spec(&arguments.out)?;
    let mut strange = Strange::default();
    let course = replay(&spec, &mut results, |game, result| {
        strange.see(game, result);
        Ok(())
    })?;
    let strange = strange.games(&spec);
    let missing = merged.sentence();
    standings::show(&course, &merged.missing, output)?;
    standings::forfeits(&course, &strange, output);
    standings::games(&spec, &mut results, arguments.written.games.as_deref(), output)?;
    if let Some(path) = &arguments.written.report {
        let by = (None, line(common, arguments));
        let told = (&course, missing.as_deref());
        report::write(path, told, results.identity(), strange, by, output)?;
        standings::wrote(path, output);
    }
    results.close()?;
    let Some(missing) = missing else { return Ok(ExitCode::SUCCESS) };
    // The seed may have come from the command line, which the spec's file does not know.
    let words = ["tournament", "SPEC.toml", "--seed", &spec.seed.to_string()].map(str::to_owned);
    let mut words = words.to_vec();
    words.extend(report::option("--out", Some(&arguments.out)));
    output.warn(&format!(
        "{missing}; these are the standings before the first missing game; `{}` plays what is missing",
        report::line(&words, common)
    ));
    Ok(ExitCode::FAILURE)
}

/// The command itself, as it repeats the page.
fn line(common: &Common, arguments: &arguments::Merge) -> String {
    let mut words = vec!["merge".to_owned()];
    words.extend(arguments.parts.iter().map(|part| part.display().to_string()));
    words.extend(report::option("--out", Some(&arguments.out)));
    words.extend(report::option("--report", arguments.written.report.as_ref()));
    report::line(&words, common)
}
