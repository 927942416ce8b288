//! Single steps on the graph: along an answer to the next node, and looks at the content of a node.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use super::answer_cache::AnswerCache;
use super::explorer::Explorer;
use super::node::UNLINKED;
use super::questions_to_nodes::{Picker, RunEnd, Start};
use crate::error::Error;
use crate::game::{Decision, Question, Stop, Value};
use crate::handlers::{Answer, SeatedAgents, Standpoint};
use crate::script::{Counted, Ear, Run};

impl Explorer {
    /// The node at which the conflict begins; 0 where the graph has no room for it.
    ///
    /// # Errors
    /// Those of the rules.
    pub fn beginning(&self) -> Result<u32, Error> {
        if self.graph().root() == 0 {
            self.run((0, 0), true, || LeaveAtOnce)?;
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
        self.run((node, answer as u32), true, || LeaveAtOnce)?;
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
                    None => match self.run_from(state, LeaveAtOnce)? {
                        (RunEnd::Known(node), _) => node,
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

    /// Runs on from a state that has no node yet, and stores the nodes on the way.
    pub(super) fn run_from<P: Picker>(
        &self,
        state: &[u8],
        picker: P,
    ) -> Result<(RunEnd, P), Error> {
        let (from, fresh) = ((UNLINKED, 0), Some(state.to_vec()));
        let at = |state| Run::at(self.rules(), state, Ear::Deaf).with_steps_alone();
        let run = self.rules().read_state(state).map_or_else(|| self.begin(), at);
        let start = Start { given: Vec::new(), from, state: 0, fresh, stores: true };
        self.walk(None, run, start, picker)
    }

    /// Keeps a run at a node from which several answers are still to be tried.
    pub(super) fn keep_run_at(&self, node: u32) -> Result<(), Error> {
        if self.has_untried(node) && self.suspended.borrow().wants(node) {
            self.halt(node, LeaveAtOnce)?;
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
        look: impl FnMut(&Decision<'_>) -> Result<T, Stop>,
    ) -> Result<T, Error> {
        let visitor = self.halt(node, Visitor { look, seen: None })?;
        visitor.seen.ok_or_else(|| Error::usage("nobody decides at this node of the graph"))
    }

    /// What is run from an answer at a node, 0 being the beginning, to the next question or the end.
    pub(crate) fn leg(&self, node: u32, answer: u32) -> Result<Counted, Error> {
        if node != 0 && self.suspended.borrow().wants(node) {
            self.halt(node, LeaveAtOnce)?;
        }
        self.rules().count_calls();
        let ran = self.run((node, answer), false, || LeaveAtOnce);
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

    /// Runs to a node at which the picker pauses. A kept run resumes at that very question: nothing of the
    /// script runs before it that could need more memory than it had.
    fn halt<P: Picker>(&self, node: u32, picker: P) -> Result<P, Error> {
        let (run, given) = self.run_to(node, false);
        let start = Start { given, from: (0, 0), state: 0, fresh: None, stores: false };
        Ok(self.walk(Some(node), run, start, picker)?.1)
    }

    /// Works out the answer of the agent who decides at a node.
    pub(super) fn work_out(
        &self,
        node: u32,
        seats: &Rc<RefCell<SeatedAgents>>,
        answers: &Arc<AnswerCache>,
    ) -> Result<(Arc<Answer>, u64), Error> {
        let (seats, answers) = (seats.clone(), answers.clone());
        self.visit(node, move |decision| {
            let mut seats = seats.borrow_mut();
            let agent = seats.agent(decision.player);
            answers.work_out(Standpoint::at(node), decision, agent)
        })
    }
}

/// Leaves at the first question.
pub(super) struct LeaveAtOnce;

impl Picker for LeaveAtOnce {
    fn pick(&mut self, _: Standpoint<'_>, _: &Question<'_>) -> Result<usize, Stop> {
        Err(Stop::Pause)
    }
}

/// Looks at the first decision after the answers given, and leaves.
struct Visitor<T, F> {
    look: F,
    seen: Option<T>,
}

impl<T, F: FnMut(&Decision<'_>) -> Result<T, Stop>> Picker for Visitor<T, F> {
    fn pick(&mut self, _: Standpoint<'_>, asking: &Question<'_>) -> Result<usize, Stop> {
        if let Question::Decision(decision, _) = asking {
            self.seen = Some((self.look)(decision)?);
        }
        Err(Stop::Pause)
    }
}
