//! Computes where random play leads: how often it reaches each node, and what each player can expect there.
//!
//! The nodes are taken in the order in which a depth-first search leaves them, so one pass over
//! them is exact where nothing leads back; where something does, passes are repeated until nothing
//! changes any more (Gauss and Seidel's method).

use std::collections::HashMap;

use num_bigint::BigUint;
use num_traits::ToPrimitive;

use crate::agents::search_graph::{Halted, SearchGraph};
use crate::graph::{NodeKind, OF_A_NODE, Offer};

/// What changes by less, in relation, is at rest.
const REST: f64 = 1e-15;
/// This many steps between nodes are gone through at most until all is at rest.
const WORK: usize = 20_000_000;
/// This many times the bound of nodes is the bound of answers tried.
const ANSWERS: usize = 4;
/// The expectations of at most this many players are kept.
const PLAYERS: usize = 16;

/// All that may follow some nodes if everybody plays at random.
pub(in crate::agents) struct Forecast {
    /// The nodes, each after those that follow it, save where they lead back.
    nodes: Vec<u32>,
    places: HashMap<u32, u32>,
    /// Where in `to` the answers of each node begin, and the end of the last.
    starts: Vec<usize>,
    /// The place that each answer leads to, and how likely the answer is.
    to: Vec<(u32, f64)>,
    /// How often random play from the first reaches each place, if that was asked.
    visits: Option<Vec<f64>>,
    /// What a player can expect at each place, by the number by which nodes know the player.
    worth: HashMap<u32, Vec<f64>>,
}

impl Forecast {
    /// All that may follow these nodes; `None` where that is more than `bound` nodes, or takes as long as
    /// these may, or where the rules fail somewhere.
    pub(in crate::agents) fn of(
        search_graph: &mut SearchGraph,
        from: &[u32],
        bound: usize,
    ) -> Result<Option<Forecast>, Halted> {
        search_graph.allow((bound as u64 * OF_A_NODE).min(search_graph.thought()));
        match Forecast::explore(search_graph, from, bound) {
            Err(Halted::Spent) => Ok(None),
            // A branch on which the rules fail may be one that nobody takes.
            Err(Halted::Error(error)) if error.cut().is_none() => Ok(None),
            forecast => forecast,
        }
    }

    fn explore(
        search_graph: &mut SearchGraph,
        from: &[u32],
        bound: usize,
    ) -> Result<Option<Forecast>, Halted> {
        let (mut nodes, mut places, mut tried) = (Vec::new(), HashMap::new(), 0);
        // The nodes on the way, each with its next answer.
        let mut open: Vec<(u32, usize)> = Vec::new();
        // A place that is not known yet.
        const OPEN: u32 = u32::MAX;
        for &first in from {
            let mut to = first;
            loop {
                if to == 0 {
                    return Ok(None);
                }
                if !places.contains_key(&to) {
                    tried += search_graph.graph().node(to).answers();
                    if places.len() >= bound || tried > ANSWERS * bound {
                        return Ok(None);
                    }
                    search_graph.look_up()?;
                    places.insert(to, OPEN);
                    open.push((to, 0));
                }
                let next = loop {
                    let Some((at, answer)) = open.last_mut() else { break None };
                    if *answer < search_graph.graph().node(*at).answers() {
                        *answer += 1;
                        break Some((*at, *answer - 1));
                    }
                    places.insert(*at, nodes.len() as u32);
                    nodes.push(*at);
                    open.pop();
                };
                let Some((at, answer)) = next else { break };
                to = search_graph.next(at, answer)?;
            }
        }
        let (mut starts, mut to) = (vec![0], Vec::new());
        for &node in &nodes {
            let at = search_graph.graph().node(node);
            let place = |answer| places.get(&at.to(answer)).copied().unwrap_or(OPEN);
            to.extend(
                shares(search_graph, node)
                    .into_iter()
                    .enumerate()
                    .map(|(answer, share)| (place(answer), share)),
            );
            starts.push(to.len());
        }
        if to.iter().any(|(place, _)| *place as usize >= nodes.len()) {
            return Ok(None);
        }
        Ok(Some(Forecast { nodes, places, starts, to, visits: None, worth: HashMap::new() }))
    }

