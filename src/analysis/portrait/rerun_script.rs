//! Gives the answers of a playout once more to a run of the script alone.

use std::cell::RefCell;
use std::rc::Rc;

use crate::conflict::Seating;
use crate::error::Error;
use crate::game::{Chance, Decision, Handler, Stop};
use crate::graph::PlayoutRunner;
use crate::script::{Counted, FinishedPlayout};

/// Runs a playout once more, by the script alone: how it ended, and which functions ran.
pub(super) fn replay(
    seating: &Seating,
    runner: &PlayoutRunner,
    answers: &[u32],
) -> Result<(FinishedPlayout, Counted), Error> {
    let rules = runner.explorer().rules();
    let given = Rc::new(RefCell::new(GivenAnswers { answers: answers.to_vec(), next: 0 }));
    rules.count_calls();
    let played = rules.play(&seating.setup, &given);
    let counted = rules.counted();
    Ok((played?, counted))
}

/// Gives the answers of a playout once more.
struct GivenAnswers {
    answers: Vec<u32>,
    next: usize,
}

impl GivenAnswers {
    fn answer(&mut self) -> Result<usize, Stop> {
        self.next += 1;
        self.answers.get(self.next - 1).map(|answer| *answer as usize).ok_or(Stop::Pause)
    }
}

impl Handler for GivenAnswers {
    fn decide(&mut self, _: &Decision<'_>) -> Result<usize, Stop> {
        self.answer()
    }

    fn roll(&mut self, _: &Chance<'_>) -> Result<usize, Stop> {
        self.answer()
    }
}
