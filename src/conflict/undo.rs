//! Undo and redo: takes moves back and makes them again, by moving along the line of play.

use super::person::Given;
use super::{Play, RunUntil};
use crate::error::Error;
use crate::report::many;

impl Play {
    /// Takes back the last `count` decisions of people, with all that followed each; where no
    /// person plays, as many entries. Returns how many were taken back.
    ///
    /// # Errors
    /// [`Error::Usage`] where there is nothing to take back; otherwise those of the rules.
    pub fn undo(&mut self, count: usize) -> Result<usize, Error> {
        // A first answer to a joint decision is not in the history yet; it goes first.
        let given = self.given.len().min(count);
        let marks = self.marks();
        let before: Vec<usize> = marks.into_iter().filter(|&at| at < self.line.at()).collect();
        let steps = (count - given).min(before.len());
        if given + steps == 0 {
            return Err(Error::usage("there is nothing to take back"));
        }
        if steps > 0 {
            self.move_along(before[before.len() - steps])?;
        } else {
            let mut left = self.given.clone();
            left.truncate(left.len() - given);
            self.move_to(self.seed, self.line.clone(), left, RunUntil::PersonAsked)?;
        }
        Ok(given + steps)
    }

    /// Makes again what was taken back. Returns how many decisions were made again.
    ///
    /// # Errors
    /// [`Error::Usage`] where nothing was taken back; else the rules' own.
    pub fn redo(&mut self, count: usize) -> Result<usize, Error> {
        let end = self.line.whole().len();
        let at = self.line.at();
        let mut after: Vec<usize> = self.marks().into_iter().filter(|&mark| mark > at).collect();
        if end > at {
            after.push(end);
        }
        let steps = count.min(after.len());
        if steps == 0 {
            return Err(Error::usage(match self.line.is_cut() {
                true => {
                    "there is nothing to make again: what was cut off does not fit the current rules"
                }
                false => "there is nothing to make again",
            }));
        }
        self.move_along(after[steps - 1]).map(|()| steps)
    }

    /// Moves to the place after `count` entries of the line, at the very next question.
    ///
    /// # Errors
    /// [`Error::Usage`] past the end of the line; else the rules' own.
    pub fn goto(&mut self, count: usize) -> Result<(), Error> {
        let end = self.line.whole().len();
        if count > end {
            let entries = many(end as u64, "entry");
            return Err(Error::usage(format!("the history has {entries}, not {count}")));
        }
        self.move_along(count)
    }

    /// The places that undo and redo stop at, as numbers of entries: before each decision of a person, or
    /// before each entry where no person plays. A person cannot go back further than to their first
    /// decision: what others did before it may be hidden from them.
    fn marks(&self) -> Vec<usize> {
        let entries = &self.line.whole().entries;
        let nobody_plays = self.people().is_empty();
        let is_mark = |at: &usize| nobody_plays || self.is_of_person(&entries[*at]);
        (0..entries.len()).filter(is_mark).collect()
    }

    fn move_along(&mut self, at: usize) -> Result<(), Error> {
        let mut line = self.line.clone();
        line.move_to_entry(at);
        self.move_to(self.seed, line, Given::default(), RunUntil::NextQuestion)
    }
}
