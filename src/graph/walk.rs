//! A walk: drives a run of the script through what is unknown, and makes nodes of its questions; a joint decision
//! becomes one node for each player. Single steps along an answer, and looks at a node, are short walks.

use std::collections::VecDeque;
use std::sync::Arc;

use super::answer_cache::AnswerCache;
use super::explorer::Explorer;
use super::information::NOBODY;
use super::node::{NodePlace, UNLINKED};
use super::seats::{SeatedAgents, Standpoint};
use super::store::Graph;
use super::store::question::Ending;
use crate::error::Error;
use crate::game::{Answer, Decision, Question, Stop, Value};
use crate::script::{Counted, Ear, Run, Turn};

/// Where a walk led.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arrival {
    /// To a question: see [`Walk::question`]. Not every question has a node.
    Asked,
    /// To a node that was known.
    Known(u32),
    /// To the outcome; the number of its ending.
    Over(u32),
}

/// What a walk is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WalkAim {
    /// To see what follows: nothing is stored, or no more.
    Pass,
    /// To look at this node.
    LookAt(u32),
    /// To store what is new, up to a node that is known.
    Store,
    /// To store what is new, and to run on where it arrives at a node that is known.
    StoreAll,
}

/// A run of the script whose questions somebody answers. What it meets meanwhile it stores in the graph.
pub(super) struct Walk<'e> {
    explorer: &'e Explorer,
    run: Run,
    /// The answers since the beginning of the step, repeated first.
    given: VecDeque<u32>,
    /// The node last left, and the answer given there.
    from: (u32, u32),
    /// The answers given since that node, that one first.
    since: Vec<u32>,
    /// A state that has no node yet, and its tag.
    fresh: Option<(Vec<u8>, u32)>,
    /// Where the state at the beginning of the step is.
    state: u32,
    aim: WalkAim,
    /// The node that it arrived at last, if it ran on from there.
    known: Option<u32>,
    /// Whether the question where it ran on had its node before.
    pub(super) knew: bool,
    /// What the run had taken at its last turn.
    spent: u64,
    /// What it took since the question before, up to the state that was last arrived at, and in all.
    tail: u64,
    cost: u64,
}

impl Explorer {
    /// A walk on from an answer at a node (0 is the beginning).
    pub(super) fn walk(&self, from: (u32, u32), aim: WalkAim) -> Walk<'_> {
        // Nobody needs a run any more at a node that it leaves by the last answer.
        let (run, given) = self.run_to(from.0, aim.stores() && !self.has_untried(from.0));
        let mut walk = Walk::new(self, run, given, aim);
        if from.0 != 0 {
            (walk.from, walk.state) = (from, self.graph().node(from.0).state());
            walk.given.push_back(from.1);
            walk.since.push(from.1);
        }
        walk
    }

    /// A walk to a node, to look at it. A kept run resumes at that very question: nothing of the script runs before.
    pub(super) fn walk_to(&self, node: u32) -> Walk<'_> {
        let (run, given) = self.run_to(node, false);
        Walk::new(self, run, given, WalkAim::LookAt(node))
    }

    /// A walk on from a state that has no node yet; the nodes on the way are stored.
    pub(super) fn walk_from(&self, state: &[u8]) -> Walk<'_> {
        let at = |state| Run::at(self.rules(), state, Ear::Deaf).with_steps_alone();
        let run = self.rules().read_state(state).map_or_else(|| self.begin(), at);
        let fresh = Some((state.to_vec(), self.graph().tag(state)));
        let walk = Walk::new(self, run, Vec::new(), WalkAim::Store);
        Walk { from: (UNLINKED, 0), fresh, ..walk }
    }
}

impl WalkAim {
    fn stores(self) -> bool {
        matches!(self, WalkAim::Store | WalkAim::StoreAll)
    }

    fn looks_at(self) -> Option<u32> {
        if let WalkAim::LookAt(node) = self { Some(node) } else { None }
    }
}

impl<'e> Walk<'e> {
    fn new(explorer: &'e Explorer, run: Run, given: Vec<u32>, aim: WalkAim) -> Walk<'e> {
        explorer.fails_at(None);
        Walk {
            given: given.into(),
            from: (0, 0),
            since: Vec::new(),
            fresh: None,
            state: 0,
            aim,
            known: None,
            knew: false,
            spent: run.spent(),
            tail: 0,
            cost: 0,
            explorer,
            run,
        }
    }

    fn graph(&self) -> &'e Graph {
        self.explorer.graph()
    }

