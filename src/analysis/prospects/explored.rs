//! Finds the exact odds after each option: all that may follow is explored.

use indexmap::{IndexMap, IndexSet};
use num_bigint::BigUint;

use super::Effort;
use super::search::{Exploration, ProspectsSearch, known};
use crate::analysis::odds::chances_after;
use crate::conflict::Seating;
use crate::error::{Cut, Error};
use crate::graph::{Bounds, Insight, explore, explore_from};
use crate::number::{Amount, Exact, Interval};

/// Nodes, each with how likely it is beside the others.
type Worlds<A> = Vec<(u32, A)>;

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
                match self.alike(seating) {
                    Ok(Some(worlds)) => worlds,
                    Ok(None) => return Ok(Exploration::Not),
                    Err(Error::Interrupted) => return Ok(Exploration::Cut(Cut::Interrupted)),
                    Err(Error::Bound(cut)) => return Ok(Exploration::Cut(cut)),
                    Err(error) => return Err(error),
                }
            }
        };
        let mut total = A::zero();
        worlds.iter().for_each(|(_, weight)| total.add_assign(weight));
        let mut after = Vec::new();
        for option in 0..self.options.len() {
            let mut steps: IndexMap<u32, A> = IndexMap::new();
            for (world, weight) in &worlds {
                match self.runner.explorer().next(*world, option)? {
                    0 => return Ok(Exploration::Not),
                    to => steps.entry(to).or_insert_with(A::zero).add_assign(&weight.div(&total)),
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

    /// The nodes that look to the player like this one, each with how often the seated agents come
    /// there; nothing where that cannot be solved.
    fn alike<A: Amount>(&self, seating: &Seating) -> Result<Option<Worlds<A>>, Error> {
        let policies = seating.policies()?;
        let game = seating.game(&policies, &[seating.graph.root()])?;
        let (start, may_continue) = ([(0, A::one())], || seating.may_continue().is_ok());
        let Ok(visits) = game.visits(&game.weights, &start, A::CYCLE, &may_continue) else {
            seating.may_continue()?;
            return Ok(None);
        };
        let explorer = self.runner.explorer();
        let key = Insight::of(explorer, self.node)?.key;
        let mut worlds = Vec::new();
        for (&number, visits) in game.nodes.iter().zip(visits) {
            if self.is_sought(number) && !visits.is_zero() {
                seating.may_continue()?;
                if Insight::of(explorer, number)?.key == key {
                    worlds.push((number, visits));
                }
            }
        }
        // Agents who sit there now may never come here.
        Ok((!worlds.is_empty()).then_some(worlds))
    }

    /// The nodes of the decision after those whose joint decision begins at a node, each with how
    /// likely others answer so.
    fn parts<A: Amount>(&mut self, begins: u32, weight: A) -> Result<Worlds<A>, Error> {
        if self.is_sought(begins) {
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
