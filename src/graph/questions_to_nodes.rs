//! The handler that turns questions into nodes; a joint decision becomes one node for each player.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::Arc;

use super::node::{NodePlace, UNLINKED};
use super::store::Graph;
use super::store::question::LiveQuestion;
use crate::game::{Chance, Decision, Handler, Stop};
use crate::handlers::Standpoint;
use crate::script::{OperationGauge, State, Watch};

/// Picks the answers of a run after those that were given.
pub(super) trait Picker {
    /// The index of an answer to the question there; not every question has a node.
    fn pick(
        &mut self,
        standpoint: Standpoint<'_>,
        asking: &LiveQuestion<'_>,
    ) -> Result<usize, Stop>;

    /// Gets how many operations were run since the question before, or since the beginning.
    fn pay(&mut self, _cost: u64) -> Result<(), Stop> {
        Ok(())
    }

    /// Whether a pick may take long.
    fn deliberates(&self) -> bool {
        false
    }
}

/// Answers a run of the script: first what was answered before, then through a picker. What it
/// meets meanwhile it stores in the graph.
pub(super) struct Walk<P> {
    graph: Arc<Graph>,
    given: VecDeque<u32>,
    /// The node last left, and the answer given there.
    from: (u32, u32),
    /// The answers given since that node, that one first.
    since: Vec<u32>,
    /// A state that has no node yet, and its tag.
    fresh: Option<(Vec<u8>, u32)>,
    /// Where the state at the beginning of the step is.
    state: u32,
    stores: bool,
    /// The known node at which the run was left, if it was.
    pub(super) arrived: Option<u32>,
    gauge: OperationGauge,
    /// What was run since the question before, up to the state that was last arrived at.
    tail: u64,
    picker: P,
}

/// Where the run of a [`Walk`] begins.
pub(super) struct Start {
    /// The answers since the beginning of the step, repeated first.
    pub given: Vec<u32>,
    /// The node last left by them, and the answer given there.
    pub from: (u32, u32),
    /// Where the state at the beginning of the step is.
    pub state: u32,
    /// A state between two steps at which the run begins, if it has no node yet.
    pub fresh: Option<Vec<u8>>,
    /// Whether nodes are stored.
    pub(crate) stores: bool,
}

/// Most states take fewer bytes.
const ROOM: usize = 1 << 10;

impl<P: Picker> Walk<P> {
    pub(super) fn new(
        graph: &Arc<Graph>,
        gauge: OperationGauge,
        start: Start,
        picker: P,
    ) -> Walk<P> {
        Walk {
            graph: graph.clone(),
            given: start.given.into(),
            since: if start.from.0 == 0 { Vec::new() } else { vec![start.from.1] },
            from: start.from,
            fresh: start.fresh.map(|state| {
                let tag = graph.tag(&state);
                (state, tag)
            }),
            state: start.state,
            stores: start.stores,
            arrived: None,
            gauge,
            tail: 0,
            picker,
        }
    }

    /// The last node and the answer given there, as long as every question has a node.
    pub(super) fn last(&self) -> Option<(u32, Option<u32>)> {
        let (node, answer) = self.from;
        // The answer at the node is the first of those since; the beginning has none.
        let own = usize::from(node != 0);
        let known = node != UNLINKED && self.since.len() <= own;
        known.then_some((node, (node != 0).then_some(answer)))
    }

    /// The node at which the picker paused the run, if it has one.
    pub(super) fn paused_at(&self) -> Option<u32> {
        let known = self.stores && self.since.is_empty() && !matches!(self.from.0, 0 | UNLINKED);
        known.then_some(self.from.0)
    }

    pub(super) fn into_picker(self) -> P {
        self.picker
    }

    /// Whether the run began at a state that has no node.
    fn is_fresh(&self) -> bool {
        self.from.0 == UNLINKED
    }

    /// The run came to an end.
    pub(super) fn end(&mut self, ending: u32) -> Result<(), Stop> {
        let head = self.gauge.take_due();
        if let Some((state, tag)) = self.fresh.take().filter(|_| self.stores)
            && let Some(node) = self.graph.add_end((&state, tag), ending, head)
        {
            self.graph.link(self.from, node, self.tail);
        }
        self.picker.pay(self.tail.saturating_add(head))
    }

