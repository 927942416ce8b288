//! What a thought takes: on nodes that are known it costs as much as where they are explored.

use hashbrown::HashSet;

use crate::error::{Error, Limit, ScriptFault};
use crate::game::Value;
use crate::graph::Graph;
use crate::script::Fuel;

/// What a thought may still take.
#[derive(Debug)]
pub(super) struct ThinkingBudget {
    pub fuel: Fuel,
    /// Nodes far in their steps that it has passed: their steps are run again up to there once.
    stood: HashSet<u32>,
}

/// So few operations of a step are not worth remembering where they were run again.
const LITTLE: u64 = 1_000;

impl ThinkingBudget {
    /// With this many operations.
    pub(super) fn new(operations: u64) -> ThinkingBudget {
        ThinkingBudget { fuel: Fuel::new(operations), stood: HashSet::new() }
    }

    /// Pays for the way from an answer at a node to where it leads, and for the way of the step up to it.
    #[inline]
    pub(super) fn goes(&mut self, graph: &Graph, from: (u32, u32)) -> Result<(), Halted> {
        self.stands(graph, from.0)?;
        Ok(self.fuel.spend(graph.cost(from))?)
    }

    /// Pays for the way of the step up to a node.
    #[inline]
    pub(super) fn stands(&mut self, graph: &Graph, node: u32) -> Result<(), Halted> {
        let of_step = graph.cost_of_step(node);
        if of_step > LITTLE && self.stood.insert(node) {
            self.fuel.spend(of_step)?;
        }
        Ok(())
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

impl From<Limit> for Halted {
    fn from(_: Limit) -> Halted {
        Halted::Spent
    }
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
