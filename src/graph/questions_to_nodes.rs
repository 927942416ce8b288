//! Turns the questions of a run into nodes; a joint decision becomes one node for each player.

use std::collections::VecDeque;
use std::sync::Arc;

use super::node::{NodePlace, UNLINKED};
use super::store::Graph;
use super::store::question::Ending;
use crate::error::Error;
use crate::game::{Question, Stop};
use crate::handlers::Standpoint;
use crate::script::{OperationGauge, Run, State, Turn};

/// Picks the answers of a run after those that were given.
pub(super) trait Picker {
    /// The index of an answer to the question there; not every question has a node.
    fn pick(&mut self, standpoint: Standpoint<'_>, asking: &Question<'_>) -> Result<usize, Stop>;

    /// Gets how many operations were run since the question before, or since the beginning.
    fn pay(&mut self, _cost: u64) -> Result<(), Stop> {
        Ok(())
    }
}

/// Where a run of the script led.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RunEnd {
    /// To the outcome; the number of its ending.
    Over(u32),
    /// To a node that was known.
    Known(u32),
    /// The picker paused it.
    Paused,
}

/// Drives a run of the script: it answers first what was answered before, then through a picker. What it
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

    /// Drives the run to a node that is known, to its end, or to where the picker pauses it.
    ///
    /// # Errors
    /// Those of the rules and the picker.
    pub(super) fn drive(&mut self, run: &mut Run) -> Result<RunEnd, Error> {
        loop {
            let turn = run.next()?;
            let cost = run.take_due();
            match turn {
                Turn::Question => match self.answer(&run.question(), cost) {
                    Ok(answer) => run.answer(answer),
                    Err(Stop::Pause) => return Ok(RunEnd::Paused),
                    Err(Stop::Fail(error)) => return Err(run.blamed(*error)),
                },
                Turn::Step => {
                    self.tail = self.tail.saturating_add(cost);
                    if let Some(node) = run.state().and_then(|state| self.arrives(state)) {
                        self.picker.pay(self.tail)?;
                        return Ok(RunEnd::Known(node));
                    }
                }
                Turn::Done => {
                    let Some(outcome) = run.outcome() else { continue };
                    let ending = self.graph.number_of(Ending::of(outcome))?;
                    self.end(ending, cost)?;
                    return Ok(RunEnd::Over(ending));
                }
                Turn::Event => {}
            }
        }
    }

    /// The run came to an end.
    fn end(&mut self, ending: u32, head: u64) -> Result<(), Stop> {
        if let Some((state, tag)) = self.fresh.take().filter(|_| self.stores)
            && let Some(node) = self.graph.add_end((&state, tag), ending, head)
        {
            self.graph.link(self.from, node, self.tail);
        }
        self.picker.pay(self.tail.saturating_add(head))
    }

    fn answer(&mut self, asking: &Question<'_>, head: u64) -> Result<usize, Stop> {
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
    fn node_of(&mut self, asking: &Question<'_>, (tail, head): (u64, u64)) -> u32 {
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

    /// The node of a state between two steps, if it is known.
    fn arrives(&mut self, state: &State) -> Option<u32> {
        if !self.stores {
            return None;
        }
        let fresh = self.fresh.take().map(|(bytes, _)| bytes);
        let mut bytes = fresh.unwrap_or_else(|| Vec::with_capacity(ROOM));
        bytes.clear();
        state.write_bytes(&mut bytes);
        let tag = self.graph.tag(&bytes);
        match self.graph.known(&bytes, tag) {
            Some(node) => Some(self.graph.link(self.from, node, self.tail)),
            None => {
                self.fresh = Some((bytes, tag));
                None
            }
        }
    }
}
