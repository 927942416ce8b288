//! What was answered on the way? A history, put together from nodes and from what was asked.

use std::collections::VecDeque;

use hashbrown::HashMap;

use super::node::Node;
use super::question::{Asking, Question};
use super::store::Graph;
use crate::game::{Action, Actor, Entry, History};

/// Is told every answer of a playout.
pub trait Trace {
    /// An answer that was looked up at a node.
    fn at_node(&mut self, graph: &Graph, node: Node<'_>, answer: usize);

    /// An answer that the script was given.
    fn asked(&mut self, asking: &Asking<'_>, answer: usize);
}

/// Hears nothing.
impl Trace for () {
    #[inline]
    fn at_node(&mut self, _: &Graph, _: Node<'_>, _: usize) {}

    fn asked(&mut self, _: &Asking<'_>, _: usize) {}
}

/// Puts a history together.
#[derive(Clone, Debug, Default)]
pub struct Traced {
    history: History,
    together: Vec<Action>,
}

impl Traced {
    /// The history.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// The shortest known history from one of these nodes, 0 being the beginning, to the first that is
    /// wanted, and then with this answer; nothing where no way is known.
    pub(super) fn shortest(
        graph: &Graph,
        from: &[u32],
        wanted: &dyn Fn(u32) -> bool,
        answer: Option<u32>,
    ) -> Option<History> {
        let mut before: HashMap<u32, (u32, usize)> = HashMap::new();
        let mut open: VecDeque<u32> = VecDeque::new();
        if from.contains(&0) && wanted(0) {
            return Some(History::default());
        }
        for &node in from {
            let start = if node == 0 { graph.root() } else { node };
            if start != 0 && before.insert(start, (0, 0)).is_none() {
                open.push_back(start);
            }
        }
        let to = loop {
            let number = open.pop_front()?;
            if wanted(number) {
                break number;
            }
            for (answer, next) in graph.node(number).all().enumerate() {
                if next != 0 && !before.contains_key(&next) {
                    before.insert(next, (number, answer));
                    open.push_back(next);
                }
            }
        };
        let mut way: Vec<(u32, usize)> =
            answer.map(|answer| (to, answer as usize)).into_iter().collect();
        let mut at = to;
        while let Some(&(node, answer)) = before.get(&at).filter(|(node, _)| *node != 0) {
            way.push((node, answer));
            at = node;
        }
        let mut traced = Traced::default();
        for (number, answer) in way.into_iter().rev() {
            traced.at_node(graph, graph.node(number), answer);
        }
        Some(traced.history)
    }

    fn note(&mut self, question: &Question, answer: usize) {
        let Some(value) = question.values().get(answer).cloned() else { return };
        let who = question.who.clone();
        let chance = question.is_chance();
        let actor = if chance { Actor::Chance(who) } else { Actor::Player(who) };
        let action = Action { actor, name: question.name.clone(), value };
        match question.part {
            None => self.history.entries.push(Entry::One(action)),
            Some((nth, of)) => {
                self.together.push(action);
                if nth + 1 == of {
                    let together = std::mem::take(&mut self.together);
                    self.history.entries.push(Entry::Together(together));
                }
            }
        }
    }
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
            self.note(question, answer);
        }
    }

    fn asked(&mut self, asking: &Asking<'_>, answer: usize) {
        self.note(&asking.question(), answer);
    }
}
