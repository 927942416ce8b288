//! Measures that depend on the whole way through a graph: ways are grouped by what matters of them, or drawn at
//! random where there are too many groups.

use std::collections::BTreeMap;

use super::ended::{MOST, Verdict, worths};
use super::portrait_measure::{Measure, Spread, WeightedValues};
use crate::analysis::visits::Visited;
use crate::conflict::{Seat, Seating};
use crate::error::Error;
use crate::explored::ExploredGame;
use crate::game::Generator;
use crate::number::{Amount, Fraction, Quantity, about};

/// More steps of groups than these are not gone through.
const WORK: usize = 4_000_000;
/// This many ways are drawn then.
const DRAWN: u64 = 10_000;

pub(super) struct Ways<S> {
    /// The end of each, what matters of it, and its share.
    pub all: Vec<(usize, S, f64)>,
    /// Whether they were drawn.
    pub drawn: bool,
}

impl<S: Ord + Clone> Ways<S> {
    /// The ways from the beginning to the ends. `along` says what matters after an answer, by its
    /// number among those of a place, that leads to another place; `size`, how much work a group is.
    pub(super) fn of<A: Amount>(
        ordered: &Visited<A>,
        seed: u64,
        (first, along): (impl Fn(usize) -> S, impl Fn(&S, usize, usize, usize) -> S),
        size: fn(&S) -> usize,
    ) -> Ways<S> {
        let grouped = Ways::grouped(ordered, &first, &along, size);
        grouped.unwrap_or_else(|| Ways::drawn(ordered, seed, &first, &along))
    }

    /// The same in groups; nothing where these are too many.
    pub(super) fn grouped<A: Amount>(
        ordered: &Visited<A>,
        first: &impl Fn(usize) -> S,
        along: &impl Fn(&S, usize, usize, usize) -> S,
        size: fn(&S) -> usize,
    ) -> Option<Ways<S>> {
        let Some(root) = root(ordered) else { return Some(Ways { all: Vec::new(), drawn: false }) };
        let mut open: Vec<BTreeMap<S, f64>> =
            (0..ordered.game.len()).map(|_| BTreeMap::new()).collect();
        open[root].insert(first(root), 1.0);
        let (mut ends, mut work) = (Vec::new(), 0);
        for place in root..ordered.game.len() {
            let states = std::mem::take(&mut open[place]);
            let edges = ordered.edges(place);
            work += states.keys().map(size).sum::<usize>() * edges.len().max(1);
            if work > WORK {
                return None;
            }
            if edges.len() == 0 {
                ends.extend(states.into_iter().map(|(state, chance)| (place, state, chance)));
                continue;
            }
            for (number, edge) in edges.enumerate() {
                let share = edge.chance.about();
                if share == 0.0 {
                    continue;
                }
                for (state, chance) in &states {
                    let next = along(state, place, number, edge.to);
                    *open[edge.to].entry(next).or_default() += chance * share;
                }
            }
        }
        Some(Ways { all: ends, drawn: false })
    }

    /// The mean of what `value` says of each way, over those of which it says something.
    pub(super) fn measure(
        &self,
        name: &str,
        value: impl Fn(usize, &S) -> Option<f64>,
    ) -> Option<Measure> {
        let weighed =
            self.all.iter().filter_map(|(end, state, share)| Some((value(*end, state)?, *share)));
        let weighed: Vec<(f64, f64)> = weighed.collect();
        let whole: f64 = weighed.iter().map(|(_, share)| share).sum();
        if whole <= 0.0 {
            return None;
        }
        let measure = match self.drawn {
            true => {
                let values: Vec<f64> = weighed.iter().map(|(value, _)| *value).collect();
                Measure::new(name, &Quantity::mean_of(&values)?)
            }
            false => {
                let mean = weighed.iter().map(|(value, share)| value * share).sum::<f64>() / whole;
                Measure::close(name, mean)
            }
        };
        Some(measure.spreading(Spread::of(weighed)))
    }
}

impl<S> Ways<S> {
    pub(super) fn drawn<A: Amount>(
        ordered: &Visited<A>,
        seed: u64,
        first: &impl Fn(usize) -> S,
        along: &impl Fn(&S, usize, usize, usize) -> S,
    ) -> Ways<S> {
        let Some(root) = root(ordered) else { return Ways { all: Vec::new(), drawn: false } };
        let draw = |playout| {
            let mut rng = Generator::playout(seed, playout);
            let (mut place, mut state) = (root, first(root));
            loop {
                let edges = ordered.edges(place);
                // 53 bits are what a float holds.
                let lot = (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
                let mut below = 0.0;
                let possible = edges.enumerate().filter(|(_, edge)| !edge.chance.is_zero());
                let mut picked = None;
                for (number, edge) in possible {
                    picked = Some((number, edge.to));
                    below += edge.chance.about();
                    if lot < below {
                        break;
                    }
                }
                let Some((number, to)) = picked else {
                    return (place, state, 1.0 / DRAWN as f64);
                };
                state = along(&state, place, number, to);
                place = to;
            }
        };
        Ways { all: (0..DRAWN).map(draw).collect(), drawn: true }
    }
}

/// Where conflicts begin.
fn root<A: Amount>(ordered: &Visited<A>) -> Option<usize> {
    (0..ordered.game.len()).find(|&place| ordered.is_visited(place))
}

// What can be expected at each place of a graph: what each seat has in the end, and who wins.

/// An ordered graph, with what can be expected at each of its places.
pub(super) struct ValuedGraph<'a, A> {
    pub seating: &'a Seating,
    pub(crate) ordered: Visited<A>,
    pub seats: Vec<Seat>,
    /// For each seat the difference of the most and the least that it has in any end.
    pub range: Vec<f64>,
    /// What each seat can expect at each place, above the least that it has in any end, seat by seat.
    expected: Vec<A>,
    /// The seats that win at each end; none of them in a tie.
    pub ends: Vec<Option<Vec<usize>>>,
    /// The chances of each seat to win at each place, the last one that of a tie; none where there are
    /// too many seats.
    beliefs: Vec<f64>,
}

