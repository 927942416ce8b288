//! Notes the answers of a playout, and gives them once more to a run of the script alone.

use std::cell::RefCell;
use std::rc::Rc;

use crate::conflict::Seating;
use crate::error::Error;
use crate::game::{Chance, Decision, Handler, Stop};
use crate::graph::{Graph, LiveQuestion, Node, PlayoutRunner, Question, Trace};
use crate::script::{Counted, Played};

/// What is noted of a playout.
#[derive(Clone, Debug, Default)]
pub(super) struct Noted {
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

    fn asked(&mut self, asking: &LiveQuestion<'_>, answer: usize) {
        match asking {
            LiveQuestion::Decision(decision, _) => self.note(false, decision.options.len(), answer),
            LiveQuestion::Chance(_) => self.note(true, 0, answer),
        }
    }
}

/// Runs a playout once more, by the script alone: how it ended, and which functions ran.
///
/// # Errors
/// Those of the rules.
pub(super) fn replay(
    seating: &Seating,
    runner: &PlayoutRunner,
    answers: &[usize],
) -> Result<(Played, Counted), Error> {
    let rules = runner.explorer().rules();
    let given = Rc::new(RefCell::new(Given { answers: answers.to_vec(), next: 0 }));
    rules.count_calls();
    let played = rules.play(&seating.setup, &given);
    let counted = rules.counted();
    Ok((played?, counted))
}

/// Gives the answers of a playout once more.
struct Given {
    answers: Vec<usize>,
    next: usize,
}

impl Given {
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
