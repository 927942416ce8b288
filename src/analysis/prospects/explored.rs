//! Finds the exact odds after each option: all that may follow is explored.

use indexmap::{IndexMap, IndexSet};
use num_bigint::BigUint;

use super::Effort;
use super::search::{Exploration, ProspectsSearch, asks_the_same, known, nodes_along};
use crate::analysis::Chances;
use crate::analysis::odds::chances_after;
use crate::conflict::Seating;
use crate::error::{Cut, Error};
use crate::explored::ExploredGame;
use crate::game::{Action, Actor, History};
use crate::graph::{Bounds, Explorer, Insight, explore, explore_from};
use crate::number::{Amount, Exact, Interval};

/// Nodes, each with how likely it is beside the others.
type Worlds<A> = Vec<(u32, A)>;

/// What follows the beginning, and how often the seated agents reach each place of it.
struct Visited<A> {
    game: ExploredGame,
    visits: Vec<A>,
}

impl<A: Amount> Visited<A> {
    /// Nothing where that cannot be solved.
    fn of(seating: &Seating) -> Result<Option<Visited<A>>, Error> {
        let policies = seating.policies()?;
        let game = seating.game(&policies, &[seating.graph.root()])?;
        let (start, may_continue) = ([(0, A::one())], || seating.may_continue().is_ok());
        match game.visits(&game.weights, &start, A::CYCLE, &may_continue) {
            Ok(visits) => Ok(Some(Visited { game, visits })),
            Err(_) => seating.may_continue().map(|()| None),
        }
    }

    /// For each of some decisions the nodes that look to the player who is asked there like that one, each with how
    /// likely it is. What a player goes by is found once at each node.
    fn alike(
        &self,
        seating: &Seating,
        explorer: &Explorer,
        decisions: &[u32],
    ) -> Result<Vec<Worlds<A>>, Error> {
        let key = |node: u32| Insight::of(explorer, node).map(|insight| insight.key);
        let sought = decisions.iter().map(|&node| key(node)).collect::<Result<Vec<_>, Error>>()?;
        let mut all: Vec<Worlds<A>> = vec![Vec::new(); sought.len()];
        for (&number, visits) in self.game.nodes.iter().zip(&self.visits) {
            let is_asked = |&node: &u32| asks_the_same(explorer.graph(), number, node);
            if visits.is_zero() || !decisions.iter().any(is_asked) {
                continue;
            }
            seating.may_continue()?;
            let key = key(number)?;
            let alike = all.iter_mut().zip(&sought).filter(|(_, sought)| **sought == key);
            alike.for_each(|(worlds, _)| worlds.push((number, visits.clone())));
        }
        for worlds in &mut all {
            let mut total = A::zero();
            worlds.iter().for_each(|(_, visits)| total.add_assign(visits));
            worlds.iter_mut().for_each(|(_, visits)| *visits = visits.div(&total));
        }
        Ok(all)
    }
}

/// What each player can expect before each answer of some of them, for who knows what these saw: of a history, answer
/// by answer, where the graph is whole. Nothing at answers of others, where the agents seated never get, and where that
/// cannot be solved.
pub(super) fn expected_along<A: Amount>(
    seating: &Seating,
    history: &History,
    own: &[String],
) -> Result<Option<Vec<Option<Chances>>>, Error> {
    let _charge = seating.budget().charge_thread();
    let runner = seating.playout_runner()?;
    let nodes = nodes_along(&runner, history)?;
    let Some(visited) = Visited::<A>::of(seating)? else { return Ok(None) };
    let is_own =
        |action: &Action| matches!(&action.actor, Actor::Player(player) if own.contains(player));
    let asked = history.actions().zip(&nodes).enumerate();
    let asked = asked.filter(|(_, (action, _))| is_own(action));
    let (places, asked): (Vec<usize>, Vec<u32>) = asked.map(|(at, (_, &node))| (at, node)).unzip();
    let mut found = vec![None; history.actions().count()];
    for (at, worlds) in places.into_iter().zip(visited.alike(seating, runner.explorer(), &asked)?) {
        if !worlds.is_empty() {
            found[at] = chances_after(&visited.game, seating, worlds);
        }
    }
    seating.may_continue()?;
    Ok(Some(found))
}

