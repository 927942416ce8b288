//! Single steps on the graph: along an answer to the next node, and looks at the content of a node.

use std::sync::Arc;

use super::answer_cache::AnswerCache;
use super::explorer::Explorer;
use super::information::NOBODY;
use super::seats::{SeatedAgents, Standpoint};
use super::walk::{Arrival, Walk};
use crate::error::Error;
use crate::game::{Answer, Decision, Question, Stop, Value};
use crate::script::Counted;

impl Explorer {
    /// The node at which the conflict begins; 0 where the graph has no room for it.
    ///
    /// # Errors
    /// Those of the rules.
    pub fn beginning(&self) -> Result<u32, Error> {
        if self.graph().root() == 0 {
            leave(self.walk((0, 0), true))?;
        }
        Ok(self.graph().root())
    }

    /// The node that an answer at a node leads to; 0 where the graph has no room for it.
    ///
    /// # Errors
    /// Those of the rules.
    pub fn next(&self, node: u32, answer: usize) -> Result<u32, Error> {
        let at = self.graph().node(node);
        if node == 0 || answer >= at.answers() {
            return Ok(0);
        }
        if let to @ 1.. = at.to(answer) {
            return Ok(to);
        }
        self.keep_run_at(node)?;
        leave(self.walk((node, answer as u32), true))?;
        Ok(self.graph().node(node).to(answer))
    }

    /// The node after these answers since a state between two steps, as canonical bytes, or since
    /// the beginning; 0 where the graph has no room for it.
    ///
    /// # Errors
    /// Those of the rules.
    pub fn go(&self, state: Option<&[u8]>, answers: &[u32]) -> Result<u32, Error> {
        let mut at = match state {
            None => self.beginning()?,
            Some(state) => {
                let known = || self.graph().known(state, self.graph().tag(state));
                match known() {
                    Some(node) => node,
                    None => match leave(self.walk_from(state))? {
                        Arrival::Known(node) => node,
                        _ => known().unwrap_or_default(),
                    },
                }
            }
        };
        for &answer in answers {
            at = self.next(at, answer as usize)?;
            if at == 0 {
                break;
            }
        }
        Ok(at)
    }

    /// Keeps a run at a node from which several answers are still to be tried.
    pub(super) fn keep_run_at(&self, node: u32) -> Result<(), Error> {
        if self.has_untried(node) && self.suspended.borrow().wants(node) {
            leave(self.walk_to(node))?;
        }
        Ok(())
    }

    /// Runs to a decision that is known, and shows it as the script asks it.
    ///
    /// # Errors
    /// Those of the rules; [`Error::Usage`] if the node is not a decision.
    pub fn visit<T>(
        &self,
        node: u32,
        look: impl FnOnce(&Decision<'_>) -> Result<T, Stop>,
    ) -> Result<T, Error> {
        let mut walk = self.walk_to(node);
        let arrival = walk.next()?;
        let seen = match walk.question_at(arrival) {
            Some(Question::Decision(decision, _)) => look(&decision),
            _ => return Err(Error::usage(NOBODY)),
        };
        let seen = seen.map_err(|stop| walk.blames(stop.into()))?;
        walk.keep();
        Ok(seen)
    }

    /// What is run from an answer at a node, 0 being the beginning, to the next question or the end.
    pub(crate) fn leg(&self, node: u32, answer: u32) -> Result<Counted, Error> {
        if node != 0 && self.suspended.borrow().wants(node) {
            leave(self.walk_to(node))?;
        }
        self.rules().count_calls();
        let ran = leave(self.walk((node, answer), false));
        let counted = self.rules().counted();
        ran.map(|_| counted)
    }

    /// The whole outcome map at an end; nothing elsewhere.
    ///
    /// # Errors
    /// Those of the rules' `outcome`.
    pub fn outcome(&self, node: u32) -> Result<Option<Value>, Error> {
        let bytes = self.graph().state_bytes(self.graph().node(node));
        let Some(state) = bytes.and_then(|bytes| self.rules().read_state(&bytes)) else {
            return Ok(None);
        };
        Ok(self.rules().outcome(&state)?.map(|outcome| outcome.value().clone()))
    }

    /// Works out the answer of the agent who decides at a node.
    pub(super) fn work_out(
        &self,
        node: u32,
        seats: &mut SeatedAgents,
        answers: &AnswerCache,
    ) -> Result<Arc<Answer>, Error> {
        self.visit(node, |decision| {
            answers.work_out(Standpoint::at(node), decision, seats.agent(decision.player))
        })
    }
}

/// Leaves a walk at its first question, and keeps it there.
fn leave(mut walk: Walk<'_>) -> Result<Arrival, Error> {
    let arrival = walk.next()?;
    if arrival == Arrival::Asked {
        walk.keep();
    }
    Ok(arrival)
}
