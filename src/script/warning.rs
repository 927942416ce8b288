//! What is odd about rules that run all the same?

use std::fmt;

use crate::error::Location;

/// A thing worth a word that does not keep the rules from running.
#[derive(Clone, Debug, PartialEq)]
pub struct Warning {
    /// What is odd.
    pub message: String,
    /// Where.
    pub at: Option<Location>,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.at.as_ref().map(|at| format!("{at}: ")).unwrap_or_default();
        write!(f, "warning: {at}{}", self.message)
    }
}
