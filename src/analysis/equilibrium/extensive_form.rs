//! A game in extensive form: drawn from a graph, with some seats that decide, while all else happens by weights.
//!
//! A node may be reached in several ways: what follows is the same, so it is stored once.
//!
//! With perfect recall (Kuhn, 1953, "Extensive Games and the Problem of Information") all nodes of
//! an information set follow the same own decisions and picks. There is one exception here: an
//! information set of one node may be reached in several ways, since a side that knows exactly
//! where the game is does not need what it forgot on the way. The same holds if it knew this before
//! others decided or chance fell unseen: all nodes follow from one, and the side has done nothing
//! since. [`Recall`] makes sure of that, so that all methods may treat such a game like its tree.

use std::cell::Cell;
use std::ops::Range;

use hashbrown::HashSet;
use indexmap::IndexSet;

use super::board::{Mover, Opposed, SeatedGame, worths};
use super::matrix::Scalar;
use crate::conflict::{Seat, Seating};
use crate::error::Error;
use crate::explored::ExploredGame;
use crate::graph::{Explorer, InformationSets, NodePasts, allied_words};
use crate::number::Fraction;

/// A game in extensive form. Nodes are numbered so that all answers lead to greater numbers; 0 is
/// the beginning.
#[derive(Clone, Debug)]
pub struct ExtensiveForm<W = f64> {
    /// The seats of the conflict, which are the sides.
    pub seats: Vec<Seat>,
    /// The nodes, where the answers of each lead, and which nodes of the graph they are.
    pub(crate) game: ExploredGame,
    pub(crate) roles: Vec<Role>,
    /// The probabilities of the answers of chance, beside the steps; 1 where a player decides.
    pub(crate) chances: Vec<W>,
    /// The utility of each ending for each side.
    pub(crate) payoffs: Vec<W>,
    pub(crate) sets: Vec<Set>,
    /// For each information set the number of the one that the rules make, and the answers that the side has already
    /// given in the same joint decision.
    pub(crate) of_rules: Vec<(usize, String)>,
    /// The number of options of all information sets together.
    pub(crate) slots: usize,
    pub(crate) recall: Recall,
    /// Whether two sides decide, and one always loses in proportion to what the other wins.
    pub(crate) opposed: bool,
}

/// The reasons why an explored game is none that can be solved here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FormError {
    /// A place that leads back to itself.
    Cycle(usize),
    /// In words.
    Refused(&'static str),
    /// The caller stopped it, or a bound was reached.
    Stopped,
    /// A side forgets what it did or saw before the nodes of one information set.
    Forgets { set: usize },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The game is over; the number of its payoffs.
    End(u32),
    Chance,
    /// A side decides; the number of the information set.
    Set(u32),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Set {
    /// The number of the side that decides.
    pub side: u32,
    /// The slot of its first option: each option of each information set has a slot of its own.
    pub first: u32,
    pub options: u32,
    pub nodes: Vec<u32>,
}

impl Set {
    #[inline]
    pub(crate) fn slots(&self) -> Range<usize> {
        self.first as usize..(self.first + self.options) as usize
    }
}

/// The own picks that the sides remember where they decide.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recall {
    /// For each information set the slots of the last own picks that lead to it; if it may also be the side's first,
    /// `FIRST` is one of them. Only an information set of one node, or of nodes that follow from one, has several.
    pub(crate) before: Vec<Vec<u32>>,
    /// The information sets of several nodes that can be reached in several ways: all nodes of one follow from one.
    pub(crate) from_one: HashSet<u32>,
    /// For each side its information sets, earlier ones first.
    pub(crate) sets: Vec<Vec<u32>>,
}

