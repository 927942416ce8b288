//! Utilities of endings, by the numbers of endings and players.

use crate::game::Value;
use crate::graph::Graph;

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
