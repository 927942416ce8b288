//! Runs lines of Rhai, which find the open conflict as `conflict`.

use super::{Reply, Session};
use crate::conflict::{Play, RuleChanges};
use crate::error::Error;
use crate::lab::CONFLICT;

impl Session {
    /// Runs a line.
    ///
    /// # Errors
    /// Those of the line.
    pub(super) fn run_script(&mut self, text: &str, reply: &mut Reply) -> Result<(), Error> {
        self.hand_conflict(text)?;
        self.lab.leave_out(self.seed_left_out());
        self.lab.look(self.look());
        let found = self.lab.evaluate(text, self.lines + 1 - text.lines().count().max(1));
        self.hear_the_lab(reply);
        let found = found?;
        self.journal.keep(text, true);
        if let Some(text) = self.shown(&found) {
            reply.data(text);
        }
        Ok(())
    }

    /// Hands the open conflict to a line that names it.
    ///
    /// # Errors
    /// Those of the rules as they are on disk now.
    fn hand_conflict(&mut self, line: &str) -> Result<(), Error> {
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