/// Represents no pick: the side has not decided anything before.
pub(crate) const FIRST: u32 = u32::MAX;

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
        seating.may_continue()?;
        let may_continue = || seating.may_continue().is_ok();
        match ExtensiveForm::of(seats, game, (&movers, &of_places), &worth, &may_continue) {
            Ok(drawn) => {
                let opposed = drawn.is_opposed(&worth, floats);
                Ok(ExtensiveForm { of_rules: sets, opposed, ..drawn })
            }
            Err(FormError::Stopped) => Err(seating.stopped()),
            Err(error) => {
                let game = SeatedGame::at(seating)?.game;
                Err(description(error, (seating, explorer), &game, known, &sets))
            }
        }
    }

    /// Makes the game in which every side remembers what it did of an explored game, who moves at its places and
    /// in which information set, and the utilities of the endings for each side; until the caller stops it.
    /// Information sets are numbered from 0, without gaps.
    pub(crate) fn of(
        seats: Vec<Seat>,
        game: ExploredGame,
        (movers, sets): (&[Mover], &[u32]),
        worth: &[Vec<Fraction>],
        may_continue: &dyn Fn() -> bool,
    ) -> Result<ExtensiveForm<W>, FormError> {
        let wanted = &StopCheck::new(may_continue);
        if seats.is_empty() || game.len() == 0 {
            return Err(FormError::Refused("nobody plays"));
        }
        // From the last answer on: in another order the same floats would be summed otherwise.
        let steps = |place: u32| game.to.of(place as usize).iter().rev().copied();
        let order = game.order(steps, &|| !wanted.stops()).ok_or(FormError::Stopped)?;
        let order = order.map_err(FormError::Cycle)?;
        let mut form = ExtensiveForm {
            seats,
            game: game.reordered(&order),
            roles: Vec::with_capacity(order.len()),
            chances: Vec::new(),
            payoffs: worth.iter().flatten().map(W::of).collect(),
            sets: Vec::new(),
            of_rules: Vec::new(),
            slots: 0,
            recall: Recall::default(),
            opposed: false,
        };
        let shares = form.game.weights.fractions(W::of);
        for (node, place) in order.into_iter().map(|place| place as usize).enumerate() {
            check(wanted)?;
            let steps = form.answers(node);
            let role = match movers[place] {
                Mover::End(ending) => Role::End(ending),
                Mover::Side(side) => {
                    form.decision(node as u32, side, sets[place], steps.len() as u32)?
                }
                _ => Role::Chance,
            };
            form.roles.push(role);
            let weights = form.game.weights.of[steps].iter();
            form.chances.extend(weights.map(|&share| match role {
                Role::Chance => shares[share as usize].clone(),
                _ => W::one(),
            }));
        }
        for set in &mut form.sets {
            set.first = form.slots as u32;
            form.slots += set.options as usize;
        }
        let mut recall = Recall {
            before: vec![Vec::new(); form.sets.len()],
            from_one: HashSet::new(),
            sets: vec![Vec::new(); form.sides()],
        };
        let parents = parents(&form, wanted)?;
        for side in 0..form.sides() {
            test_side((&form, wanted), side, &parents, &mut recall)?;
        }
        Ok(ExtensiveForm { recall, ..form })
    }

    fn decision(
        &mut self,
        node: u32,
        side: u32,
        set: u32,
        options: u32,
    ) -> Result<Role, FormError> {
        let number = set as usize;
        if self.sets.len() <= number {
            let fresh = Set { side, first: 0, options: 0, nodes: Vec::new() };
            self.sets.resize(number + 1, fresh);
        }
        let known = &mut self.sets[number];
        if known.nodes.is_empty() {
            (known.side, known.options) = (side, options);
        }
        if (known.side, known.options) != (side, options) {
            let why = "an information set does not offer the same options everywhere";
            return Err(FormError::Refused(why));
        }
        known.nodes.push(node);
        Ok(Role::Set(set))
    }

    /// The number of sides.
    pub(crate) fn sides(&self) -> usize {
        self.seats.len()
    }

    pub(crate) fn len(&self) -> usize {
        self.roles.len()
    }

    /// Where a node's answers are in [`ExtensiveForm::to`] and [`ExtensiveForm::chances`].
    #[inline]
    pub(crate) fn answers(&self, node: usize) -> Range<usize> {
        self.game.to.range(node)
    }

    /// The nodes that all answers lead to, node by node.
    pub(crate) fn to(&self) -> &[u32] {
        self.game.to.all()
    }

    #[inline]
    pub(crate) fn payoffs(&self, ending: u32) -> &[W] {
        let from = ending as usize * self.seats.len();
        &self.payoffs[from..from + self.seats.len()]
    }

    /// All endings' payoffs, side by side.
    pub(crate) fn all_payoffs(&self) -> impl Iterator<Item = &[W]> {
        self.payoffs.chunks(self.seats.len().max(1))
    }

    /// The sides that decide anywhere.
    pub(crate) fn deciding(&self) -> impl Iterator<Item = usize> {
        (0..self.seats.len()).filter(|&side| !self.recall.sets[side].is_empty())
    }

    /// Whether the two sides that decide, if there are as many, win from each other.
    fn is_opposed(&self, worth: &[Vec<Fraction>], floats: bool) -> bool {
        let [own, other] = self.deciding().collect::<Vec<_>>()[..] else { return false };
        Opposed::of(worth, [own, other], floats).is_some()
    }
}

