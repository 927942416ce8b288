//! The pure strategies of two sides: a table of what each pair gives each side, and the value of
//! mixes.

use std::collections::HashMap;

use super::super::forms::sequences::Sequences;
use super::super::forms::worth::BoardNumber;
use super::super::matrix::PayoffMatrix;

/// The pure strategies of two sides, and the utilities of each pair.
pub(crate) struct Pure<W> {
    /// The sequences that they are made of.
    pub sequences: Sequences<W>,
    /// Each side's strategies, as the sequences that they allow.
    pub strategies: [Vec<Vec<usize>>; 2],
    /// The utilities of each side; rows are the first side's strategies, columns the second's.
    pub tables: [PayoffMatrix<W>; 2],
}

impl<W: BoardNumber> Pure<W> {
    /// Works out the table of all pairs; `None` if the caller stops it.
    pub(crate) fn of(sequences: Sequences<W>, go_on: &dyn Fn() -> bool) -> Option<Pure<W>> {
        let strategies = [sequences.pure(0), sequences.pure(1)];
        Pure::of_some(sequences, strategies, go_on)
    }

    /// The same for these strategies alone.
    pub(crate) fn of_some(
        sequences: Sequences<W>,
        strategies: [Vec<Vec<usize>>; 2],
        go_on: &dyn Fn() -> bool,
    ) -> Option<Pure<W>> {
        let mut after: HashMap<usize, Vec<(usize, &[W; 2])>> = HashMap::new();
        for ([own, other], worth) in &sequences.ends {
            after.entry(*own).or_default().push((*other, worth));
        }
        let [rows, columns] = [strategies[0].len(), strategies[1].len()];
        let mut cells = [Vec::with_capacity(rows * columns), Vec::with_capacity(rows * columns)];
        let nothing = || vec![W::zero(); sequences.of[1].len()];
        for row in &strategies[0] {
            if !go_on() {
                return None;
            }
            let mut sums = [nothing(), nothing()];
            for (other, worth) in row.iter().filter_map(|own| after.get(own)).flatten() {
                for (sums, worth) in sums.iter_mut().zip(worth.iter()) {
                    sums[*other] = sums[*other].clone() + worth.clone();
                }
            }
            for column in &strategies[1] {
                for (cells, sums) in cells.iter_mut().zip(&sums) {
                    let parts =
                        column.iter().map(|&other| &sums[other]).filter(|sum| !sum.is_zero());
                    cells.push(parts.fold(W::zero(), |sum, part| sum + part.clone()));
                }
            }
        }
        let tables = cells.map(|cells| PayoffMatrix::new(rows, columns, cells));
        Some(Pure { sequences, strategies, tables })
    }

    /// The average utilities of both sides from mixes of strategies.
    pub(crate) fn worth(&self, mixes: &[Vec<W>; 2]) -> [W; 2] {
        [0, 1].map(|side| {
            let rows = self.tables[side].of_rows(&mixes[1]);
            let pairs = rows.iter().zip(&mixes[0]);
            pairs.fold(W::zero(), |sum, (row, weight)| sum + row.clone() * weight.clone())
        })
    }

    /// The most that a side gains by the best of its strategies against the other's mix.
    pub(crate) fn gains(&self, mixes: &[Vec<W>; 2]) -> [f64; 2] {
        let worth = self.worth(mixes);
        let given = [self.tables[0].of_rows(&mixes[1]), self.tables[1].of_columns(&mixes[0])];
        [0, 1].map(|seat| {
            let gains =
                given[seat].iter().map(|given| (given.clone() - worth[seat].clone()).about());
            gains.fold(0.0, f64::max)
        })
    }

    /// The probability that a side plays each of its sequences, if chance and the other side let
    /// it.
    fn weights(&self, seat: usize, mix: &[W]) -> Vec<W> {
        let mut weights = vec![W::zero(); self.sequences.of[seat].len()];
        for (strategy, share) in self.strategies[seat].iter().zip(mix) {
            for &sequence in strategy {
                weights[sequence] = weights[sequence].clone() + share.clone();
            }
        }
        weights
    }

    /// The probability that each side plays each of its sequences under mixes of strategies (Kuhn,
    /// Extensive games and the problem of information, 1953).
    pub(crate) fn realized(&self, mixes: &[Vec<W>; 2]) -> [Vec<W>; 2] {
        [self.weights(0, &mixes[0]), self.weights(1, &mixes[1])]
    }
}