/// The bounds are checked once in this many nodes.
const OFTEN: usize = 256;

/// Who won, as chances that are certain.
pub(super) fn won_by(winners: &[usize], states: usize) -> Vec<f64> {
    let is_so = |state| match winners.is_empty() {
        true => state + 1 == states,
        false => winners.contains(&state),
    };
    (0..states).map(|state| f64::from(u8::from(is_so(state)))).collect()
}

impl<'a, A: Amount> ValuedGraph<'a, A> {
    /// Puts an explored game into order, and values it; nothing where its states lead back to each other.
    pub(super) fn of(
        seating: &'a Seating,
        seen: ExploredGame,
    ) -> Result<Option<ValuedGraph<'a, A>>, Error> {
        let Some(ordered) = Visited::<A>::in_order(seating, seen)? else { return Ok(None) };
        let (graph, seats) = (&*seating.graph, seating.players.seats());
        let mut ends = vec![None; ordered.game.len()];
        let mut had: Vec<Option<Vec<Fraction>>> = vec![None; ordered.game.len()];
        let mut all: Vec<WeightedValues<A>> = vec![WeightedValues::default(); seats.len()];
        for place in 0..ordered.game.len() {
            let Some(ending) = graph.ending(ordered.node(graph, place)) else { continue };
            let worths = worths(ending, &seats);
            ends[place] = Some(Verdict::of(&worths).winners);
            all.iter_mut().zip(&worths).for_each(|(all, worth)| all.add(worth.clone(), &A::zero()));
            had[place] = Some(worths);
        }
        let ranges: Vec<(Fraction, Fraction)> = all
            .iter()
            .map(|all| all.range().map(|(a, b)| (a.clone(), b.clone())).unwrap_or_default())
            .collect();
        let least: Vec<Fraction> = ranges.iter().map(|(least, _)| least.clone()).collect();
        let range = ranges.iter().map(|(least, most)| about(&(most - least))).collect();
        let believes = if seats.len() <= MOST { seats.len() + 1 } else { 0 };
        let mut expected = vec![A::zero(); ordered.game.len() * seats.len()];
        let mut beliefs = vec![0.0; ordered.game.len() * believes];
        for place in (0..ordered.game.len()).rev() {
            if place % OFTEN == 0 {
                seating.may_continue()?;
            }
            if let (Some(worths), Some(winners)) = (&had[place], &ends[place]) {
                for (seat, worth) in worths.iter().enumerate() {
                    let above = worth - &least[seat];
                    let (part, whole) = (above.numer().magnitude(), above.denom().magnitude());
                    expected[place * seats.len() + seat] = A::ratio(part, whole);
                }
                let wins = beliefs.get_mut(place * believes..(place + 1) * believes);
                wins.unwrap_or_default().copy_from_slice(&won_by(winners, believes));
                continue;
            }
            for edge in ordered.edges(place) {
                if edge.chance.is_zero() {
                    continue;
                }
                for seat in 0..seats.len() {
                    let more = expected[edge.to * seats.len() + seat].mul(edge.chance);
                    expected[place * seats.len() + seat].add_assign(&more);
                }
                let chance = edge.chance.about();
                for state in 0..believes {
                    beliefs[place * believes + state] +=
                        chance * beliefs[edge.to * believes + state];
                }
            }
            for seat in 0..seats.len() {
                expected[place * seats.len() + seat].settle();
            }
        }
        Ok(Some(ValuedGraph { seating, ordered, seats, range, expected, ends, beliefs }))
    }

    /// What a seat can expect at a place, above its least.
    pub(super) fn expected(&self, place: usize, seat: usize) -> &A {
        &self.expected[place * self.seats.len() + seat]
    }

    /// The chance of each seat to win at a place, and last that of a tie; empty where there are too many
    /// seats.
    pub(super) fn beliefs(&self, place: usize) -> &[f64] {
        let each = self.beliefs.len() / self.ordered.game.len().max(1);
        self.beliefs.get(place * each..(place + 1) * each).unwrap_or_default()
    }

    pub(super) fn seat_of(&self, player: &str) -> Option<usize> {
        self.seats.iter().position(|seat| seat.players.iter().any(|one| one == player))
    }

    /// The ends that are reached, each with how likely it is.
    pub(super) fn ended(&self) -> impl Iterator<Item = (usize, &crate::graph::Ending, &A)> {
        let graph = &*self.seating.graph;
        (0..self.ordered.game.len()).filter_map(move |place| {
            let ending = graph.ending(self.ordered.node(graph, place))?;
            let visits = &self.ordered.visits[place];
            (!visits.is_zero()).then_some((place, ending, visits))
        })
    }
}
