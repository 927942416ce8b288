//! A game in extensive form as flat arrays: where answers lead, information sets and payoffs.
//!
//! A node may be reached in several ways: what follows is the same, so it is stored once.
//! [`Recall`] makes sure that all methods here may treat such a game like its tree.

use std::ops::Range;

use hashbrown::HashMap;

use super::super::matrix::Scalar;
use super::super::stop_check::StopCheck;
use super::board::Mover;
use crate::explored::{ExploredGame, Lists};

/// A game in extensive form. Nodes are numbered so that all answers lead to greater numbers; 0 is
/// the beginning. Nothing here knows rules or a graph.
#[derive(Clone, Debug)]
pub struct Tree<W = f64> {
    sides: Vec<String>,
    pub(crate) roles: Vec<Role>,
    /// The nodes that the answers of each lead to.
    to: Lists<u32>,
    /// The probabilities of the answers of chance, beside `to`; 1 where a player decides.
    pub(crate) chances: Vec<W>,
    /// The utility of each ending for each side.
    payoffs: Vec<W>,
    pub(crate) sets: Vec<Set>,
    /// The number of options of all information sets together.
    pub(crate) slots: usize,
    places: Vec<u32>,
    pub(crate) recall: Recall,
}

/// The reasons why an explored game is none that can be solved here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TreeError {
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
    /// For each information set the slots of the last own picks that lead to it; none if it is the
    /// side's first decision on all ways. Only an information set of one node, or of nodes that
    /// follow from one, has several.
    pub(crate) before: Vec<Vec<u32>>,
    /// For each information set of several nodes that can be reached in several ways the last node
    /// from which all of them follow.
    pub(crate) beginnings: HashMap<u32, u32>,
    /// For each side its information sets, earlier ones first.
    pub(crate) sets: Vec<Vec<u32>>,
}

impl Recall {
    /// The slots of the last own picks that lead to an information set; if it may also be the
    /// side's first, `FIRST` is one of them.
    pub(crate) fn before(&self, set: u32) -> &[u32] {
        &self.before[set as usize]
    }

    /// The node from which all nodes of an information set follow, if the side may have reached it
    /// in several ways; `None` for a set of one node.
    pub(crate) fn beginning(&self, set: u32) -> Option<u32> {
        self.beginnings.get(&set).copied()
    }

    pub(crate) fn sets(&self, side: usize) -> &[u32] {
        &self.sets[side]
    }
}

/// Represents no pick: the side has not decided anything before.
pub(crate) const FIRST: u32 = u32::MAX;

impl<W: Scalar> Tree<W> {
    /// An explored game before it is known what the sides remember: [`Tree::of`] adds it.
    pub(crate) fn without_recall(
        sides: Vec<String>,
        game: &ExploredGame,
        (movers, sets): (&[Mover], &[u32]),
        payoffs: Vec<W>,
        wanted: &StopCheck<'_>,
    ) -> Result<Tree<W>, TreeError> {
        if sides.is_empty() || game.len() == 0 {
            return Err(TreeError::Refused("nobody plays"));
        }
        // From the last answer on: in another order the same floats would be summed otherwise.
        let steps = |place: u32| game.to.of(place as usize).iter().rev().copied();
        let places = game.order(steps, &|| !wanted.stops()).ok_or(TreeError::Stopped)?;
        let places = places.map_err(TreeError::Cycle)?;
        let mut nodes = vec![u32::MAX; game.len()];
        (0..).zip(&places).for_each(|(node, &place)| nodes[place as usize] = node);
        let mut tree = Tree {
            roles: Vec::with_capacity(places.len()),
            to: Lists::default(),
            chances: Vec::new(),
            payoffs,
            sets: Vec::new(),
            slots: 0,
            places,
            recall: Recall::default(),
            sides,
        };
        let shares = game.weights.fractions(W::of);
        for node in 0..tree.places.len() {
            if wanted.stops() {
                return Err(TreeError::Stopped);
            }
            let place = tree.places[node] as usize;
            let to = game.to.of(place);
            let role = match movers[place] {
                Mover::End(ending) => Role::End(ending),
                Mover::Side(side) => {
                    tree.decision(node as u32, side, sets[place], to.len() as u32)?
                }
                _ => Role::Chance,
            };
            tree.roles.push(role);
            let weights = game.weights.of[game.to.range(place)].iter();
            tree.chances.extend(weights.map(|&share| match role {
                Role::Chance => shares[share as usize].clone(),
                _ => W::one(),
            }));
            tree.to.push(to.iter().map(|&to| nodes[to as usize]));
        }
        for set in &mut tree.sets {
            set.first = tree.slots as u32;
            tree.slots += set.options as usize;
        }
        Ok(tree)
    }

    fn decision(
        &mut self,
        node: u32,
        side: u32,
        set: u32,
        options: u32,
    ) -> Result<Role, TreeError> {
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
            return Err(TreeError::Refused(why));
        }
        known.nodes.push(node);
        Ok(Role::Set(set))
    }

    /// The names of the sides.
    pub fn sides(&self) -> &[String] {
        &self.sides
    }

    pub(crate) fn len(&self) -> usize {
        self.roles.len()
    }

    /// The places of a node's answers in [`Tree::to`] and [`Tree::chances`].
    #[inline]
    pub(crate) fn answers(&self, node: usize) -> std::ops::Range<usize> {
        self.to.range(node)
    }

    /// The nodes that all answers lead to, node by node.
    pub(crate) fn to(&self) -> &[u32] {
        self.to.all()
    }

    #[inline]
    pub(crate) fn payoffs(&self, ending: u32) -> &[W] {
        let from = ending as usize * self.sides.len();
        &self.payoffs[from..from + self.sides.len()]
    }

    /// All endings' payoffs, side by side.
    pub(crate) fn all_payoffs(&self) -> impl Iterator<Item = &[W]> {
        self.payoffs.chunks(self.sides.len().max(1))
    }

    pub(crate) fn place(&self, node: usize) -> usize {
        self.places[node] as usize
    }

    /// The number of sides that decide anywhere.
    pub(crate) fn deciding(&self) -> usize {
        (0..self.sides.len()).filter(|&side| !self.recall.sets(side).is_empty()).count()
    }
}
