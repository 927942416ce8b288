//! How a playout went: its answers and its ending.

use super::node::{Kind, Node};
use super::store::Graph;
use super::store::question::LiveQuestion;
use super::trace::Trace;

/// How a playout went.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Course {
    /// The number of its ending.
    pub ending: u32,
    /// The answers, in order.
    pub answers: Vec<u32>,
    /// How many of them were decisions.
    pub decisions: u64,
    /// How many fell.
    pub chance: u64,
    /// How many options all decisions had.
    pub options: u64,
    /// The most that one had.
    pub most: u64,
}

impl Course {
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
        4 * self.answers.len() as u64 + 16
    }

    /// The bytes that it takes with its place in the table.
    pub(super) fn whole(&self) -> u64 {
        self.bytes() + size_of::<((u64, u64), Course)>() as u64
    }
}

impl Trace for Course {
    fn at_node(&mut self, _: &Graph, node: Node<'_>, answer: usize) {
        self.note(node.kind() == Kind::Decision, node.answers(), answer);
    }

    fn asked(&mut self, asking: &LiveQuestion<'_>, answer: usize) {
        let decides = matches!(asking, LiveQuestion::Decision(..));
        self.note(decides, asking.answers(), answer);
    }
}
