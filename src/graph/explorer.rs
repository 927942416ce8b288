//! Makes the graph larger: runs of the script from its nodes, by one thread with rules of its own.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use super::questions_to_nodes::{Picker, RunEnd, Start, Walk};
use super::store::Graph;
use super::suspended_run_cache::SuspendedRunCache;
use crate::error::{Error, Limit, ScriptFault};
use crate::script::{Blueprint, Ear, Rules, Run, Setup};

/// One thread's means to make the graph larger.
pub struct Explorer {
    graph: Arc<Graph>,
    rules: Rc<Rules>,
    setup: Setup,
    failed: Cell<Option<(u32, Option<u32>)>>,
    pub(super) suspended: RefCell<SuspendedRunCache>,
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
        if graph.identity() != blueprint.identity(&setup.value) {
            return Err(Error::usage("the graph is of other rules, parameters or another setup"));
        }
        let (rules, setup) = (blueprint.rules()?, setup.clone());
        let suspended = RefCell::new(SuspendedRunCache::new(graph));
        Ok(Explorer { graph: graph.clone(), rules, setup, failed: Cell::new(None), suspended })
    }

    /// Keeps runs of the script at this many nodes at most; without them every run begins at the state
    /// before its step, and leads to the same.
    pub fn keeping(self, runs: usize) -> Explorer {
        self.suspended.borrow_mut().keep(runs);
        self
    }

    /// The graph that grows.
    pub fn graph(&self) -> &Arc<Graph> {
        &self.graph
    }

    /// The rules of this thread.
    pub fn rules(&self) -> &Rc<Rules> {
        &self.rules
    }

    /// What the conflict starts from.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Where the last run that failed did so: after an answer at a node, or at a decision itself.
    pub(super) fn failed(&self) -> Option<(u32, Option<u32>)> {
        self.failed.get()
    }

    /// Whether a run is kept at a node.
    pub(super) fn keeps(&self, node: u32) -> bool {
        self.suspended.borrow().at(node).is_some()
    }

    /// Runs on from an answer at a node (0 is the beginning); the nodes on the way are stored, if wanted. The
    /// picker is made once more where a kept run had too little memory.
    pub(super) fn run<P: Picker>(
        &self,
        from: (u32, u32),
        stores: bool,
        mut picker: impl FnMut() -> P,
    ) -> Result<(RunEnd, P), Error> {
        let kept = self.keeps(from.0);
        match self.run_once(from, stores, picker()) {
            // A run that shares what it holds with others may hold less before it copies: what it
            // reaches by itself is what counts.
            Err(error) if kept && is_memory(&error) => {
                self.drop_suspended(from.0);
                self.run_once(from, stores, picker())
            }
            ran => ran,
        }
    }

    fn run_once<P: Picker>(
        &self,
        from: (u32, u32),
        stores: bool,
        picker: P,
    ) -> Result<(RunEnd, P), Error> {
        // Nobody needs a run any more at a node that it leaves by the last answer.
        let (run, mut given) = self.run_to(from.0, stores && !self.has_untried(from.0));
        let mut state = 0;
        if from.0 != 0 {
            given.push(from.1);
            state = self.graph.node(from.0).state();
        }
        self.walk(None, run, Start { given, from, state, fresh: None, stores }, picker)
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
        (state.map_or_else(|| self.begin(), going), self.graph.answers_before(node))
    }

    /// A run from the beginning.
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

    /// Keeps the run that was left standing at a node.
    fn keep(&self, node: u32, run: Run) {
        self.suspended.borrow_mut().put(node, run.rest());
    }

    /// Drives a run of the script, and keeps it where the picker pauses it; a failure of one that only looks at a
    /// node is one of that node.
    pub(super) fn walk<P: Picker>(
        &self,
        looked_at: Option<u32>,
        mut run: Run,
        start: Start,
        picker: P,
    ) -> Result<(RunEnd, P), Error> {
        self.failed.set(None);
        let mut walk = Walk::new(&self.graph, self.rules.gauge(), start, picker);
        let way = walk.drive(&mut run).inspect_err(|_| {
            let looked_at = looked_at.map(|node| (node, None));
            self.failed.set(looked_at.or_else(|| walk.last()));
        })?;
        let paused = looked_at.or_else(|| walk.paused_at());
        if let Some(node) = paused.filter(|_| way == RunEnd::Paused) {
            self.keep(node, run);
        }
        Ok((way, walk.into_picker()))
    }
}

/// Whether a run held more than it may.
fn is_memory(error: &Error) -> bool {
    let memory = |fault: &ScriptFault| matches!(fault, ScriptFault::Limit(Limit::Memory(_)));
    matches!(error, Error::Script(script) if memory(&script.fault))
}

#[cfg(test)]
pub(super) mod tests {
    use indexmap::IndexMap;

    use super::*;
    use crate::game::Value;
    use crate::game::{Question, Stop};
    use crate::handlers::Standpoint;
    use crate::script::{Layer, Limits};

    /// Answers everything with the first option.
    struct First;

    impl Picker for First {
        fn pick(&mut self, _: Standpoint<'_>, _: &Question<'_>) -> Result<usize, Stop> {
            Ok(0)
        }
    }

    /// An explorer of a script with this step.
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
        Explorer { graph, rules, setup, failed: Cell::new(None), suspended }
    }

    /// Where a run from the beginning is said to have failed, after this many questions without a node.
    fn failed(questions: usize) -> Option<(u32, Option<u32>)> {
        let asks = "this.choose(\"red\", \"pick\", [1, 2]);".repeat(questions);
        let explorer = explorer(&format!("{asks} throw \"torn\";"), Limits::default());
        let ran = explorer.run((0, 0), false, || First);
        assert!(ran.is_err_and(|error| error.to_string().contains("torn")));
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
