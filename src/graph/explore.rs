//! Explores all of a game: every answer that may be given is tried once, by whichever thread is free;
//! then what was explored is checked.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering, fence};
use std::time::Duration;

use crossbeam_deque::{Steal, Stealer, Worker};
use hashbrown::HashSet;
use parking_lot::{Condvar, Mutex};

use super::answer_cache::AnswerCache;
use super::explorer::Explorer;
use super::node::NodeKind;
use super::policies::{Policies, Policy, Shares};
use super::seats::SeatedAgents;
use super::store::Graph;
use super::store::question::Ending;
use super::trace::{Traced, replay, with_history_to_failure};
use crate::error::{Cut, Error};
use crate::script::{Budget, guarded};

/// How far to explore.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// How many threads explore.
    pub threads: usize,
    /// How many nodes are seen at most, and how many times `OF_A_NODE` operations runs of the script between them
    /// may take.
    pub nodes: u64,
}

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
    /// The answers of an agent cannot be tabulated.
    Drawn,
    /// Somebody wanted it to stop, or the time was over.
    Cut(Cut),
}

/// What each thread needs of its own: the rules compiled, and the agents.
pub trait WorkerFactory: Sync {
    /// Makes them, on the thread that will use them.
    fn make_worker(&self) -> Result<(Explorer, SeatedAgents), Error>;

    fn answers(&self) -> &Arc<AnswerCache>;

    /// The words after `fracas` that play the conflict.
    fn words(&self) -> Vec<String>;

    fn budget(&self) -> &Budget;

    /// Whether every agent has one answer to all that looks the same.
    fn tabulates(&self) -> Result<bool, Error> {
        Ok(true)
    }
}

/// As many operations for each node that may be seen.
pub(crate) const OF_A_NODE: u64 = 20_000;

