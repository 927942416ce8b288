//! A game with cycles: its places, who moves at each, and how often a strategy visits them.

use std::collections::HashMap;

use super::board::Mover;
use crate::explored::{Components, Lists, components, is_passed};
use crate::number::{Amount, Interval};

/// At most this many steps between places are looked at for all places together. Bounds that are rounded
/// outwards and only move inwards stop moving in the end, but places that are left with next to no chance
/// take more sweeps than anybody waits for.
pub(crate) const STEPS: u64 = 300_000_000;
/// After this many sweeps it is asked whether the others can bring the bounds together.
pub(crate) const TRIAL: u64 = 1_000;

/// Places, who moves there, and where it leads; the first is the beginning.
#[derive(Default)]
pub(crate) struct StochasticGame {
    movers: Vec<Mover>,
    steps: Lists<(u32, Interval)>,
}

/// What the sides do.
#[derive(Clone, Default)]
pub(crate) struct Plays {
    /// The step that is taken where a side decides.
    pub picks: Vec<u32>,
    /// The weights of both sides' options where both decide at once.
    pub mixed: HashMap<u32, [Vec<f64>; 2]>,
}

impl Plays {
    /// The weights of both sides' options, which sum to 1; of the first option where none are known.
    pub(crate) fn mixes(&self, place: u32, cells: usize, columns: u32) -> [Vec<Interval>; 2] {
        let columns = (columns as usize).max(1);
        let first = |count: usize| {
            let mut all = vec![Interval::exact(0.0); count];
            all.iter_mut().take(1).for_each(|first| *first = Interval::one());
            all
        };
        match self.mixed.get(&place) {
            Some(mixed) => [normal(&mixed[0]), normal(&mixed[1])],
            None => [first(cells / columns), first(columns)],
        }
    }
}

/// Weights that are not below 0, divided by their sum.
pub(crate) fn normal(weights: &[f64]) -> Vec<Interval> {
    let weights = || weights.iter().map(|weight| Interval::exact(weight.max(0.0)));
    let sum = weights().fold(Interval::exact(0.0), Interval::plus);
    weights().map(|weight| weight.div(&sum)).collect()
}

impl StochasticGame {
    /// Adds the next place: who moves, and the steps with their chances; 1 each where a side decides.
    pub(crate) fn push(&mut self, mover: Mover, steps: impl IntoIterator<Item = (u32, Interval)>) {
        self.movers.push(mover);
        self.steps.push(steps.into_iter().filter(|(_, share)| !share.is_zero()));
    }

    /// How many places there are.
    pub(crate) fn len(&self) -> usize {
        self.movers.len()
    }

    /// Who moves at a place.
    pub(crate) fn mover(&self, place: u32) -> Mover {
        self.movers[place as usize]
    }

    /// Where a place leads.
    pub(crate) fn steps(&self, place: u32) -> &[(u32, Interval)] {
        self.steps.of(place as usize)
    }

    /// The places that lead back to each other, in the order of the walk.
    pub(crate) fn components(&self) -> Components {
        components(self.len(), [0], |place| self.to(place))
    }

    fn to(&self, place: u32) -> impl Iterator<Item = u32> {
        self.steps(place).iter().map(|(to, _)| *to)
    }

    /// Whether a component is one place that does not lead to itself.
    pub(crate) fn is_passed(&self, places: &[u32]) -> bool {
        is_passed(places, |place| self.to(place))
    }

    /// The size of the largest set of places that lead back to each other, and of all such sets.
    pub(crate) fn cycles(&self) -> (usize, usize) {
        self.components().cycles(|place| self.to(place))
    }

    /// The same places where what one side does is certain, or what both do. What is left to the other
    /// side of a joint decision leads to places of its own, behind all others.
    #[must_use]
    pub(crate) fn fixed(&self, plays: &Plays, is_fixed: impl Fn(Mover) -> bool) -> StochasticGame {
        let mut fixed = StochasticGame::default();
        let mut behind: Vec<Vec<(u32, Interval)>> = Vec::new();
        for (place, &mover) in self.movers.iter().enumerate() {
            let steps = self.steps.of(place).iter().copied();
            let Mover::Both(columns) = mover else {
                match mover.decides() && is_fixed(mover) {
                    true => {
                        fixed.push(Mover::Chance, steps.skip(plays.picks[place] as usize).take(1))
                    }
                    false => fixed.push(mover, steps),
                }
                continue;
            };
            let [rows, columns] =
                plays.mixes(place as u32, self.steps(place as u32).len(), columns);
            let to =
                |row: usize, column: usize| self.steps.of(place)[row * columns.len() + column].0;
            let all = |row: usize| (0..columns.len()).map(move |column| (row, column));
            match (is_fixed(Mover::MOST), is_fixed(Mover::LEAST)) {
                (true, true) => {
                    let both = (0..rows.len()).flat_map(all);
                    let step = |(row, column): (usize, usize)| {
                        (to(row, column), rows[row].times(columns[column]))
                    };
                    fixed.push(Mover::Chance, both.map(step));
                }
                (false, false) => fixed.push(mover, steps),
                (true, false) => {
                    let first = self.len() + behind.len();
                    let given = |column| {
                        rows.iter().enumerate().map(move |(row, share)| (to(row, column), *share))
                    };
                    behind.extend((0..columns.len()).map(|column| given(column).collect()));
                    let steps = (0..columns.len()).map(|at| ((first + at) as u32, Interval::one()));
                    fixed.push(Mover::LEAST, steps);
                }
                (false, true) => {
                    let first = self.len() + behind.len();
                    let given = |row| {
                        let columns = columns.iter().enumerate();
                        columns.map(move |(column, share)| (to(row, column), *share))
                    };
                    behind.extend((0..rows.len()).map(|row| given(row).collect()));
                    let steps = (0..rows.len()).map(|at| ((first + at) as u32, Interval::one()));
                    fixed.push(Mover::MOST, steps);
                }
            }
        }
        behind.into_iter().for_each(|steps| fixed.push(Mover::Chance, steps));
        fixed
    }

