//! Forks: lines of play with names, and switching between them.

use super::people::Given;
use super::{Line, Play, RunUntil};
use crate::error::Error;

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