/// How many threads explore where nobody says otherwise: as many as the machine has.
pub(crate) fn all_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Sees all that may happen under the agents seated. `progress` hears of the nodes seen so far, or of as many
/// as would have taken what runs of the script took, from any thread.
pub fn explore(
    graph: &Arc<Graph>,
    factory: &dyn WorkerFactory,
    bounds: Bounds,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Reach, Error> {
    // The beginning is what every thread waits for.
    explore_from(graph, factory, bounds, &[0], progress)
}

/// Sees all that may happen after these nodes under the agents seated; 0 is the beginning.
pub(crate) fn explore_from(
    graph: &Arc<Graph>,
    factory: &dyn WorkerFactory,
    bounds: Bounds,
    from: &[u32],
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Reach, Error> {
    if !factory.tabulates()? {
        return Ok(Reach::Drawn);
    }
    let threads = bounds.threads.max(1);
    let workers: Vec<Worker<u32>> = (0..threads).map(|_| Worker::new_lifo()).collect();
    let shared = SharedWork {
        graph,
        factory,
        bounds,
        progress,
        stealers: workers.iter().map(Worker::stealer).collect(),
        seen: (0..SHARDS).map(|_| Mutex::default()).collect(),
        count: AtomicU64::new(0),
        cost: AtomicU64::new(0),
        thought: factory.answers().thought(),
        open: AtomicUsize::new(from.len()),
        stop: AtomicBool::new(false),
        idle: AtomicUsize::new(0),
        gate: Mutex::default(),
        wake: Condvar::new(),
        verdict: Mutex::new(Ok(Reach::Whole)),
    };
    from.iter().for_each(|&node| workers[0].push(node));
    std::thread::scope(|scope| {
        let mut workers = workers.into_iter();
        let mine = workers.next();
        for worker in workers {
            scope.spawn(|| shared.work(worker));
        }
        if let Some(worker) = mine {
            shared.work(worker);
        }
    });
    let verdict = shared.verdict.into_inner()?;
    check_utilities(graph, factory)?;
    if verdict == Reach::Whole && from == [0] {
        graph.whole.store(true, Ordering::Relaxed);
    }
    Ok(verdict)
}

/// Sees what may happen under the agents seated in breadth, on this thread alone, up to the first error: no shorter
/// history leads to one, and of those as short none has an earlier option.
pub(crate) fn explore_in_breadth(
    graph: &Arc<Graph>,
    factory: &dyn WorkerFactory,
    nodes: u64,
) -> Result<Reach, Error> {
    if !factory.tabulates()? {
        return Ok(Reach::Drawn);
    }
    let (explorer, seats) = factory.make_worker()?;
    let mut expander = NodeExpander::new(explorer, seats, factory.answers().clone());
    let _charge = factory.budget().charge_thread();
    let (mut seen, mut open, mut cost) = (HashSet::new(), VecDeque::from([0]), 0u64);
    while let Some(node) = open.pop_front() {
        let expanded = expander.expand(graph, node, |next, more| {
            cost = cost.saturating_add(more);
            if seen.insert(next) {
                open.push_back(next);
            }
            (seen.len() as u64).max(cost / OF_A_NODE) <= nodes
        });
        let words = || factory.words();
        let reach = expanded
            .map_err(|error| with_history_to_failure(error, &expander.explorer, None, words))
            .or_else(cut)?;
        if reach != Reach::Whole {
            return Ok(reach);
        }
        if let Err(stopped) = factory.budget().is_wanted() {
            return Ok(Reach::Cut(stopped));
        }
        if !factory.budget().has_room() {
            return Ok(Reach::Full);
        }
    }
    check_utilities(graph, factory)?;
    Ok(Reach::Whole)
}

/// Several, so that threads seldom wait for each other.
const SHARDS: usize = 64;

/// A waiting thread looks again after this time, even if nothing woke it.
const AT_MOST: Duration = Duration::from_millis(100);

struct SharedWork<'a> {
    graph: &'a Arc<Graph>,
    factory: &'a dyn WorkerFactory,
    bounds: Bounds,
    progress: &'a (dyn Fn(u64) + Sync),
    stealers: Vec<Stealer<u32>>,
    seen: Vec<Mutex<HashSet<u32>>>,
    /// How many nodes were seen: the graph may know of more.
    count: AtomicU64,
    /// What runs of the script took between them, for all runs.
    cost: AtomicU64,
    /// What agents' answers had taken before.
    thought: u64,
    /// How many nodes wait or are worked on; at 0 all is done.
    open: AtomicUsize,
    stop: AtomicBool,
    /// How many threads wait for work, or are about to.
    idle: AtomicUsize,
    gate: Mutex<()>,
    wake: Condvar,
    verdict: Mutex<Result<Reach, Error>>,
}

impl SharedWork<'_> {
    fn work(&self, worker: Worker<u32>) {
        // A thread that panics ends the work of all, as one that fails does.
        if let Err(error) =
            guarded(|| self.try_work(&worker)).unwrap_or_else(|panic| Err(panic.into()))
        {
            self.end(cut(error));
        }
    }

    fn try_work(&self, worker: &Worker<u32>) -> Result<(), Error> {
        let budget = self.factory.budget();
        let made = self.factory.make_worker();
        if made.is_err() {
            // Rules that were cut while they were compiled call that a mistake of their own.
            budget.is_wanted()?;
        }
        let (explorer, seats) = made?;
        let mut expander = NodeExpander::new(explorer, seats, self.factory.answers().clone());
        // What it took to begin is no memory that grows with the work.
        let _charge = budget.charge_thread();
        let mut done = 0u64;
        while !self.is_over() {
            let Some(node) = worker.pop().or_else(|| self.steal(worker)) else {
                self.wait();
                continue;
            };
            let seen = expander.expand(self.graph, node, |next, cost| {
                self.cost.fetch_add(cost, Ordering::Relaxed);
                if self.seen[next as usize % SHARDS].lock().insert(next) {
                    self.open.fetch_add(1, Ordering::AcqRel);
                    self.count.fetch_add(1, Ordering::Relaxed);
                    worker.push(next);
                    self.call();
                }
                !self.is_too_many()
            });
            let words = || self.factory.words();
            let reach = seen
                .map_err(|error| with_history_to_failure(error, &expander.explorer, None, words))?;
            if self.open.fetch_sub(1, Ordering::AcqRel) == 1 {
                self.call_all();
            }
            done += 1;
            if done.is_multiple_of(64) {
                (self.progress)(self.used());
                budget.is_wanted()?;
                if !budget.has_room() {
                    self.end(Ok(Reach::Full));
                }
            }
            if reach != Reach::Whole {
                self.end(Ok(reach));
            }
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.open.load(Ordering::Acquire) == 0 || self.stop.load(Ordering::Acquire)
    }

    /// Waits until there may be work again, or all is over.
    fn wait(&self) {
        let mut gate = self.gate.lock();
        self.idle.fetch_add(1, Ordering::SeqCst);
        // Whoever adds work after this look sees that somebody waits.
        fence(Ordering::SeqCst);
        if !self.is_over() && self.stealers.iter().all(Stealer::is_empty) {
            self.wake.wait_for(&mut gate, AT_MOST);
        }
        self.idle.fetch_sub(1, Ordering::SeqCst);
    }

    /// Wakes a thread that waits, if one does.
    fn call(&self) {
        fence(Ordering::SeqCst);
        if self.idle.load(Ordering::SeqCst) > 0 {
            let _gate = self.gate.lock();
            self.wake.notify_one();
        }
    }

    fn call_all(&self) {
        let _gate = self.gate.lock();
        self.wake.notify_all();
    }

    /// How much of the bound on nodes is used. The graph may know of more nodes, those that agents explored.
    fn used(&self) -> u64 {
        let thought = self.factory.answers().thought() - self.thought;
        let cost = self.cost.load(Ordering::Relaxed).saturating_add(thought);
        self.count.load(Ordering::Relaxed).max(cost / OF_A_NODE)
    }

    fn is_too_many(&self) -> bool {
        self.used() > self.bounds.nodes
    }

    fn steal(&self, worker: &Worker<u32>) -> Option<u32> {
        self.stealers.iter().find_map(|other| {
            loop {
                match other.steal_batch_and_pop(worker) {
                    Steal::Success(node) => return Some(node),
                    Steal::Empty => return None,
                    Steal::Retry => {}
                }
            }
        })
    }

    /// Ends the work of all; the first reason stays.
    fn end(&self, why: Result<Reach, Error>) {
        if !self.stop.swap(true, Ordering::AcqRel) {
            *self.verdict.lock() = why;
            self.call_all();
        }
    }
}

struct NodeExpander {
    explorer: Explorer,
    seats: SeatedAgents,
    policies: Policies,
    answers: Arc<AnswerCache>,
}

impl NodeExpander {
    fn new(explorer: Explorer, seats: SeatedAgents, answers: Arc<AnswerCache>) -> NodeExpander {
        NodeExpander { explorer, seats, policies: Policies::default(), answers }
    }

    /// Sees where all answers of a node lead that may be given there; 0 is the beginning. `next` hears where each led
    /// and what that cost, and says whether to continue.
    fn expand(
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

/// Checks that every ending has a utility for each player who is asked anywhere in the graph, or has
/// one in another ending. Within one playout the rules check it themselves.
pub(crate) fn check_utilities(
    graph: &Arc<Graph>,
    factory: &dyn WorkerFactory,
) -> Result<(), Error> {
    let asked: BTreeSet<&String> = graph.actors().map(|(_, player)| player).collect();
    let named = graph.endings().flat_map(|(_, ending)| ending.utility.keys()).collect();
    // Somebody who is asked is surely a player; another name may be a mistake itself.
    let lacking = |players: &BTreeSet<&String>| {
        let lacks = |ending: &Ending| players.iter().any(|one| !ending.utility.contains_key(*one));
        graph.endings().find(|(_, ending)| lacks(ending))
    };
    let first = |players| Some((lacking(&players)?, players));
    let Some(((number, ending), players)) = first(asked).or_else(|| first(named)) else {
        return Ok(());
    };
    let (explorer, _) = factory.make_worker()?;
    let error = explorer.rules().missing_utility(
        &ending.utility,
        None,
        players.into_iter().map(String::as_str),
    );
    let ends = |at: u32| {
        let node = graph.node(at);
        at != 0 && node.kind() == NodeKind::End && node.what() == number
    };
    let way = || Traced::shortest(graph, 0, &ends, None);
    Err(error.reached(|| Some(replay(way()?, factory.words()))))
}

/// The reach of work that this error ended; the error itself, unless it only says that the work was to stop.
fn cut(error: Error) -> Result<Reach, Error> {
    match error {
        Error::Interrupted => Ok(Reach::Cut(Cut::Interrupted)),
        Error::Bound(cut) => Ok(Reach::Cut(cut)),
        error => Err(error),
    }
}
