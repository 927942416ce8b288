//! A line of play: its entries, those taken back too, and the current place; and all ways that were played of a
//! conflict, those left for another answer too, with the ends that were reached.

use crate::game::{History, Outcome};

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

    pub(crate) fn taken_back(&self) -> History {
        History { entries: self.entries.entries[self.at..].to_vec() }
    }

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

/// The ways that were left, the oldest first, and the ends that were reached.
#[derive(Clone, Debug, Default)]
pub(super) struct Past {
    left: Vec<History>,
    /// By the rules of now.
    pub(super) ends: Vec<(History, Outcome)>,
}

/// More ways than these are not kept, nor ends, nor ways with more entries than these together; the oldest
/// goes first.
const WAYS: usize = 100;
const ENTRIES: usize = 200_000;

impl Past {
    pub(super) fn of(left: impl IntoIterator<Item = History>) -> Past {
        let mut past = Past::default();
        left.into_iter().for_each(|history| past.add(history));
        past
    }

    pub(super) fn left(&self) -> &[History] {
        &self.left
    }

    /// Keeps the way of a line that goes over into another, where that other does not hold it.
    pub(super) fn leave(&mut self, old: &Line, new: &Line) {
        let (old, new) = (old.entire(), new.entire());
        self.left.retain(|left| !new.begins_with(left));
        if !new.begins_with(&old) {
            self.add(old);
        }
    }

    pub(super) fn forget(&mut self, held: &History) {
        self.left.retain(|left| !held.begins_with(left));
    }

    pub(super) fn end(&self, history: &History) -> Option<&Outcome> {
        self.ends.iter().find(|(ended, _)| ended == history).map(|(_, outcome)| outcome)
    }

    pub(super) fn ended(&mut self, history: History, outcome: Outcome) {
        self.ends.retain(|(known, _)| *known != history);
        self.ends.push((history, outcome));
        if self.ends.len() > WAYS {
            self.ends.remove(0);
        }
    }

    fn add(&mut self, history: History) {
        if self.left.iter().any(|left| left.begins_with(&history)) {
            return;
        }
        self.forget(&history);
        self.left.push(history);
        let entries = |left: &[History]| left.iter().map(History::len).sum::<usize>();
        while self.left.len() > WAYS || (self.left.len() > 1 && entries(&self.left) > ENTRIES) {
            self.left.remove(0);
        }
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

    #[test]
    fn a_way_is_kept_once_and_as_long_as_no_other_holds_it() {
        let (short, long, other) = ("a x 1", "a x 1\na x 2", "a x 3");
        let line = |text: &str| Line::new(history(text));
        let mut past = Past::default();
        past.leave(&line(short), &line(long));
        assert!(past.left().is_empty(), "the new one holds it");
        past.leave(&line(long), &line(other));
        past.leave(&line(short), &line(other));
        assert_eq!(past.left(), [history(long)]);
        past.leave(&line(other), &line(long));
        assert_eq!(past.left(), [history(other)], "it is played again");
    }

    #[test]
    fn the_oldest_ways_make_room() {
        let ways = (0..WAYS + 5).map(|number| history(&format!("a x {number}")));
        let past = Past::of(ways);
        assert_eq!(past.left().len(), WAYS);
        assert_eq!(past.left()[0], history("a x 5"));
    }
}
