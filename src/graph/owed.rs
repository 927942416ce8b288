//! Tests that every ending has a utility for every player who is met anywhere in the graph.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::ending::Ending;
use super::explore::WorkerFactory;
use super::node::Kind;
use super::store::Graph;
use super::trace::{Traced, replay};
use crate::error::Error;

/// Every ending has a number for everybody who is asked anywhere, or has one in another ending. What
/// rules see within one playout, they have tested themselves.
///
/// # Errors
/// That of the rules for an outcome that lacks a player, with the way there.
pub fn owed(graph: &Arc<Graph>, crew: &dyn WorkerFactory) -> Result<(), Error> {
    let asked: BTreeSet<&String> = graph.actors().map(|(_, player)| player).collect();
    let named = graph.endings().flat_map(|(_, ending)| ending.utility.keys()).collect();
    // Somebody who is asked is surely a player; another name may be a mistake itself.
    let lacking = |players: &BTreeSet<&String>| {
        let lacks = |ending: &Ending| players.iter().any(|one| !ending.utility.contains_key(*one));
        graph.endings().find(|(_, ending)| lacks(ending))
    };
    let first = |players| Some((lacking(&players)?, players));
    let Some(((number, ending), players)) = first(asked).or_else(|| first(named)) else {
        return Ok(());
    };
    let (explorer, _) = crew.member()?;
    let error = explorer.rules().owes(&ending.utility, players);
    let ends = |at: u32| {
        let node = graph.node(at);
        at != 0 && node.kind() == Kind::End && node.what() == number
    };
    let way = || Traced::shortest(graph, 0, &ends, None);
    Err(error.reached(|| Some(replay(way()?, crew.words()))))
}
