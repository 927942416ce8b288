//! Begins after given entries (`--after`), and finds the answers that lead to a failure.

use std::cell::RefCell;
use std::rc::Rc;

use super::person::Given;
use super::{Conflict, Line, Play, RunUntil};
use crate::error::Error;
use crate::game::History;
use crate::script::Limits;

impl Play {
    /// Begins after some entries and plays on. A mistake of the rules or of an
    /// agent has all answers that lead there, and the words that play them again.
    ///
    /// # Errors
    /// As [`Play::resume`].
    pub fn after(
        conflict: Conflict,
        seed: u64,
        limits: &Limits,
        history: History,
        until: RunUntil,
    ) -> Result<Play, Error> {
        let words = words_after(&conflict, seed, &history);
        let mut play = Play::laid(conflict, seed, limits, history)?;
        match play.go(until) {
            Ok(()) => Ok(play),
            Err(error) => Err(error.reached(|| Some((play.failed()?, words)))),
        }
    }

    /// The answers that lead to where an agent or the rules fail when people answer so, and the
    /// words that play them again.
    pub(super) fn led_to_failure(&self, given: Given) -> Option<(History, Vec<String>)> {
        let (history, _) = self.to_failure(given)?;
        let words = words_after(&self.conflict, self.seed, &history);
        Some((history, words))
    }

    /// The answers that lead to where an agent or the rules fail, and the failure.
    fn to_failure(&self, given: Given) -> Option<(History, Error)> {
        let seats = self.seats(self.seed, &Rc::new(RefCell::new(given))).ok()?;
        let failure = self.run(self.line.played(), Some(seats)).err()?;
        Some((self.failed()?, failure))
    }

    /// Plays until a person is asked, to the end, or to the last question before an agent or the
    /// rules fail; then the failure is returned, and the conflict stays at that question.
    pub(crate) fn go_furthest(&mut self) -> Result<Option<Error>, Error> {
        let Some((history, failure)) = self.to_failure(Given::default()) else {
            return self.go(RunUntil::PersonAsked).map(|()| None);
        };
        self.move_to(self.seed, Line::new(history), Default::default(), RunUntil::NextQuestion)?;
        Ok(Some(failure))
    }
}

/// The words that play a conflict up to the end of a history.
fn words_after(conflict: &Conflict, seed: u64, history: &History) -> Vec<String> {
    let mut words = conflict.words();
    words.extend(["--seed".to_owned(), seed.to_string()]);
    for entry in &history.entries {
        words.extend(["--after".to_owned(), entry.to_string()]);
    }
    words
}
