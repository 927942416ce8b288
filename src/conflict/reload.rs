//! What do edited rules make of what was played? The same history under the rules as they are now.

use super::keep::{follow, reopen};
use super::{Conflict, Play, Standing};
use crate::catalog::Catalog;
use crate::error::Error;
use crate::game::Value;

/// What became of a conflict whose rules were read again.
#[derive(Debug)]
pub struct Reloaded {
    /// What differs from the rules before, one sentence each.
    pub changed: Vec<String>,
    /// Where the rules first ask something else; the conflict then stands there.
    pub divergence: Option<Error>,
    /// The outcome before, where the conflict was over and now ends otherwise or not at all.
    pub ended: Option<Value>,
}

impl Play {
    /// Reads the scenario, the rules and the house rules from disk again and plays the history
    /// under them. Seats and forks stay, and so does what was taken back, if nothing diverges.
    ///
    /// # Errors
    /// Whatever is wrong with the scenario, the parameters or the scripts; all stays as it was.
    pub fn reload(&mut self, catalog: &Catalog) -> Result<Reloaded, Error> {
        let saved = self.saved();
        let again = || {
            let mut conflict = self.conflict_again(catalog)?;
            conflict.seats = self.conflict.seats.clone();
            Ok(conflict)
        };
        let (mut play, divergence) = follow(again, again()?, &saved, &self.limits)?;
        let rules = &play.conflict.rules;
        let mut changed = saved.differs_from(rules.digests(), rules.params(), rules.house(), None);
        if play.conflict.setup.value.literal() != saved.setup.literal() {
            changed.push("the setup has changed".to_owned());
        }
        let ended = saved.outcome.filter(|was| match play.standing() {
            Standing::Over { outcome, .. } => outcome.value != *was,
            Standing::Asked(_) => true,
        });
        if divergence.is_none() {
            play.line = self.line.clone();
        }
        play.name = self.name.clone();
        play.lines = std::mem::take(&mut self.lines);
        *self = play;
        Ok(Reloaded { changed, divergence, ended })
    }

    fn conflict_again(&self, catalog: &Catalog) -> Result<Conflict, Error> {
        if self.conflict.scenario.document.is_none() {
            // It was taken up from a saved history, which is its scenario.
            return reopen(catalog, &self.saved(), &self.limits).map(|(conflict, _)| conflict);
        }
        let scenario = catalog.scenario(&self.conflict.scenario.name)?;
        Conflict::of(catalog, scenario, &self.conflict.changes, &self.limits)
    }
}
