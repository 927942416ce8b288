//! Decides whether storing new nodes still pays off for playouts.

use super::random_playout::Notes;

/// What looking up has saved so far.
#[derive(Debug, Default)]
pub(crate) struct WorthStoring {
    /// Questions of playouts that came to their end since the last verdict, and how many of those the
    /// script had to ask.
    questions: u64,
    asked: u64,
    /// Whether the graph was found to save too little.
    lost: bool,
}

/// A verdict is made after so many questions that the script asked: more than the nodes that are explored
/// for exact odds, so that whoever only plays learns too that there are more.
const TRIAL: u64 = 60_000;

impl WorthStoring {
    /// Whether to store new nodes. Each node costs about as much as it saves when it is looked up once:
    /// where fewer than a quarter of all questions are looked up, the conflict is too large.
    pub(crate) fn stores(&self) -> bool {
        !self.lost
    }

    /// Counts a playout: its questions, and how many of them the script had to ask.
    pub(crate) fn count(&mut self, questions: u64, asked: u64) {
        if self.lost {
            return;
        }
        self.questions += questions;
        self.asked += asked;
        if self.asked >= TRIAL {
            self.lost = self.asked * 4 > self.questions * 3;
            (self.questions, self.asked) = (0, 0);
        }
    }
}

/// The questions of a random playout: how many there were, and how many the script asked.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Questions {
    all: u64,
    asked: u64,
}

impl Questions {
    /// Counts the playout.
    pub(crate) fn count(self, worth: &mut WorthStoring) {
        worth.count(self.all, self.asked);
    }
}

impl Notes for Questions {
    #[inline]
    fn meets(&mut self, _: u32) {}

    #[inline]
    fn counts(&mut self, looked_up: bool) {
        self.all += 1;
        self.asked += u64::from(!looked_up);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_graph_that_is_seldom_looked_up_grows_no_more() {
        let mut worth = WorthStoring::default();
        // Ten of forty questions looked up: just enough.
        (0..2_000).for_each(|_| worth.count(40, 30));
        assert!(worth.stores());
        (0..2_000).for_each(|_| worth.count(40, 31));
        assert!(!worth.stores());
    }
}
