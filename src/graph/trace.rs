//! What was answered on the way? A history, put together from nodes and from what was asked.

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
