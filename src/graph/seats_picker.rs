//! Answers questions as the seated agents do, until a playout reaches its limit on questions or operations.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use super::answer_cache::AnswerCache;
use super::explorer::Explorer;
use super::questions_to_nodes::Picker;
use super::trace::Trace;
use crate::error::{Error, Limit, ScriptError, ScriptFault};
use crate::game::{Question, Stop};
use crate::handlers::{SeatedAgents, Standpoint};

/// Draws the answers of a run of the script, as [`SeatedAgents`] do, and works out agents' answers once.
pub(super) struct SeatsPicker<T> {
    pub seats: Rc<RefCell<SeatedAgents>>,
    pub answers: Arc<AnswerCache>,
    pub trace: Rc<RefCell<T>>,
    pub remaining: Remaining,
    /// How many questions and operations a playout may have in all.
    pub most: (u64, u64),
}

impl<T: Trace> Picker for SeatsPicker<T> {
    fn pay(&mut self, cost: u64) -> Result<(), Stop> {
        Ok(pay(&mut self.remaining.operations, cost, self.most.1)?)
    }

    fn pick(&mut self, at: Standpoint<'_>, asking: &Question<'_>) -> Result<usize, Stop> {
        if self.remaining.questions == 0 {
            return Err(too_long(self.most.0).into());
        }
        self.remaining.questions -= 1;
        let mut seats = self.seats.borrow_mut();
        let answer = match asking {
            Question::Chance(chance) => seats.generator().question().fall(chance.distribution),
            Question::Decision(decision, _) => {
                let mut lot = seats.generator().question();
                let agent = seats.agent(decision.player);
                if let Some(always) = agent.always() {
                    always.draw(decision.options.len(), &mut lot)
                } else {
                    let (answer, looked) = self.answers.of(at, decision, agent)?;
                    pay(&mut self.remaining.operations, looked, self.most.1)?;
                    answer.draw(decision.options.len(), &mut lot)
                }
            }
        };
        self.trace.borrow_mut().asked(asking, answer);
        Ok(answer)
    }
}

/// What a playout may still have.
#[derive(Clone, Copy)]
pub(super) struct Remaining {
    pub questions: u64,
    pub operations: u64,
}

impl Remaining {
    /// All that a playout may have.
    pub(super) fn all(explorer: &Explorer) -> Remaining {
        let limits = explorer.rules().limits();
        Remaining { questions: limits.questions, operations: limits.playout }
    }

    /// Pays for operations; whether there were enough.
    #[inline]
    pub(super) fn pays(&mut self, cost: u64) -> bool {
        pay(&mut self.operations, cost, 0).is_ok()
    }
}

/// Pays for operations from those that are left.
///
/// # Errors
/// Where there are too few: that there may be this many. It names no line of a script, since the graph
/// keeps none.
#[inline]
pub(super) fn pay(left: &mut u64, cost: u64, most: u64) -> Result<(), Error> {
    match left.checked_sub(cost) {
        Some(less) => {
            *left = less;
            Ok(())
        }
        None => Err(too_dear(most)),
    }
}

/// Counts a question among those that are left, of this many.
///
/// # Errors
/// Where there are none.
#[inline]
pub(super) fn ask(left: &mut u64, most: u64) -> Result<(), Error> {
    *left = left.checked_sub(1).ok_or_else(|| too_long(most))?;
    Ok(())
}

/// A playout that takes more than this many operations.
#[cold]
pub(super) fn too_dear(most: u64) -> Error {
    ScriptError::new(ScriptFault::Limit(Limit::Playout(most))).into()
}

/// A playout that has more than this many questions.
pub(super) fn too_long(most: u64) -> Error {
    ScriptError::new(ScriptFault::Limit(Limit::Questions(most))).into()
}
