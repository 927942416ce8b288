//! The findings of a check of a rules folder: errors and warnings, each with its place.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Serialize;

use super::Check;
use super::replayed_steps::ViewCheck;
use crate::catalog::{FileKind, FileText, Folder, Scenario};
use crate::conflict::Conflict;
use crate::error::{Error, Location};
use crate::game::History;
use crate::report::{many, shell_line, some_of};
use crate::script::{Rules, Warning};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// It must be fixed.
    Error,
    /// It may be intended.
    Warning,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    pub level: Level,
    #[serde(flatten)]
    pub at: Option<Location>,
    pub message: String,
    /// The answers that lead there, where it is known that no fewer do.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<String>,
    /// The file of a saved history that ends there, as `replay` takes it, behind the rules folders to name.
    #[serde(skip)]
    pub saved: Option<(Vec<PathBuf>, String)>,
}

impl Finding {
    /// What is printed before the word of its level, and behind that.
    pub(crate) fn around(&self) -> (String, String) {
        let at = self.at.as_ref().map(|at| format!("{at}: ")).unwrap_or_default();
        (at, format!(": {}", self.message))
    }
}

#[derive(Clone, Debug, Default, Serialize)]
pub struct CheckReport {
    /// What is wrong, errors first.
    pub findings: Vec<Finding>,
    /// How far the laws of each scenario without errors were tested.
    pub proofs: Vec<Proof>,
    /// What the rules' `reachable` names, where it is so first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reachable: Vec<Reached>,
}

/// Of more answers that lead to a place than these the others are only in JSON.
const ANSWERS: usize = 10;

/// Something that must be possible somewhere, and whether it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reached {
    pub name: String,
    /// None where it was met in no scenario, and not all of them were seen whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scenario: Option<String>,
    /// The fewest answers after which it is so there; none where it never is, which may be so in one scenario of many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history: Option<Vec<String>>,
}

impl Reached {
    pub(super) fn new(name: &str, scenario: Option<&str>, history: Option<&History>) -> Reached {
        let (name, scenario) = (name.to_owned(), scenario.map(str::to_owned));
        Reached { name, scenario, history: history.map(lines) }
    }

    pub fn sentence(&self) -> String {
        let Reached { name, scenario, history } = self;
        let Some(scenario) = scenario else {
            return format!("`{name}` was met nowhere; not all scenarios were seen whole");
        };
        let Some(history) = history else {
            return format!("{scenario}: `{name}` is not reachable here");
        };
        let after = match history.len() as u64 {
            0 => "from the beginning".to_owned(),
            answers => {
                let shown = some_of(history.iter().map(String::as_str), ANSWERS, ", ");
                format!("after {}: {shown}", many(answers, "answer"))
            }
        };
        format!("{scenario}: `{name}` is reachable {after}")
    }
}

pub(super) fn lines(history: &History) -> Vec<String> {
    history.entries.iter().map(|entry| format!("{entry:#}")).collect()
}

/// The answers that lead to a finding, as [`Finding`] has them.
#[derive(Default)]
pub(super) struct After {
    pub history: Vec<String>,
    pub saved: Option<(Vec<PathBuf>, String)>,
}

/// What is around a message about a conflict.
pub(super) struct Around {
    /// The source of the mistake, such as a house rule: the same error of one source in another scenario is only
    /// counted.
    pub whose: String,
    /// In place of `{}`: the scenario and when it was found before it, the command that plays it again after it.
    text: String,
}

impl Around {
    pub(super) fn new(
        check: &Check<'_>,
        conflict: &Conflict,
        when: &str,
        again: &[String],
    ) -> Around {
        let whose = conflict.changes.house.join(", ");
        let with = if whose.is_empty() { String::new() } else { format!(" with {whose}") };
        let (name, again) = (&conflict.scenario.name, shell_line(again, check.rules));
        let text = format!("scenario `{name}`{with}, {when}: {{}}; played again by `{again}`");
        Around { whose, text }
    }
}

impl CheckReport {
    pub fn errors(&self) -> usize {
        self.findings.iter().filter(|finding| finding.level == Level::Error).count()
    }

    /// How many errors and warnings there are, in words.
    pub(crate) fn counted(&self) -> String {
        let (all, errors) = (self.findings.len() as u64, self.errors() as u64);
        format!("{}, {}", many(errors, "error"), many(all - errors, "warning"))
    }

    /// How far the laws were tested, and what is reachable.
    pub(crate) fn sentences(&self) -> impl Iterator<Item = String> {
        let proofs = self.proofs.iter().map(Proof::sentence);
        proofs.chain(self.reachable.iter().map(Reached::sentence))
    }

    pub fn join(&mut self, later: CheckReport) {
        self.findings.extend(later.findings);
        self.proofs.extend(later.proofs);
        self.reachable.extend(later.reachable);
    }
}

/// How far the laws of a scenario were tested without one that broke.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Proof {
    pub scenario: String,
    pub laws: bool,
    /// How many states the conflict has, if all were seen: those between two steps, and the last ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<u64>,
    pub playouts: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unproven: Option<String>,
    /// Why it is not known whether players need ever end it, and what is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ends_unproven: Option<String>,
}

impl Proof {
    pub fn sentence(&self) -> String {
        let Proof { scenario, states, .. } = self;
        let held = if self.laws { "the laws hold" } else { "there are no laws, and nothing fails" };
        let whole = states.map(|states| match states {
            1 => format!("{scenario}: {held} in its only state"),
            states => format!("{scenario}: {held} in all {}", many(states, "state")),
        });
        let held = whole.unwrap_or_else(|| {
            let why = self.unproven.as_deref().unwrap_or_default();
            format!("{scenario}: {held} in {}; not proven: {why}", many(self.playouts, "playout"))
        });
        match &self.ends_unproven {
            Some(known) if states.is_none() => format!("{held}; {known}"),
            Some(why) => format!("{held}; not proven that it ends: {why}"),
            None => held,
        }
    }
}

