//! A line of play: its entries, those taken back too, and the current place among them.

use crate::game::History;

/// All entries of a line, those taken back too, and how many of them are played.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    entries: History,
    at: usize,
}

impl Line {
    /// A line whose entries are all played.
    pub fn new(history: History) -> Line {
        Line { at: history.len(), entries: history }
    }

    /// How many entries are played.
    pub fn at(&self) -> usize {
        self.at
    }

    /// All entries, those taken back too.
    pub fn whole(&self) -> &History {
        &self.entries
    }

    /// The entries that are played.
    pub fn played(&self) -> History {
        self.entries.prefix(self.at)
    }

    /// The entries that were taken back.
    pub fn taken_back(&self) -> History {
        History { entries: self.entries.entries[self.at..].to_vec() }
    }

    /// The line with entries behind its end that were taken back.
    pub fn followed_by(mut self, taken_back: &History) -> Line {
        self.entries.entries.extend(taken_back.entries.iter().cloned());
        self
    }

    /// Moves to the place after `count` entries; past the end is the end.
    pub fn stand_at(&mut self, count: usize) {
        self.at = count.min(self.entries.len());
    }

    /// Forgets all after the first `count` entries, and moves to their end if the place was behind
    /// it.
    pub fn cut(&mut self, count: usize) {
        self.entries.entries.truncate(count);
        self.stand_at(self.at);
    }

    /// Moves to the end of a history that begins with the entries played before. Entries that were
    /// taken back are forgotten from where the history differs.
    pub fn extend(&mut self, history: History) {
        let at = history.len();
        if self.entries.prefix(at) != history {
            self.entries = history;
        }
        self.at = at;
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
        line.stand_at(1);
        assert_eq!(line.played(), history("a x 1"));
        line.extend(history("a x 1\na x 2"));
        assert_eq!(line.whole().len(), 3, "the same way again");
        line.extend(history("a x 1\na x 9"));
        assert_eq!((line.whole().len(), line.at()), (2, 2), "another way");
    }
}
