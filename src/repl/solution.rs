//! Keeps what was found out about what the players should do, as long as the rules stay as they were.

use super::{Reply, Session};
use crate::analysis::{Line, Place, Solution};
use crate::conflict::Seating;
use crate::error::Error;
use crate::game::Value;

/// A solution, and whose it is.
#[derive(Clone, Debug)]
pub(super) struct Known {
    /// The scenario.
    pub scenario: String,
    /// The digest of rules, parameters and setup that it was found for.
    pub identity: String,
    /// The solution.
    pub solution: Solution,
}

impl Session {
    /// The solution of the open conflict, if there is one. One of this scenario under other rules is
    /// forgotten, which is said; one of another scenario is kept for when that is opened again.
    pub(super) fn known_here(&mut self, reply: &mut Reply) -> Option<Known> {
        let conflict = &self.play.as_ref()?.conflict;
        let known = self.known.take_if(|known| known.scenario == conflict.scenario.name)?;
        if known.identity == conflict.blueprint.identity(&conflict.setup.value) {
            self.known = Some(known.clone());
            return Some(known);
        }
        reply.note("the rules have changed since they were solved; `:solve` solves them again");
        None
    }
}

impl Known {
    /// What it says about an open decision with these options; nothing where it tells nothing of it.
    ///
    /// # Errors
    /// Those of the rules.
    pub(super) fn line(
        &self,
        seating: &Seating,
        place: Place<'_>,
        options: &[Value],
    ) -> Result<Option<&Line>, Error> {
        let Some(key) = place.key(seating)? else { return Ok(None) };
        let line = self.solution.strategy.iter().find(|line| line.key == key);
        let offers = |line: &&Line| {
            let told = line.options.iter().map(|choice| &choice.option);
            told.eq(&options.iter().map(ToString::to_string).collect::<Vec<_>>())
        };
        Ok(line.filter(offers))
    }

    /// Where the numbers come from, in a sentence.
    pub(super) fn source(&self) -> String {
        let Solution { method, further, .. } = &self.solution;
        let which = match further.len() {
            0 => String::new(),
            more => format!(", the first of {}", more + 1),
        };
        format!("weight and value: `:solve`, {method}{which}")
    }
}