struct CountedFinding {
    finding: Finding,
    times: usize,
    /// What is compared between scenarios: the source of the error, and the error without context.
    same: Option<(String, String)>,
}

#[derive(Default)]
pub(super) struct Findings {
    found: Vec<CountedFinding>,
    pub(super) proofs: Vec<Proof>,
    /// What must be possible somewhere, and where it is so first.
    pub(super) reached: BTreeMap<String, Option<Reached>>,
    /// Where the rules define `reachable`.
    pub(super) reachable_at: Option<Location>,
    pub(super) reachable: Vec<Reached>,
    /// What the playouts show about the `view` of the rules.
    pub(crate) sight: ViewCheck,
}

impl Findings {
    pub(super) fn error(&mut self, at: Option<Location>, message: impl Into<String>) {
        self.add(Level::Error, at, message.into(), After::default(), None);
    }

    pub(super) fn warning(&mut self, at: Option<Location>, message: impl Into<String>) {
        self.add(Level::Warning, at, message.into(), After::default(), None);
    }

    pub(super) fn warn(&mut self, warnings: impl IntoIterator<Item = Warning>) {
        warnings.into_iter().for_each(|one| self.warning(one.at, one.message));
    }

    /// Adds an error of a conflict.
    pub(super) fn error_of(
        &mut self,
        around: &Around,
        at: Option<Location>,
        error: &str,
        after: After,
    ) {
        let message = around.text.replacen("{}", error, 1);
        let same = Some((around.whose.clone(), error.to_owned()));
        self.add(Level::Error, at, message, after, same);
    }

    /// Adds a mistake at its own place, or else at the one given. What cut the work is no finding, but an error.
    pub(super) fn fault(
        &mut self,
        error: &Error,
        otherwise: impl FnOnce() -> Option<Location>,
    ) -> Result<(), Error> {
        self.error(place_at(error, otherwise)?, error.to_string());
        Ok(())
    }

    /// The same of a mistake of a conflict.
    pub(super) fn fault_of(
        &mut self,
        around: &Around,
        error: &Error,
        after: After,
        otherwise: impl FnOnce() -> Option<Location>,
    ) -> Result<(), Error> {
        self.error_of(around, place_at(error, otherwise)?, &error.to_string(), after);
        Ok(())
    }

    /// The number of errors; one that is found again counts again.
    pub(super) fn errors(&self) -> usize {
        let errors = self.found.iter().filter(|found| found.finding.level == Level::Error);
        errors.map(|found| found.times).sum()
    }

    /// All findings: errors first, each kind in the order in which it was found.
    pub(super) fn sorted(self) -> CheckReport {
        let finding = |CountedFinding { mut finding, times, same }| {
            if times > 1 && same.is_some() {
                let others = many(times as u64 - 1, "more scenario");
                finding.message += &format!("; the same in {others}");
            }
            finding
        };
        let mut findings: Vec<Finding> = self.found.into_iter().map(finding).collect();
        findings.sort_by_key(|finding| finding.level);
        CheckReport { findings, proofs: self.proofs, reachable: self.reachable }
    }

    fn add(
        &mut self,
        level: Level,
        at: Option<Location>,
        message: String,
        After { history, saved }: After,
        same: Option<(String, String)>,
    ) {
        let finding = Finding { level, at, message, history, saved };
        self.count(CountedFinding { finding, times: 1, same });
    }

    fn count(&mut self, new: CountedFinding) {
        let known = self.found.iter_mut().find(|known| match (&known.same, &new.same) {
            (Some(a), Some(b)) => a == b && known.finding.at == new.finding.at,
            _ => known.finding == new.finding,
        });
        match known {
            Some(known) => known.times += new.times,
            None => self.found.push(new),
        }
    }

    pub(super) fn join(&mut self, later: Findings) {
        later.found.into_iter().for_each(|found| self.count(found));
        self.proofs.extend(later.proofs);
        for (name, reached) in later.reached {
            let known = self.reached.entry(name).or_insert(None);
            *known = known.take().or(reached);
        }
        self.reachable_at = self.reachable_at.take().or(later.reachable_at);
        self.sight.join(&later.sight);
    }
}

fn place_at(
    error: &Error,
    otherwise: impl FnOnce() -> Option<Location>,
) -> Result<Option<Location>, Error> {
    match error.cut() {
        Some(cut) => Err(cut.into()),
        None => Ok(error.location().cloned().or_else(otherwise)),
    }
}

/// The text of a script that people choose by name, if it can be read; warns if it has no title.
pub(super) fn script(
    folder: &Folder,
    kind: FileKind,
    name: &str,
    findings: &mut Findings,
) -> Result<Option<FileText>, Error> {
    let text = match folder.find(kind, name) {
        Ok(text) => text,
        Err(error) => return findings.fault(&error, || None).map(|()| None),
    };
    if text.title().is_none() {
        let message = format!("{} `{name}` has no title: a line `//! # …`", kind.what());
        findings.warning(top_of(&text.path), message);
    }
    Ok(Some(text))
}

pub(super) fn place_of(rules: &Rules, function: &str) -> Option<Location> {
    rules.functions().find(|known| known.name == function)?.at.clone()
}

/// The first line of a file, as the place of a finding about the whole file.
pub(super) fn top_of(file: impl Into<String>) -> Option<Location> {
    Some(Location::top(file))
}

pub(super) fn place(scenario: &Scenario) -> Option<Location> {
    top_of(scenario.document.as_ref()?.path.clone())
}
