//! The game after some nodes of the graph: its places, numbered in breadth from the first, so the same for any
//! number of threads, and where each leads.

use hashbrown::{HashMap, HashSet};
use indexmap::IndexSet;
use num_bigint::BigUint;

use super::order::{Lists, components_while, is_passed};
use crate::error::Error;
use crate::graph::{AnswerCache, Ending, Graph, Policies, Shares, StoredQuestion};
use crate::number::Fraction;

/// What can be reached of a graph from some nodes, under the agents who explored it.
#[derive(Clone, Debug)]
pub(crate) struct ExploredGame {
    /// The places that each leads to, answer by answer.
    pub(crate) to: Lists<u32>,
    /// The number of the answer at each step, beside the steps. No node has more than 16 bits hold.
    pub(crate) answers: Vec<u16>,
    pub(crate) weights: StepWeights,
    pub(crate) nodes: Vec<u32>,
    /// The places, in the order of their nodes.
    by_node: Vec<u32>,
}

/// A probability: a part of a whole.
pub(crate) type Share = (BigUint, BigUint);

type NodeSteps = (u32, Vec<(u32, Share)>);

pub(crate) fn surely() -> Share {
    (1u8.into(), 1u8.into())
}

#[derive(Clone, Debug)]
pub(crate) struct StepWeights {
    /// The number of each step's share among those that differ.
    pub(crate) of: Vec<u32>,
    /// The shares: parts, each of a whole.
    shares: Vec<Share>,
}

/// The numbers of the shares that are nothing, and all.
const NEVER: u32 = 0;
const SURELY: u32 = 1;

/// The bounds are checked once in this many nodes.
const OFTEN: usize = 256;

impl ExploredGame {
    /// Numbers what follows some nodes of a graph that has been explored from there, under agents with these policies
    /// and answers; at the wide nodes with every option, as far as the graph was explored from where it leads. Where an
    /// answer was not tried, it leads to node 0, from which nothing follows.
    pub(crate) fn build(
        graph: &Graph,
        (policies, cache): (&Policies, &AnswerCache),
        (starts, wide): (&[u32], &HashSet<u32>),
        may_continue: &dyn Fn() -> Result<(), Error>,
    ) -> Result<ExploredGame, Error> {
        let mut nodes: Vec<u32> = Vec::new();
        let mut places: HashMap<u32, u32> = HashMap::new();
        let place = |node: u32, nodes: &mut Vec<u32>, places: &mut HashMap<u32, u32>| {
            *places.entry(node).or_insert_with(|| {
                nodes.push(node);
                nodes.len() as u32 - 1
            })
        };
        for &node in starts {
            place(node, &mut nodes, &mut places);
        }
        let (mut to, mut answers) = (Lists::default(), Vec::new());
        let mut weighing = Weighing::new();
        let mut next = 0;
        while let Some(&number) = nodes.get(next) {
            if next % OFTEN == 0 {
                may_continue()?;
            }
            next += 1;
            let shares = (number != 0).then(|| policies.shares(graph, number, cache)).flatten();
            let Some(shares) = shares else {
                to.push([]);
                continue;
            };
            let node = graph.node(number);
            let picked = shares.indices();
            for &answer in &picked {
                place(node.to(answer), &mut nodes, &mut places);
            }
            if wide.contains(&number) {
                weighing.weigh_all(&shares, node.what(), node.answers());
                answers.extend((0..node.answers()).map(|answer| answer as u16));
                to.push(node.all());
            } else {
                weighing.weigh(&shares, node.what());
                answers.extend(picked.iter().map(|&answer| answer as u16));
                to.push(picked.into_iter().map(|answer| node.to(answer)));
            }
        }
        to.replace(|node| places.get(node).copied().unwrap_or_default());
        drop(places);
        to.shrink();
        nodes.shrink_to_fit();
        let by_node = by_node(&nodes);
        Ok(ExploredGame { to, answers, weights: weighing.weights(), nodes, by_node })
    }

