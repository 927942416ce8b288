//! The open conflict as a value of a line of Rhai.

use super::Session;
use crate::conflict::{Play, RuleChanges};
use crate::error::Error;
use crate::lab::CONFLICT;

impl Session {
    /// Hands the open conflict to a line that names it.
    ///
    /// # Errors
    /// Those of the rules as they are on disk now.
    pub(super) fn hand_conflict(&mut self, line: &str) -> Result<(), Error> {
        let mut words = line.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
        if !words.any(|word| word == CONFLICT) {
            return Ok(());
        }
        let begun = |play: &Play| play.ground().conflict(&self.catalog, &RuleChanges::default());
        let conflict = self.play.as_ref().map(begun).transpose()?;
        self.lab.hand_conflict(conflict);
        Ok(())
    }
}
