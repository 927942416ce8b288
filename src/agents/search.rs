//! Monte Carlo tree search on the graph, for any number of players.
//!
//! Methods: UCT (Kocsis and Szepesvári, 2006, "Bandit based Monte-Carlo Planning") with a vector of
//! utilities (Sturtevant, 2008, "An Analysis of UCT in Multi-Player Games"); decoupled for joint
//! decisions (Shafiei, Sturtevant and Schaeffer, 2009): each player has statistics of their own,
//! which depend on nobody else's answer; and for what is hidden, statistics for each player's
//! information sets (Cowling, Powley and Whitehouse, 2012: multiple observers). Nodes that are
//! reached in several ways share theirs.

use hashbrown::HashMap;

use super::decision_view::DecisionView;
use super::greedy;
use super::search_graph::{Halted, SearchGraph, World};
use crate::game::{Answer, Generator};
use crate::graph::NodeKind;

pub(super) const SIMULATIONS: u32 = 500;
pub(super) const MOST: u32 = 10_000_000;

/// As many operations for each simulation beside those that any thought may take: in short conflicts as many are
/// made as are asked for.
const OF_A_SIMULATION: u64 = 5_000;

/// The answer after this many simulations, or as many as a thought may take: the option most often
/// visited; of several the first. Each alike, where a thought takes no simulation.
pub(super) fn answer(
    search_graph: &mut SearchGraph,
    view: &DecisionView,
    worlds: &[World],
    simulations: u32,
) -> Result<Answer, Halted> {
    let mut search = TreeSearch { search_graph, tree: SearchTree::default(), path: Vec::new() };
    // The player uses the same statistics in every world.
    let decision = search.tree.entry(view.actor, view.options).0;
    if search.search_graph.explorer().rules().hides() {
        let set = search.search_graph.set_of(view.node)?;
        search.tree.known.insert(set.into(), decision);
    } else {
        let places = worlds.iter().map(|&(world, _)| (place(world, view.nth), decision));
        search.tree.known.extend(places);
    }
    let mut rng = Generator::of(view.seed());
    let thought = search.search_graph.thought();
    search.search_graph.allow(thought.saturating_add(OF_A_SIMULATION * u64::from(simulations)));
    let total = greedy::sum_of_weights(worlds);
    for simulation in 0..simulations {
        search.search_graph.look_up()?;
        let share = rng.below(1 << 53) as f64 / (1_u64 << 53) as f64;
        let world = greedy::drawn(worlds, total * share);
        match search.simulate(world, &mut rng) {
            Err(Halted::Spent) if simulation == 0 => return Ok(Answer::Any),
            Err(Halted::Spent) => break,
            made => made?,
        }
    }
    Ok(Answer::Option(search.tree.most_visited(decision)))
}

struct TreeSearch<'a> {
    search_graph: &'a mut SearchGraph,
    tree: SearchTree,
    /// Entries of the tree and the options picked there, in this simulation.
    path: Vec<(u32, u32)>,
}

impl TreeSearch<'_> {
    /// One simulation: down the tree, at random from the first decision that is new, and back.
    fn simulate(&mut self, world: u32, rng: &mut Generator) -> Result<(), Halted> {
        self.path.clear();
        self.tree.simulation += 1;
        let mut at = world;
        let (mut fresh, mut leaves) = (false, false);
        loop {
            let node = self.search_graph.graph().node(at);
            let answer = match node.kind() {
                NodeKind::End => {
                    let what = node.what();
                    self.tree.learn(&self.path, self.search_graph.payoffs(what));
                    return Ok(());
                }
                NodeKind::Chance | NodeKind::EvenChance => {
                    self.search_graph.graph().draw(node, rng)
                }
                NodeKind::Decision => {
                    let (entry, new) = self.entry(at)?;
                    // A way that leads back to where it was is left, so that it ends.
                    if !self.tree.enter(entry) {
                        leaves = true;
                        rng.index(self.search_graph.graph().node(at).answers())
                    } else {
                        let option = self.tree.pick(entry, rng);
                        self.path.push((entry, option as u32));
                        fresh |= new;
                        leaves = fresh && self.is_last_part(at);
                        option
                    }
                }
            };
            let to = if leaves { 0 } else { self.search_graph.next(at, answer)? };
            if to == 0 {
                let utility = self.search_graph.play((at, answer), rng)?;
                self.tree.learn(&self.path, utility);
                return Ok(());
            }
            at = to;
        }
    }

    /// The entry of a decision, and whether nobody has picked there yet.
    #[inline]
    fn entry(&mut self, at: u32) -> Result<(u32, bool), Halted> {
        let key = match self.search_graph.explorer().rules().hides() {
            true => u64::from(self.search_graph.set_of(at)?),
            false => {
                let (first, nth) = self.search_graph.graph().first_part(at);
                place(first, nth)
            }
        };
        if let Some(known) = self.tree.known(key) {
            return Ok(known);
        }
        let node = self.search_graph.graph().node(at);
        let entry = self.tree.entry(node.actor(), node.answers());
        self.tree.known.insert(key, entry.0);
        Ok(entry)
    }

    /// Whether nobody else decides together with the player who decides here, and after them: a
    /// joint decision is new only as a whole.
    fn is_last_part(&self, at: u32) -> bool {
        self.search_graph.graph().part(at).is_none_or(|(nth, of)| nth + 1 == of)
    }
}

