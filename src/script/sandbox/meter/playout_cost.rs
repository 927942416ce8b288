//! Counts the cost of a whole playout, piece by piece, so that to run it and to look it up cost the same.
//!
//! A piece is what runs up to a question, up to the end of a step, or up to the outcome. It costs the same
//! in a run from the beginning, in one that is resumed, and where the graph knows it already: so the pieces
//! of a playout can be summed without running it.

use super::{Meter, natives};

/// Pieces of fewer operations are free: nobody has to keep what they cost. A playout has at
/// most two of them for each of its questions.
const FREE: u64 = 1_000;

/// What a step costs in which nobody is asked, beside its operations.
const IDLE: u64 = 100;

/// What the pieces since somebody looked last have cost.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::script) struct Pieces {
    /// What was counted in the step when the last piece ended.
    marked: u64,
    /// What was counted since, in steps before this one.
    carried: u64,
    /// Steps that ended since somebody was asked.
    idle: u64,
    /// The sum of the pieces that nobody has taken.
    due: u64,
    /// The same of the views that agents were shown.
    views: u64,
}

/// What a piece of this many operations costs.
pub(crate) fn price(operations: u64) -> u64 {
    if operations < FREE { 0 } else { operations }
}

impl Pieces {
    /// The same, as if nobody had looked.
    pub(in crate::script) fn without_views(self) -> Pieces {
        Pieces { views: 0, ..self }
    }

    /// Takes what is due.
    pub(in crate::script) fn take_due(&mut self) -> u64 {
        std::mem::take(&mut self.due)
    }
}

impl Meter {
    /// Operations of this step, and what natives were charged for in it.
    pub fn counted(&self) -> u64 {
        self.operations().saturating_add(self.charged())
    }

    /// A piece ends here, with a step or else with a question or an outcome; true where all that is due
    /// is more than a playout may cost.
    pub(crate) fn ends_piece(&self, step: bool) -> bool {
        let (counted, pieces) = (self.counted(), self.pieces.get());
        let piece = pieces.carried.saturating_add(counted.saturating_sub(pieces.marked));
        let cost = if step && pieces.idle > 0 { piece.saturating_add(IDLE) } else { price(piece) };
        let due = pieces.due.saturating_add(cost);
        let idle = if step { pieces.idle + 1 } else { 0 };
        self.pieces.set(Pieces { marked: counted, carried: 0, idle, due, ..pieces });
        due > self.most.get()
    }

    /// How many steps ended since somebody was asked.
    pub fn idle(&self) -> u64 {
        self.pieces.get().idle
    }

    /// Lets a playout take this many operations; as many as the limits say from the next restart on.
    pub fn allow(&self, operations: u64) {
        self.most.set(operations);
    }

    /// Counts operations anew between two steps. The deadline is that of the whole run.
    pub(crate) fn next_step(&self) {
        self.pieces.set(self.carry());
        self.operations.set(0);
        self.charged.set(0);
        self.natives.set(natives());
    }

    /// As [`Meter::next_step`], with all else but the deadline counted anew too. Steps in which nobody
    /// is asked anything are part of what follows.
    pub(crate) fn next_step_alone(&self) {
        let steps = if self.questions.get() > 0 { 0 } else { self.steps.get() };
        let most = self.most.get();
        let (clock, pieces) = (self.clock.get(), self.carry());
        self.restart();
        self.pieces.set(pieces);
        self.most.set(most);
        self.steps.set(steps);
        self.clock.set(clock);
    }

    /// The counts begin anew, the piece continues.
    fn carry(&self) -> Pieces {
        let pieces = self.pieces.get();
        let more = self.counted().saturating_sub(pieces.marked);
        Pieces { marked: 0, carried: pieces.carried.saturating_add(more), ..pieces }
    }

    /// What the pieces cost that have ended since this was asked last.
    pub(crate) fn take_due(&self) -> u64 {
        self.with_pieces(Pieces::take_due)
    }

    /// A view was made, of this many operations.
    pub(crate) fn viewed(&self, operations: u64) {
        let cost = price(operations);
        self.with_pieces(|pieces| pieces.views = pieces.views.saturating_add(cost));
    }

    /// What the views cost that were made since this was asked last.
    pub(crate) fn take_views(&self) -> u64 {
        self.with_pieces(|pieces| std::mem::take(&mut pieces.views))
    }

    /// Adds the cost of a view to that of the playout.
    pub(crate) fn pay_view(&self, cost: u64) {
        self.with_pieces(|pieces| pieces.due = pieces.due.saturating_add(cost));
    }

    fn with_pieces<T>(&self, change: impl FnOnce(&mut Pieces) -> T) -> T {
        let mut pieces = self.pieces.get();
        let result = change(&mut pieces);
        self.pieces.set(pieces);
        result
    }
}
