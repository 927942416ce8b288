//! The odds after each option, for a player who knows no more than they see.
//!
//! Where all that may happen can be explored, each number is exact. The places that look alike to the
//! player are weighed by how likely the seated agents come there (Bayes' rule), the player's own
//! decisions left out: those they know. Else playouts continue from such places, found at random.

mod search;

use std::collections::BTreeSet;
use std::time::Duration;

use indexmap::{IndexMap, IndexSet};
use num_bigint::BigUint;
use serde::Serialize;

use super::expectations::{Expecting, FRACTIONS, SUMMED};
use super::{Chances, Stage, StrategyLine};
use crate::analysis::odds::chances_after;
use crate::analysis::visits::Visited;
use crate::conflict::Seating;
use crate::error::{Cut, Error};
use crate::game::{Action, Actor, History, Value};
use crate::graph::{Bounds, Explorer, Insight, Reach, explore, explore_from};
use crate::number::{Amount, Exact, Interval, Quantity};
use crate::script::on_large_stack;
use search::{Exploration, ProspectsSearch, after, asks_the_same};
pub(super) use search::{drawn, known, nodes_along};

/// An open decision.
#[derive(Clone, Copy, Debug)]
pub struct OpenDecision<'a> {
    /// What was decided and fell before it.
    pub history: &'a History,
    /// Who is asked.
    pub who: &'a str,
    /// What for.
    pub name: &'a str,
    /// Whether all is seen that is hidden from who is asked.
    pub revealed: bool,
}

impl OpenDecision<'_> {
    /// What the one who is asked goes by, as a line of a [`Solution`](crate::analysis::Solution) is
    /// known by it. Nothing where the same side has answered a part of the same joint decision: what
    /// that was the history does not show yet.
    ///
    /// # Errors
    /// Those of the rules; [`Error::Usage`] where the place has no node.
    pub fn key(self, seating: &Seating) -> Result<Option<String>, Error> {
        on_large_stack(|| ProspectsSearch::begin(seating, self)?.key())
    }
}

/// How prospects are to be found.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// In intervals of floats, not in fractions.
    pub float: bool,
    /// How many threads explore.
    pub threads: usize,
    /// At most this many nodes are explored; 0 explores none.
    pub nodes: u64,
    /// Where that does not suffice, this many playouts are made for each option.
    pub n: u64,
    /// Their seed.
    pub seed: u64,
    /// After so long it stops with the playouts there are; half of that is for exploring.
    pub time: Option<Duration>,
}

/// What comes of each option.
#[derive(Clone, Debug, Serialize)]
pub struct Prospects {
    /// Whether every number is an exact fraction and no dice were cut off.
    pub exact: bool,
    /// How many nodes were explored, where no playouts were needed.
    pub nodes: Option<u64>,
    /// How many playouts there were of each option; 0 where none were needed.
    pub n: u64,
    /// The seed of the playouts.
    pub seed: u64,
    /// Whether places that look alike were weighed: something is hidden.
    pub hidden: bool,
    /// From how many places that look alike the playouts continued, found at random; 0 where none were
    /// sought.
    pub(crate) worlds: usize,
    /// Whether somebody wanted it to stop.
    pub interrupted: bool,
    /// What stopped it before it was done, if anything did.
    pub cut: Option<Cut>,
    /// What keeps states from repeating, in a sentence, if that is why not all could be explored.
    #[serde(skip)]
    pub(crate) growing: Option<String>,
    /// The options.
    pub options: Vec<Prospect>,
}

impl Prospects {
    /// Finds them under the agents seated.
    ///
    /// # Errors
    /// Those of the rules and agents; [`Error::Usage`] where the place has no node, or nothing like it
    /// was met; [`Error::Interrupted`] or [`Error::Bound`] where nothing was found before.
    pub fn find(
        seating: &Seating,
        place: OpenDecision<'_>,
        effort: Effort,
        progress: &(dyn Fn(Stage) + Sync),
    ) -> Result<Prospects, Error> {
        let seating = seating.under(seating.budget().begin(effort.time));
        on_large_stack(|| ProspectsSearch::begin(&seating, place)?.find(effort, progress))
    }

    /// What each player can expect before each answer of some of them, for who knows no more than these saw: of a
    /// history, answer by answer, where all that may happen can be explored. Nothing at the answers of others.
    pub(crate) fn along(
        seating: &Seating,
        history: &History,
        own: &[String],
        how: Expecting,
        progress: &(dyn Fn(Stage) + Sync),
    ) -> Result<Option<Vec<Option<Chances>>>, Error> {
        let bounds = Bounds { threads: how.threads, nodes: how.nodes };
        on_large_stack(|| {
            let report = |nodes| progress(Stage::Nodes(nodes));
            if explore(&seating.graph, seating, bounds, &report)? != Reach::Whole {
                return Ok(None);
            }
            match history.len().saturating_mul(seating.graph.nodes() as usize) {
                work if work <= FRACTIONS => expected_along::<Exact>(seating, history, own),
                work if work <= SUMMED => expected_along::<Interval>(seating, history, own),
                _ => Ok(None),
            }
        })
    }

