//! A line of play: its entries, those taken back too, and the current place; forks, and switching between them.

use super::people::Given;
use super::{Play, RunUntil};
use crate::error::Error;
use crate::game::History;

/// All entries of a line, those taken back too, and how many of them are played.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    entries: History,
    at: usize,
    /// What followed the entries until the rules changed, by which it does not.
    cut_off: History,
}

impl Line {
    /// A line whose entries are all played.
    pub fn new(history: History) -> Line {
        Line { at: history.len(), entries: history, cut_off: History::default() }
    }

    /// How many entries are played.
    pub fn at(&self) -> usize {
        self.at
    }

    /// All entries, those taken back too.
    pub fn whole(&self) -> &History {
        &self.entries
    }

    /// All entries, and those that changed rules cut off.
    pub(crate) fn entire(&self) -> History {
        let mut all = self.entries.clone();
        all.entries.extend(self.cut_off.entries.iter().cloned());
        all
    }

    /// Whether changed rules cut something off that may follow again under others.
    pub(crate) fn is_cut(&self) -> bool {
        !self.cut_off.is_empty()
    }

    /// The entries that are played.
    pub fn played(&self) -> History {
        self.entries.prefix(self.at)
    }

    /// The entries that were taken back.
    pub(crate) fn taken_back(&self) -> History {
        History { entries: self.entries.entries[self.at..].to_vec() }
    }

    /// The line with entries behind its end that were taken back.
    pub(crate) fn followed_by(mut self, taken_back: &History) -> Line {
        self.entries.entries.extend(taken_back.entries.iter().cloned());
        self
    }

    /// Moves to the place after `count` entries; past the end is the end.
    pub(crate) fn move_to_entry(&mut self, count: usize) {
        self.at = count.min(self.entries.len());
    }

    /// Cuts off what is behind the first `count` entries, or takes up again what was cut off before them;
    /// moves to their end if the place was behind it.
    pub fn cut(&mut self, count: usize) {
        let mut all = self.entire();
        self.cut_off.entries = all.entries.split_off(count.min(all.entries.len()));
        self.entries = all;
        self.move_to_entry(self.at);
    }

    /// Moves to the end of a history that begins with the entries played before. Entries that were
    /// taken back or cut off are forgotten from where the history differs.
    pub fn extend(&mut self, history: History) {
        let at = history.len();
        let all = self.entire();
        if !all.begins_with(&history) {
            self.cut_off = History::default();
            self.entries = history;
        } else if at > self.entries.len() {
            self.cut_off = History { entries: all.entries[at..].to_vec() };
            self.entries = history;
        }
        self.at = at;
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    fn history(text: &str) -> History {
        History::parse(text).unwrap()
    }

    #[test]
    fn what_was_taken_back_stays_until_another_way_is_taken() {
        let mut line = Line::new(history("a x 1\na x 2\na x 3"));
        line.move_to_entry(1);
        assert_eq!(line.played(), history("a x 1"));
        line.extend(history("a x 1\na x 2"));
        assert_eq!(line.whole().len(), 3, "the same way again");
        line.extend(history("a x 1\na x 9"));
        assert_eq!((line.whole().len(), line.at()), (2, 2), "another way");
    }

    #[test]
    fn what_was_cut_off_is_taken_up_again_as_long_as_nothing_else_follows() {
        let mut line = Line::new(history("a x 1\na x 2\na x 3"));
        line.cut(1);
        assert_eq!((line.whole().len(), line.at(), line.is_cut()), (1, 1, true));
        line.cut(3);
        assert_eq!((line.whole().len(), line.at(), line.is_cut()), (3, 1, false));
        line.cut(1);
        line.extend(history("a x 1\na x 2"));
        assert_eq!((line.entire().len(), line.at()), (3, 2), "the same way again");
        line.cut(1);
        line.extend(history("a x 1\na x 9"));
        assert_eq!((line.entire().len(), line.is_cut()), (2, false), "another way");
    }
}
