//! Ways that were played of a conflict: what was left for another answer, and the ends that were reached.

use super::Line;
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

/// The ways that were left, the oldest first, and the ends that were reached.
#[derive(Clone, Debug, Default)]
pub(super) struct Past {
    left: Vec<History>,
    ends: Vec<(History, Outcome)>,
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

    /// Forgets the ways that this one holds.
    pub(super) fn forget(&mut self, held: &History) {
        self.left.retain(|left| !held.begins_with(left));
    }

    /// How a way ended, where that is known.
    pub(super) fn end(&self, history: &History) -> Option<&Outcome> {
        self.ends.iter().find(|(ended, _)| ended == history).map(|(_, outcome)| outcome)
    }

    /// Keeps how a way ended.
    pub(super) fn ended(&mut self, history: History, outcome: Outcome) {
        self.ends.retain(|(known, _)| *known != history);
        self.ends.push((history, outcome));
        if self.ends.len() > WAYS {
            self.ends.remove(0);
        }
    }

    /// The same ways under other rules, by which they may end otherwise.
    pub(super) fn under_other_rules(&self) -> Past {
        Past { left: self.left.clone(), ends: Vec::new() }
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