    /// Pays for what was run up to the node at which the run was left.
    pub(super) fn pay(&mut self) -> Result<(), Stop> {
        self.picker.pay(self.tail)
    }

    fn answer(&mut self, asking: &LiveQuestion<'_>) -> Result<usize, Stop> {
        let head = self.gauge.take_due();
        if let Some(answer) = self.given.pop_front() {
            if self.given.is_empty() {
                self.gauge.forget_calls();
            }
            return Ok(answer as usize);
        }
        let tail = std::mem::take(&mut self.tail);
        let node = self.node_of(asking, (tail, head));
        if node != 0 {
            self.from.0 = node;
            self.since.clear();
        }
        self.picker.pay(tail.saturating_add(head))?;
        let standpoint = Standpoint { node: self.from.0, answers: &self.since };
        let answer = self.picker.pick(standpoint, asking)?;
        self.from.1 = answer as u32;
        self.since.push(answer as u32);
        Ok(answer)
    }

    /// The node of this question: the known one, or a new one; 0 where the graph takes no more.
    fn node_of(&mut self, asking: &LiveQuestion<'_>, (tail, head): (u64, u64)) -> u32 {
        if !self.stores {
            return 0;
        }
        let mut cost = tail;
        let node = match self.fresh.take() {
            Some((state, tag)) => self.graph.add_state((&state, tag), asking, head),
            None => {
                cost = cost.saturating_add(head);
                match self.next_known() {
                    0 => self.graph.add(asking, NodePlace { state: self.state, before: self.from }),
                    known => Some(known),
                }
            }
        };
        let Some(node) = node else {
            self.stores = false;
            return 0;
        };
        let node = self.graph.link(self.from, node, cost);
        self.state = self.graph.node(node).state();
        node
    }

    fn next_known(&self) -> u32 {
        match self.from {
            (0, _) => self.graph.root(),
            (node, answer) => self.graph.node(node).to(answer as usize),
        }
    }

    fn arrives(&mut self, state: &State) -> ControlFlow<()> {
        self.tail = self.tail.saturating_add(self.gauge.take_due());
        if !self.stores {
            return ControlFlow::Continue(());
        }
        let fresh = self.fresh.take().map(|(bytes, _)| bytes);
        let mut bytes = fresh.unwrap_or_else(|| Vec::with_capacity(ROOM));
        bytes.clear();
        state.write_bytes(&mut bytes);
        let tag = self.graph.tag(&bytes);
        match self.graph.known(&bytes, tag) {
            Some(node) => {
                self.arrived = Some(self.graph.link(self.from, node, self.tail));
                ControlFlow::Break(())
            }
            None => {
                self.fresh = Some((bytes, tag));
                ControlFlow::Continue(())
            }
        }
    }
}

impl<P: Picker> Handler for Walk<P> {
    fn decide(&mut self, decision: &Decision<'_>) -> Result<usize, Stop> {
        self.answer(&LiveQuestion::Decision(decision, None))
    }

    fn decide_together(&mut self, decisions: &[Decision<'_>]) -> Result<Vec<usize>, Stop> {
        // One after another, as nodes: what each picks the others see nothing of, since the
        // script, and so every view, has not moved.
        let parts = decisions.iter().enumerate();
        let asked = decisions.len();
        parts
            .map(|(nth, one)| self.answer(&LiveQuestion::Decision(one, Some((nth, asked)))))
            .collect()
    }

    fn roll(&mut self, chance: &Chance<'_>) -> Result<usize, Stop> {
        self.answer(&LiveQuestion::Chance(chance))
    }

    fn deliberates(&self) -> bool {
        self.picker.deliberates()
    }
}

/// Reports the states between steps to a walk.
pub(super) struct WalkWatcher<P>(pub Rc<RefCell<Walk<P>>>);

impl<P: Picker> Watch for WalkWatcher<P> {
    fn counts_each_step(&self) -> bool {
        true
    }

    fn begins_anew(&self) -> bool {
        self.0.borrow().is_fresh()
    }

    fn arrives(&mut self, state: &State) -> ControlFlow<()> {
        self.0.borrow_mut().arrives(state)
    }
}
