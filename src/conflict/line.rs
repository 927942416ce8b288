//! A line of play: its entries, those taken back too, and the current place.

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

    /// Cuts off what is behind the first `count` entries, or restores what was cut off before them;
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