    /// A game of places that are listed, each with the places it leads to and their weights.
    #[cfg(test)]
    pub(crate) fn of(places: &[Vec<(u32, u64)>]) -> ExploredGame {
        let step = |steps: &Vec<(u32, u64)>| {
            let whole: u64 = steps.iter().map(|(_, part)| part).sum();
            steps.iter().map(|(to, part)| (*to, ((*part).into(), whole.into()))).collect()
        };
        let (to, weights) = (Lists::default(), Weighing::new().weights());
        let none =
            ExploredGame { to, answers: Vec::new(), weights, nodes: vec![], by_node: vec![] };
        let places = places.iter().enumerate();
        none.changed(&places.map(|(place, steps)| (place, (place as u32, step(steps)))).collect())
    }

    /// The same game in which some places, and others behind them all, are at these nodes and have these steps.
    pub(crate) fn changed(&self, changes: &HashMap<usize, NodeSteps>) -> ExploredGame {
        let (mut to, mut answers, mut weighing) = (Lists::default(), Vec::new(), Weighing::new());
        let mut nodes = self.nodes.clone();
        let behind = changes.keys().filter(|place| **place >= self.len()).count();
        nodes.resize(self.len() + behind, 0);
        for (place, number) in nodes.iter_mut().enumerate() {
            let steps = self.to.range(place);
            let mut add = |(part, whole): &Share| {
                let number = weighing.number(part.clone(), whole.clone());
                weighing.of.push(number);
            };
            match changes.get(&place) {
                Some((node, steps)) => {
                    *number = *node;
                    to.push(steps.iter().map(|(to, _)| *to));
                    answers.extend((0..steps.len()).map(|step| step as u16));
                    steps.iter().for_each(|(_, share)| add(share));
                }
                None => {
                    to.push(self.to.of(place).iter().copied());
                    answers.extend_from_slice(&self.answers[steps.clone()]);
                    let all = &self.weights;
                    all.of[steps].iter().for_each(|&share| add(&all.shares[share as usize]));
                }
            }
        }
        let (weights, by_node) = (weighing.weights(), by_node(&nodes));
        ExploredGame { to, answers, weights, by_node, nodes }
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The place of a node; `None` if it cannot be reached.
    pub(crate) fn place(&self, node: u32) -> Option<usize> {
        let known = |&place: &u32| self.nodes[place as usize];
        let at = self.by_node.binary_search_by_key(&node, known).ok()?;
        Some(self.by_node[at] as usize)
    }

    /// The question asked at a place; none at an end.
    pub(crate) fn question<'a>(
        &self,
        graph: &'a Graph,
        place: usize,
    ) -> Option<&'a StoredQuestion> {
        graph.question_at(*self.nodes.get(place)?)
    }

    /// The question asked at a place, as it follows a sentence in brackets; empty at an end.
    pub(crate) fn asked_in_brackets(&self, graph: &Graph, place: usize) -> String {
        self.question(graph, place).map(StoredQuestion::in_brackets).unwrap_or_default()
    }

    /// What is known of the ends, each with how it ends.
    pub(crate) fn ends<'a, A>(
        &self,
        graph: &'a Graph,
        known: Vec<A>,
    ) -> impl Iterator<Item = (&'a Ending, A)> {
        let all = self.nodes.iter().zip(known);
        all.filter_map(|(&number, known)| Some((graph.ending(graph.node(number))?, known)))
    }

    /// The places, each before all that it leads to, by the steps of each in the order in which they are to be gone
    /// through, which is that in which floats are summed; else one that leads back to itself. `None` where it is
    /// stopped.
    pub(crate) fn order<I: Iterator<Item = u32>>(
        &self,
        to: impl Fn(u32) -> I,
        may_continue: &dyn Fn() -> bool,
    ) -> Option<Result<Vec<u32>, usize>> {
        let found = components_while(self.len(), 0..self.len() as u32, &to, may_continue)?;
        let alone = |places: &[u32]| match is_passed(places, &to) {
            true => Ok(places[0]),
            false => Err(places[0] as usize),
        };
        found.iter().map(|places| may_continue().then(|| alone(places))).collect()
    }

    /// The same game with its places in another order.
    pub(crate) fn reordered(self, order: &[u32]) -> ExploredGame {
        let mut places = vec![0; order.len()];
        (0..).zip(order).for_each(|(place, &before)| places[before as usize] = place);
        let (mut to, mut of, mut answers) = (Lists::default(), Vec::new(), Vec::new());
        for &before in order {
            let (before, steps) = (before as usize, self.to.range(before as usize));
            to.push(self.to.of(before).iter().map(|&to| places[to as usize]));
            of.extend_from_slice(&self.weights.of[steps.clone()]);
            answers.extend_from_slice(&self.answers[steps]);
        }
        let nodes: Vec<u32> = order.iter().map(|&before| self.nodes[before as usize]).collect();
        let (weights, by_node) = (StepWeights { of, shares: self.weights.shares }, by_node(&nodes));
        ExploredGame { to, answers, weights, nodes, by_node }
    }

    /// The weights where at each place for which `picked` names an answer that one is certain.
    pub(crate) fn picking(&self, picked: &dyn Fn(usize) -> Option<usize>) -> StepWeights {
        let mut weights = self.weights.clone();
        for place in 0..self.len() {
            if let Some(pick) = picked(place) {
                for step in self.to.range(place) {
                    let is_picked = usize::from(self.answers[step]) == pick;
                    weights.of[step] = if is_picked { SURELY } else { NEVER };
                }
            }
        }
        weights
    }
}

