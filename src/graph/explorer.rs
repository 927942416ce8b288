//! Makes the graph larger: runs of the script from its nodes, by one thread with rules of its own; runs suspended
//! at nodes are kept, to be cloned for each answer. Its steps along answers and its looks at nodes are in `walk.rs`.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

use hashbrown::HashMap;

use super::store::Graph;
use crate::error::Error;
use crate::script::{Blueprint, Ear, Rules, Run, Setup, State};

/// Sees each state between two steps that has no node yet, with its canonical bytes and the answer at a node that leads
/// there, (0, 0) being the beginning, and may refuse it.
pub(crate) type Watch = Box<dyn Fn(&Rules, &State, &[u8], (u32, u32)) -> Result<(), Error>>;

/// One thread's means to make the graph larger.
pub struct Explorer {
    graph: Arc<Graph>,
    rules: Rc<Rules>,
    setup: Setup,
    failed: Cell<Option<(u32, Option<u32>)>>,
    watch: Option<Watch>,
    pub(super) suspended: RefCell<SuspendedRunCache>,
    /// The canonical bytes of the state that was last arrived at: most are known, and their room is used again.
    pub(super) arrived: RefCell<Vec<u8>>,
}

impl Explorer {
    /// Compiles the rules for this thread.
    ///
    /// # Errors
    /// As [`Rules::load`]; [`Error::Usage`] for a graph of other rules or another setup.
    pub fn new(
        graph: &Arc<Graph>,
        blueprint: &Blueprint,
        setup: &Setup,
    ) -> Result<Explorer, Error> {
        if graph.identity() != blueprint.identity(setup) {
            return Err(Error::usage("the graph is of other rules, parameters or another setup"));
        }
        let (rules, setup) = (blueprint.rules()?, setup.clone());
        let suspended = RefCell::new(SuspendedRunCache::new(graph));
        let (graph, failed, arrived) = (graph.clone(), Cell::new(None), RefCell::default());
        Ok(Explorer { graph, rules, setup, failed, watch: None, suspended, arrived })
    }

    /// Keeps runs of the script at this many nodes at most; without them every run begins at the state
    /// before its step, and leads to the same.
    pub fn keeping(self, runs: usize) -> Explorer {
        self.suspended.borrow_mut().keep(runs);
        self
    }

    /// The same, watched: what `watch` refuses is an error of the run that came there.
    pub(crate) fn watched(self, watch: Watch) -> Explorer {
        Explorer { watch: Some(watch), ..self }
    }

    pub(super) fn shows(&self, state: &State, bytes: &[u8], step: (u32, u32)) -> Result<(), Error> {
        self.watch.as_ref().map_or(Ok(()), |watch| watch(&self.rules, state, bytes, step))
    }

    /// The graph that grows.
    pub fn graph(&self) -> &Arc<Graph> {
        &self.graph
    }

    /// The rules of this thread.
    pub fn rules(&self) -> &Rc<Rules> {
        &self.rules
    }

    /// Where the last run that failed did so: after an answer at a node, or at a decision itself.
    pub(super) fn failed(&self) -> Option<(u32, Option<u32>)> {
        self.failed.get()
    }

    /// A run to a node, 0 being the beginning, and the answers on its way: none for the one that is kept there, which
    /// has the answers to other parts of a joint decision. If it is the last, it is that one itself.
    pub(super) fn run_to(&self, number: u32, last: bool) -> (Run, Vec<u32>) {
        if number == 0 {
            return (self.begin(), Vec::new());
        }
        let node = self.graph.node(number);
        let mut suspended = self.suspended.borrow_mut();
        let run = if last { suspended.take(number) } else { suspended.at(number).cloned() };
        if let Some(run) = run {
            return (run, Vec::new());
        }
        let bytes = self.graph.state_bytes(node);
        let state = bytes.and_then(|bytes| self.rules.read_state(&bytes));
        let going = |state| Run::going(&self.rules, state, Ear::Deaf).with_steps_alone();
        (state.map_or_else(|| self.begin(), going), self.graph.answers_before(number))
    }

    pub(super) fn begin(&self) -> Run {
        Run::begin(&self.rules, &self.setup, Ear::Deaf).with_steps_alone()
    }

    /// Whether more than one answer at a node leads nowhere yet.
    pub(super) fn has_untried(&self, node: u32) -> bool {
        self.graph.node(node).all().filter(|&to| to == 0).nth(1).is_some()
    }