    /// The greatest chance with which more falls after an option than what is listed of dice without a
    /// last value.
    pub fn cut_off(&self) -> f64 {
        self.options.iter().map(|one| one.chances.cut_off).fold(0.0, f64::max)
    }

    /// For people: what odds are called that are as sure as the least sure of these.
    pub(crate) fn title(&self) -> &'static str {
        let all = self.options.iter().map(|one| &one.chances);
        let least = all.min_by_key(|chances| (chances.is_in_fractions(), chances.is_exact()));
        least.map_or("odds", Chances::title)
    }

    /// For people: why there are no exact odds, if states never repeat.
    pub(crate) fn endless_states(&self) -> Option<String> {
        Some(format!("exact odds are out of reach: {}", self.growing.as_ref()?))
    }

    /// Adds what a solution says of each option.
    pub(crate) fn advise(&mut self, line: &StrategyLine) {
        for (prospect, choice) in self.options.iter_mut().zip(&line.options) {
            prospect.weight = Some(choice.weight.clone());
            prospect.value = Some(choice.utility.clone());
        }
    }
}

/// An option with what comes of it.
#[derive(Clone, Debug, Serialize)]
pub struct Prospect {
    /// The option.
    pub option: Value,
    /// The chances after it, as far as they were found.
    #[serde(flatten)]
    pub chances: Chances,
    /// How often a solution picks it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<Quantity>,
    /// What it is worth in that solution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Quantity>,
}

// The places from which playouts begin that start at the current place of a conflict.

#[derive(Clone, Debug)]
pub(crate) struct Here {
    /// The nodes of the graph, listed more often the likelier they are: where there are several, once each
    /// time that one was met, and each is for one playout, as more from it would not be independent.
    pub nodes: Vec<u32>,
    /// Whether they are all places that look alike to the one who is asked.
    pub(crate) is_hidden: bool,
}

impl Here {
    /// At most this many places that look alike are sought.
    const ENOUGH: u64 = 10_000;
    /// This many where there is only some time, of which the playouts need most.
    const SOON: u64 = 1_000;

    /// How many places are sought for this many playouts.
    pub(crate) fn sought(n: u64, is_timed: bool) -> u64 {
        n.clamp(1, if is_timed { Here::SOON } else { Here::ENOUGH })
    }

    pub(crate) fn places(&self) -> usize {
        self.nodes.iter().collect::<BTreeSet<_>>().len()
    }

    /// The places of an open decision: the one at hand, or where something is hidden from the player who is
    /// asked, about this many places that look alike to that player, found by playing at random.
    pub(crate) fn of_decision(
        seating: &Seating,
        place: OpenDecision<'_>,
        n: u64,
    ) -> Result<Here, Error> {
        on_large_stack(|| {
            let search = ProspectsSearch::begin(seating, place)?;
            let nodes = search.worlds(n)?;
            Ok(Here { nodes, is_hidden: search.hides })
        })
    }

    /// The place after a history of which all is seen.
    pub(crate) fn after(seating: &Seating, history: &History) -> Result<Here, Error> {
        on_large_stack(|| {
            let node = after(&seating.playout_runner()?, history)?;
            Ok(Here { nodes: vec![node], is_hidden: false })
        })
    }
}

/// Nodes, each with how likely it is beside the others.
type Worlds<A> = Vec<(u32, A)>;

impl<A: Amount> Visited<A> {
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
fn expected_along<A: Amount>(
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
            found[at] = chances_after(&visited.game, seating, worlds).ok();
        }
    }
    seating.may_continue()?;
    Ok(Some(found))
}

impl ProspectsSearch<'_> {
    /// The odds after each option, where all that may happen can be explored.
    fn explored(
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
            let Ok(chances) = chances_after(&game, seating, steps) else {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_that_was_met_twice_is_one() {
        let here = Here { nodes: vec![7, 4, 7, 7, 9], is_hidden: true };
        assert_eq!(here.places(), 3);
    }

    #[test]
    fn as_many_places_are_sought_as_playouts_begin_there() {
        let sought = [0, 2_000, 1_000_000].map(|n| Here::sought(n, false));
        assert_eq!(sought, [1, 2_000, 10_000]);
        assert_eq!(Here::sought(2_000, true), 1_000);
    }
}
