//! Expands a node: tries each answer that may be given there, and reports where it leads. `WorkerFactory`
//! makes the rules and agents of each thread that does so.

use std::sync::Arc;

use super::answer_cache::AnswerCache;
use super::explorer::Explorer;
use super::node::NodeKind;
use super::policies::{Policies, Policy, Shares};
use super::seats::SeatedAgents;
use super::store::Graph;
use crate::error::{Cut, Error};
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
    /// Somebody wanted it to stop, or the time was over.
    Cut(Cut),
}

/// What one thread needs to expand nodes.
pub(super) struct NodeExpander {
    pub explorer: Explorer,
    seats: SeatedAgents,
    policies: Policies,
    answers: Arc<AnswerCache>,
}

impl NodeExpander {
    /// Agents of one thread, and the rules as they run there.
    pub(super) fn new(
        explorer: Explorer,
        seats: SeatedAgents,
        answers: Arc<AnswerCache>,
    ) -> NodeExpander {
        NodeExpander { explorer, seats, policies: Policies::default(), answers }
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
                root if next(root, graph.cost((0, 0))) => Reach::Whole,
                _ => Reach::TooMany,
            });
        }
        let node = graph.node(number);
        let Some(shares) = self.shares(graph, number)? else {
            // A decision without shares is one whose answer could not be kept.
            return Ok(if node.kind() == NodeKind::End { Reach::Whole } else { Reach::Full });
        };
        // The step is run again up to the node, then on from each answer.
        let mut cost = node.spent();
        for answer in shares.indices() {
            match self.explorer.next(number, answer)? {
                0 => return Ok(why_no_node(graph)),
                to => {
                    cost = cost.saturating_add(node.cost(answer));
                    if !next(to, std::mem::take(&mut cost)) {
                        return Ok(Reach::TooMany);
                    }
                }
            }
        }
        self.explorer.drop_suspended(number);
        Ok(Reach::Whole)
    }

    /// How likely each answer is at a node.
    fn shares<'a>(&mut self, graph: &'a Graph, number: u32) -> Result<Option<Shares<'a>>, Error> {
        let node = graph.node(number);
        if self.policies.get(node.actor()).is_none() {
            self.policies.update_from(graph, &mut self.seats);
        }
        if self.policies.get(node.actor()) == Some(Policy::Agent)
            && self.answers.at(number).is_none()
        {
            self.explorer.work_out(number, &mut self.seats, &self.answers)?;
        }
        Ok(self.policies.shares(graph, number, &self.answers))
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
