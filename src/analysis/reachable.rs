//! The nodes of a graph that can be reached under the agents seated, the probability of each step between
//! them, and the seat that answers at each.

use hashbrown::HashMap;
use num_bigint::BigUint;

use super::{Amount, Chain};
use crate::conflict::{Seat, Seating};
use crate::error::Error;
use crate::graph::{Ending, Graph, Policies, Shares, StoredQuestion, WorkerFactory};

/// The nodes that can be reached under the agents seated, numbered from 0, the first.
pub(crate) struct Chart {
    /// The node at each place of the chart.
    pub(crate) numbers: Vec<u32>,
    places: HashMap<u32, usize>,
}

/// The bounds are checked once in this many nodes.
const OFTEN: usize = 256;

impl Chart {
    /// Numbers the nodes of a graph that has been explored under the agents seated, whose policies
    /// these are.
    pub(crate) fn draw(seating: &Seating, policies: &Policies) -> Result<Chart, Error> {
        Chart::draw_from(&[seating.graph.root()], seating, policies)
    }

    /// Numbers the nodes after some of a graph that has been explored from there.
    pub(crate) fn draw_from(
        from: &[u32],
        seating: &Seating,
        policies: &Policies,
    ) -> Result<Chart, Error> {
        let (graph, answers) = (&*seating.graph, &**seating.answers());
        let mut chart = Chart { numbers: Vec::new(), places: HashMap::new() };
        for &number in from {
            let free = chart.numbers.len();
            if *chart.places.entry(number).or_insert(free) == free {
                chart.numbers.push(number);
            }
        }
        let mut next = 0;
        while let Some(&number) = chart.numbers.get(next) {
            if next % OFTEN == 0 {
                seating.may_continue()?;
            }
            next += 1;
            let Some(shares) = policies.shares(graph, number, answers) else { continue };
            let node = graph.node(number);
            for answer in shares.indices() {
                let to = node.to(answer);
                let free = chart.numbers.len();
                if *chart.places.entry(to).or_insert(free) == free {
                    chart.numbers.push(to);
                }
            }
        }
        Ok(chart)
    }

    /// The number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// The place of a node; `None` if it cannot be reached.
    pub(crate) fn place(&self, number: u32) -> Option<usize> {
        self.places.get(&number).copied()
    }

    /// The question asked at a place of the chart; none at an end.
    pub(crate) fn question<'a>(
        &self,
        graph: &'a Graph,
        place: usize,
    ) -> Option<&'a StoredQuestion> {
        graph.question(graph.node(*self.numbers.get(place)?))
    }

    /// The steps between the nodes, each with its probability.
    pub(crate) fn chain<A: Amount>(
        &self,
        seating: &Seating,
        policies: &Policies,
    ) -> Result<Chain<A>, Error> {
        self.chain_with(seating, policies, &|_| None)
    }

    /// As [`Chart::chain`]; where `picked` names an answer at a place, that one is certain.
    pub(crate) fn chain_with<A: Amount>(
        &self,
        seating: &Seating,
        policies: &Policies,
        picked: &dyn Fn(usize) -> Option<usize>,
    ) -> Result<Chain<A>, Error> {
        let (graph, answers) = (&*seating.graph, &**seating.answers());
        let mut chain = Chain::new();
        let mut even: HashMap<usize, A> = HashMap::new();
        for (at, &number) in self.numbers.iter().enumerate() {
            if at % OFTEN == 0 {
                seating.may_continue()?;
            }
            let node = graph.node(number);
            let place = |answer: usize| self.places.get(&node.to(answer)).copied().unwrap_or(0);
            let shares = match picked(at) {
                Some(answer) => Some(Shares::One(answer)),
                None => policies.shares(graph, number, answers),
            };
            match shares {
                None => chain.push([]),
                Some(Shares::One(answer)) => chain.push([(place(answer), A::one())]),
                Some(Shares::Even(count)) => {
                    let share = even
                        .entry(count)
                        .or_insert_with(|| A::ratio(&1u8.into(), &BigUint::from(count)));
                    chain.push((0..count).map(|answer| (place(answer), share.clone())))
                }
                Some(shares) => {
                    let weights = shares.weights();
                    let total: BigUint = weights.iter().map(|(_, weight)| weight).sum();
                    let step = |(answer, weight)| (place(answer), A::ratio(&weight, &total));
                    chain.push(weights.into_iter().map(step))
                }
            };
        }
        Ok(chain)
    }

    /// The values of the ends, each with how it ends.
    pub(crate) fn ends<'a, A>(
        &self,
        graph: &'a Graph,
        known: Vec<A>,
    ) -> impl Iterator<Item = (&'a Ending, A)> {
        let all = self.numbers.iter().zip(known);
        all.filter_map(|(&number, known)| Some((graph.ending(graph.node(number))?, known)))
    }
}

/// The nodes that may be met under the agents seated, and which seat answers at each.
pub(super) struct ReachableSeats {
    /// How the agents in the seats answer.
    pub(crate) policies: Policies,
    /// The nodes that may be met.
    pub(crate) chart: Chart,
    /// The seats of the conflict; a player of no seat has one of their own behind these.
    pub seats: Vec<Seat>,
    /// The seat of each player, by the numbers by which nodes know players.
    pub(crate) of_actors: HashMap<u32, usize>,
}

impl ReachableSeats {
    /// Walks through a graph that has been explored under the agents seated.
    pub(super) fn at(seating: &Seating) -> Result<ReachableSeats, Error> {
        let policies = seating.policies()?;
        let chart = Chart::draw(seating, &policies)?;
        let mut seats = seating.players.seats();
        let mut of_actors = HashMap::new();
        for (number, player) in seating.graph.actors() {
            let seat = seats.iter().position(|seat| seat.players.contains(player));
            let seat = seat.unwrap_or_else(|| {
                seats.push(Seat { name: player.clone(), players: vec![player.clone()] });
                seats.len() - 1
            });
            of_actors.insert(number, seat);
        }
        Ok(ReachableSeats { policies, chart, seats, of_actors })
    }
}

/// States that lead back to each other and are solved together: at most this many in fractions.
pub(super) const CYCLE: usize = 120;
