//! The findings of a check of a rules folder: errors and warnings, each with its place.

use serde::Serialize;

use super::hidden_state::ViewCheck;
use crate::catalog::{FileKind, FileText, Folder, Scenario};
use crate::error::{Error, Location};

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// It must be fixed.
    Error,
    /// It may be intended.
    Warning,
}

impl Level {
    pub fn word(self) -> &'static str {
        match self {
            Level::Error => "error",
            Level::Warning => "warning",
        }
    }
}

/// An error or a warning about a rules folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The severity.
    pub level: Level,
    /// The location, if it is known.
    #[serde(flatten)]
    pub at: Option<Location>,
    /// The message.
    pub message: String,
}

/// A finding, and the number of times it was found.
struct CountedFinding {
    finding: Finding,
    times: usize,
    /// What is compared between scenarios: the source of the error, and the error without context.
    same: Option<(String, String)>,
}

/// The findings so far, each one once.
#[derive(Default)]
pub(super) struct Findings {
    found: Vec<CountedFinding>,
    /// What the playouts show about the `view` of the rules.
    pub(crate) sight: ViewCheck,
}

impl Findings {
    pub(super) fn error(&mut self, at: Option<Location>, message: impl Into<String>) {
        self.add(Finding { level: Level::Error, at, message: message.into() }, None);
    }

    pub(super) fn warning(&mut self, at: Option<Location>, message: impl Into<String>) {
        self.add(Finding { level: Level::Warning, at, message: message.into() }, None);
    }

    /// Adds an error of a scenario, with a text around it in place of `{}`. `whose` is its source,
    /// such as a house rule: the same error of one source in another scenario is only counted.
    pub(super) fn error_of(
        &mut self,
        whose: &str,
        at: Option<Location>,
        error: &str,
        around: &str,
    ) {
        let message = around.replacen("{}", error, 1);
        let same = Some((whose.to_owned(), error.to_owned()));
        self.add(Finding { level: Level::Error, at, message }, same);
    }

    /// Adds a mistake at its own place, or else at the one given.
    ///
    /// # Errors
    /// [`Error::Interrupted`] and [`Error::Bound`], which are no findings.
    pub(super) fn fault(
        &mut self,
        error: &Error,
        otherwise: impl FnOnce() -> Option<Location>,
    ) -> Result<(), Error> {
        if let Some(cut) = error.cut() {
            return Err(cut.into());
        }
        self.error(error.location().cloned().or_else(otherwise), error.to_string());
        Ok(())
    }

    /// Adds a mistake of a scenario, as [`Findings::error_of`] does.
    pub(super) fn fault_of(
        &mut self,
        whose: &str,
        error: &Error,
        around: &str,
        otherwise: impl FnOnce() -> Option<Location>,
    ) -> Result<(), Error> {
        if let Some(cut) = error.cut() {
            return Err(cut.into());
        }
        let at = error.location().cloned().or_else(otherwise);
        self.error_of(whose, at, &error.to_string(), around);
        Ok(())
    }

    /// The number of errors; one that is found again counts again.
    pub(super) fn errors(&self) -> usize {
        let errors = self.found.iter().filter(|found| found.finding.level == Level::Error);
        errors.map(|found| found.times).sum()
    }

    /// All findings: errors first, each kind in the order in which it was found.
    pub(super) fn sorted(self) -> Vec<Finding> {
        let mut findings: Vec<Finding> =
            self.found.into_iter().map(CountedFinding::into_finding).collect();
        findings.sort_by_key(|finding| finding.level);
        findings
    }

    fn add(&mut self, finding: Finding, same: Option<(String, String)>) {
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

    /// Adds what another thread found.
    pub(super) fn join(&mut self, later: Findings) {
        later.found.into_iter().for_each(|found| self.count(found));
        self.sight.join(&later.sight);
    }
}

impl CountedFinding {
    /// The finding, with the number of the other scenarios that have it.
    fn into_finding(self) -> Finding {
        let CountedFinding { mut finding, times, same } = self;
        match times {
            2 if same.is_some() => finding.message.push_str("; the same in 1 more scenario"),
            3.. if same.is_some() => {
                let more = format!("; the same in {} more scenarios", times - 1);
                finding.message.push_str(&more);
            }
            _ => {}
        }
        finding
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

/// The first line of a file, as the place of a finding about the whole file.
pub(super) fn top_of(file: impl Into<String>) -> Option<Location> {
    Some(Location { file: file.into(), line: 1, column: None })
}

/// The top of the scenario's file.
pub(super) fn place(scenario: &Scenario) -> Option<Location> {
    top_of(scenario.document.as_ref()?.path.clone())
}
