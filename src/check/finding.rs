//! What was found? An error or a warning, with its place.

use crate::error::{Error, Location};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// It must be mended.
    Error,
    /// It may be meant so.
    Warning,
}

impl Level {
    /// The level in a word.
    pub fn word(self) -> &'static str {
        match self {
            Level::Error => "error",
            Level::Warning => "warning",
        }
    }
}

/// Something worth telling about a rules folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// How bad it is.
    pub level: Level,
    /// Where it is, as far as known.
    pub at: Option<Location>,
    /// What it is.
    pub message: String,
}

/// The findings so far, each one once.
#[derive(Default)]
pub(super) struct Findings(Vec<Finding>);

impl Findings {
    /// Adds an error.
    pub fn error(&mut self, at: Option<Location>, message: impl Into<String>) {
        self.add(Level::Error, at, message.into());
    }

    /// Adds a warning.
    pub fn warning(&mut self, at: Option<Location>, message: impl Into<String>) {
        self.add(Level::Warning, at, message.into());
    }

    /// Adds a mistake with words around it (`{}` stands for its message; empty: it alone), at its
    /// own place, or else at the one given.
    ///
    /// # Errors
    /// [`Error::Interrupted`], which is no finding.
    pub fn fault(
        &mut self,
        error: &Error,
        around: &str,
        otherwise: impl FnOnce() -> Option<Location>,
    ) -> Result<(), Error> {
        if matches!(error, Error::Interrupted) {
            return Err(Error::Interrupted);
        }
        let message = error.to_string();
        let message = if around.is_empty() { message } else { around.replacen("{}", &message, 1) };
        self.error(error.location().cloned().or_else(otherwise), message);
        Ok(())
    }

    /// How many errors there are.
    pub fn errors(&self) -> usize {
        self.0.iter().filter(|finding| finding.level == Level::Error).count()
    }

    /// All findings: errors first, each kind in the order in which it was found.
    pub fn sorted(mut self) -> Vec<Finding> {
        self.0.sort_by_key(|finding| finding.level);
        self.0
    }

    fn add(&mut self, level: Level, at: Option<Location>, message: String) {
        let finding = Finding { level, at, message };
        if !self.0.contains(&finding) {
            self.0.push(finding);
        }
    }
}

/// The first line of a file, for what is wrong with the whole of it.
pub(super) fn top_of(file: impl Into<String>) -> Option<Location> {
    Some(Location { file: file.into(), line: 1, column: None })
}
