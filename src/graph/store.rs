//! The graph: the part of a game seen so far, with its nodes, states, questions and endings.

pub(super) mod interner;
pub(super) mod question;
pub(super) mod word_memory;

use std::cell::Cell;
use std::hash::BuildHasher;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use hashbrown::{DefaultHashBuilder, HashSet, HashTable};
use parking_lot::Mutex;

use self::interner::Interner;
use self::question::{Ending, StoredQuestion};
use self::word_memory::{LARGEST, Words};
use super::node::{
    MOST_ACTORS, MOST_ANSWERS, Node, NodeKind, NodePlace, PlannedNode, UNLINKED, word_of,
};
use crate::error::Cut;
use crate::game;
use crate::game::Question;
use crate::script::{Budget, live_bytes};

/// The part of a game seen so far. Any number of threads read it and make it larger.
///
/// A node is known by the canonical bytes of the state at the beginning of its step and the answers
/// since; so a state that is reached in several ways is one node, and what follows it is explored
/// once. Nodes are numbered by their offset; 0 is none.
pub struct Graph {
    identity: String,
    pub(super) words: Words,
    /// State -> its node, by the state's bytes. Several, so that threads seldom wait for each
    /// other.
    pub(super) states: Vec<Mutex<HashTable<u32>>>,
    pub(super) hasher: DefaultHashBuilder,
    pub(super) questions: Interner<StoredQuestion>,
    pub(super) endings: Interner<Ending>,
    actors: Interner<String>,
    /// The operations up to the first node.
    start: AtomicU32,
    pub(super) root: AtomicU32,
    pub(super) nodes: AtomicU64,
    /// About the bytes that endings take.
    pub(super) of_endings: AtomicU64,
    pub(super) full: AtomicBool,
    pub(super) whole: AtomicBool,
}

impl Graph {
    /// A graph that is empty but for its identity (see
    /// [`Blueprint::identity`](crate::script::Blueprint::identity)); what it takes counts against
    /// the budget.
    pub fn new(identity: String, budget: &Budget) -> Graph {
        let words = Words::new(budget);
        let before = live_bytes();
        let graph = Graph {
            identity,
            words,
            states: (0..SHARDS).map(|_| Mutex::default()).collect(),
            hasher: DefaultHashBuilder::default(),
            questions: Interner::default(),
            endings: Interner::default(),
            actors: Interner::default(),
            start: AtomicU32::new(0),
            root: AtomicU32::new(0),
            nodes: AtomicU64::new(0),
            of_endings: AtomicU64::new(0),
            full: AtomicBool::new(false),
            whole: AtomicBool::new(false),
        };
        let made = u64::try_from(live_bytes() - before).unwrap_or_default();
        graph.grew(made + size_of::<Graph>() as u64);
        // Number 0 is chance: no name has these bytes.
        graph.counting(|| graph.actors.number(b"\xff", String::new, |_| true));
        graph
    }

    /// The digest of the rules, parameters and setup that it belongs to.
    pub fn identity(&self) -> &str {
        &self.identity
    }

    /// The first node; 0 while there is none.
    pub fn root(&self) -> u32 {
        self.root.load(Ordering::Acquire)
    }

    /// Makes this node the one at which playouts begin: for a conflict under way of which everybody knows
    /// all. Nobody else may use the graph.
    pub(crate) fn begin_at(&self, node: u32) {
        self.root.store(node, Ordering::Release);
    }

    #[inline]
    pub fn node(&self, number: u32) -> Node<'_> {
        Node::read(self.words.from(number))
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// The bytes that it takes, those of agents' answers at its nodes included (see [`AnswerCache`]).
    /// They stay below the bound; only endings that are new are kept even beyond it, up to as much again or
    /// 64 MiB, whichever is more, since playouts that continue without the graph are counted by them.
    ///
    /// [`AnswerCache`]: super::AnswerCache
    pub fn bytes(&self) -> u64 {
        self.words.bytes()
    }

    /// Whether it grows no more, because of its bound.
    pub fn is_full(&self) -> bool {
        self.full.load(Ordering::Relaxed)
    }

    /// Whether all that may happen from the beginning on has been seen, under the agents who explored it.
    pub(crate) fn is_whole(&self) -> bool {
        self.whole.load(Ordering::Relaxed)
    }

    /// The bound that it has reached where it is full.
    pub fn full(&self) -> Cut {
        self.words.full()
    }

    /// The question asked at a node; `None` at an end.
    pub fn question(&self, node: Node<'_>) -> Option<&StoredQuestion> {
        if node.kind() == NodeKind::End { None } else { self.questions.get(node.what()) }
    }

    pub(crate) fn question_at(&self, node: u32) -> Option<&StoredQuestion> {
        self.question(self.node(node))
    }

    pub(crate) fn question_of(&self, number: u32) -> Option<&StoredQuestion> {
        self.questions.get(number)
    }

    pub fn ending(&self, node: Node<'_>) -> Option<&Ending> {
        if node.kind() == NodeKind::End { self.endings.get(node.what()) } else { None }
    }

