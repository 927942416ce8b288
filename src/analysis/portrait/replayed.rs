//! Notes the answers of a playout, and gives them once more to a run of the script alone.

use crate::game::{Chance, Decision, Handler, Stop};
use crate::graph::{Asking, Graph, Node, Question, Trace};

/// What is noted of a playout.
#[derive(Clone, Debug, Default)]
pub struct Noted {
    /// The answers, in order.
    pub answers: Vec<usize>,
    /// How many of them were decisions.
    pub decisions: u64,
    /// How many fell.
    pub chance: u64,
    /// How many options all decisions had.
    pub options: u64,
    /// The most that one had.
    pub most: u64,
}

impl Noted {
    fn note(&mut self, chance: bool, options: usize, answer: usize) {
        self.answers.push(answer);
        match chance {
            true => self.chance += 1,
            false => {
                self.decisions += 1;
                self.options += options as u64;
                self.most = self.most.max(options as u64);
            }
        }
    }
}

impl Trace for Noted {
    fn at_node(&mut self, graph: &Graph, node: Node<'_>, answer: usize) {
        self.note(graph.question(node).is_none_or(Question::is_chance), node.answers(), answer);
    }

    fn asked(&mut self, asking: &Asking<'_>, answer: usize) {
        match asking {
            Asking::Decision(decision, _) => self.note(false, decision.options.len(), answer),
            Asking::Chance(_) => self.note(true, 0, answer),
        }
    }
}

/// Gives the answers of a playout once more.
pub struct Given {
    answers: Vec<usize>,
    next: usize,
}

impl Given {
    /// The answers of a playout that was noted.
    pub fn new(answers: Vec<usize>) -> Given {
        Given { answers, next: 0 }
    }

    fn answer(&mut self) -> Result<usize, Stop> {
        self.next += 1;
        self.answers.get(self.next - 1).copied().ok_or(Stop::Pause)
    }
}

impl Handler for Given {
    fn decide(&mut self, _: &Decision<'_>) -> Result<usize, Stop> {
        self.answer()
    }

    fn roll(&mut self, _: &Chance<'_>) -> Result<usize, Stop> {
        self.answer()
    }
}