/// The reason why the graph is no game that can be solved, in the names that people know.
fn description(
    error: FormError,
    (seating, explorer): (&Seating, &Explorer),
    game: &ExploredGame,
    known: &InformationSets,
    sets: &[(usize, String)],
) -> Error {
    let graph = &*seating.graph;
    match error {
        FormError::Forgets { set } => {
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
        FormError::Cycle(place) => {
            let asked = game.asked_in_brackets(graph, place);
            Error::unsolved(format!("states form a cycle{asked}"))
        }
        FormError::Refused(why) => Error::unsolved(why),
        FormError::Stopped => seating.stopped(),
    }
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
    tree: &ExtensiveForm<W>,
    wanted: &StopCheck<'_>,
) -> Result<Vec<Option<u32>>, FormError> {
    let mut parents: Vec<Option<u32>> = vec![None; tree.len()];
    let mut met = vec![false; tree.len()];
    for node in 0..tree.len() {
        check(wanted)?;
        for &to in &tree.to()[tree.answers(node)] {
            let again = std::mem::replace(&mut met[to as usize], true);
            let same = parents[to as usize] == Some(node as u32);
            parents[to as usize] = (!again || same).then_some(node as u32);
        }
    }
    Ok(parents)
}

fn check(wanted: &StopCheck<'_>) -> Result<(), FormError> {
    if wanted.stops() { Err(FormError::Stopped) } else { Ok(()) }
}

/// Whether all nodes of an information set follow from one, none of them after a further decision of its side, and
/// each in one way.
fn follow_from_one<W: Scalar>(
    (tree, wanted): (&ExtensiveForm<W>, &StopCheck<'_>),
    parents: &[Option<u32>],
    known: &Set,
) -> Result<bool, FormError> {
    let own = |node: u32| match tree.roles[node as usize] {
        Role::Set(set) => tree.sets[set as usize].side == known.side,
        _ => false,
    };
    let above = |node: u32| {
        std::iter::successors(parents[node as usize], |&node| parents[node as usize])
            .take_while(|&node| !own(node))
    };
    let Some((first, rest)) = known.nodes.split_first() else { return Ok(false) };
    'commons: for common in above(*first) {
        for &node in rest {
            check(wanted)?;
            if !above(node).any(|node| node == common) {
                continue 'commons;
            }
        }
        return Ok(true);
    }
    Ok(false)
}

fn test_side<W: Scalar>(
    (tree, wanted): (&ExtensiveForm<W>, &StopCheck<'_>),
    side: usize,
    parents: &[Option<u32>],
    recall: &mut Recall,
) -> Result<(), FormError> {
    let mut pasts = Pasts::default();
    let mut past = vec![NONE; tree.len()];
    past[0] = pasts.number(vec![FIRST]);
    for node in 0..tree.len() {
        check(wanted)?;
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
            if known.nodes.len() > 1 && forgets && !recall.from_one.contains(&set) {
                if !follow_from_one((tree, wanted), parents, known)? {
                    return Err(FormError::Forgets { set: set as usize });
                }
                recall.from_one.insert(set);
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

// Asks now and then whether long work is still wanted: once in this many steps, for asking takes time.

/// Whether work is still wanted. All loops of one piece of work count their steps together.
pub struct StopCheck<'a> {
    may_continue: &'a dyn Fn() -> bool,
    steps: Cell<u32>,
}

/// This many steps are made before somebody is asked.
pub(super) const STEPS: u32 = 1024;

impl<'a> StopCheck<'a> {
    /// Nobody was asked yet.
    pub fn new(may_continue: &'a dyn Fn() -> bool) -> StopCheck<'a> {
        StopCheck { may_continue, steps: Cell::new(0) }
    }

    /// Counts a step, and returns whether the work is to stop there.
    #[inline]
    pub fn stops(&self) -> bool {
        let steps = self.steps.get() + 1;
        self.steps.set(steps % STEPS);
        steps == STEPS && !(self.may_continue)()
    }
}

/// Work that nobody stops.
pub(super) const ALWAYS: &dyn Fn() -> bool = &|| true;