/// The key of a decision where everybody sees everything: where it begins, and its part.
fn place(first: u32, nth: usize) -> u64 {
    u64::from(first) << 32 | nth as u64
}

/// The statistics of a search. Utilities are compared in the range that was seen of each player's.
#[derive(Default)]
struct SearchTree {
    entries: Vec<TreeEntry>,
    options: Vec<Tried>,
    known: HashMap<u64, u32>,
    /// Each player's least and greatest utility, by the numbers by which nodes know players.
    ranges: Vec<(f64, f64)>,
    simulation: u32,
}

struct TreeEntry {
    actor: u32,
    first: u32,
    count: u32,
    visits: u32,
    /// How many of the options were never picked.
    untried: u32,
    last: u32,
}

#[derive(Clone, Copy, Default)]
struct Tried {
    visits: u32,
    sum: f64,
}

/// How much is explored: the factor of `sqrt(ln n / n_i)`, with utilities from 0 to 1.
const EXPLORES: f64 = 0.7;

impl SearchTree {
    /// Makes an entry for a decision: its number, and that it is new.
    fn entry(&mut self, actor: u32, options: usize) -> (u32, bool) {
        let number = self.entries.len() as u32;
        let (first, count) = (self.options.len() as u32, options as u32);
        self.entries.push(TreeEntry { actor, first, count, visits: 0, untried: count, last: 0 });
        self.options.resize(self.options.len() + options, Tried::default());
        let actors = self.ranges.len().max(actor as usize + 1);
        self.ranges.resize(actors, (f64::INFINITY, f64::NEG_INFINITY));
        (number, true)
    }

    /// The entry of a key, and whether nobody has picked there yet.
    #[inline]
    fn known(&self, key: u64) -> Option<(u32, bool)> {
        let &entry = self.known.get(&key)?;
        Some((entry, self.entries[entry as usize].visits == 0))
    }

    /// Enters a decision; false where this simulation was there already.
    #[inline]
    fn enter(&mut self, entry: u32) -> bool {
        let last = &mut self.entries[entry as usize].last;
        std::mem::replace(last, self.simulation) != self.simulation
    }

    /// Picks an option: at random one that was never picked; else that of the highest upper bound.
    #[inline]
    fn pick(&mut self, entry: u32, rng: &mut Generator) -> usize {
        let entry = &self.entries[entry as usize];
        let options = &self.options[entry.first as usize..][..entry.count as usize];
        if entry.untried > 0 {
            let nth = rng.index(entry.untried as usize);
            let mut untried = (0..options.len()).filter(|&option| options[option].visits == 0);
            return untried.nth(nth).unwrap_or_default();
        }
        let (low, high) = self.ranges[entry.actor as usize];
        let scale = if high > low { 1.0 / (high - low) } else { 0.0 };
        let log = EXPLORES * EXPLORES * f64::from(entry.visits).ln();
        let (mut best, mut highest) = (0, f64::NEG_INFINITY);
        for (option, tried) in options.iter().enumerate() {
            let share = 1.0 / f64::from(tried.visits);
            let bound = (tried.sum * share - low) * scale + (log * share).sqrt();
            if bound > highest {
                (best, highest) = (option, bound);
            }
        }
        best
    }

    /// Adds the utilities at the end of a simulation to the options on its path.
    #[inline]
    fn learn(&mut self, path: &[(u32, u32)], utility: &[f64]) {
        for &(entry, option) in path {
            let entry = &mut self.entries[entry as usize];
            let number = utility.get(entry.actor as usize).copied().unwrap_or_default();
            // Only players on the way: of others the graph may not even know yet that they play.
            let range = &mut self.ranges[entry.actor as usize];
            *range = (range.0.min(number), range.1.max(number));
            let tried = &mut self.options[(entry.first + option) as usize];
            entry.visits += 1;
            entry.untried -= u32::from(tried.visits == 0);
            tried.visits += 1;
            tried.sum += number;
        }
    }

    /// The option most often picked; of several the first.
    fn most_visited(&self, entry: u32) -> usize {
        let entry = &self.entries[entry as usize];
        let options = &self.options[entry.first as usize..][..entry.count as usize];
        let most = options.iter().map(|tried| tried.visits).max().unwrap_or_default();
        options.iter().position(|tried| tried.visits == most).unwrap_or_default()
    }
}
