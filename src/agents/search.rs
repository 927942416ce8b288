//! Monte Carlo tree search on the graph, for any number of players.
//!
//! Methods: UCT (Kocsis and Szepesvári, 2006, "Bandit based Monte-Carlo Planning") with a vector of
//! utilities (Sturtevant, 2008, "An Analysis of UCT in Multi-Player Games"); decoupled for joint
//! decisions (Shafiei, Sturtevant and Schaeffer, 2009): each player has statistics of their own,
//! which depend on nobody else's answer; and for what is hidden, statistics for each player's
//! information sets (Cowling, Powley and Whitehouse, 2012: multiple observers). Nodes that are
//! reached in several ways share theirs.

use super::determinize;
use super::information::DecisionView;
use super::search_graph::{Halted, Mind};
use super::tree::SearchTree;
use crate::graph::Kind;
use crate::handlers::{Answer, Generator};

/// The number of simulations of `search` alone.
pub(super) const SIMULATIONS: u32 = 500;
/// The most simulations an answer may take.
pub(super) const MOST: u32 = 10_000_000;

/// The answer after so many simulations, or as many as a thought may take: the option most often
/// visited; of several the first. Each alike, where a thought takes no simulation.
pub(super) fn answer(
    mind: &mut Mind,
    outlook: &DecisionView,
    worlds: &[u32],
    simulations: u32,
) -> Result<Answer, Halted> {
    let mut search = TreeSearch { mind, tree: SearchTree::default(), path: Vec::new() };
    // Whatever world it is, the player goes by one and the same statistics.
    let decision = search.tree.entry(outlook.actor, outlook.options).0;
    if search.mind.explorer().rules().hides() {
        let set = outlook.set(search.mind)?;
        search.tree.know(set.into(), decision);
    } else {
        worlds.iter().for_each(|&world| search.tree.know(place(world, outlook.nth), decision));
    }
    let mut lots = Generator::of(outlook.seed());
    search.mind.allow(search.mind.thought());
    for simulation in 0..simulations {
        search.mind.look_up()?;
        let world = worlds[lots.index(worlds.len())];
        match search.simulate(world, &mut lots) {
            Err(Halted::Spent) if simulation == 0 => return Ok(Answer::Any),
            Err(Halted::Spent) => break,
            made => made?,
        }
    }
    Ok(Answer::Option(search.tree.most_visited(decision)))
}

struct TreeSearch<'a> {
    mind: &'a mut Mind,
    tree: SearchTree,
    /// Entries of the tree and the options picked there, in this simulation.
    path: Vec<(u32, u32)>,
}

impl TreeSearch<'_> {
    /// One simulation: down the tree, at random from the first decision that is new, and back.
    fn simulate(&mut self, world: u32, lots: &mut Generator) -> Result<(), Halted> {
        self.path.clear();
        self.tree.begin();
        let mut at = world;
        let (mut fresh, mut leaves) = (false, false);
        loop {
            let node = self.mind.graph().node(at);
            let answer = match node.kind() {
                Kind::End => {
                    let what = node.what();
                    self.tree.learn(&self.path, self.mind.payoffs(what));
                    return Ok(());
                }
                Kind::Chance | Kind::EvenChance => self.mind.graph().draw(node, lots),
                Kind::Decision => {
                    let (entry, new) = self.entry(at)?;
                    // A way that leads back to where it was is left, so that it ends.
                    if !self.tree.enter(entry) {
                        leaves = true;
                        lots.index(self.mind.graph().node(at).answers())
                    } else {
                        let option = self.tree.pick(entry, lots);
                        self.path.push((entry, option as u32));
                        fresh |= new;
                        leaves = fresh && self.is_last_part(at);
                        option
                    }
                }
            };
            let to = if leaves { 0 } else { self.mind.next(at, answer)? };
            if to == 0 {
                let utility = self.mind.play((at, answer), lots)?;
                self.tree.learn(&self.path, utility);
                return Ok(());
            }
            at = to;
        }
    }

    /// The entry of a decision, and whether nobody has picked there yet.
    #[inline]
    fn entry(&mut self, at: u32) -> Result<(u32, bool), Halted> {
        let key = match self.mind.explorer().rules().hides() {
            true => u64::from(self.mind.set_of(at)?),
            false => {
                let (first, nth) = determinize::beginning(self.mind.graph(), at);
                place(first, nth)
            }
        };
        if let Some(known) = self.tree.known(key) {
            return Ok(known);
        }
        let node = self.mind.graph().node(at);
        let entry = self.tree.entry(node.actor(), node.answers());
        self.tree.know(key, entry.0);
        Ok(entry)
    }

    /// Whether nobody else decides together with the player who decides here, and after them: a
    /// joint decision is new only as a whole.
    fn is_last_part(&self, at: u32) -> bool {
        let graph = self.mind.graph();
        let part = graph.question(graph.node(at)).and_then(|question| question.part);
        part.is_none_or(|(nth, of)| nth + 1 == of)
    }
}

/// The key of a decision where everybody sees everything: where it begins, and its part.
fn place(first: u32, nth: usize) -> u64 {
    u64::from(first) << 32 | nth as u64
}
