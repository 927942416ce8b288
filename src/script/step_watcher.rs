//! The `Watch` trait: sees each state between two steps of a playout.

use std::ops::ControlFlow;

use super::State;

/// Follows a run between its steps.
pub trait Watch {
    /// Whether steps, questions and memory are counted for each step by itself, as operations always
    /// are: what is found out in pieces, some of which are known already, must not depend on where
    /// the pieces begin.
    fn counts_each_step(&self) -> bool {
        false
    }

    /// Whether a run that begins at a state is the first to come there: whether the conflict is over is
    /// asked first, which costs the same at every place.
    fn begins_anew(&self) -> bool {
        false
    }

    /// The run reached this state, between two steps; its outcome was not asked for yet.
    /// [`ControlFlow::Break`] leaves it there: the run ends with
    /// [`Stop::Pause`](crate::game::Stop::Pause).
    fn arrives(&mut self, _state: &State) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// A step begins from this state; `number` counts from 1.
    fn before_step(&mut self, _number: u64, _state: &State) {}
}

/// Watches nothing.
pub struct Unwatched;
impl Watch for Unwatched {}
