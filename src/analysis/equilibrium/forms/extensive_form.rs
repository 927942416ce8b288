//! Turns a graph into a game that can be solved: some seats decide, all else happens by weights.
//!
//! With perfect recall (Kuhn, 1953, "Extensive Games and the Problem of Information") all nodes of
//! an information set follow the same own decisions and picks. There is one exception here: an
//! information set of one node may be reached in several ways, since a side that knows exactly
//! where the game is does not need what it forgot on the way. The same holds if it knew this before
//! others decided or chance fell unseen: all nodes follow from one, and the side has done nothing
//! since.

use hashbrown::HashMap;
use indexmap::IndexSet;

use super::super::matrix::Scalar;
use super::super::stop_check::StopCheck;
use super::board::{Mover, Opposed, SeatedGame, worths};
use super::tree::{FIRST, Recall, Role, Tree, TreeError};
use crate::conflict::{Seat, Seating};
use crate::error::Error;
use crate::explored::ExploredGame;
use crate::graph::{Explorer, InformationSets, NodePasts, allied_words};
use crate::number::Fraction;

/// A game drawn from a graph.
pub struct ExtensiveForm<W = f64> {
    /// The game; its sides are the seats.
    pub tree: Tree<W>,
    /// The seats of the conflict.
    pub seats: Vec<Seat>,
    /// For each information set of the game the number of the one that the rules make, and the
    /// answers that the side has already given in the same joint decision.
    pub sets: Vec<(usize, String)>,
    pub(crate) game: ExploredGame,
    /// Whether two sides decide, and one always loses in proportion to what the other wins.
    pub(crate) opposed: bool,
}

impl<W: Scalar> ExtensiveForm<W> {
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
    ) -> Result<ExtensiveForm<W>, Error> {
        let graph = &*seating.graph;
        let SeatedGame { game, mut movers, seats, endings } = SeatedGame::at(seating)?;
        let mut sets: IndexSet<(usize, String)> = IndexSet::new();
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
            of_places[place] = sets.insert_full(set).0 as u32;
        }
        let sets: Vec<(usize, String)> = sets.into_iter().collect();
        let (worth, floats) = worths(graph, &seats, &endings);
        let payoffs = worth.iter().flatten().map(W::of).collect();
        seating.may_continue()?;
        let names = seats.iter().map(|seat| seat.name.clone()).collect();
        let may_continue = || seating.may_continue().is_ok();
        match Tree::of(names, &game, (&movers, &of_places), payoffs, &may_continue) {
            Ok(tree) => {
                let opposed = is_opposed(&tree, &worth, floats);
                Ok(ExtensiveForm { tree, seats, sets, game, opposed })
            }
            Err(error) => Err(description(error, (seating, explorer), &game, known, &sets)),
        }
    }

    /// The node of the graph at a node of the game.
    pub fn node(&self, node: usize) -> u32 {
        self.game.nodes.get(self.tree.place(node)).copied().unwrap_or_default()
    }
}

/// Whether the two sides that decide, if there are as many, win from each other.
fn is_opposed<W: Scalar>(tree: &Tree<W>, worth: &[Vec<Fraction>], floats: bool) -> bool {
    let deciding = (0..tree.sides().len()).filter(|&side| !tree.recall.sets(side).is_empty());
    let [own, other] = deciding.collect::<Vec<_>>()[..] else { return false };
    Opposed::of(worth, [own, other], floats).is_some()
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
            let asked = game.asked_in_brackets(graph, place);
            Error::unsolved(format!("states form a cycle{asked}"))
        }
        TreeError::Refused(why) => Error::unsolved(why),
        TreeError::Stopped => seating.stopped(),
    }
}

impl<W: Scalar> Tree<W> {
    /// Makes the game in which every side remembers what it did of an explored game, who moves at its places and
    /// in which information set, and the utilities of the endings for each side; until the caller stops it.
    /// Information sets are numbered from 0, without gaps.
    pub(crate) fn of(
        sides: Vec<String>,
        game: &ExploredGame,
        sets: (&[Mover], &[u32]),
        payoffs: Vec<W>,
        may_continue: &dyn Fn() -> bool,
    ) -> Result<Tree<W>, TreeError> {
        let wanted = StopCheck::new(may_continue);
        let mut tree = Tree::without_recall(sides, game, sets, payoffs, &wanted)?;
        tree.recall = test(&tree, &wanted)?;
        Ok(tree)
    }
}

