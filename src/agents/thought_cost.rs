//! Counts the operations of a thought: playouts that are looked up cost as much as those that are run.

use std::cell::{Cell, RefCell};

use hashbrown::HashSet;

use crate::error::{Error, Limit, ScriptFault};
use crate::game::Value;
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
    /// Begins anew, with this many operations.
    pub(super) fn allow(&self, operations: u64) {
        self.left.set(operations);
        self.paid.borrow_mut().clear();
    }

    /// Takes all that is left, to be [put](ThinkingBudget::put) back as far as it is not used.
    pub(super) fn take(&self) -> u64 {
        self.left.take()
    }

    pub(super) fn put(&self, left: u64) {
        self.left.set(left);
    }

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
        let of_step = if paid.insert((node, STOOD)) { graph.cost_of_step(node) } else { 0 };
        drop(paid);
        self.pay(of_step.saturating_add(graph.cost((node, answer), to)))
    }

    /// Pays for a look at a node.
    pub(super) fn looks(&self, node: u32, cost: u64) -> Result<(), Halted> {
        if cost == 0 || !self.paid.borrow_mut().insert((node, LOOKED)) {
            return Ok(());
        }
        self.pay(cost)
    }
}

/// Why a thought was not finished.
#[derive(Debug)]
pub(super) enum Halted {
    /// The graph takes no more.
    Full,
    /// The thought has taken all the operations that it may take.
    Spent,
    Error(Error),
}

impl From<Error> for Halted {
    fn from(error: Error) -> Halted {
        match &error {
            Error::Script(script)
                if matches!(script.fault, ScriptFault::Limit(Limit::Playout(_))) =>
            {
                Halted::Spent
            }
            _ => Halted::Error(error),
        }
    }
}

/// What was found, or what is made do with where all operations are spent.
pub(super) fn unless_spent<T>(found: Result<T, Halted>, otherwise: T) -> Result<T, Halted> {
    match found {
        Err(Halted::Spent) => Ok(otherwise),
        found => found,
    }
}

/// The utilities of endings, looked up once each.
#[derive(Default)]
pub(super) struct Payoffs(Vec<Vec<f64>>);

impl Payoffs {
    /// Each player's utility at an ending, by the numbers by which nodes know players; 0 for one
    /// to whom the rules give none.
    pub(super) fn of(&mut self, graph: &Graph, ending: u32) -> &[f64] {
        let at = ending as usize;
        if self.0.len() <= at {
            self.0.resize(at + 1, Vec::new());
        }
        if self.0[at].len() < graph.actor_count() {
            let utility = graph.ending_of(ending).map(|ending| &ending.utility);
            let number = |name: &String| utility?.get(name).and_then(Value::as_utility);
            let of_players = graph.actors().map(|(_, name)| number(name).unwrap_or_default());
            self.0[at] = std::iter::once(0.0).chain(of_players).collect();
        }
        &self.0[at]
    }
}
