//! `fracas check`: what is wrong with rules folders, scenarios and house rules.

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use anstyle::AnsiColor;
use clap::Args;

use super::common::CommonArguments;
use super::output::Output;
use super::progress::Progress;
use crate::catalog::Catalog;
use crate::check::{Check, CheckReport, Finding, Level};
use crate::commands::{seconds, whole};
use crate::conflict::replace;
use crate::error::Error;
use crate::repl::check_folder;
use crate::report::{self, shell_word};
use crate::script::Limits;

#[derive(Args, Debug)]
pub(super) struct CheckCommand {
    /// Systems, rules folders, scenario files; without one, all systems
    #[arg(value_name = "SYSTEM|PATH")]
    targets: Vec<String>,
    /// Check a house rule alone, by name or path, over the system named or the one whose folder it is in (repeatable)
    #[arg(long, value_name = "NAME|FILE")]
    house: Vec<String>,
    /// How many random playouts of each scenario
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = whole, allow_negative_numbers = true)]
    playouts: u64,
    /// Test the laws of a scenario in every state if it has at most N nodes
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = whole, allow_negative_numbers = true)]
    nodes: u64,
    /// Test the laws of each scenario in every state for at most S seconds
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true)]
    time: Option<Duration>,
}

pub(super) fn run(
    common: &CommonArguments,
    arguments: &CheckCommand,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    let progress = Progress::new(output, "checks", None);
    let run = CheckRun {
        catalog: common.catalog()?,
        limits: common.limits(),
        seed: common.seed(),
        threads: common.threads(),
        arguments,
        heard: &|words| progress.doing(|| words),
    };
    progress.say(&format!("seed {}", run.seed));
    let command = run.command(common.rules.iter().map(|dir| dir.display().to_string()));
    let mut checked = CheckReport::default();
    for word in &arguments.house {
        let found = run.house(word, &arguments.targets, &command)?;
        checked.join(progress.above(|| show(found, output))?);
    }
    let alone = !arguments.house.is_empty();
    if arguments.targets.is_empty() && !alone {
        let check = run.check(&run.catalog, command.clone());
        for folder in run.catalog.folders() {
            progress.say(&format!("{}…", folder.name()));
            let found = check.folder(folder)?;
            checked.join(progress.above(|| show(found, output))?);
        }
    }
    for target in arguments.targets.iter().filter(|_| !alone) {
        let found = run.target(target, &command, &progress)?;
        checked.join(progress.above(|| show(found, output))?);
    }
    drop(progress);
    keep(&checked.findings, output)?;
    let findings = &checked.findings;
    let errors = findings.iter().filter(|finding| finding.level == Level::Error).count();
    if output.json() {
        output.value(&checked)?;
    } else {
        let warnings = findings.len() - errors;
        let count = |n: usize, what: &str| report::many(n as u64, what);
        output.data(&format!("{}, {}", count(errors, "error"), count(warnings, "warning")))?;
    }
    Ok(ExitCode::from(u8::from(errors > 0)))
}

/// What all targets of one run share.
struct CheckRun<'a> {
    catalog: Catalog,
    limits: Limits,
    seed: u64,
    threads: usize,
    arguments: &'a CheckCommand,
    /// Hears what is being checked.
    heard: &'a (dyn Fn(String) + Sync),
}

impl CheckRun<'_> {
    fn check<'a>(&'a self, catalog: &'a Catalog, command: String) -> Check<'a> {
        let (limits, seed, threads) = (&self.limits, self.seed, self.threads);
        let &CheckCommand { playouts, nodes, time, .. } = self.arguments;
        let progress = self.heard;
        Check { catalog, limits, seed, playouts, nodes, time, command, threads, progress }
    }

    fn command(&self, rules: impl Iterator<Item = String>) -> String {
        rules.fold("fracas".to_owned(), |command, dir| format!("{command} --rules {dir}"))
    }

    /// Checks a house rule over the system that is named, or else the one in whose folder its file is.
    fn house(&self, word: &str, targets: &[String], command: &str) -> Result<CheckReport, Error> {
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
        self.check(&catalog, command.to_owned()).house(catalog.folder(name)?, word)
    }

    /// Checks what a word names: a system, the rules folders at a path, or a scenario.
    fn target(&self, word: &str, command: &str, progress: &Progress) -> Result<CheckReport, Error> {
        let path = Path::new(word);
        if !path.exists() {
            let check = self.check(&self.catalog, command.to_owned());
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
        let check = self.check(&catalog, command);
        let scenario = path.is_file() && word.ends_with(".toml") && !word.ends_with("params.toml");
        if scenario && !is_case(path) {
            return check.scenario(word);
        }
        if folders.is_empty() {
            let reason = "it is not a rules folder, is not inside one and contains none";
            return Err(Error::file("check", path, reason));
        }
        let mut checked = CheckReport::default();
        for folder in &folders {
            progress.say(&format!("{}…", folder.name()));
            // The one of the catalog knows the systems beside it.
            checked.join(check.folder(catalog.folder(folder.name())?)?);
        }
        Ok(checked)
    }
}

/// Whether a file is one of the cases of a rules folder.
fn is_case(path: &Path) -> bool {
    path.parent().and_then(Path::file_name).is_some_and(|name| name == "cases")
}

fn show(checked: CheckReport, output: &mut Output) -> Result<CheckReport, Error> {
    if !output.json() {
        for finding in &checked.findings {
            let at = finding.at.as_ref().map(|at| format!("{at}: ")).unwrap_or_default();
            let level = (finding.level.word(), colour(finding.level));
            output.data_with_word(&at, level, &format!(": {}", finding.message))?;
            finding.history.iter().try_for_each(|entry| output.data(&format!("  {entry}")))?;
        }
        checked.proofs.iter().try_for_each(|proof| output.data(&proof.sentence()))?;
        checked.reachable.iter().try_for_each(|reached| output.data(&reached.sentence()))?;
    }
    Ok(checked)
}

/// Keeps what leads to findings where `:open check:N` finds it, in place of what was kept before.
fn keep(findings: &[Finding], output: &mut Output) -> Result<(), Error> {
    let saved = findings.iter().filter_map(|finding| finding.saved.as_ref());
    let Some(folder) = check_folder() else { return Ok(()) };
    for (number, text) in (1..=KEPT).zip(saved) {
        let failed = |reason| Error::file("write", &folder, reason);
        std::fs::create_dir_all(&folder).map_err(failed)?;
        let file = folder.join(format!("{number}.history"));
        replace(&file, text.as_bytes())?;
        if !output.json() {
            let name = shell_word(&file.display().to_string());
            output.data(&format!("check:{number}: `:open check:{number}` opens it there, `fracas replay {name}` shows it"))?;
        }
    }
    Ok(())
}

/// No more are kept.
const KEPT: usize = 20;

fn colour(level: Level) -> AnsiColor {
    match level {
        Level::Error => AnsiColor::Red,
        Level::Warning => AnsiColor::Yellow,
    }
}
