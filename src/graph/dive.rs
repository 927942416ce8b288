//! How does one run of the script see as much as it can? Through answers that nobody has tried.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use super::answers::Answers;
use super::policies::{Shares, weighed};
use super::question::Asking;
use super::store::Graph;
use super::walk::Picker;
use crate::game::{Handler, Stop};
use crate::handlers::{Seats, Standpoint};

/// Goes on through the first answer that nobody has tried, so that no run is wasted.
pub(super) struct Dive {
    pub graph: Arc<Graph>,
    pub seats: Rc<RefCell<Seats>>,
    pub answers: Arc<Answers>,
    /// So many questions more in this run.
    pub left: usize,
}

/// Questions in one run at most. What is explored must not run into the limits of a playout, nor lay
/// many nodes beyond those that are wanted.
pub(super) const DEEPEST: usize = 4;

impl Picker for Dive {
    fn pick(&mut self, at: Standpoint<'_>, asking: &Asking<'_>) -> Result<usize, Stop> {
        let number = at.known();
        if number == 0 || self.left == 0 {
            return Err(Stop::Pause);
        }
        self.left -= 1;
        let node = self.graph.node(number);
        let shares = match asking {
            Asking::Chance(_) => Shares::Even(node.answers()),
            Asking::Decision(decision, _) => {
                let mut seats = self.seats.borrow_mut();
                let agent = seats.agent(decision.player);
                weighed(self.answers.of(at, decision, agent)?, node.answers())
            }
        };
        let untried = shares.indices().into_iter().find(|&answer| node.to(answer) == 0);
        untried.ok_or(Stop::Pause)
    }

    fn deliberates(&self) -> bool {
        self.seats.borrow().deliberates()
    }
}
