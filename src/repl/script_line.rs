//! Runs lines of Rhai and a person's own script, which find the open conflict as `conflict`; chooses the seeds of
//! playouts beside it.

use super::{Reply, Session};
use crate::catalog::FileText;
use crate::conflict::{Play, RuleChanges};
use crate::error::Error;
use crate::handbook::{HandbookEntry, YOURS};
use crate::lab::{self, CONFLICT};

/// The kind of value that `conflict` is.
pub(super) const HANDLE: &str = "scenario";

impl Session {
    pub(super) fn run_script(&mut self, text: &str) -> Result<(), Error> {
        self.hand_conflict(text)?;
        self.lab.leave_out(self.play.as_ref().map(|play| play.seed));
        self.lab.look(self.look());
        let found = self.lab.evaluate(text, self.lines + 1 - text.lines().count().max(1));
        self.hear_the_lab();
        let found = found?;
        self.journal.keep(text, true);
        if let Some(text) = found.shown(self.look()) {
            self.data(text);
        }
        Ok(())
    }

    /// What there is to know of `conflict`, while a conflict is open and no line has a variable of that name.
    pub(super) fn handle(&self) -> Option<HandbookEntry> {
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
            "The open conflict, `{}`, from its beginning, under the current rules, parameters and seats: a \
             scenario, with {}.",
            play.conflict.scenario.name,
            names.join(", ")
        );
        Some(HandbookEntry::plain(YOURS, CONFLICT, &text, ""))
    }

    fn hand_conflict(&mut self, line: &str) -> Result<(), Error> {
        let mut words = line.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
        if !words.any(|word| word == CONFLICT) {
            return Ok(());
        }
        let begun = |play: &Play| play.snapshot().conflict(&self.catalog, &RuleChanges::default());
        let conflict = self.play.as_ref().map(begun).transpose()?;
        self.lab.hand_conflict(conflict);
        Ok(())
    }
}

impl Session {
    /// Runs a file before the first line; its definitions stay, and a saved session includes its
    /// text.
    pub fn begin(&mut self, file: &FileText) -> Reply {
        let found = self.lab.evaluate_file(file);
        self.hear_the_lab();
        match found {
            Ok(_) => self.journal.keep(&file.text, true),
            Err(error) => self.fail(error),
        }
        self.take_reply()
    }

    /// Adds to the reply what the lab printed and noted, and takes over the rules that it added.
    pub(super) fn hear_the_lab(&mut self) {
        self.lab.take_notes().into_iter().for_each(|note| self.note(note));
        if let Some(catalog) = self.lab.more_rules() {
            self.catalog = catalog;
        }
        let printed = self.lab.take_printed();
        if !printed.is_empty() {
            self.data(printed.trim_end_matches('\n'));
        }
    }
}

impl Session {
    /// The seed of playouts beside the open conflict: the one named, else the one after the conflict's own.
    ///
    /// # Errors
    /// [`Error::Usage`] where the conflict's own is named while a person plays who is not to know what is
    /// hidden and what will fall.
    pub(super) fn seed_apart(&self, named: Option<u64>) -> Result<u64, Error> {
        let Some(play) = &self.play else { return Ok(named.unwrap_or(self.options.seed)) };
        let own = play.seed;
        let continues = play.outcome().is_none();
        match named {
            Some(seed)
                if seed == own && continues && !self.revealed && !play.people().is_empty() =>
            {
                Err(Error::usage(format!(
                    "seed {own} is that of the open conflict, so a playout under it would show what is \
                     hidden and what will be rolled; name another one, or `:reveal` first"
                )))
            }
            Some(seed) => Ok(seed),
            None => Ok(own.wrapping_add(1)),
        }
    }
}
