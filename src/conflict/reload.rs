//! What do edited rules make of what was played? The same history under the rules as they are now.

use super::keep::{follow, reopen};
use super::{Conflict, Line, Play, Standing};
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
    /// The lines of play that the rules no longer follow to their end, and how many entries each
    /// lost, those taken back too.
    pub cut: Vec<(String, usize)>,
    /// The outcome before, where the conflict was over and now ends otherwise or not at all.
    pub ended: Option<Value>,
}

impl Play {
    /// Reads the scenario, the rules and the house rules from disk again and plays the history
    /// under them. Seats stay; each line of play, and what was taken back of it, does as far as the
    /// rules follow it.
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
        let mut cut = Vec::new();
        play.line = play.shortened(&self.name, &self.line, &mut cut)?;
        for (name, line) in &self.lines {
            let line = play.shortened(name, line, &mut cut)?;
            play.lines.insert(name.clone(), line);
        }
        play.name = self.name.clone();
        *self = play;
        Ok(Reloaded { changed, divergence, cut, ended })
    }

    /// A line as far as the rules follow it. One on which they fail stays whole: whoever goes over
    /// to it is told why.
    fn shortened(
        &self,
        name: &str,
        line: &Line,
        cut: &mut Vec<(String, usize)>,
    ) -> Result<Line, Error> {
        let whole = line.whole().len();
        let followed = match self.follows(line.whole()) {
            Err(Error::Interrupted) => return Err(Error::Interrupted),
            followed => followed.unwrap_or(whole),
        };
        let mut line = line.clone();
        line.cut(followed);
        if followed < whole {
            cut.push((name.to_owned(), whole - followed));
        }
        Ok(line)
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