fn test<W: Scalar>(tree: &Tree<W>, wanted: &StopCheck<'_>) -> Result<Recall, TreeError> {
    let sides = tree.sides().len();
    let mut recall = Recall {
        before: vec![Vec::new(); tree.sets.len()],
        beginnings: HashMap::new(),
        sets: vec![Vec::new(); sides],
    };
    let parents = parents(tree, wanted)?;
    for side in 0..sides {
        test_side((tree, wanted), side, &parents, &mut recall)?;
    }
    Ok(recall)
}

/// Lists of last picks, each once; by their numbers.
#[derive(Default)]
struct Pasts(IndexSet<Vec<u32>>);

impl Pasts {
    fn number(&mut self, list: Vec<u32>) -> u32 {
        self.0.insert_full(list).0 as u32
    }

    fn joined(&mut self, a: u32, b: u32) -> u32 {
        if a == b || a == NONE {
            return b;
        }
        let mut list = self.0[a as usize].clone();
        list.extend(&self.0[b as usize]);
        list.sort_unstable();
        list.dedup();
        self.number(list)
    }
}

const NONE: u32 = u32::MAX;

/// For each node the one that leads to it, where there is exactly one.
fn parents<W: Scalar>(
    tree: &Tree<W>,
    wanted: &StopCheck<'_>,
) -> Result<Vec<Option<u32>>, TreeError> {
    let mut parents: Vec<Option<u32>> = vec![None; tree.len()];
    let mut met = vec![false; tree.len()];
    for node in 0..tree.len() {
        may_continue(wanted)?;
        for &to in &tree.to()[tree.answers(node)] {
            let again = std::mem::replace(&mut met[to as usize], true);
            let same = parents[to as usize] == Some(node as u32);
            parents[to as usize] = (!again || same).then_some(node as u32);
        }
    }
    Ok(parents)
}

fn may_continue(wanted: &StopCheck<'_>) -> Result<(), TreeError> {
    if wanted.stops() { Err(TreeError::Stopped) } else { Ok(()) }
}

/// The last node from which all nodes of an information set follow, none of them after a further
/// decision of its side, and each in one way.
fn beginning<W: Scalar>(
    (tree, wanted): (&Tree<W>, &StopCheck<'_>),
    parents: &[Option<u32>],
    set: u32,
) -> Result<Option<u32>, TreeError> {
    let known = &tree.sets[set as usize];
    let own = |node: u32| match tree.roles[node as usize] {
        Role::Set(set) => tree.sets[set as usize].side == known.side,
        _ => false,
    };
    let above = |node: u32| {
        std::iter::successors(parents[node as usize], |&node| parents[node as usize])
            .take_while(|&node| !own(node))
    };
    let Some((first, rest)) = known.nodes.split_first() else { return Ok(None) };
    'commons: for common in above(*first) {
        for &node in rest {
            may_continue(wanted)?;
            if !above(node).any(|node| node == common) {
                continue 'commons;
            }
        }
        return Ok(Some(common));
    }
    Ok(None)
}

fn test_side<W: Scalar>(
    (tree, wanted): (&Tree<W>, &StopCheck<'_>),
    side: usize,
    parents: &[Option<u32>],
    recall: &mut Recall,
) -> Result<(), TreeError> {
    let mut pasts = Pasts::default();
    let mut past = vec![NONE; tree.len()];
    past[0] = pasts.number(vec![FIRST]);
    for node in 0..tree.len() {
        may_continue(wanted)?;
        let own = match tree.roles[node] {
            Role::Set(set) if tree.sets[set as usize].side as usize == side => Some(set),
            _ => None,
        };
        if let Some(set) = own {
            let known = &tree.sets[set as usize];
            let list = &pasts.0[past[node] as usize];
            let first = known.nodes[0] as usize;
            if first == node {
                recall.before[set as usize] = list.clone();
                recall.sets[side].push(set);
            }
            let forgets = list.len() > 1 || recall.before[set as usize] != *list;
            if known.nodes.len() > 1 && forgets && recall.beginning(set).is_none() {
                match beginning((tree, wanted), parents, set)? {
                    Some(beginning) => _ = recall.beginnings.insert(set, beginning),
                    None => return Err(TreeError::Forgets { set: set as usize }),
                }
            }
        }
        for (nth, answer) in tree.answers(node).enumerate() {
            let before = match own {
                Some(set) => pasts.number(vec![tree.sets[set as usize].first + nth as u32]),
                None => past[node],
            };
            let to = tree.to()[answer] as usize;
            past[to] = pasts.joined(past[to], before);
        }
    }
    Ok(())
}
