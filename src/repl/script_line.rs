//! Runs lines of Rhai, which find the open conflict as `conflict`.

use super::{Reply, Session};
use crate::conflict::{Play, RuleChanges};
use crate::error::Error;
use crate::handbook::{Entry, YOURS};
use crate::lab::{self, CONFLICT};

/// The kind of value that `conflict` is.
pub(super) const HANDLE: &str = "scenario";

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

    /// What there is to know of `conflict`, while a conflict is open and no line has a variable of that name.
    pub(super) fn handle(&self) -> Option<Entry> {
        let play = self.play.as_ref()?;
        if self.lab.has_variable(CONFLICT)
            && self.lab.kind(&[CONFLICT]).is_none_or(|kind| kind != HANDLE)
        {
            return None;
        }
        let of_scenario = lab::documentation();
        let mut can: Vec<&str> = of_scenario
            .iter()
            .filter(|entry| entry.takes_first() == Some(HANDLE))
            .map(|entry| entry.name.as_str())
            .collect();
        can.dedup();
        let names: Vec<String> = can.iter().map(|name| format!("`.{name}`")).collect();
        let text = format!(
            "The open conflict, `{}`, from its beginning, under the rules, parameters and seats of now: a \
             scenario, with {}.",
            play.conflict.scenario.name,
            names.join(", ")
        );
        Some(Entry::plain(YOURS, CONFLICT, &text, ""))
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
