//! `fracas merge`: one file of results from the shards of a tournament.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use super::common::CommonArguments;
use super::output::Output;
use super::standings::{option, write};
use crate::commands::WrittenArguments;
use crate::conflict::apart;
use crate::error::Error;
use crate::report::shell_line;
use crate::tournament::Results;
use crate::tournament::results::merge;

#[derive(Args, Debug)]
pub(super) struct MergeCommand {
    /// The files of the shards; one given twice counts once
    #[arg(required = true, value_name = "FILE")]
    parts: Vec<PathBuf>,
    /// The file for all of it; one that is there keeps what it has
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    written: WrittenArguments,
}

/// Joins the shards of a tournament, and prints their standings.
///
/// # Errors
/// Those of the parts, and where they are of different tournaments or disagree about a game: then nothing
/// is written. Where games are missing the exit code is 1.
pub(super) fn run(
    common: &CommonArguments,
    arguments: &MergeCommand,
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
    write(&mut results, &arguments.written, by, |_, _| said, output)?;
    let seed = results.spec().seed.to_string();
    results.close()?;
    if missing.is_none() {
        return Ok(ExitCode::SUCCESS);
    }
    // The seed may have come from the command line, which the spec's file does not know.
    let mut words = ["tournament", "SPEC.toml", "--seed", &seed].map(str::to_owned).to_vec();
    words.extend(option("--out", Some(&arguments.out)));
    output.warn(&format!(
        "these are the standings without the missing games; `{}` plays them",
        shell_line(&words, &common.rules)
    ));
    Ok(ExitCode::FAILURE)
}

/// The command itself, as it repeats the page.
fn line(common: &CommonArguments, arguments: &MergeCommand) -> String {
    let mut words = vec!["merge".to_owned()];
    words.extend(arguments.parts.iter().map(|part| part.display().to_string()));
    words.extend(option("--out", Some(&arguments.out)));
    words.extend(option("--report", arguments.written.report.as_ref()));
    shell_line(&words, &common.rules)
}
