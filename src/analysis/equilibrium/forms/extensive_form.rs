//! Turns a graph into a game that can be solved: some seats decide, all else happens by weights.

use hashbrown::HashMap;

use super::board::{Mover, SeatedGame};
use super::node_plan::{NodePlan, TreeError};
use super::tree::Tree;
use crate::analysis::{Amount, Interval};
use crate::conflict::{Seat, Seating};
use crate::error::Error;
use crate::explored::ExploredGame;
use crate::graph::{
    Ending, Explorer, InformationSets, NodePasts, Shares, StoredQuestion, WorkerFactory,
    allied_words,
};

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
        let SeatedGame { policies, game, movers, seats, .. } = SeatedGame::at(seating)?;
        let free: Vec<bool> = seats.iter().map(decides).collect();
        let mut sets: Vec<(usize, String)> = Vec::new();
        let mut numbers: HashMap<(usize, String), usize> = HashMap::new();
        let mut plans = Vec::with_capacity(game.len());
        for (place, &number) in game.nodes.iter().enumerate() {
            if place % 64 == 0 {
                seating.may_continue()?;
            }
            let node = graph.node(number);
            let to = |answer: usize| game.place(node.to(answer)).unwrap_or_default();
            let shares = policies.shares(graph, number, seating.answers());
            plans.push(match (shares, movers[place]) {
                (None, _) => NodePlan::End(worth(&seats, graph.ending(node))),
                (Some(_), Mover::Side(side)) if free[side as usize] => {
                    let side = side as usize;
                    let allied = allied_words(graph, number, &seats[side].players);
                    let set = (known.of(explorer, number)?, allied);
                    let fresh = sets.len();
                    let number = *numbers.entry(set.clone()).or_insert(fresh);
                    if number == fresh {
                        sets.push(set);
                    }
                    NodePlan::Decision {
                        side,
                        set: number,
                        to: (0..node.answers()).map(to).collect(),
                    }
                }
                (Some(shares), _) => NodePlan::Chance(falls(&shares, to)),
            });
        }
        seating.may_continue()?;
        let names = seats.iter().map(|seat| seat.name.clone()).collect();
        match Tree::new_while(names, &plans, &|| seating.may_continue().is_ok()) {
            Ok(tree) => Ok(ExtensiveForm { tree, seats, sets, game }),
            Err(TreeError::Stopped) => Err(seating.stopped()),
            Err(error) => Err(description(error, (seating, explorer), &game, known, &sets)),
        }
    }

    /// The node of the graph at a node of the game.
    pub fn node(&self, node: usize) -> u32 {
        self.game.nodes.get(self.tree.name(node)).copied().unwrap_or_default()
    }
}

/// The nodes that follow, each with its probability.
fn falls(shares: &Shares<'_>, to: impl Fn(usize) -> usize) -> Vec<(f64, usize)> {
    if let Shares::Even(count) = shares {
        return (0..*count).map(|answer| (1.0 / *count as f64, to(answer))).collect();
    }
    let weights = shares.weights();
    let total = weights.iter().map(|(_, weight)| weight).sum();
    let fall = |(answer, weight): &(usize, _)| {
        (<Interval as Amount>::ratio(weight, &total).middle(), to(*answer))
    };
    weights.iter().map(fall).collect()
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
