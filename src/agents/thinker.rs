//! Thinks ahead on the graph that is played on; where that is full, on one of its own.

use std::rc::Rc;
use std::sync::Arc;

use super::decision_view::DecisionView;
use super::saved_strategy::SavedStrategy;
use super::search_graph::{GraphSharing, Halted, SearchGraph};
use super::shared_thinking::{OWN_MEMORY, SharedThinking};
use super::{greedy, search};
use crate::error::{AgentFault, Error};
use crate::game::{Answer, Decision, Stop};
use crate::graph::{Agent, GoesBy, Graph, Standpoint, Worth};
use crate::script::{Budget, HeldBytes};

#[derive(Clone, Debug)]
pub enum ThinkingPlan {
    /// What is best if all continues at random.
    Greedy,
    /// What this many simulations find best.
    Search(u32),
    /// What was computed before; where that says nothing, each option alike.
    Solved(Arc<SavedStrategy>),
}

/// An agent that thinks ahead. Its answers are a function of what the player knows and of the plan:
/// random numbers come from a digest of just that, and no clock is used.
pub struct Thinker {
    name: String,
    plan: ThinkingPlan,
    shared: SharedThinking,
    on_shared: Option<SearchGraph>,
    /// With the room that its graph may take.
    own: Option<(SearchGraph, HeldBytes)>,
    worth: Option<Worth>,
    /// What the search graphs take beside their nodes.
    held: Rc<HeldBytes>,
}

impl Thinker {
    /// An agent of this plan; the rules are compiled for it when it is asked first.
    pub fn new(plan: ThinkingPlan, shared: &SharedThinking) -> Thinker {
        let name = match &plan {
            ThinkingPlan::Greedy => "greedy".to_owned(),
            ThinkingPlan::Search(simulations) => format!("search:{simulations}"),
            ThinkingPlan::Solved(saved) => format!("solved({})", saved.path),
        };
        let (shared, held) = (shared.clone(), Rc::new(shared.budget().hold(0)));
        Thinker { name, plan, shared, on_shared: None, own: None, worth: None, held }
    }

    /// Answers do not depend on what was thought before: it only made them quicker.
    fn forget(&mut self) {
        let held = self.held.clone();
        held.run(|| (self.on_shared.take(), self.own.take()));
    }

    fn think(&mut self, standpoint: Standpoint<'_>) -> Result<Answer, Error> {
        let mut shared = match self.on_shared.take() {
            Some(search_graph) => search_graph,
            None => SearchGraph::new(&self.shared, &self.shared.graph, GraphSharing::Shared)?,
        };
        let thought = node_of(&shared, standpoint).and_then(|node| self.at(&mut shared, node));
        self.on_shared = Some(shared);
        match thought {
            Err(Halted::Full) => self.think_alone(standpoint),
            thought => self.settled(thought, OWN_MEMORY),
        }
    }

    /// Thinks on a graph of its own. One that has grown too large is thrown away; a new one has to
    /// do, so that an answer never depends on what was thought before.
    fn think_alone(&mut self, standpoint: Standpoint<'_>) -> Result<Answer, Error> {
        let graph = self.shared.graph.clone();
        let (state, mut answers) = match standpoint.node {
            0 => (None, Vec::new()),
            node => (graph.state_bytes(graph.node(node)), graph.answers_before(node)),
        };
        answers.extend(standpoint.answers);
        if let Some((mut own, room)) = self.own.take() {
            let node = own.explorer().go(state.as_deref(), &answers)?;
            match own.there(node).and_then(|node| self.at(&mut own, node)) {
                Err(Halted::Full) => {}
                thought => {
                    self.own = thought.is_ok().then_some((own, room));
                    return self.settled(thought, OWN_MEMORY);
                }
            }
        }
        let shared = self.shared.clone();
        let budget = shared.budget();
        let room = budget.hold(OWN_MEMORY);
        if budget.fits(0) && shared.has_room_for(0) {
            let (thought, own) = self.think_within(OWN_MEMORY, state.as_deref(), &answers)?;
            // What others may need is not kept.
            let own = own.filter(|_| shared.has_room_for(OWN_MEMORY));
            self.own = own.map(|own| (own, room));
            return self.settled(thought, OWN_MEMORY);
        }
        drop(room);
        // One at a time has what all others leave free.
        let _gate = budget.gate();
        let memory = shared.left_free();
        let _room = budget.hold(memory);
        let (thought, _) = self.think_within(memory, state.as_deref(), &answers)?;
        self.settled(thought, memory)
    }