    /// Runs on to the next question, to a node that is known, or to the end.
    pub(super) fn next(&mut self) -> Result<Arrival, Error> {
        self.drive().inspect_err(|_| self.fails())
    }

    pub(super) fn question(&self) -> Question<'_> {
        self.run.question()
    }

    /// What is asked where it arrived, if anything is.
    pub(super) fn question_at(&self, arrival: Arrival) -> Option<Question<'_>> {
        (arrival == Arrival::Asked).then(|| self.question())
    }

    pub(super) fn standpoint(&self) -> Standpoint<'_> {
        Standpoint { node: self.from.0, answers: &self.since }
    }

    /// What was run since the question before, or since the beginning; where a node was known, with what is run
    /// from its state up to it.
    pub(super) fn cost(&self) -> u64 {
        self.cost
    }

    pub(super) fn answer(&mut self, answer: usize) {
        self.from.1 = answer as u32;
        self.since.push(answer as u32);
        self.run.answer(answer);
    }

    pub(super) fn blames(&self, error: Error) -> Error {
        self.fails();
        self.run.blamed(error)
    }

    /// Keeps the run at the question, if that has a node.
    pub(super) fn keep(self) {
        let asked =
            self.aim.stores() && self.since.is_empty() && !matches!(self.from.0, 0 | UNLINKED);
        if let Some(node) = self.aim.looks_at().or(asked.then_some(self.from.0)) {
            self.explorer.keep(node, self.run);
        }
    }

    /// It failed: at the node that is looked at, else after the last node and the answer given there, as long as
    /// every question has a node.
    fn fails(&self) {
        let (node, answer) = self.from;
        // The answer at the node is the first of those since; the beginning has none.
        let own = usize::from(node != 0);
        let known = node != UNLINKED && self.since.len() <= own;
        let last = known.then_some((node, (node != 0).then_some(answer)));
        self.explorer.fails_at(self.aim.looks_at().map(|node| (node, None)).or(last));
    }

    fn drive(&mut self) -> Result<Arrival, Error> {
        self.cost = 0;
        loop {
            let turn = self.run.next()?;
            let leg = self.run.spent() - self.spent;
            self.spent += leg;
            match turn {
                Turn::Question => match self.given.pop_front() {
                    Some(answer) => {
                        if self.given.is_empty() {
                            self.explorer.rules().forget_calls();
                        }
                        self.run.answer(answer as usize);
                    }
                    None => {
                        self.cost = std::mem::take(&mut self.tail).saturating_add(leg);
                        let node = self.node_of(leg);
                        if node != 0 {
                            self.from.0 = node;
                            self.since.clear();
                        }
                        return Ok(Arrival::Asked);
                    }
                },
                Turn::Step => {
                    self.tail = self.tail.saturating_add(leg);
                    match self.arrives()? {
                        Some(node) if self.aim != WalkAim::StoreAll => {
                            return Ok(Arrival::Known(node));
                        }
                        known => self.known = known,
                    }
                }
                Turn::Done => {
                    let Some(outcome) = self.run.outcome() else { continue };
                    let ending = self.graph().number_of(Ending::of(outcome))?;
                    self.cost = self.tail.saturating_add(leg);
                    self.ends(ending, leg);
                    return Ok(Arrival::Over(ending));
                }
                Turn::Event => {}
            }
        }
    }

    fn ends(&mut self, ending: u32, head: u64) {
        if let Some((state, tag)) = self.fresh.take().filter(|_| self.aim.stores())
            && let Some(node) = self.graph().add_end((&state, tag), ending, head)
        {
            self.graph().link(self.from, node, self.cost);
        }
    }

    /// The node of the question: the known one, or a new one; 0 where the graph takes no more. `leg` is what was
    /// run since the state, or since the question before in the same step.
    fn node_of(&mut self, leg: u64) -> u32 {
        if !self.aim.stores() {
            return 0;
        }
        let (known, fresh) = (self.known.take(), self.fresh.take());
        let led_to = known.is_some() || (fresh.is_none() && self.next_known() != 0);
        self.knew = self.aim == WalkAim::StoreAll && led_to;
        let (graph, question) = (self.graph(), self.run.question());
        let node = match (known, fresh) {
            (Some(known), _) => Some(known),
            (None, Some((state, tag))) => graph.add_state((&state, tag), &question, leg),
            (None, None) => match self.next_known() {
                0 => {
                    let spent = graph.cost_of_step(self.from.0).saturating_add(leg);
                    graph.add(&question, NodePlace { state: self.state, before: self.from, spent })
                }
                known => Some(known),
            },
        };
        let Some(node) = node else {
            self.aim = WalkAim::Pass;
            return 0;
        };
        let node = graph.link(self.from, node, self.cost);
        self.state = graph.node(node).state();
        node
    }

    fn next_known(&self) -> u32 {
        match self.from {
            (0, _) => self.graph().root(),
            (node, answer) => self.graph().node(node).to(answer as usize),
        }
    }

    /// The node of a state between two steps, if it is known.
    fn arrives(&mut self) -> Result<Option<u32>, Error> {
        let Some(state) = self.run.state().filter(|_| self.aim.stores()) else { return Ok(None) };
        let graph = self.explorer.graph();
        self.fresh = None;
        let bytes = &mut *self.explorer.arrived.borrow_mut();
        bytes.clear();
        state.write_bytes(bytes);
        let tag = graph.tag(bytes);
        if let Some(node) = graph.known(bytes, tag) {
            self.cost = self.tail.saturating_add(graph.cost_of_step(node));
            return Ok(Some(graph.link(self.from, node, self.cost)));
        }
        self.explorer.shows(state, bytes, self.from)?;
        self.fresh = Some((bytes.clone(), tag));
        Ok(None)
    }
}

