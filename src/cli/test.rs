//! `fracas test`: runs test cases of rules and reports those that fail.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde::Serialize;

use super::common::CommonArguments;
use super::output::Output;
use super::progress::Progress;
use crate::cases::{self, BlessedValue, CaseResults};
use crate::catalog::{CaseFile, Catalog};
use crate::conflict::replace;
use crate::error::Error;
use crate::report::{Block, Report, enumerated};
use crate::script::Limits;

#[derive(Args, Debug)]
pub(super) struct TestCommand {
    /// Case files, or folders with case files in them
    paths: Vec<PathBuf>,
    /// Write into its file what the case of this title ends in, where it expects other values; the difference is
    /// shown first
    #[arg(long, value_name = "TITLE")]
    bless: Option<String>,
}

/// What a blessed case expected, and expects now.
#[derive(Serialize)]
struct Blessed {
    file: String,
    title: String,
    changes: Vec<BlessedValue>,
}

pub(super) fn run(
    common: &CommonArguments,
    test: &TestCommand,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    let catalog = common.catalog()?;
    let limits = common.limits();
    let mut all = CaseResults::default();
    let files = found(&catalog, &test.paths)?;
    if let Some(title) = &test.bless {
        return bless(&files, title, &limits, output);
    }
    let total = files.iter().map(|(_, file)| file.cases.len() as u64).sum();
    let progress = Progress::new(output, "cases", Some(total));
    for (catalog, file) in files {
        let results = cases::run_file(&catalog, &file, &limits)?;
        for failure in &results.failures {
            progress.above(|| output.complain(&failure.as_text()));
        }
        all.passed += results.passed;
        all.failed += results.failed;
        all.failures.extend(results.failures);
        progress.at(all.all() as u64);
    }
    drop(progress);
    let words = Block::Code(all.in_words());
    output.show(&Report::of(&all, vec![words]))?;
    Ok(ExitCode::from(u8::from(all.failed > 0)))
}

/// The most titles that a message lists.
const LISTED: usize = 5;

/// Writes what one case ends in into its file.
fn bless(
    files: &[(Catalog, CaseFile)],
    title: &str,
    limits: &Limits,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    let all = || {
        files
            .iter()
            .flat_map(|(catalog, file)| file.cases.iter().map(move |case| (catalog, file, case)))
    };
    let mut named: Vec<_> = all().filter(|(.., case)| case.title == title).collect();
    if named.is_empty() {
        named.extend(all().filter(|(.., case)| case.title.contains(title)));
    }
    let (catalog, file, case) = match named[..] {
        [one] => one,
        [] => return Err(Error::unknown("case", title, all().map(|(.., case)| &case.title[..]))),
        _ => {
            let places = named.iter().take(LISTED);
            let places: Vec<String> =
                places.map(|(_, file, case)| format!("{}:{}", file.path, case.line)).collect();
            let count = named.len();
            return Err(Error::usage(format!(
                "`{title}` is in the titles of {count} cases, and one is written at a time: {}",
                enumerated(&places)
            )));
        }
    };
    let path = PathBuf::from(&file.path);
    if !path.is_file() {
        return Err(Error::usage(format!(
            "`{}` is inside the program; `fracas init` copies the rules into a folder",
            file.path
        )));
    }
    let (changes, text) = cases::blessed(catalog, file, case, limits)?;
    if output.json() {
        let (file, title) = (file.path.clone(), case.title.clone());
        output.value(&Blessed { file, title, changes: changes.clone() })?;
    } else {
        output.data(&format!("{}:{}: {}", file.path, case.line, case.title))?;
        for change in &changes {
            output.data(&change.as_text())?;
        }
    }
    if changes.is_empty() {
        output.say("it passes: nothing is written");
    } else {
        replace(&path, text.as_bytes())?;
        output.say(&format!("written to {}", file.path));
    }
    Ok(ExitCode::SUCCESS)
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
