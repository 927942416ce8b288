//! What depends on the whole way through a graph and not on its places alone: all ways are grouped by
//! what matters of them; where that is too much, ways are drawn.

use std::collections::BTreeMap;

use super::measure::{Measure, Spread, seen};
use super::terrain::Terrain;
use super::weight::Weight;
use crate::analysis::{Interval, Number};
use crate::handlers::Generator;

/// More steps of groups than these are not gone through.
const WORK: usize = 4_000_000;
/// So many ways are drawn then.
const DRAWN: u64 = 10_000;

/// Ways through a graph.
pub(super) struct Ways<S> {
    /// The end of each, what matters of it, and its share.
    pub all: Vec<(usize, S, f64)>,
    /// Whether they were drawn.
    pub drawn: bool,
}

impl<S: Ord + Clone> Ways<S> {
    /// The ways from the beginning to the ends. `along` says what matters after an answer, by its
    /// number among those of a place, that leads to another place.
    pub(super) fn of<A: Weight>(
        terrain: &Terrain<A>,
        seed: u64,
        first: impl Fn(usize) -> S,
        along: impl Fn(&S, usize, usize, usize) -> S,
    ) -> Ways<S> {
        let Some(root) = (0..terrain.len()).find(|&place| terrain.is_visited(place)) else {
            return Ways { all: Vec::new(), drawn: false };
        };
        match grouped(terrain, root, &first, &along) {
            Some(all) => Ways { all, drawn: false },
            None => {
                let share = 1.0 / DRAWN as f64;
                let draw = |playout| {
                    let mut lots = Generator::playout(seed, playout);
                    let (end, state) = drawn(terrain, root, &mut lots, &first, &along);
                    (end, state, share)
                };
                Ways { all: (0..DRAWN).map(draw).collect(), drawn: true }
            }
        }
    }

    /// The mean of what `value` says of each way, over those of which it says something.
    pub(super) fn measure(
        &self,
        name: &str,
        unit: &str,
        value: impl Fn(usize, &S) -> Option<f64>,
    ) -> Option<Measure> {
        let told =
            self.all.iter().filter_map(|(end, state, share)| Some((value(*end, state)?, *share)));
        let told: Vec<(f64, f64)> = told.collect();
        let whole: f64 = told.iter().map(|(_, share)| share).sum();
        if whole <= 0.0 {
            return None;
        }
        let number = match self.drawn {
            true => seen(&told.iter().map(|(value, _)| *value).collect::<Vec<_>>())?,
            false => {
                let mean = told.iter().map(|(value, share)| value * share).sum::<f64>() / whole;
                Number::Enclosed(Interval::exact(mean))
            }
        };
        Some(Measure::new(name, unit, &number).spreading(Spread::of(told)))
    }
}

fn grouped<A: Weight, S: Ord + Clone>(
    terrain: &Terrain<A>,
    root: usize,
    first: &impl Fn(usize) -> S,
    along: &impl Fn(&S, usize, usize, usize) -> S,
) -> Option<Vec<(usize, S, f64)>> {
    let mut open: Vec<BTreeMap<S, f64>> = (0..terrain.len()).map(|_| BTreeMap::new()).collect();
    open[root].insert(first(root), 1.0);
    let (mut ends, mut work) = (Vec::new(), 0);
    for place in root..terrain.len() {
        let states = std::mem::take(&mut open[place]);
        let edges = terrain.edges(place);
        work += states.len() * edges.len().max(1);
        if work > WORK {
            return None;
        }
        if edges.is_empty() {
            ends.extend(states.into_iter().map(|(state, chance)| (place, state, chance)));
            continue;
        }
        for (number, edge) in edges.iter().enumerate() {
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
    Some(ends)
}

fn drawn<A: Weight, S>(
    terrain: &Terrain<A>,
    root: usize,
    lots: &mut Generator,
    first: &impl Fn(usize) -> S,
    along: &impl Fn(&S, usize, usize, usize) -> S,
) -> (usize, S) {
    let (mut place, mut state) = (root, first(root));
    loop {
        let edges = terrain.edges(place);
        // 53 bits are what a float holds.
        let lot = (lots.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        let mut below = 0.0;
        let possible = edges.iter().enumerate().filter(|(_, edge)| !edge.chance.is_zero());
        let mut picked = None;
        for (number, edge) in possible {
            picked = Some((number, edge.to));
            below += edge.chance.about();
            if lot < below {
                break;
            }
        }
        let Some((number, to)) = picked else { return (place, state) };
        state = along(&state, place, number, to);
        place = to;
    }
}
