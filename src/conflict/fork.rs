//! Forks of a conflict under way: its lines of play and all ways that were played, and switching between them.

use super::person::Given;
use super::{Line, Play, Position, RunUntil, Way};
use crate::error::Error;
use crate::game::{History, Outcome};

impl Play {
    /// The name of the line that is played.
    pub fn line_name(&self) -> &str {
        &self.name
    }

    /// All lines by name, and whether it is the one that is played.
    pub fn lines(&self) -> Vec<(&str, &Line, bool)> {
        let current = (self.name.as_str(), &self.line, true);
        let others = self.lines.iter().map(|(name, line)| (name.as_str(), line, false));
        let mut all: Vec<_> = std::iter::once(current).chain(others).collect();
        all.sort_unstable_by_key(|(name, ..)| *name);
        all
    }

    /// The line of this name.
    pub fn line(&self, name: &str) -> Option<&Line> {
        if name == self.name { Some(&self.line) } else { self.lines.get(name) }
    }

    /// Switches to the line of this name; if there is none, to a copy of the one played.
    /// Returns whether it is new.
    ///
    /// # Errors
    /// [`Error::Usage`] for a name that is no word; else the rules' own. The line that is played
    /// then does not change.
    pub fn fork(&mut self, name: &str) -> Result<bool, Error> {
        let plain = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        if name.is_empty() || !name.chars().all(plain) {
            return Err(Error::usage(format!("`{name}` is not a name for a fork")));
        }
        if name == self.name {
            return Ok(false);
        }
        let left = self.line.clone();
        let new = !self.lines.contains_key(name);
        if let Some(line) = self.lines.get(name) {
            self.move_to(self.seed, line.clone(), Given::default(), RunUntil::NextQuestion)?;
            self.lines.shift_remove(name);
        }
        let left_name = std::mem::replace(&mut self.name, name.to_owned());
        self.past.forget(&left.entire());
        self.lines.insert(left_name, left);
        Ok(new)
    }
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
        line.move_to_entry(count);
        self.move_to(self.seed, line, Given::default(), RunUntil::NextQuestion)
    }
}