    /// The nodes, each with how often random play from the first comes there; none where that does
    /// not settle.
    pub(in crate::agents) fn visits(&mut self, first: u32) -> impl Iterator<Item = (u32, f64)> {
        if self.visits.is_none() {
            self.visits = Some(self.come(first).unwrap_or_default());
        }
        let visits = self.visits.iter().flatten().copied();
        self.nodes.iter().copied().zip(visits)
    }

    fn come(&self, first: u32) -> Option<Vec<f64>> {
        let mut visits = vec![0.0; self.nodes.len()];
        let mut coming = visits.clone();
        *coming.get_mut(*self.places.get(&first)? as usize)? = 1.0;
        for _ in 0..self.passes() {
            let mut rests = true;
            for place in (0..self.nodes.len()).rev() {
                let come = std::mem::take(&mut coming[place]);
                visits[place] += come;
                rests &= come <= REST * visits[place];
                for &(to, share) in self.steps(place) {
                    coming[to as usize] += come * share;
                }
            }
            if rests || coming.iter().all(|come| *come == 0.0) {
                return Some(visits);
            }
        }
        None
    }

    /// What a player can expect at a node; `None` where that does not settle.
    pub(in crate::agents) fn expected(
        &mut self,
        search_graph: &mut SearchGraph,
        actor: u32,
        node: u32,
    ) -> Option<f64> {
        let place = *self.places.get(&node)? as usize;
        if !self.worth.contains_key(&actor) {
            if self.worth.len() >= PLAYERS {
                self.worth.clear();
            }
            let worth = self.worth(search_graph, actor).unwrap_or_default();
            self.worth.insert(actor, worth);
        }
        self.worth.get(&actor)?.get(place).copied()
    }

    fn worth(&self, search_graph: &mut SearchGraph, actor: u32) -> Option<Vec<f64>> {
        let mut worth = vec![0.0; self.nodes.len()];
        for (place, &node) in self.nodes.iter().enumerate() {
            let at = search_graph.graph().node(node);
            if at.kind() == NodeKind::End {
                let ending = at.what();
                worth[place] = search_graph.payoffs(ending).get(actor as usize).copied()?;
            }
        }
        let back = |place: usize| self.steps(place).iter().any(|(to, _)| *to as usize >= place);
        let leads_back = (0..self.nodes.len()).any(back);
        for _ in 0..self.passes() {
            let mut rests = true;
            for place in 0..self.nodes.len() {
                let steps = self.steps(place);
                if steps.is_empty() {
                    continue;
                }
                let mean: f64 = steps.iter().map(|(to, share)| share * worth[*to as usize]).sum();
                rests &= (mean - worth[place]).abs() <= REST * mean.abs();
                worth[place] = mean;
            }
            if rests || !leads_back {
                return Some(worth);
            }
        }
        None
    }

    fn steps(&self, place: usize) -> &[(u32, f64)] {
        &self.to[self.starts[place]..self.starts[place + 1]]
    }

    fn passes(&self) -> usize {
        WORK / (self.to.len() + 1)
    }
}

/// How likely random play gives each answer at a node.
pub(in crate::agents) fn shares(search_graph: &SearchGraph, node: u32) -> Vec<f64> {
    let graph = search_graph.graph();
    let at = graph.node(node);
    let count = at.answers();
    match graph.question(at).map(|question| &question.offer) {
        Some(Offer::Chance(falls)) if at.kind() == NodeKind::Chance => match falls.total().to_u64()
        {
            Some(total) => {
                let weight = |weight: &BigUint| weight.to_f64().unwrap_or_default() / total as f64;
                falls.weights().iter().map(weight).collect()
            }
            None => (0..count).filter_map(|answer| falls.probability(answer).to_f64()).collect(),
        },
        _ => vec![1.0 / count as f64; count],
    }
}
