//! Expands a node: tries each answer that may be given there, and reports where it leads. `WorkerFactory`
//! makes the rules and agents of each thread that does so.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use super::answer_cache::AnswerCache;
use super::explorer::Explorer;
use super::node::NodeKind;
use super::policies::{Policies, Policy, Shares};
use super::store::Graph;
use crate::error::{Cut, Error};
use crate::handlers::SeatedAgents;
use crate::script::Budget;

/// How far it came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// All that may happen has been seen.
    Whole,
    /// The graph may take no more memory.
    Full,
    /// There are more nodes than were asked for, or it takes as long to reach them.
    TooMany,
    /// A question has more answers than a node may have, or a state is too large.
    TooWide,
    /// All has been seen, and a playout may take more operations than it is allowed, this many.
    TooDear(u64),
    /// Somebody wanted it to stop, or the time was over.
    Cut(Cut),
}

/// What one thread needs to expand nodes.
pub(super) struct NodeExpander {
    pub explorer: Explorer,
    seats: Rc<RefCell<SeatedAgents>>,
    policies: Rc<RefCell<Policies>>,
    answers: Arc<AnswerCache>,
}

impl NodeExpander {
    /// Agents of one thread, and the rules as they run there.
    pub(super) fn new(
        explorer: Explorer,
        seats: SeatedAgents,
        answers: Arc<AnswerCache>,
    ) -> NodeExpander {
        NodeExpander {
            explorer,
            seats: Rc::new(RefCell::new(seats)),
            policies: Rc::default(),
            answers,
        }
    }

    /// Sees where all answers of a node lead that may be given there; 0 is the beginning. `next`
    /// hears of each and of what it cost to reach it, and says whether to continue.
    pub(super) fn expand(
        &mut self,
        graph: &Arc<Graph>,
        number: u32,
        mut next: impl FnMut(u32, u64) -> bool,
    ) -> Result<Reach, Error> {
        if number == 0 {
            return Ok(match self.explorer.beginning()? {
                0 => why_no_node(graph),
                root if next(root, graph.cost((0, 0), root)) => Reach::Whole,
                _ => Reach::TooMany,
            });
        }
        let node = graph.node(number);
        let Some((shares, looked)) = self.shares(graph, number)? else {
            // A decision without shares is one whose answer could not be kept.
            return Ok(if node.kind() == NodeKind::End { Reach::Whole } else { Reach::Full });
        };
        // The step is run again up to the node, then on from each answer.
        let mut cost = graph.cost_of_step(number).saturating_add(looked);
        for answer in shares.indices() {
            match self.explorer.next(number, answer)? {
                0 => return Ok(why_no_node(graph)),
                to => {
                    cost = cost.saturating_add(graph.cost((number, answer as u32), to));
                    if !next(to, std::mem::take(&mut cost)) {
                        return Ok(Reach::TooMany);
                    }
                }
            }
        }
        self.explorer.drop_suspended(number);
        Ok(Reach::Whole)
    }

    /// How likely each answer is at a node, and what the view of an agent takes that decides there.
    pub(super) fn shares<'a>(
        &self,
        graph: &'a Graph,
        number: u32,
    ) -> Result<Option<(Shares<'a>, u64)>, Error> {
        let node = graph.node(number);
        if self.policies.borrow().get(node.actor()).is_none() {
            self.policies.borrow_mut().update_from(graph, &mut self.seats.borrow_mut());
        }
        let agents = self.policies.borrow().get(node.actor()) == Some(Policy::Agent);
        let looked = match self.answers.at(number).filter(|_| agents) {
            None if agents => self.explorer.work_out(number, &self.seats, &self.answers)?.1,
            kept => kept.map_or(0, |(_, looked)| looked),
        };
        let shares = self.policies.borrow().shares(graph, number, &self.answers);
        Ok(shares.map(|shares| (shares, looked)))
    }
}

/// Why an answer leads nowhere even after it was tried.
fn why_no_node(graph: &Graph) -> Reach {
    if graph.is_full() { Reach::Full } else { Reach::TooWide }
}

/// What each thread needs of its own: the rules compiled, and the agents.
pub trait WorkerFactory: Sync {
    /// Makes them, on the thread that will use them.
    ///
    /// # Errors
    /// Those of rules and agents that do not compile.
    fn make_worker(&self) -> Result<(Explorer, SeatedAgents), Error>;

    /// The answers that the agents share.
    fn answers(&self) -> &Arc<AnswerCache>;

    /// The words after `fracas` that play the conflict.
    fn words(&self) -> Vec<String>;

    /// What exploring may take, and whether it is still wanted.
    fn budget(&self) -> &Budget;
}