impl ProspectsSearch<'_> {
    /// The odds after each option, where all that may happen can be explored.
    pub(super) fn explored(
        &mut self,
        seating: &Seating,
        effort: Effort,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Exploration, Error> {
        let _charge = seating.budget().charge_thread();
        let found = match effort.float {
            true => self.try_explored::<Interval>(seating, effort, progress),
            false => self.try_explored::<Exact>(seating, effort, progress),
        };
        match found {
            // Playouts take less.
            Err(Error::Bound(Cut::Memory(_))) => Ok(Exploration::Not),
            found => found,
        }
    }

    fn try_explored<A: Amount>(
        &mut self,
        seating: &Seating,
        effort: Effort,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Exploration, Error> {
        let graph = seating.graph.clone();
        let bounds = Bounds { threads: effort.threads, nodes: effort.nodes };
        let worlds = match self.hides {
            false => self.parts(self.begins, A::one())?,
            true => {
                let reach = explore(&graph, seating, bounds, progress)?;
                if let Some(short) = self.short_of(reach, seating) {
                    return Ok(short);
                }
                let alike = Visited::of(seating).and_then(|visited| match visited {
                    Some(visited) => visited.alike(seating, self.runner.explorer(), &[self.node]),
                    None => Ok(Vec::new()),
                });
                match alike.map(|mut alike| alike.pop().unwrap_or_default()) {
                    // Agents who sit there now may never come here.
                    Ok(worlds) if worlds.is_empty() => return Ok(Exploration::Not),
                    Ok(worlds) => worlds,
                    Err(Error::Interrupted) => return Ok(Exploration::Cut(Cut::Interrupted)),
                    Err(Error::Bound(cut)) => return Ok(Exploration::Cut(cut)),
                    Err(error) => return Err(error),
                }
            }
        };
        let mut after = Vec::new();
        for option in 0..self.options.len() {
            let mut steps: IndexMap<u32, A> = IndexMap::new();
            for (world, weight) in &worlds {
                match self.runner.explorer().next(*world, option)? {
                    0 => return Ok(Exploration::Not),
                    to => steps.entry(to).or_insert_with(A::zero).add_assign(weight),
                }
            }
            after.push(steps);
        }
        // In the order in which they are found: their numbers depend on what was explored before.
        let starts: IndexSet<u32> = after.iter().flat_map(|steps| steps.keys().copied()).collect();
        let starts: Vec<u32> = starts.into_iter().collect();
        let reach = explore_from(&graph, seating, bounds, &starts, progress)?;
        if let Some(short) = self.short_of(reach, seating) {
            return Ok(short);
        }
        let policies = seating.policies()?;
        let game = seating.game(&policies, &starts)?;
        let mut found = Vec::new();
        for steps in after {
            let Some(chances) = chances_after(&game, seating, steps) else {
                return Ok(seating
                    .budget()
                    .may_continue()
                    .map_or_else(Exploration::Cut, |()| Exploration::Not));
            };
            found.push(chances);
        }
        Ok(Exploration::All(found, game.len() as u64))
    }

    /// The nodes of the decision after those whose joint decision begins at a node, each with how
    /// likely others answer so.
    fn parts<A: Amount>(&mut self, begins: u32, weight: A) -> Result<Worlds<A>, Error> {
        if asks_the_same(self.runner.explorer().graph(), begins, self.node) {
            return Ok(vec![(begins, weight)]);
        }
        let shares = self.runner.shares(begins)?;
        let total: BigUint = shares.iter().map(|(_, share)| share).sum();
        let mut all = Vec::new();
        for (answer, share) in shares {
            let to = known(self.runner.explorer().next(begins, answer)?)?;
            let weight = weight.mul(&A::ratio(&share, &total));
            all.extend(self.parts(to, weight)?);
        }
        Ok(all)
    }
}
