//! All ways that were played of a conflict: its lines, what was taken back of them, and what was left for
//! another answer; and how to return to one of them.

use super::people::Given;
use super::{Line, Play, Position, RunUntil};
use crate::error::Error;
use crate::game::{History, Outcome};

/// A way that was played, from the beginning.
#[derive(Clone, Debug)]
pub struct Way {
    /// The line of play that it is; none for one that was left.
    pub name: Option<String>,
    /// All its entries, those taken back or cut off too.
    pub history: History,
    /// How many of them the line plays.
    pub at: Option<usize>,
}

impl Play {
    /// All ways: the line that is played, the other lines, then those that were left, the newest first.
    pub fn ways(&self) -> Vec<Way> {
        let line = |(name, line): (&str, &Line)| Way {
            name: Some(name.to_owned()),
            history: line.entire(),
            at: Some(line.at()),
        };
        let current = line((self.name.as_str(), &self.line));
        let others = self.lines.iter().map(|(name, other)| line((name.as_str(), other)));
        let mut ways: Vec<Way> = std::iter::once(current).chain(others).collect();
        for history in self.past.left().iter().rev() {
            if !ways.iter().any(|way| way.history.begins_with(history)) {
                ways.push(Way { name: None, history: history.clone(), at: None });
            }
        }
        ways
    }

    /// How a way ended, where it was seen to end under the rules of now.
    pub(crate) fn end_of(&self, history: &History) -> Option<&Outcome> {
        self.past.end(history)
    }

    /// Plays a way to where it leads, and keeps how it ends. Whoever may not see all of it must not ask.
    pub(crate) fn find_end(&mut self, history: &History) -> Result<Option<Outcome>, Error> {
        let position = self.position_after(history)?;
        let Position::Over { outcome, .. } = position else { return Ok(None) };
        self.past.ended(history.clone(), outcome.clone());
        Ok(Some(outcome))
    }

    /// Moves to the place after `count` entries of a way, at the very next question: on the line that is
    /// played where it goes there, else on another line, else on this one, which leaves its own way.
    ///
    /// # Errors
    /// Those of the rules; nothing changes then.
    pub(crate) fn goto_way(&mut self, history: &History, count: usize) -> Result<(), Error> {
        let wanted = history.prefix(count);
        let goes_there = |line: &Line| line.whole().begins_with(&wanted);
        if goes_there(&self.line) {
            return self.goto(count);
        }
        let other = self.lines.iter().find(|(_, line)| goes_there(line));
        if let Some(name) = other.map(|(name, _)| name.clone()) {
            self.fork(&name)?;
            return self.goto(count);
        }
        let mut line = Line::new(history.clone());
        line.stand_at(count);
        self.move_to(self.seed, line, Given::default(), RunUntil::NextQuestion)
    }
}
