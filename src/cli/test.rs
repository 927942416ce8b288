//! `fracas test`: runs test cases of rules and reports those that fail.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde::Serialize;

use super::common::CommonArguments;
use super::output::Output;
use super::progress::Progress;
use crate::cases::{self, Failure};
use crate::catalog::{CaseFile, Catalog};
use crate::error::Error;

#[derive(Args, Debug)]
pub(super) struct TestCommand {
    /// Case files, or folders with case files in them
    paths: Vec<PathBuf>,
}

/// How cases ended.
#[derive(Serialize)]
pub(super) struct TestReport {
    passed: usize,
    failed: usize,
    /// Those that failed.
    failures: Vec<Failure>,
}

pub(super) fn run(
    common: &CommonArguments,
    test: &TestCommand,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    let catalog = common.catalog()?;
    let limits = common.limits();
    let mut passed = 0;
    let mut failures: Vec<Failure> = Vec::new();
    let files = found(&catalog, &test.paths)?;
    let total = files.iter().map(|(_, file)| file.cases.len() as u64).sum();
    let progress = Progress::new(output, "cases", Some(total));
    for (catalog, file) in files {
        let result = cases::run_file(&catalog, &file, &limits)?;
        passed += result.passed;
        for failure in &result.failures {
            progress.above(|| output.complain(&failure.as_text()));
        }
        failures.extend(result.failures);
        progress.at((passed + failures.len()) as u64);
    }
    drop(progress);
    let failed = failures.len();
    if output.json() {
        output.value(&TestReport { passed, failed, failures })?;
    } else {
        output.data(&format!("{passed} passed, {failed} failed"))?;
    }
    Ok(ExitCode::from(u8::from(failed > 0)))
}

/// The case files, each with the rules folders that it is tested against: those of its own path
/// come before all others.
fn found(catalog: &Catalog, paths: &[PathBuf]) -> Result<Vec<(Catalog, CaseFile)>, Error> {
    let with = |catalog: Catalog, files: Vec<CaseFile>| -> Vec<(Catalog, CaseFile)> {
        files.into_iter().map(|file| (catalog.clone(), file)).collect()
    };
    if paths.is_empty() {
        return Ok(with(catalog.clone(), cases::find(catalog, &[])?));
    }
    let mut found = Vec::new();
    for path in paths {
        let over = catalog.over(path);
        let files = cases::find(&over, std::slice::from_ref(path))?;
        found.extend(with(over, files));
    }
    Ok(found)
}
