//! Keeps what a run has used while it is paused, or while another runs within it.

use super::playout_cost::Pieces;
use super::{Meter, Stopped, natives};
use crate::script::sandbox::clock::Clock;
use crate::script::sandbox::memory::{live_bytes, traffic};

/// What a run has used up to where it is paused.
#[derive(Clone, Copy, Debug, Default)]
pub struct Used {
    operations: u64,
    questions: u64,
    pub(in crate::script) steps: u64,
    charged: u64,
    pub(in crate::script) pieces: Pieces,
    /// The bytes that it may hold beside those that it holds.
    room: isize,
    clock: Clock,
    /// What it was given without paying for it.
    given: usize,
}

impl Meter {
    /// Pauses the run; what it has used, and the number of the pause.
    pub(crate) fn pause(&self) -> (Used, u64) {
        let clock = self.clock.get().paused();
        self.clock.set(clock);
        let used = Used {
            operations: self.operations.get(),
            questions: self.questions.get(),
            steps: self.steps.get(),
            charged: self.charged(),
            pieces: self.pieces.get().without_views(),
            room: self.ceiling.get().saturating_sub(self.held()),
            clock,
            given: self.given.get(),
        };
        self.pauses.set(self.pauses.get() + 1);
        self.pause.set(self.pauses.get());
        self.paused.set((natives(), live_bytes()));
        (used, self.pauses.get())
    }

    /// Whether the run is in the pause of this number, and nothing else has run since.
    pub(crate) fn is_in_pause(&self, number: u64) -> bool {
        self.pause.get() == number
    }

    /// Ends the pause. What was done and kept meanwhile is neither work nor memory of the script: `grant` bytes of
    /// it, or all where none are named. What is kept beyond, the script made somebody keep.
    pub(crate) fn end_pause(&self, grant: Option<usize>) {
        let (before, live) = self.paused.get();
        self.pause.set(0);
        self.natives.set(self.natives.get() + (natives() - before));
        let more = live_bytes() - live;
        match grant {
            Some(grant) => {
                self.kept.set(self.kept.get() + more);
                // A list grows by leaps: what was not used yet may be used later.
                self.granted.set(self.granted.get().saturating_add(grant as isize));
            }
            None => self.ceiling.set(self.ceiling.get().saturating_add(more)),
        }
    }

    /// Counts on, after a restart, from what a run has used. What it holds is there already.
    pub fn resume(&self, used: &Used) {
        self.operations.set(used.operations);
        self.questions.set(used.questions);
        self.steps.set(used.steps);
        self.charged.set(used.charged);
        self.natives.set(natives());
        self.pieces.set(used.pieces);
        self.ceiling.set(live_bytes().saturating_add(used.room));
        self.clock.set(used.clock.resumed());
        self.given.set(used.given);
    }

    /// The number of this run; one that is resumed has another, for many may be resumed from one question. A run
    /// within another has none.
    pub fn run(&self) -> Option<u64> {
        (!self.within.get()).then(|| self.run.get())
    }

    /// Gives the run this many bytes that it need not pay for, unless it would have more than `most` of them.
    pub fn gives(&self, bytes: usize, most: usize) -> bool {
        let given = self.given.get().saturating_add(bytes);
        if given <= most {
            self.given.set(given);
        }
        given <= most
    }

    /// Runs with a count of its own, in place of the current one; returns why it was stopped, if it
    /// was. Nothing of it counts afterwards.
    pub fn nested<T>(&self, run: impl FnOnce() -> T) -> (T, Option<Stopped>) {
        let outer = (self.operations.get(), self.questions.get(), self.charged.get());
        let steps = self.steps.get();
        let (charged, look_at) = (self.natives.get(), self.look_at.get());
        let (ceiling, halted) = (self.ceiling.get(), self.halted.get());
        let (kept, granted) = (self.kept.get(), self.granted.get());
        let (clock, stopped) = (self.clock.take().paused(), self.stopped.take());
        let (pieces, most, number) = (self.pieces.get(), self.most.get(), self.run.get());
        let (before, looked) = (natives(), traffic());
        let (given, pause) = (self.given.get(), self.pause.get());
        self.restart();
        // It is given nothing: whether it ran must not change what the outer run is given.
        let within = self.within.replace(true);
        let result = run();
        self.within.set(within);
        let inner = self.take_stopped();
        self.operations.set(outer.0);
        self.questions.set(outer.1);
        self.charged.set(outer.2);
        self.steps.set(steps);
        self.natives.set(charged + (natives() - before));
        self.look_at.set(look_at + (traffic() - looked));
        self.ceiling.set(ceiling);
        self.kept.set(kept);
        self.granted.set(granted);
        self.halted.set(halted);
        self.pieces.set(pieces);
        self.most.set(most);
        self.run.set(number);
        self.given.set(given);
        self.pause.set(pause);
        self.clock.set(clock);
        self.stopped.replace(stopped);
        (result, inner)
    }
}