    /// The same places where the side that wants much has only the options left that may be the best by
    /// what places are worth, and another wish.
    #[must_use]
    pub(crate) fn narrowed(&self, worth: &[Interval], wish: Mover) -> StochasticGame {
        let mut narrowed = StochasticGame::default();
        for (place, &mover) in self.movers.iter().enumerate() {
            let steps = self.steps.of(place).iter().copied();
            match mover {
                Mover::MOST => {
                    let least = worth[place].low;
                    narrowed.push(wish, steps.filter(|(to, _)| worth[*to as usize].high >= least));
                }
                mover => narrowed.push(mover, steps),
            }
        }
        narrowed
    }

    /// How often each place is reached on average where all that is done is certain, about; and nothing is
    /// known where somebody wants it to stop.
    pub(crate) fn visits(&self, plays: &Plays, may_continue: &dyn Fn() -> bool) -> Vec<f64> {
        let walk = self.fixed(plays, |_| true);
        let mut visits = vec![0.0; self.len()];
        let mut arrived = vec![0.0; self.len()];
        let mut steps = STEPS;
        if let Some(first) = arrived.first_mut() {
            *first = 1.0;
        }
        for places in walk.components().iter() {
            if walk.is_passed(places) {
                let place = places[0] as usize;
                visits[place] = arrived[place];
            } else {
                walk.settle(places, &arrived, &mut visits, (&mut steps, may_continue));
            }
            for &place in places {
                for (to, share) in walk.steps(place) {
                    if places.binary_search(to).is_err() {
                        arrived[*to as usize] += visits[place as usize] * share.middle();
                    }
                }
            }
        }
        visits
    }

    /// The visits of places that lead back to each other, from what arrives: what is under way is
    /// passed on until next to nothing is, or until this many steps were looked at.
    fn settle(
        &self,
        places: &[u32],
        arrived: &[f64],
        visits: &mut [f64],
        (most, may_continue): (&mut u64, &dyn Fn() -> bool),
    ) {
        let mut under_way: Vec<f64> = places.iter().map(|&at| arrived[at as usize]).collect();
        let all: f64 = under_way.iter().sum();
        let mut left = all;
        let leaves =
            |&at: &u32| self.steps(at).iter().any(|(to, _)| places.binary_search(to).is_err());
        if !places.iter().any(leaves) {
            // Nobody ever leaves: each place is reached without end, or not at all.
            return places.iter().for_each(|&at| visits[at as usize] = all.min(1.0));
        }
        let looked_at: usize = places.iter().map(|&place| 1 + self.steps(place).len()).sum();
        for sweep in 0.. {
            if left <= 1e-12 * all || *most < looked_at as u64 || !may_continue() {
                break;
            }
            *most -= looked_at as u64;
            let before = left;
            for at in 0..places.len() {
                let here = std::mem::replace(&mut under_way[at], 0.0);
                visits[places[at] as usize] += here;
                for (to, share) in self.steps(places[at]) {
                    if let Ok(to) = places.binary_search(to) {
                        under_way[to] += here * share.middle();
                    }
                }
            }
            left = under_way.iter().sum();
            let sweeps = *most / looked_at as u64;
            if sweep >= TRIAL && (before - left) * (sweeps as f64) < left {
                break;
            }
        }
    }
}

/// The width of a range, or the greatest float where it is none.
pub(crate) fn span(range: Interval) -> f64 {
    range.width().min(f64::MAX)
}

/// The least and the greatest of some numbers; nothing where there are none.
pub(crate) fn range(numbers: impl IntoIterator<Item = Interval>) -> Option<Interval> {
    let wider =
        |a: Interval, b: Interval| Interval { low: a.low.min(b.low), high: a.high.max(b.high) };
    numbers.into_iter().reduce(wider)
}
