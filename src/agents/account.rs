//! Counts the operations of a thought: the same whether what it plays is run or looked up.

use std::cell::{Cell, RefCell};

use hashbrown::HashSet;

use super::search_graph::Halted;
use crate::graph::Graph;

/// What a thought may still take, and what it has paid for.
#[derive(Debug, Default)]
pub(super) struct ThinkingBudget {
    left: Cell<u64>,
    /// Answers at nodes that it has seen lead somewhere, and nodes that it has looked at: once in a
    /// thought is enough.
    paid: RefCell<HashSet<(u32, u32)>>,
}

/// In place of an answer: the step was run up to the node.
const STOOD: u32 = u32::MAX;
/// In place of an answer: the view was made there.
const LOOKED: u32 = u32::MAX - 1;

impl ThinkingBudget {
    /// Begins anew, with so many operations.
    pub(super) fn allow(&self, operations: u64) {
        self.left.set(operations);
        self.paid.borrow_mut().clear();
    }

    /// Takes all that is left, to be [put](Account::put) back as far as it is not used.
    pub(super) fn take(&self) -> u64 {
        self.left.take()
    }

    /// Puts back what was not used.
    pub(super) fn put(&self, left: u64) {
        self.left.set(left);
    }

    /// Pays for operations.
    pub(super) fn pay(&self, cost: u64) -> Result<(), Halted> {
        match self.left.take().checked_sub(cost) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => Err(Halted::Spent),
        }
    }

    /// Pays for the way from an answer at a node to the node that it leads to, and for the way of the
    /// step up to it.
    pub(super) fn goes(
        &self,
        graph: &Graph,
        (node, answer): (u32, u32),
        to: u32,
    ) -> Result<(), Halted> {
        let mut paid = self.paid.borrow_mut();
        if !paid.insert((node, answer)) {
            return Ok(());
        }
        let stood = if paid.insert((node, STOOD)) { graph.cost_of_step(node) } else { 0 };
        drop(paid);
        self.pay(stood.saturating_add(graph.cost((node, answer), to)))
    }

    /// Pays for a look at a node.
    pub(super) fn looks(&self, node: u32, cost: u64) -> Result<(), Halted> {
        if cost == 0 || !self.paid.borrow_mut().insert((node, LOOKED)) {
            return Ok(());
        }
        self.pay(cost)
    }
}
