//! `fracas merge`: joins the shards of a tournament, and prints what they come to together.

use std::path::Path;
use std::process::ExitCode;

use super::arguments::{self, Common};
use super::output::Output;
use super::report;
use super::standings;
use crate::conflict::apart;
use crate::error::Error;
use crate::tournament::Results;
use crate::tournament::results::merge;

/// Runs the command.
///
/// # Errors
/// Those of the parts, and where they are of different tournaments: then nothing is written. Where games
/// are missing, or parts disagree about one, the exit code is 1.
pub(super) fn run(
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
    let missing = merged.sentence();
    let said = missing.clone();
    let by = (merged.missing.as_slice(), line(common, arguments));
    standings::write(&mut results, &arguments.written, by, |_, _| said, output)?;
    let seed = results.spec().seed.to_string();
    results.close()?;
    if missing.is_none() {
        return Ok(ExitCode::SUCCESS);
    }
    // The seed may have come from the command line, which the spec's file does not know.
    let mut words = ["tournament", "SPEC.toml", "--seed", &seed].map(str::to_owned).to_vec();
    words.extend(report::option("--out", Some(&arguments.out)));
    output.warn(&format!(
        "these are the standings without the missing games; `{}` plays them",
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
