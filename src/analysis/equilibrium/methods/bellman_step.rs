//! Bounds of the value of one place from those of the places that follow, and the best choice
//! there.

use super::super::forms::board::Mover;
use super::super::forms::cyclic_game::{Plays, StochasticGame, normal};
use super::super::matrix::{PayoffMatrix, nearly};
use crate::number::Interval;

/// The value of a place and the best choice there.
pub(crate) struct ValuedChoice {
    /// The bounds of its value.
    pub worth: Interval,
    /// The most promising step if one side decides: the first of equals.
    pub pick: u32,
    /// The mixes of both sides if they decide at once.
    pub mixed: Option<[Vec<f64>; 2]>,
}

impl StochasticGame {
    /// The value of a place from the known values of the others, and the best choice there.
    pub(crate) fn look(
        &self,
        place: u32,
        ends: &[Interval],
        worth: &[Interval],
        may_continue: &dyn Fn() -> bool,
    ) -> ValuedChoice {
        let steps = self.steps(place);
        let sure = |worth| ValuedChoice { worth, pick: 0, mixed: None };
        match self.mover(place) {
            Mover::End(number) => {
                sure(ends.get(number as usize).copied().unwrap_or(Interval::exact(0.0)))
            }
            Mover::Chance => sure(mean(steps, worth)),
            // Play never visits it by itself.
            Mover::Part => sure(Interval::exact(0.0)),
            Mover::Both(columns) => at_once(steps, columns as usize, worth, may_continue),
            mover @ Mover::Side(_) => {
                let mut best: Option<(Interval, Interval, u32)> = None;
                for (at, (to, _)) in steps.iter().enumerate() {
                    let own = mover.own(worth[*to as usize]);
                    let Some((all, first, pick)) = &mut best else {
                        best = Some((own, own, at as u32));
                        continue;
                    };
                    if (own.low, own.high) > (first.low, first.high) {
                        (*first, *pick) = (own, at as u32);
                    }
                    all.low = all.low.max(own.low);
                    all.high = all.high.max(own.high);
                }
                let nothing = (Interval::exact(0.0), 0);
                let (all, pick) = best.map_or(nothing, |(all, _, pick)| (all, pick));
                ValuedChoice { worth: mover.own(all), pick, mixed: None }
            }
        }
    }
}

impl StochasticGame {
    /// The value of each option of a side at a place: in a joint decision against the other's mix.
    pub(crate) fn options(
        &self,
        place: u32,
        seat: usize,
        plays: &Plays,
        worth: &[Interval],
    ) -> Vec<Interval> {
        let steps = self.steps(place);
        let Mover::Both(columns) = self.mover(place) else {
            return steps.iter().map(|(to, _)| worth[*to as usize]).collect();
        };
        let [rows, columns] = plays.mixes(place, steps.len(), columns);
        let cell = |row: usize, column: usize| steps[row * columns.len() + column].0;
        let all =
            |row: usize| columns.iter().enumerate().map(move |(at, share)| (cell(row, at), *share));
        let given =
            |at: usize| rows.iter().enumerate().map(move |(row, share)| (cell(row, at), *share));
        match seat {
            0 => (0..rows.len()).map(|row| mean(&all(row).collect::<Vec<_>>(), worth)).collect(),
            _ => (0..columns.len()).map(|at| mean(&given(at).collect::<Vec<_>>(), worth)).collect(),
        }
    }
}

impl Mover {
    /// Turns a value into numbers of which this side wants much, and back again.
    pub(crate) fn own(self, worth: Interval) -> Interval {
        if self == Mover::LEAST { worth.negative() } else { worth }
    }
}

/// The value of a joint decision: what rows get for sure by a best mix if everything has its lower
/// bound, and what columns hold rows to if everything has its upper bound. The mixes are the best
/// as far as floats find them; the bounds are proven by the mixes alone.
fn at_once(
    steps: &[(u32, Interval)],
    columns: usize,
    worth: &[Interval],
    may_continue: &dyn Fn() -> bool,
) -> ValuedChoice {
    let rows = steps.len() / columns.max(1);
    let table = |bound: &dyn Fn(Interval) -> f64| {
        let cells = steps.iter().map(|(to, _)| bound(worth[*to as usize])).collect();
        PayoffMatrix::new(rows, columns, cells)
    };
    let (lows, highs) = (table(&|worth| worth.low), table(&|worth| worth.high));
    let low = nearly(&lows, may_continue);
    let high = if lows == highs { low.clone() } else { nearly(&highs, may_continue) };
    let even = |count: usize| vec![1.0; count];
    let own = low.map_or_else(|| even(rows), |mixed| mixed.rows);
    let its = high.map_or_else(|| even(columns), |mixed| mixed.columns);
    let (shares, others) = (normal(&own), normal(&its));
    let cell = |row: usize, column: usize| steps[row * columns + column].0;
    let given = |column: usize| {
        let steps: Vec<_> = (0..rows).map(|row| (cell(row, column), shares[row])).collect();
        mean(&steps, worth).low
    };
    let taken = |row: usize| {
        let steps: Vec<_> =
            (0..columns).map(|column| (cell(row, column), others[column])).collect();
        mean(&steps, worth).high
    };
    let low = (0..columns).map(given).fold(f64::INFINITY, f64::min);
    let high = (0..rows).map(taken).fold(f64::NEG_INFINITY, f64::max);
    ValuedChoice { worth: Interval { low, high }, pick: 0, mixed: Some([own, its]) }
}

pub(crate) fn mean(steps: &[(u32, Interval)], worth: &[Interval]) -> Interval {
    let mut mean = Interval::exact(0.0);
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for (to, share) in steps.iter().filter(|(_, share)| share.high > 0.0) {
        let worth = worth[*to as usize];
        mean = mean.plus(worth.times(*share));
        (low, high) = (low.min(worth.low), high.max(worth.high));
    }
    // Chances sum to 1, even if they are rounded.
    Interval { low: mean.low.max(low), high: mean.high.min(high) }
}