/// The places of nodes, in the order of these.
fn by_node(nodes: &[u32]) -> Vec<u32> {
    let mut places: Vec<u32> = (0..nodes.len() as u32).collect();
    places.sort_unstable_by_key(|&place| nodes[place as usize]);
    places
}

impl StepWeights {
    /// The shares in numbers of a kind, by their numbers in `of`.
    pub(crate) fn shares<A>(&self, make: impl Fn(&BigUint, &BigUint) -> A) -> Vec<A> {
        self.shares.iter().map(|(part, whole)| make(part, whole)).collect()
    }

    /// The same from fractions.
    pub(crate) fn fractions<A>(&self, make: impl Fn(&Fraction) -> A) -> Vec<A> {
        self.shares(|part, whole| make(&Fraction::new(part.clone().into(), whole.clone().into())))
    }
}

/// Numbers the shares of steps.
struct Weighing {
    of: Vec<u32>,
    shares: IndexSet<Share>,
    /// The number of the even share of each count of answers.
    even: HashMap<usize, u32>,
    /// Where the numbers of a distribution's shares are in `falls`, by its question.
    known: HashMap<u32, usize>,
    falls: Lists<u32>,
}

impl Weighing {
    fn new() -> Weighing {
        let mut new = Weighing {
            of: Vec::new(),
            shares: IndexSet::new(),
            even: HashMap::new(),
            known: HashMap::new(),
            falls: Lists::default(),
        };
        for part in [0u8, 1] {
            new.number(part.into(), 1u8.into());
        }
        new
    }

    fn weigh(&mut self, shares: &Shares<'_>, question: u32) {
        match shares {
            Shares::Even(count) => {
                let number = match self.even.get(count) {
                    Some(&number) => number,
                    None => {
                        let number = self.number(1u8.into(), (*count).into());
                        self.even.insert(*count, number);
                        number
                    }
                };
                self.of.extend(std::iter::repeat_n(number, *count));
            }
            Shares::One(_) => self.of.push(SURELY),
            Shares::Chance(_) => {
                let row = match self.known.get(&question) {
                    Some(&row) => row,
                    None => {
                        let numbers = self.numbers(shares);
                        let row = self.falls.push(numbers);
                        self.known.insert(question, row);
                        row
                    }
                };
                self.of.extend_from_slice(self.falls.of(row));
            }
            Shares::Weights(_) => {
                let numbers = self.numbers(shares);
                self.of.extend(numbers);
            }
        }
    }

    /// The same with those of all its answers that are never given.
    fn weigh_all(&mut self, shares: &Shares<'_>, question: u32, answers: usize) {
        let first = self.of.len();
        self.weigh(shares, question);
        let given = self.of.split_off(first);
        self.of.resize(first + answers, NEVER);
        for (answer, number) in shares.indices().into_iter().zip(given) {
            self.of[first + answer] = number;
        }
    }

    fn numbers(&mut self, shares: &Shares<'_>) -> Vec<u32> {
        let weights = shares.weights();
        let whole: BigUint = weights.iter().map(|(_, weight)| weight).sum();
        weights.into_iter().map(|(_, part)| self.number(part, whole.clone())).collect()
    }

    fn number(&mut self, part: BigUint, whole: BigUint) -> u32 {
        self.shares.insert_full((part, whole)).0 as u32
    }

    fn weights(self) -> StepWeights {
        StepWeights { of: self.of, shares: self.shares.into_iter().collect() }
    }
}