    /// Lets go of the run that is kept at a node; whether there was one.
    pub(crate) fn drop_suspended(&self, node: u32) -> bool {
        self.suspended.borrow_mut().take(node).is_some()
    }

    pub(super) fn keep(&self, node: u32, run: Run) {
        self.suspended.borrow_mut().put(node, run);
    }

    pub(super) fn fails_at(&self, place: Option<(u32, Option<u32>)>) {
        self.failed.set(place);
    }
}

/// The runs that one thread keeps. Where a graph is explored in depth, those that came last are wanted
/// first: the oldest make room. What they take counts against the graph's bound.
pub(super) struct SuspendedRunCache {
    graph: Arc<Graph>,
    /// Node -> its run, and the bytes that were counted for it.
    runs: HashMap<u32, (u64, Run)>,
    /// The nodes in the order in which their runs came; some of these are gone.
    order: VecDeque<u32>,
    /// How many there are at most.
    most: usize,
    /// The last node whose run could not be kept; 0 is none.
    refused: u32,
}

/// This many runs are kept, where nobody says otherwise.
const MOST: usize = 128;

/// This many places of runs that are gone may stay in the order.
const SPARSE: usize = 64;

impl SuspendedRunCache {
    pub(super) fn new(graph: &Arc<Graph>) -> SuspendedRunCache {
        let (runs, order) = (HashMap::new(), VecDeque::new());
        SuspendedRunCache { graph: graph.clone(), runs, order, most: MOST, refused: 0 }
    }

    pub(super) fn keep(&mut self, most: usize) {
        self.most = most;
        while self.runs.len() > most {
            self.drop_oldest();
        }
    }

    pub(super) fn at(&self, node: u32) -> Option<&Run> {
        self.runs.get(&node).map(|(_, run)| run)
    }

    /// Whether a run could be kept at a node that has none.
    pub(super) fn wants(&self, node: u32) -> bool {
        self.most > 0 && node != self.refused && !self.runs.contains_key(&node)
    }

    /// Keeps the run that is paused at a node, if it can be kept and there is room.
    pub(super) fn put(&mut self, node: u32, run: Run) {
        if !self.wants(node) {
            return;
        }
        self.refused = node;
        let bytes = run.bytes() as u64;
        while self.runs.len() >= self.most || !self.graph.runs().fits(bytes) {
            // One that is larger than all the room makes none of the others go.
            if bytes > self.graph.runs().bound() || !self.drop_oldest() {
                return;
            }
        }
        self.refused = 0;
        self.graph.runs().take(bytes);
        self.runs.insert(node, (bytes, run));
        self.order.push_back(node);
        if self.order.len() > 2 * self.runs.len() + SPARSE {
            self.order.retain(|node| self.runs.contains_key(node));
        }
    }

    pub(super) fn take(&mut self, node: u32) -> Option<Run> {
        let (bytes, run) = self.runs.remove(&node)?;
        self.graph.runs().give_back(bytes);
        if self.order.back() == Some(&node) {
            self.order.pop_back();
        }
        Some(run)
    }

    fn drop_oldest(&mut self) -> bool {
        let oldest = self.order.pop_front();
        oldest.map(|node| self.take(node)).is_some()
    }
}

impl Drop for SuspendedRunCache {
    fn drop(&mut self) {
        self.keep(0);
    }
}

#[cfg(test)]
pub(super) mod tests {
    use indexmap::IndexMap;

    use super::*;
    use crate::game::Value;
    use crate::script::{Layer, Limits};

    pub(in crate::graph) fn explorer(step: &str, limits: Limits) -> Explorer {
        let script = format!(
            "fn setup(scenario) {{ #{{ done: false, n: 0 }} }}\nfn step() {{ {step} }}\n\
             fn outcome() {{ if this.done {{ #{{ result: \"end\", utility: #{{ red: 1 }} }} }} }}\n"
        );
        let base = Layer {
            name: "base".to_owned(),
            files: vec![("base.rhai".to_owned(), script)],
            ..Layer::default()
        };
        let graph = Arc::new(Graph::new(String::new(), &limits.budget));
        let rules = Rules::load(base, &[], IndexMap::new(), limits).unwrap();
        let setup = Setup::new(Value::Map(IndexMap::new()));
        let suspended = RefCell::new(SuspendedRunCache::new(&graph));
        let (failed, arrived) = (Cell::new(None), RefCell::default());
        Explorer { graph, rules, setup, failed, watch: None, suspended, arrived }
    }
}
