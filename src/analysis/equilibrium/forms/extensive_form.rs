//! Turns a graph into a game that can be solved: some seats decide, all else happens by weights.

use hashbrown::HashMap;

use super::board::{Mover, SeatedGame};
use super::tree::{Tree, TreeError};
use crate::conflict::{Seat, Seating};
use crate::error::Error;
use crate::explored::ExploredGame;
use crate::graph::{Ending, Explorer, InformationSets, NodePasts, StoredQuestion, allied_words};

/// A game drawn from a graph.
pub struct ExtensiveForm {
    /// The game; its sides are the seats.
    pub tree: Tree,
    /// The seats of the conflict.
    pub seats: Vec<Seat>,
    /// For each information set of the game the number of the one that the rules make, and the
    /// answers that the side has already given in the same joint decision.
    pub sets: Vec<(usize, String)>,
    /// The nodes that can be reached.
    pub(crate) game: ExploredGame,
}

impl ExtensiveForm {
    /// Makes a game of a graph that has been explored under the agents seated. Seats for which
    /// `decides` is true choose freely, with any agent in them; the agents of all others play like
    /// dice.
    ///
    /// # Errors
    /// Those of the rules' `view` and of the agents; [`Error::Recall`] where a side forgets what it
    /// did; [`Error::Unsolved`] where states lead back to each other.
    pub fn draw(
        seating: &Seating,
        explorer: &Explorer,
        known: &mut InformationSets,
        decides: &dyn Fn(&Seat) -> bool,
    ) -> Result<ExtensiveForm, Error> {
        let graph = &*seating.graph;
        let SeatedGame { game, mut movers, seats, endings } = SeatedGame::at(seating)?;
        let mut sets: Vec<(usize, String)> = Vec::new();
        let mut numbers: HashMap<(usize, String), u32> = HashMap::new();
        let mut of_places = vec![u32::MAX; game.len()];
        for (place, &node) in game.nodes.iter().enumerate() {
            if place % 64 == 0 {
                seating.may_continue()?;
            }
            let Mover::Side(side) = movers[place] else { continue };
            let seat = &seats[side as usize];
            if !decides(seat) {
                movers[place] = Mover::Chance;
                continue;
            }
            let set = (known.of(explorer, node)?, allied_words(graph, node, &seat.players));
            of_places[place] = *numbers.entry(set).or_insert_with_key(|set| {
                sets.push(set.clone());
                sets.len() as u32 - 1
            });
        }
        let payoffs = endings.iter().flat_map(|&number| worth(&seats, graph.ending_of(number)));
        let payoffs = payoffs.collect();
        seating.may_continue()?;
        let names = seats.iter().map(|seat| seat.name.clone()).collect();
        let may_continue = || seating.may_continue().is_ok();
        match Tree::of(names, &game, (&movers, &of_places), payoffs, &may_continue) {
            Ok(tree) => Ok(ExtensiveForm { tree, seats, sets, game }),
            Err(TreeError::Stopped) => Err(seating.stopped()),
            Err(error) => Err(description(error, (seating, explorer), &game, known, &sets)),
        }
    }

    /// The node of the graph at a node of the game.
    pub fn node(&self, node: usize) -> u32 {
        self.game.nodes.get(self.tree.place(node)).copied().unwrap_or_default()
    }
}

/// The utility of an ending for each seat: the mean of its players; a player without a number
/// counts 0.
fn worth(seats: &[Seat], ending: Option<&Ending>) -> Vec<f64> {
    let utility = |seat: &Seat| ending.map(|ending| seat.utility(ending)).unwrap_or_default();
    seats.iter().map(utility).collect()
}

/// The reason why the graph is no game that can be solved, in the names that people know.
fn description(
    error: TreeError,
    (seating, explorer): (&Seating, &Explorer),
    game: &ExploredGame,
    known: &InformationSets,
    sets: &[(usize, String)],
) -> Error {
    let graph = &*seating.graph;
    match error {
        TreeError::Forgets { set } => {
            let unnamed = || Error::unsolved("a side forgets what it did or saw");
            let Some((number, allied)) = sets.get(set) else { return unnamed() };
            let Some(set) = known.sets().get(*number) else { return unnamed() };
            let side = seating.players.seats().into_iter().map(|seat| seat.players);
            let side = side.into_iter().find(|players| players.contains(&set.asked.who));
            let side = side.unwrap_or_else(|| vec![set.asked.who.clone()]);
            let alike = |node: &u32| {
                game.place(*node).is_some() && allied_words(graph, *node, &side) == *allied
            };
            let nodes: Vec<u32> = set.nodes.iter().copied().filter(alike).collect();
            let pasts = NodePasts::of(explorer, known, &game.nodes);
            pasts.forgotten(set, &nodes, &side).unwrap_or_else(unnamed)
        }
        TreeError::Cycle(place) => {
            let asked =
                game.question(graph, place).map(StoredQuestion::in_brackets).unwrap_or_default();
            Error::unsolved(format!("states form a cycle{asked}"))
        }
        error => Error::unsolved(error.to_string()),
    }
}
