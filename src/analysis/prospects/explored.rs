//! Finds the exact odds after each option: all that may follow is explored.

use std::collections::HashMap;

use num_bigint::BigUint;
use num_rational::Ratio;
use num_traits::ToPrimitive;

use super::Effort;
use super::search::{Exploration, ProspectsSearch, known};
use crate::analysis::odds::beyond;
use crate::analysis::reachable::CYCLE;
use crate::analysis::reachable::Chart;
use crate::analysis::{Amount, Chances, Exact};
use crate::conflict::Seating;
use crate::error::{Cut, Error};
use crate::graph::{Bounds, Insight, explore, explore_from};

/// Nodes, each with how likely it is beside the others.
type Worlds = Vec<(u32, Ratio<BigUint>)>;

impl ProspectsSearch<'_> {
    /// The odds after each option, where all that may happen can be explored.
    pub(super) fn explored(
        &mut self,
        seating: &Seating,
        effort: Effort,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Exploration, Error> {
        let _tab = seating.budget().tab();
        match self.try_explored(seating, effort, progress) {
            // Playouts take less.
            Err(Error::Bound(Cut::Memory(_))) => Ok(Exploration::Not),
            found => found,
        }
    }

    fn try_explored(
        &mut self,
        seating: &Seating,
        effort: Effort,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Exploration, Error> {
        let graph = seating.graph.clone();
        let bounds = Bounds { threads: effort.threads, nodes: effort.nodes };
        let worlds = match self.hides {
            false => self.parts(self.begins, Ratio::from_integer(1u8.into()))?,
            true => {
                let reach = explore(&graph, seating, bounds, progress)?;
                if let Some(short) = Exploration::short_of(reach) {
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
        let total: Ratio<BigUint> = worlds.iter().map(|(_, weight)| weight).sum();
        let mut after = Vec::new();
        for option in 0..self.options.len() {
            let mut steps: HashMap<u32, Ratio<BigUint>> = HashMap::new();
            for (world, weight) in &worlds {
                match self.runner.explorer().next(*world, option)? {
                    0 => return Ok(Exploration::Not),
                    to => *steps.entry(to).or_default() += weight / &total,
                }
            }
            after.push(steps);
        }
        let mut starts: Vec<u32> = after.iter().flat_map(|steps| steps.keys().copied()).collect();
        starts.sort_unstable();
        starts.dedup();
        let reach = explore_from(&graph, seating, bounds, &starts, progress)?;
        if let Some(short) = Exploration::short_of(reach) {
            return Ok(short);
        }
        let policies = seating.policies()?;
        let chart = Chart::draw_from(&starts, seating, &policies)?;
        let mut chain = chart.chain::<Exact>(seating, &policies)?;
        let mut found = Vec::new();
        for steps in after {
            let step = |(to, weight): (u32, Ratio<BigUint>)| {
                (chart.place(to).unwrap_or(0), Exact::ratio(weight.numer(), weight.denom()))
            };
            let start = chain.push(steps.into_iter().map(step));
            let Ok(visits) = chain.visits_while(start, CYCLE, &|| seating.may_continue().is_ok())
            else {
                return Ok(seating
                    .budget()
                    .may_continue()
                    .map_or_else(Exploration::Cut, |()| Exploration::Not));
            };
            let cut_off = match graph.cut_off() > 0.0 {
                true => beyond(&chart, &graph, visits.iter().map(about)),
                false => 0.0,
            };
            let chances = Chances { cut_off, ..Chances::exact(chart.ends(&graph, visits)) };
            found.push(chances.in_order(&seating.players.names));
        }
        Ok(Exploration::All(found, chart.len() as u64))
    }

    /// The nodes that look to the player like this one, each with how often the seated agents come
    /// there; nothing where that cannot be solved.
    fn alike(&self, seating: &Seating) -> Result<Option<Worlds>, Error> {
        let policies = seating.policies()?;
        let chart = Chart::draw(seating, &policies)?;
        let chain = chart.chain::<Exact>(seating, &policies)?;
        let Ok(visits) = chain.visits_while(0, CYCLE, &|| seating.may_continue().is_ok()) else {
            seating.may_continue()?;
            return Ok(None);
        };
        let explorer = self.runner.explorer();
        let key = Insight::of(explorer, self.node)?.key;
        let mut worlds = Vec::new();
        for (&number, visits) in chart.numbers.iter().zip(visits) {
            if self.is_sought(number) && !visits.is_zero() {
                seating.may_continue()?;
                if Insight::of(explorer, number)?.key == key {
                    worlds.push((number, visits.to_ratio()));
                }
            }
        }
        // Agents who sit there now may never come here.
        Ok((!worlds.is_empty()).then_some(worlds))
    }

    /// The nodes of the decision after those whose joint decision begins at a node, each with how
    /// likely others answer so.
    fn parts(&mut self, begins: u32, weight: Ratio<BigUint>) -> Result<Worlds, Error> {
        if self.is_sought(begins) {
            return Ok(vec![(begins, weight)]);
        }
        let shares = self.runner.shares(begins)?;
        let total: BigUint = shares.iter().map(|(_, share)| share).sum();
        let mut all = Vec::new();
        for (answer, share) in shares {
            let to = known(self.runner.explorer().next(begins, answer)?)?;
            let weight = &weight * Ratio::new(share, total.clone());
            all.extend(self.parts(to, weight)?);
        }
        Ok(all)
    }
}

fn about(visits: &Exact) -> f64 {
    visits.to_ratio().to_f64().unwrap_or(1.0)
}
