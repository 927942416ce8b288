//! The command `check`: what is wrong with rules folders, scenarios, house rules, or with the open conflict.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;

use super::{CommandEntry, Desk, Runnable, Status, check_folder, seconds, whole};
use crate::analysis::Stage;
use crate::catalog::{Catalog, Folder};
use crate::check::{Check, CheckReport, Conformance, Finding};
use crate::conflict::{Changes, Conflict, Play, RuleChanges, replace};
use crate::error::Error;
use crate::report::{Block, Report, shell_line};

/// Compile rules, scenarios, house rules and agents, and test the laws in every state
///
/// Alone it is about the open conflict, or all systems where none is open. It plays the open one at random under the
/// house rules and parameters in force, then explores it whole from its beginning, under every answer and every roll.
/// What breaks a law is shown with the fewest answers that lead there; `:open check:1` opens the first. Of what
/// `reachable` names it shows the fewest answers, too.
#[derive(Args, Debug)]
pub(crate) struct CheckCommand {
    /// Systems, rules folders, scenario files; without one, all systems, or the conflict that is open
    #[arg(value_name = "SYSTEM|PATH")]
    targets: Vec<String>,
    /// Check a house rule alone, by name or path, over the system named or the one whose folder it is in (repeatable)
    #[arg(long, value_name = "NAME|FILE")]
    house: Vec<String>,
    /// Try a program, `command(…)`, in the seats of the scenario that is named, and list what was tried
    #[arg(long, value_name = "COMMAND", conflicts_with = "house")]
    agent: Option<String>,
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

impl Runnable for CheckCommand {
    const ENTRY: CommandEntry = CommandEntry::alone::<Self>("check");

    fn run(&self, desk: &mut Desk<'_>) -> Result<Status, Error> {
        if let Some(agent) = &self.agent {
            return self.try_program(agent, desk);
        }
        let (seed, catalog) = (desk.seed()?, desk.catalog);
        let rules = desk.rules;
        let mut run = CheckRun { effort: self, desk, seed, checked: CheckReport::default() };
        match (run.desk.play, &self.targets[..], &self.house[..]) {
            (Some(play), [], []) => run.open(play)?,
            (_, targets, houses) => {
                run.desk.face.say(&format!("seed {seed}"));
                houses.iter().try_for_each(|word| run.house(word))?;
                if targets.is_empty() && houses.is_empty() {
                    run.folders(catalog, catalog.folders().map(Folder::name), rules)?;
                }
                for target in targets.iter().filter(|_| houses.is_empty()) {
                    run.target(target)?;
                }
            }
        }
        let checked = run.checked;
        for line in keep(&checked.findings)? {
            desk.face.line(&line)?;
        }
        desk.face.show(&Report::of(&checked, vec![Block::Code(checked.counted())]))?;
        Ok(if checked.errors() > 0 { Status::Failed } else { Status::Done })
    }
}

impl CheckCommand {
    /// Tries a program in the seats of a scenario.
    fn try_program(&self, agent: &str, desk: &mut Desk<'_>) -> Result<Status, Error> {
        let [scenario] = &self.targets[..] else {
            return Err(Error::usage("`--agent` is tried in one scenario; name it"));
        };
        let conflict = Conflict::open(desk.catalog, scenario, &Changes::default(), &desk.limits)?;
        let seed = desk.seed()?;
        desk.face.say(&format!("seed {seed}"));
        let found = Conformance::of(agent, &conflict, (desk.memory(), seed))?;
        let lines: Vec<String> = found.lines().collect();
        desk.face.show(&Report::of(&found, vec![Block::Code(lines.join("\n"))]))?;
        Ok(if found.passed() { Status::Done } else { Status::Failed })
    }
}

/// What all targets of one run share.
struct CheckRun<'a, 'd> {
    effort: &'a CheckCommand,
    desk: &'a mut Desk<'d>,
    seed: u64,
    checked: CheckReport,
}

impl CheckRun<'_, '_> {
    /// Checks something in a catalog, and prints what was found.
    fn check(
        &mut self,
        catalog: &Catalog,
        rules: &[PathBuf],
        of: impl FnOnce(&Check<'_>) -> Result<CheckReport, Error>,
    ) -> Result<(), Error> {
        let desk = &mut *self.desk;
        let progress = desk.face.begins("checks", None);
        let CheckCommand { playouts, nodes, time, .. } = *self.effort;
        let found = of(&Check {
            catalog,
            limits: &desk.limits,
            seed: self.seed,
            playouts,
            nodes,
            time,
            rules,
            threads: desk.threads,
            progress: &|words| progress(Stage::Doing(words)),
        });
        drop(progress);
        let found = found?;
        for finding in &found.findings {
            desk.face.finding(finding)?;
            finding.history.iter().try_for_each(|entry| desk.face.line(&format!("  {entry}")))?;
        }
        found.sentences().try_for_each(|sentence| desk.face.line(&sentence))?;
        self.checked.join(found);
        Ok(())
    }

    /// Checks the open conflict, as its rules and its scenario are on disk now.
    fn open(&mut self, play: &Play) -> Result<(), Error> {
        let known = self.desk.catalog;
        let conflict = play.snapshot().conflict(known, &RuleChanges::default())?;
        let folder = conflict.folder.disk_path();
        let catalog = folder.map_or_else(|| known.clone(), |path| known.over(path));
        let of = |check: &Check<'_>| check.conflict(&conflict.scenario, &conflict.changes);
        self.check(&catalog, self.desk.rules, of)
    }

    fn folders<'a>(
        &mut self,
        catalog: &Catalog,
        mut names: impl Iterator<Item = &'a str>,
        rules: &[PathBuf],
    ) -> Result<(), Error> {
        names.try_for_each(|name| {
            self.desk.face.say(&format!("{name}…"));
            self.check(catalog, rules, |check| check.folder(catalog.folder(name)?))
        })
    }

