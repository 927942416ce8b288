//! Records the history of a playout, from nodes and from what the script asked.

use std::collections::VecDeque;

use hashbrown::HashMap;

use super::explorer::Explorer;
use super::node::{Node, NodeKind};
use super::store::Graph;
use super::store::question::StoredQuestion;
use crate::error::Error;
use crate::game::{self, Action, Actor, History, Record};
use crate::script::{Counted, live_bytes};

/// Receives every answer of a playout.
pub trait Trace {
    fn at_node(&mut self, graph: &Graph, node: Node<'_>, answer: usize);

    fn asked(&mut self, asking: &game::Question<'_>, answer: usize);

    /// The answer to a question, by its number from 0, where nobody is asked for it.
    #[inline]
    fn given(&self, _question: u64) -> Option<usize> {
        None
    }
}

impl Trace for () {
    #[inline]
    fn at_node(&mut self, _: &Graph, _: Node<'_>, _: usize) {}

    fn asked(&mut self, _: &game::Question<'_>, _: usize) {}
}

/// Gives the first answers of a playout, and records nothing.
impl Trace for &[u32] {
    fn at_node(&mut self, _: &Graph, _: Node<'_>, _: usize) {}

    fn asked(&mut self, _: &game::Question<'_>, _: usize) {}

    fn given(&self, question: u64) -> Option<usize> {
        self.get(question as usize).map(|answer| *answer as usize)
    }
}

/// The beginning of a playout that is made longer piece by piece: what is known of it is given again.
#[derive(Clone, Debug, Default)]
pub(crate) struct PlayedPart {
    /// All answers so far.
    pub answers: Vec<u32>,
    /// Who decided the last one; empty where it fell.
    pub last: String,
    /// How many of them this playout has met.
    met: usize,
}

impl PlayedPart {
    /// Before the first question of a playout.
    pub(super) fn rewind(&mut self) {
        self.met = 0;
    }

    fn note(&mut self, decider: &str, answer: usize) {
        if self.met == self.answers.len() {
            self.answers.push(answer as u32);
            self.last.clear();
            self.last.push_str(decider);
        }
        self.met += 1;
    }
}

impl Trace for PlayedPart {
    fn at_node(&mut self, graph: &Graph, node: Node<'_>, answer: usize) {
        let question = graph.question(node).filter(|_| node.kind() == NodeKind::Decision);
        self.note(question.map_or("", |question| &question.who), answer);
    }

    fn asked(&mut self, asking: &game::Question<'_>, answer: usize) {
        let decision = match asking {
            game::Question::Decision(decision, _) => decision.player,
            game::Question::Chance(_) => "",
        };
        self.note(decision, answer);
    }

    fn given(&self, question: u64) -> Option<usize> {
        (&self.answers[..]).given(question)
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PlayoutCourse {
    /// The number of its ending.
    pub ending: u32,
    pub answers: Vec<u32>,
    /// How many of them were decisions.
    pub decisions: u64,
    /// How many fell.
    pub chance: u64,
    /// How many options all decisions had.
    pub options: u64,
    /// The most that one had.
    pub most: u64,
    /// What the script ran, where that was counted.
    pub counted: Option<Counted>,
}

impl PlayoutCourse {
    pub(super) fn note(&mut self, decides: bool, options: usize, answer: usize) {
        self.answers.push(answer as u32);
        match decides {
            false => self.chance += 1,
            true => {
                self.decisions += 1;
                self.options += options as u64;
                self.most = self.most.max(options as u64);
            }
        }
    }

    /// The bytes that it takes beside itself.
    pub(super) fn bytes(&self) -> u64 {
        let calls = self.counted.as_ref().map_or(0, |counted| size_of_val(&counted.calls[..]));
        (4 * self.answers.len() + calls) as u64 + 16
    }

    /// The bytes that it takes with its place in the table.
    pub(super) fn whole(&self) -> u64 {
        self.bytes() + size_of::<((u64, u64), PlayoutCourse)>() as u64
    }
}

impl Trace for PlayoutCourse {
    fn at_node(&mut self, _: &Graph, node: Node<'_>, answer: usize) {
        self.note(node.kind() == NodeKind::Decision, node.answers(), answer);
    }

    fn asked(&mut self, asking: &game::Question<'_>, answer: usize) {
        let decides = matches!(asking, game::Question::Decision(..));
        self.note(decides, asking.len(), answer);
    }
}

/// Builds a history.
#[derive(Clone, Debug, Default)]
pub struct Traced {
    record: Record,
    bytes: isize,
}

/// A history that takes more bytes is not kept: whoever looks for a mistake does not read it.
const LARGEST: isize = 16 << 20;

impl Traced {
    /// The history; empty where it is too large.
    pub fn history(&self) -> &History {
        &self.record.history
    }

    /// The history, where it is not too large.
    pub(crate) fn whole(&self) -> Option<History> {
        (self.bytes <= LARGEST).then(|| self.record.history.clone())
    }

    /// The shortest known history from a node, 0 being the beginning, to the first that is wanted, and
    /// then with this answer; nothing where no way is known.
    pub(super) fn shortest(
        graph: &Graph,
        from: u32,
        wanted: &dyn Fn(u32) -> bool,
        answer: Option<u32>,
    ) -> Option<History> {
        if from == 0 && wanted(0) {
            return Some(History::default());
        }
        let mut to = None;
        let before = Traced::each_step(graph, from, &mut |_, next| {
            to = Some(next).filter(|&next| wanted(next));
            to.is_none()
        });
        let to = to?;
        let mut way: Vec<(u32, usize)> =
            answer.map(|answer| (to, answer as usize)).into_iter().collect();
        let mut at = to;
        while let Some(&(node, answer)) = before.get(&at).filter(|(node, _)| *node != 0) {
            way.push((node, answer as usize));
            at = node;
        }
        Traced::along(graph, way.into_iter().rev())
    }

    /// Goes along all known steps from a node, 0 being the beginning, in breadth, those of a node in the order of its
    /// answers, as long as `look` wants more: it hears of each step, its node and answer, and where that leads; first
    /// of (0, 0). Returns the step by which each node was reached first.
    pub(crate) fn each_step(
        graph: &Graph,
        from: u32,
        look: &mut dyn FnMut((u32, u32), u32) -> bool,
    ) -> HashMap<u32, (u32, u32)> {
        let start = if from == 0 { graph.root() } else { from };
        let mut before: HashMap<u32, (u32, u32)> = HashMap::from_iter([(start, (0, 0))]);
        let mut open = VecDeque::from([start]);
        if start == 0 || !look((0, 0), start) {
            return before;
        }
        while let Some(number) = open.pop_front() {
            for (answer, next) in (0..).zip(graph.node(number).all()) {
                if next == 0 {
                    continue;
                }
                if before.try_insert(next, (number, answer)).is_ok() {
                    open.push_back(next);
                }
                if !look((number, answer), next) {
                    return before;
                }
            }
        }
        before
    }

    /// The shortest known history from the beginning to a node, and this answer there.
    pub(crate) fn to_node(graph: &Graph, node: u32, answer: Option<usize>) -> Option<History> {
        Traced::shortest(graph, 0, &|at| at == node, answer.map(|answer| answer as u32))
    }

    /// The history of these answers, each at its node.
    pub(crate) fn along(
        graph: &Graph,
        way: impl IntoIterator<Item = (u32, usize)>,
    ) -> Option<History> {
        let mut traced = Traced::default();
        for (number, answer) in way {
            traced.at_node(graph, graph.node(number), answer);
        }
        traced.whole()
    }

    /// Adds an answer, unless the history is too large.
    fn add(&mut self, question: &StoredQuestion, answer: usize) {
        if self.bytes <= LARGEST {
            let before = live_bytes();
            self.note(question, answer);
            self.bytes += live_bytes() - before;
        }
        if self.bytes > LARGEST {
            self.record = Record::default();
        }
    }

    fn note(&mut self, question: &StoredQuestion, answer: usize) {
        let Some(value) = question.values().get(answer).cloned() else { return };
        let who = question.who.clone();
        let chance = question.is_chance();
        let actor = if chance { Actor::Chance(who) } else { Actor::Player(who) };
        self.record.add(Action { actor, name: question.name.clone(), value }, question.part);
    }
}

/// An error of an explorer, with what leads there: a history that is known to lead to a node, and
/// what follows; else all from the beginning. `words` are those of the conflict.
pub(crate) fn with_history_to_failure(
    error: Error,
    explorer: &Explorer,
    before: Option<(u32, &History)>,
    words: impl FnOnce() -> Vec<String>,
) -> Error {
    error.reached(|| {
        let (at, answer) = explorer.failed()?;
        let wanted = |node: u32| node == at;
        let from = |node: u32| Traced::shortest(explorer.graph(), node, &wanted, answer);
        let below = before.and_then(|(node, history)| {
            let mut whole = history.clone();
            whole.entries.extend(from(node)?.entries);
            Some(whole)
        });
        Some(replay(below.or_else(|| from(0))?, words()))
    })
}

/// A history with the words that play it: those of the conflict, and an option for each entry.
pub(super) fn replay(history: History, mut words: Vec<String>) -> (History, Vec<String>) {
    for entry in &history.entries {
        words.extend(["--after".to_owned(), entry.to_string()]);
    }
    (history, words)
}

impl Trace for Traced {
    fn at_node(&mut self, graph: &Graph, node: Node<'_>, answer: usize) {
        if let Some(question) = graph.question(node) {
            self.add(question, answer);
        }
    }

    fn asked(&mut self, asking: &game::Question<'_>, answer: usize) {
        self.add(&asking.stored(), answer);
    }
}