// Single steps, along an answer to the next node, and looks at the content of a node.

impl Explorer {
    /// The node at which the conflict begins; 0 where the graph has no room for it.
    pub fn beginning(&self) -> Result<u32, Error> {
        if self.graph().root() == 0 {
            leave(self.walk((0, 0), WalkAim::Store))?;
        }
        Ok(self.graph().root())
    }

    /// The node that an answer at a node leads to; 0 where the graph has no room for it.
    pub fn next(&self, node: u32, answer: usize) -> Result<u32, Error> {
        let at = self.graph().node(node);
        if node == 0 || answer >= at.answers() {
            return Ok(0);
        }
        if let to @ 1.. = at.to(answer) {
            return Ok(to);
        }
        self.keep_run_at(node)?;
        leave(self.walk((node, answer as u32), WalkAim::Store))?;
        Ok(self.graph().node(node).to(answer))
    }

    /// The node after these answers since a state between two steps, as canonical bytes, or since
    /// the beginning; 0 where the graph has no room for it.
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
        let ran = leave(self.walk((node, answer), WalkAim::Pass));
        let counted = self.rules().counted();
        ran.map(|_| counted)
    }

    /// The whole outcome map at an end; nothing elsewhere.
    pub fn outcome(&self, node: u32) -> Result<Option<Value>, Error> {
        let bytes = self.graph().state_bytes(self.graph().node(node));
        let Some(state) = bytes.and_then(|bytes| self.rules().read_state(&bytes)) else {
            return Ok(None);
        };
        Ok(self.rules().outcome(&state)?.map(|outcome| outcome.value().clone()))
    }

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::explorer::tests::explorer;
    use crate::script::Limits;

    /// Where a run from the beginning is said to have failed, after this many questions without a node.
    fn failed(questions: usize) -> Option<(u32, Option<u32>)> {
        let asks = "this.choose(\"red\", \"pick\", [1, 2]);".repeat(questions);
        let explorer = explorer(&format!("{asks} throw \"torn\";"), Limits::default());
        let mut walk = explorer.walk((0, 0), WalkAim::Pass);
        let error = loop {
            match walk.next() {
                Ok(Arrival::Asked) => walk.answer(0),
                Ok(end) => panic!("{end:?}"),
                Err(error) => break error,
            }
        };
        assert!(error.to_string().contains("torn"));
        explorer.failed()
    }

    #[test]
    fn a_failure_after_answers_that_have_no_node_is_not_said_to_be_at_the_beginning() {
        // Before any question it is: the empty history leads to it.
        assert_eq!(failed(0), Some((0, None)));
        assert_eq!(failed(1), None);
        assert_eq!(failed(2), None);
    }

    #[test]
    fn a_run_that_did_not_fail_forgets_where_one_before_it_failed() {
        let explorer = explorer(
            "if this.choose(\"red\", \"pick\", [1, 2]) == 1 { throw \"torn\"; } this.done = true;",
            Limits::default(),
        );
        let root = explorer.beginning().unwrap();
        assert!(explorer.next(root, 0).is_err());
        assert_eq!(explorer.failed(), Some((root, Some(0))));
        explorer.next(root, 1).unwrap();
        assert_eq!(explorer.failed(), None);
    }
}
