//! `fracas check`: what is wrong with rules folders, scenarios and house rules.

use std::path::Path;
use std::process::ExitCode;

use anstyle::AnsiColor;
use clap::Args;

use super::common::CommonArguments;
use super::output::Output;
use super::progress::Progress;
use crate::catalog::Catalog;
use crate::check::{Check, CheckReport, Conformance, Level};
use crate::commands::{CheckArguments, keep};
use crate::conflict::{Changes, Conflict};
use crate::error::Error;
use crate::repl::check_folder;
use crate::script::Limits;

#[derive(Args, Debug)]
pub(super) struct CheckCommand {
    /// Systems, rules folders, scenario files; without one, all systems
    #[arg(value_name = "SYSTEM|PATH")]
    targets: Vec<String>,
    /// Check a house rule alone, by name or path, over the system named or the one whose folder it is in (repeatable)
    #[arg(long, value_name = "NAME|FILE")]
    house: Vec<String>,
    /// Try a program, `command(…)`, in the seats of the scenario that is named, and list what was tried
    #[arg(long, value_name = "COMMAND", conflicts_with = "house")]
    agent: Option<String>,
    #[command(flatten)]
    effort: CheckArguments,
}

pub(super) fn run(
    common: &CommonArguments,
    arguments: &CheckCommand,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    if let Some(agent) = &arguments.agent {
        return try_program(common, agent, &arguments.targets, output);
    }
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
    let kept = keep(&checked.findings, check_folder())?;
    if output.json() {
        output.value(&checked)?;
    } else {
        kept.iter().try_for_each(|line| output.data(line))?;
        output.data(&checked.counted())?;
    }
    Ok(ExitCode::from(u8::from(checked.errors() > 0)))
}

/// Tries a program in the seats of a scenario.
fn try_program(
    common: &CommonArguments,
    agent: &str,
    targets: &[String],
    output: &mut Output,
) -> Result<ExitCode, Error> {
    let [scenario] = targets else {
        return Err(Error::usage("`--agent` is tried in one scenario; name it"));
    };
    let conflict =
        Conflict::open(&common.catalog()?, scenario, &Changes::default(), &common.limits())?;
    let seed = common.seed();
    output.say(&format!("seed {seed}"));
    let found = Conformance::of(agent, &conflict, (common.graph_memory(), seed))?;
    match output.json() {
        true => output.value(&found)?,
        false => found.lines().try_for_each(|line| output.data(&line))?,
    }
    Ok(ExitCode::from(u8::from(!found.passed())))
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
        let (of, by) = ((catalog, &self.limits), (self.seed, self.threads));
        self.arguments.effort.check(of, by, command, self.heard)
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
        checked.sentences().try_for_each(|sentence| output.data(&sentence))?;
    }
    Ok(checked)
}

fn colour(level: Level) -> AnsiColor {
    match level {
        Level::Error => AnsiColor::Red,
        Level::Warning => AnsiColor::Yellow,
    }
}