    /// All endings seen, each with its number.
    pub fn endings(&self) -> impl Iterator<Item = (u32, &Ending)> {
        self.endings.iter()
    }

    pub fn ending_of(&self, number: u32) -> Option<&Ending> {
        self.endings.get(number)
    }

    /// The players who have been asked, each with the number by which nodes know them; 0 is chance.
    pub(crate) fn actors(&self) -> impl Iterator<Item = (u32, &String)> {
        self.actors.iter().skip(1)
    }

    /// The nodes that are known to follow from the first, which is one of them, in breadth.
    pub(crate) fn reached(&self) -> Vec<u32> {
        let mut reached: Vec<u32> = Vec::from_iter(Some(self.root()).filter(|&root| root != 0));
        let mut met: HashSet<u32> = reached.iter().copied().collect();
        let mut next = 0;
        while let Some(&number) = reached.get(next) {
            next += 1;
            reached.extend(self.node(number).all().filter(|&to| to != 0 && met.insert(to)));
        }
        reached
    }

    /// How many numbers of players there are, chance included.
    pub(crate) fn actor_count(&self) -> usize {
        self.actors.len()
    }

    /// The canonical bytes of the state at the beginning of a node's step; `None` in the setup.
    pub fn state_bytes(&self, node: Node<'_>) -> Option<Vec<u8>> {
        match node.state() {
            0 => None,
            offset => Some(self.words.bytes_at(offset)),
        }
    }

    /// The nodes before a node within its step, each with the answer given there, the last first.
    pub(crate) fn back(&self, node: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        let before = |&(at, _): &(u32, u32)| Some(self.node(at).before()).filter(|way| way.0 != 0);
        std::iter::successors(before(&(node, 0)), before)
    }

    /// The answers that led to a node since the beginning of its step, oldest first.
    pub(crate) fn answers_before(&self, node: u32) -> Vec<u32> {
        let mut answers: Vec<u32> = self.back(node).map(|(_, answer)| answer).collect();
        answers.reverse();
        answers
    }

    /// The part of a joint decision that a node is, from 0, and how many parts there are; `None` for any other
    /// node.
    #[inline]
    pub(crate) fn part(&self, node: u32) -> Option<(usize, usize)> {
        self.question_at(node).and_then(|asked| asked.part)
    }

    /// The node at which the joint decision begins that this one is a part of, and the number of the
    /// part: others may have answered since, unseen. Any other decision begins itself.
    #[inline]
    pub(crate) fn first_part(&self, node: u32) -> (u32, usize) {
        let nth = self.part(node).map_or(0, |(nth, _)| nth);
        ((0..nth).fold(node, |node, _| self.node(node).before().0), nth)
    }

    /// Makes the node of a question within a step; `None` where it does not fit.
    pub(super) fn add(&self, asking: &game::Question<'_>, place: NodePlace) -> Option<u32> {
        let plan = self.plan(asking, place)?;
        self.store(&plan)
    }

    pub(super) fn plan(
        &self,
        asking: &game::Question<'_>,
        place: NodePlace,
    ) -> Option<PlannedNode> {
        let answers = asking.len();
        if answers > MOST_ANSWERS || self.is_full() {
            return None;
        }
        let (kind, actor) = match asking {
            game::Question::Decision(decision, _) => {
                let name = decision.player;
                let fits = |bytes| self.fits(bytes);
                let known = || self.actors.number(name.as_bytes(), || name.to_owned(), fits);
                let Some(actor) = self.counting(known) else {
                    self.fill();
                    return None;
                };
                (NodeKind::Decision, actor)
            }
            game::Question::Chance(chance) => {
                let even = chance.distribution.total() == &answers.into();
                (if even { NodeKind::EvenChance } else { NodeKind::Chance }, 0)
            }
        };
        if actor >= MOST_ACTORS {
            return None;
        }
        let Some(what) = self.counting(|| self.number_question(asking)) else {
            self.fill();
            return None;
        };
        Some(PlannedNode { kind, actor, answers, what, place })
    }

    fn number_question(&self, asking: &game::Question<'_>) -> Option<u32> {
        // Made only where it is new, and before it is known whether it fits.
        let made = Cell::new(None);
        let fits = |more| {
            let before = live_bytes();
            made.set(Some(asking.stored()));
            self.fits(more + u64::try_from(live_bytes() - before).unwrap_or_default())
        };
        let make = || made.take().unwrap_or_else(|| asking.stored());
        self.questions.number(&asking.key(), make, fits)
    }

    /// Makes a node; `None` where it does not fit.
    pub(super) fn store(&self, plan: &PlannedNode) -> Option<u32> {
        let Some(number) = self.words.allocate(plan.words()) else {
            self.fill();
            return None;
        };
        plan.write(self.words.from(number));
        self.nodes.fetch_add(1, Ordering::Relaxed);
        Some(number)
    }