    /// Checks a house rule over the system that is named, or else the one in whose folder its file is.
    fn house(&mut self, word: &str) -> Result<(), Error> {
        let targets = &self.effort.targets;
        let path = match &targets[..] {
            [] => Path::new(word),
            [target] => Path::new(target),
            _ => return Err(Error::usage("`--house` is checked over one system; name only one")),
        };
        let catalog = self.desk.catalog.over(path);
        let at_path = Catalog::at(path);
        let name = match (&targets[..], &at_path[..]) {
            (_, [folder]) => folder.name(),
            ([target], _) => target,
            _ => {
                return Err(Error::usage(format!(
                    "`{word}` is in no rules folder; name the system too: `fracas check SYSTEM --house {word}`"
                )));
            }
        };
        self.check(&catalog, self.desk.rules, |check| check.house(catalog.folder(name)?, word))
    }

    /// Checks what a word names: a system, the rules folders at a path, or a scenario.
    fn target(&mut self, word: &str) -> Result<(), Error> {
        let (path, known, named) = (Path::new(word), self.desk.catalog, self.desk.rules);
        if !path.exists() {
            return match word.contains('/') || word.ends_with(".toml") {
                true => self.check(known, named, |check| check.scenario(word)),
                false => self.check(known, named, |check| check.folder(known.folder(word)?)),
            };
        }
        let folders = Catalog::at(path);
        let catalog = known.over(path);
        let is_known = |dir: &String| known.folders().any(|folder| folder.path() == *dir);
        let dirs = folders.iter().map(Folder::path).filter(|dir| !is_known(dir));
        let unknown: Vec<PathBuf> = dirs.map(PathBuf::from).collect();
        let rules = if unknown.is_empty() { named } else { &unknown };
        let scenario = path.is_file() && word.ends_with(".toml") && !word.ends_with("params.toml");
        if scenario && !is_case(path) {
            return self.check(&catalog, rules, |check| check.scenario(word));
        }
        if folders.is_empty() {
            let reason = "it is not a rules folder, is not inside one and contains none";
            return Err(Error::file("check", path, reason));
        }
        // Those of the catalog know the systems beside them.
        self.folders(&catalog, folders.iter().map(Folder::name), rules)
    }
}

/// Whether a file is one of the cases of a rules folder.
fn is_case(path: &Path) -> bool {
    path.parent().and_then(Path::file_name).is_some_and(|name| name == "cases")
}

/// Keeps what leads to findings where `:open check:N` finds it, in place of what was kept before; says where.
fn keep(findings: &[Finding]) -> Result<Vec<String>, Error> {
    let saved = findings.iter().filter_map(|finding| finding.saved.as_ref());
    let Some(folder): Option<PathBuf> = check_folder() else { return Ok(Vec::new()) };
    let keep = |(number, (rules, text)): (usize, &(Vec<PathBuf>, String))| {
        let failed = |reason| Error::file("write", &folder, reason);
        std::fs::create_dir_all(&folder).map_err(failed)?;
        let file = folder.join(format!("{number}.history"));
        replace(&file, text.as_bytes())?;
        let replay = shell_line(&["replay".to_owned(), file.display().to_string()], rules);
        // A prompt of other rules would refuse it.
        let there = match &rules[..] {
            [] => String::new(),
            rules => format!(" at the prompt of `{}`", shell_line(&[], rules)),
        };
        Ok(format!(
            "check:{number}: `:open check:{number}` opens it there{there}, `{replay}` shows it"
        ))
    };
    (1..=KEPT).zip(saved).map(keep).collect()
}

/// No more are kept.
const KEPT: usize = 20;
