//! `fracas check` and `fracas test`: lints rules folders and runs their cases.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anstyle::AnsiColor;
use schemars::JsonSchema;
use serde::Serialize;

use super::arguments::{self, CommonArguments, TestCommand};
use super::output::Output;
use crate::cases::{self, Failure};
use crate::catalog::{CaseFile, Catalog};
use crate::check::{Check, Finding, Level};
use crate::error::Error;
use crate::render;
use crate::script::Limits;

/// What is wrong with rules folders.
#[derive(Serialize, JsonSchema)]
pub(super) struct CheckReport {
    /// The findings, in the order of the folders.
    findings: Vec<Finding>,
}

pub(super) fn check(
    common: &CommonArguments,
    arguments: &arguments::CheckCommand,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    let run = CheckRun { catalog: common.catalog()?, limits: common.limits(), seed: common.seed() };
    output.say(&format!("seed {}", run.seed));
    let command = run.command(common.rules.iter().map(|dir| dir.display().to_string()));
    let mut findings = Vec::new();
    for word in &arguments.house {
        let found = run.house(word, &arguments.targets, arguments.playouts, &command)?;
        findings.extend(show(found, output)?);
    }
    let alone = !arguments.house.is_empty();
    if arguments.targets.is_empty() && !alone {
        let check = run.check(&run.catalog, arguments.playouts, command.clone());
        for folder in run.catalog.folders() {
            output.say(&format!("{}…", folder.name()));
            findings.extend(show(check.folder(folder)?, output)?);
        }
    }
    for target in arguments.targets.iter().filter(|_| !alone) {
        let found = run.target(target, arguments.playouts, &command, output)?;
        findings.extend(show(found, output)?);
    }
    let errors = findings.iter().filter(|finding| finding.level == Level::Error).count();
    if output.json() {
        output.value(&CheckReport { findings })?;
    } else {
        let warnings = findings.len() - errors;
        let count = |n: usize, what: &str| render::many(n as u64, what);
        output.data(&format!("{}, {}", count(errors, "error"), count(warnings, "warning")))?;
    }
    Ok(ExitCode::from(u8::from(errors > 0)))
}

/// What all targets of one run share.
struct CheckRun {
    catalog: Catalog,
    limits: Limits,
    seed: u64,
}

impl CheckRun {
    fn check<'a>(&'a self, catalog: &'a Catalog, playouts: u64, command: String) -> Check<'a> {
        Check { catalog, limits: &self.limits, seed: self.seed, playouts, command }
    }

    fn command(&self, rules: impl Iterator<Item = String>) -> String {
        rules.fold("fracas".to_owned(), |command, dir| format!("{command} --rules {dir}"))
    }

    /// Checks a house rule over the system that is named, or else the one in whose folder its file is.
    fn house(
        &self,
        word: &str,
        targets: &[String],
        playouts: u64,
        command: &str,
    ) -> Result<Vec<Finding>, Error> {
        let path = match targets {
            [] => Path::new(word),
            [target] => Path::new(target),
            _ => return Err(Error::usage("`--house` is checked over one system; name only one")),
        };
        let catalog = self.catalog.over(path);
        let at_path = Catalog::at(path);
        let name = match (targets, &at_path[..]) {
            (_, [folder]) => folder.name(),
            ([target], _) => target,
            _ => {
                return Err(Error::usage(format!(
                    "`{word}` is in no rules folder; name the system too: `fracas check SYSTEM --house {word}`"
                )));
            }
        };
        self.check(&catalog, playouts, command.to_owned()).house(catalog.folder(name)?, word)
    }

    /// Checks what a word names: a system, the rules folders at a path, or a scenario.
    fn target(
        &self,
        word: &str,
        playouts: u64,
        command: &str,
        output: &mut Output,
    ) -> Result<Vec<Finding>, Error> {
        let path = Path::new(word);
        if !path.exists() {
            let check = self.check(&self.catalog, playouts, command.to_owned());
            return match word.contains('/') || word.ends_with(".toml") {
                true => check.scenario(word),
                false => check.folder(self.catalog.folder(word)?),
            };
        }
        let folders = Catalog::at(path);
        let catalog = self.catalog.over(path);
        let dirs = folders.iter().map(|folder| folder.path());
        let known = |dir: &String| self.catalog.folders().any(|folder| folder.path() == *dir);
        let command = match self.command(dirs.filter(|dir| !known(dir))) {
            plain if plain == "fracas" => command.to_owned(),
            special => special,
        };
        let check = self.check(&catalog, playouts, command);
        let scenario = path.is_file() && word.ends_with(".toml") && !word.ends_with("params.toml");
        if scenario && !is_case(path) {
            return check.scenario(word);
        }
        if folders.is_empty() {
            let reason = "it is not a rules folder, is not inside one and contains none";
            return Err(Error::file("check", path, reason));
        }
        let mut findings = Vec::new();
        for folder in &folders {
            output.say(&format!("{}…", folder.name()));
            // The one of the catalog knows the systems beside it.
            findings.extend(check.folder(catalog.folder(folder.name())?)?);
        }
        Ok(findings)
    }
}

/// Whether a file is one of the cases of a rules folder.
fn is_case(path: &Path) -> bool {
    path.parent().and_then(Path::file_name).is_some_and(|name| name == "cases")
}

fn show(findings: Vec<Finding>, output: &mut Output) -> Result<Vec<Finding>, Error> {
    if !output.json() {
        for finding in &findings {
            let at = finding.at.as_ref().map(|at| format!("{at}: ")).unwrap_or_default();
            let level = (finding.level.word(), colour(finding.level));
            output.data_with_word(&at, level, &format!(": {}", finding.message))?;
        }
    }
    Ok(findings)
}

fn colour(level: Level) -> AnsiColor {
    match level {
        Level::Error => AnsiColor::Red,
        Level::Warning => AnsiColor::Yellow,
    }
}

// `fracas test`: runs test cases of rules and reports those that fail.

/// How cases ended.
#[derive(Serialize, JsonSchema)]
pub(super) struct TestReport {
    /// How many passed.
    passed: usize,
    /// How many failed.
    failed: usize,
    /// Those that failed.
    failures: Vec<Failure>,
}

pub(super) fn test(
    common: &CommonArguments,
    test: &TestCommand,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    let catalog = common.catalog()?;
    let limits = common.limits();
    let mut passed = 0;
    let mut failures: Vec<Failure> = Vec::new();
    for (catalog, file) in found(&catalog, &test.paths)? {
        let result = cases::run_file(&catalog, &file, &limits)?;
        passed += result.passed;
        for failure in &result.failures {
            output.complain(&failure.as_text());
        }
        failures.extend(result.failures);
    }
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