    /// What was thought on a graph of this many bytes, or why nothing was.
    fn settled(&self, thought: Result<Answer, Halted>, memory: u64) -> Result<Answer, Error> {
        Err(match thought {
            Ok(answer) => return Ok(answer),
            Err(Halted::Spent) => return Ok(Answer::Any),
            Err(Halted::Error(error)) => error,
            Err(Halted::Full) if memory < OWN_MEMORY => self.shared.budget().full().into(),
            Err(Halted::Full) => {
                let message = format!("the way to a decision takes more than {} MiB", memory >> 20);
                Error::agent(&self.name, AgentFault::Machine, message)
            }
        })
    }

    /// Thinks on a new graph of this many bytes; the search graph where it has room for more thoughts. It makes
    /// do with as many bytes as a thought may ever take, and not with less.
    fn think_within(
        &mut self,
        memory: u64,
        state: Option<&[u8]>,
        answers: &[u32],
    ) -> Result<(Result<Answer, Halted>, Option<SearchGraph>), Error> {
        let identity = self.shared.graph.identity().to_owned();
        let fresh = Arc::new(Graph::new(identity, &Budget::new(memory)));
        let manner = if memory < OWN_MEMORY { GraphSharing::Own } else { GraphSharing::Settles };
        let mut own = SearchGraph::new(&self.shared, &fresh, manner)?;
        let node = own.explorer().go(state, answers)?;
        let thought = own.there(node).and_then(|node| self.at(&mut own, node));
        Ok((thought, own.kept()))
    }

    /// Thinks about the decision at a node. One with more options than a node has answers is at none,
    /// and all its options are the same.
    fn at(&mut self, search_graph: &mut SearchGraph, node: u32) -> Result<Answer, Halted> {
        if node == 0 {
            let is_full = search_graph.graph().is_full();
            return if is_full { Err(Halted::Full) } else { Ok(Answer::Any) };
        }
        if let ThinkingPlan::Solved(saved) = &self.plan {
            return Ok(saved.at(search_graph.explorer(), node)?);
        }
        let view = DecisionView::of(search_graph, node, &self.name)?;
        if let Some(answer) = self.shared.thought(&view.digest) {
            return Ok(answer);
        }
        let answer = if let ThinkingPlan::Search(simulations) = self.plan {
            search_graph.allow(search_graph.thought());
            match view.weighed_beginnings(search_graph)? {
                worlds if worlds.is_empty() => Answer::Any,
                worlds => search::answer(search_graph, &view, &worlds, simulations)?,
            }
        } else {
            let (answer, worth) =
                greedy::answer(search_graph, &view, self.shared.too_large())?.unzip();
            self.worth = worth;
            answer.unwrap_or(Answer::Any)
        };
        self.shared.keep(view.digest, &answer);
        Ok(answer)
    }
}

fn node_of(search_graph: &SearchGraph, standpoint: Standpoint<'_>) -> Result<u32, Halted> {
    let explorer = search_graph.explorer();
    let step = |node, &answer: &u32| explorer.next(node, answer as usize);
    search_graph.there(match standpoint.node {
        0 => explorer.go(None, standpoint.answers)?,
        node => standpoint.answers.iter().try_fold(node, step)?,
    })
}

impl Drop for Thinker {
    fn drop(&mut self) {
        self.forget();
    }
}

impl Agent for Thinker {
    fn name(&self) -> &str {
        &self.name
    }

    fn answer(&mut self, _: &Decision<'_>, standpoint: Standpoint<'_>) -> Result<Answer, Stop> {
        // What it remembers is no memory of the script that asks.
        let held = self.held.clone();
        let answer = held.run(|| self.think(standpoint));
        if !self.shared.has_room_for(0) {
            self.forget();
        }
        Ok(answer?)
    }

    fn worth(&self) -> Option<&Worth> {
        self.worth.as_ref()
    }

    fn goes_by(&self) -> GoesBy {
        GoesBy::Place
    }
}