    /// Lets an answer at a node lead to another, and says what that takes; 0 is before the beginning. Returns where
    /// it leads.
    pub(super) fn link(&self, (from, answer): (u32, u32), to: u32, cost: u64) -> u32 {
        let there = match from {
            UNLINKED => to,
            0 => {
                self.start.store(word_of(cost), Ordering::Relaxed);
                match self.root.compare_exchange(0, to, Ordering::AcqRel, Ordering::Acquire) {
                    Ok(_) => to,
                    Err(there) => there,
                }
            }
            _ => self.node(from).link(answer as usize, to, cost),
        };
        if there != to {
            // Another thread has made the same node meanwhile: nothing leads to this one.
            self.nodes.fetch_sub(1, Ordering::Relaxed);
        }
        there
    }

    /// The operations from an answer at a node, (0, 0) being the beginning, up to the node that it leads to.
    #[inline]
    pub fn cost(&self, (from, answer): (u32, u32)) -> u64 {
        match from {
            0 => self.start.load(Ordering::Relaxed).into(),
            _ => self.node(from).cost(answer as usize),
        }
    }

    /// The operations from the beginning of the step up to a node; 0 for the beginning.
    pub(crate) fn cost_of_step(&self, node: u32) -> u64 {
        if node == 0 { 0 } else { self.node(node).spent() }
    }

    pub(super) fn fill(&self) {
        self.full.store(true, Ordering::Relaxed);
    }

    pub(super) fn runs(&self) -> &Budget {
        self.words.runs()
    }

    pub(super) fn fits(&self, bytes: u64) -> bool {
        self.words.fits(bytes)
    }

    /// Counts bytes that are held elsewhere because of the graph.
    pub(super) fn grew(&self, bytes: u64) {
        self.words.count(bytes);
    }

    /// Counts what `make` allocates and keeps.
    fn counting<T>(&self, make: impl FnOnce() -> T) -> T {
        let before = live_bytes();
        let made = make();
        self.grew(u64::try_from(live_bytes() - before).unwrap_or_default());
        made
    }

    /// Counts no more bytes that were counted by [`Graph::grew`].
    pub(super) fn shrank(&self, bytes: u64) {
        self.words.uncount(bytes);
    }
}

/// Several tables, so that threads seldom wait for each other.
pub(in crate::graph) const SHARDS: usize = 64;

/// The hash by which a table knows a tag: it takes the highest bits and the lowest, and all tags of a
/// shard have some bits in common.
fn spread(tag: u32) -> u64 {
    u64::from(tag).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32)
}

impl Graph {
    /// The part of a state's hash by which it is found.
    pub(in crate::graph) fn tag(&self, state: &[u8]) -> u32 {
        (self.hasher.hash_one(state) >> 32) as u32
    }

    pub(in crate::graph) fn known(&self, state: &[u8], tag: u32) -> Option<u32> {
        self.find(&self.shard(tag).lock(), tag, state)
    }

    /// Makes the node of the first question after a state, or finds it where another thread has
    /// made it meanwhile; `None` where it does not fit. `spent` operations are run from
    /// the state to the question.
    pub(in crate::graph) fn add_state(
        &self,
        (state, tag): (&[u8], u32),
        asking: &Question<'_>,
        spent: u64,
    ) -> Option<u32> {
        let plan = self.plan(asking, NodePlace { state: 0, before: (0, tag), spent })?;
        self.insert_state(state, plan)
    }

    /// Makes the node of a state that is an end, or finds it; `None` where it does not fit.
    /// `spent` operations are run to find that it is one.
    pub(in crate::graph) fn add_end(
        &self,
        (state, tag): (&[u8], u32),
        ending: u32,
        spent: u64,
    ) -> Option<u32> {
        if self.is_full() {
            return None;
        }
        let place = NodePlace { state: 0, before: (0, tag), spent };
        let kind = NodeKind::End;
        self.insert_state(state, PlannedNode { kind, actor: 0, answers: 0, what: ending, place })
    }

    fn insert_state(&self, state: &[u8], plan: PlannedNode) -> Option<u32> {
        let tag = plan.place.before.1;
        let mut shard = self.shard(tag).lock();
        if let Some(known) = self.find(&shard, tag, state) {
            return Some(known);
        }
        let grows = shard.len() == shard.capacity();
        if grows && !self.words.fits(2 * shard.allocation_size() as u64 + (1 << 10)) {
            self.fill();
            return None;
        }
        // One state that is too large for the graph does not make it full.
        if state.len() / 4 >= LARGEST - 1 {
            return None;
        }
        let Some(offset) = self.words.lay_bytes(state) else {
            self.fill();
            return None;
        };
        let place = NodePlace { state: offset, ..plan.place };
        let node = self.store(&PlannedNode { place, ..plan })?;
        let before = shard.allocation_size();
        shard.insert_unique(spread(tag), node, |&node| spread(self.node(node).tag()));
        self.grew((shard.allocation_size() - before) as u64);
        Some(node)
    }

    fn find(&self, shard: &HashTable<u32>, tag: u32, state: &[u8]) -> Option<u32> {
        let same = |&number: &u32| {
            let node = self.node(number);
            node.tag() == tag && self.words.are_bytes(node.state(), state)
        };
        shard.find(spread(tag), same).copied()
    }

    fn shard(&self, tag: u32) -> &Mutex<HashTable<u32>> {
        &self.states[tag as usize % SHARDS]
    }
}
