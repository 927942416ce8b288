//! The simplex method for matrix games: finds the mix of columns that keeps every row lowest.
//!
//! For a table of positive numbers it finds the weights with the largest sum under which no row
//! exceeds 1 (Dantzig, A proof of the equivalence of the programming problem and the game problem,
//! 1951). One tableau gives both strategies: the weights, and for rows the prices of their limits.
//! After many steps without a gain it follows Bland's rule, under which no tableau is repeated
//! (Mathematics of Operations Research 2, 1977).

use num_traits::{One, Signed, ToPrimitive, Zero};

use super::linear::{level, spread};
use super::{Mixed, PayoffMatrix, Scalar, even, nearly, pure};
use crate::number::{Fraction, simplest_between};

/// A tableau: each row a variable in the basis, written by the variables outside of it.
pub(super) struct Tableau<N> {
    /// Columns, then rows' limits, then the constant.
    rows: Vec<Vec<N>>,
    /// The variable that each row is solved for.
    basis: Vec<usize>,
    /// The cost of each variable; one below 0 would gain.
    costs: Vec<N>,
    columns: usize,
    /// Numbers up to this count as 0.
    tiny: N,
}

/// Pivots on elements of less than this many `tiny` would lose precision.
const STURDY: usize = 100;

impl<N: Scalar> Tableau<N> {
    pub(super) fn of(table: &PayoffMatrix<N>, tiny: N) -> Tableau<N> {
        let (limits, columns) = table.size();
        let width = columns + limits + 1;
        let line = |row: usize| {
            let mut line = Vec::with_capacity(width);
            line.extend_from_slice(table.row(row));
            line.resize(width, N::zero());
            line[columns + row] = N::one();
            line[width - 1] = N::one();
            line
        };
        let mut costs = vec![N::zero() - N::one(); columns];
        costs.resize(width, N::zero());
        Tableau {
            rows: (0..limits).map(line).collect(),
            basis: (columns..columns + limits).collect(),
            costs,
            columns,
            tiny,
        }
    }

    /// Both strategies, as the costs and constants say.
    pub(super) fn mixed(&self) -> Option<Mixed<N>> {
        let last = self.variables();
        let sum = self.costs[last].clone();
        if sum <= N::zero() {
            return None;
        }
        let share = |weight: N| if weight < N::zero() { N::zero() } else { weight / sum.clone() };
        let mut columns = vec![N::zero(); self.columns];
        for (row, &variable) in self.basis.iter().enumerate() {
            if variable < self.columns {
                columns[variable] = share(self.rows[row][last].clone());
            }
        }
        let rows = self.costs[self.columns..last].iter().cloned().map(share).collect();
        Some(Mixed { rows, columns, value: N::one() / sum })
    }

    /// Improves the sum until it is the greatest, from corner to better corner. Returns whether it got there: with
    /// fractions always, with floats nearly always.
    pub(super) fn solve(&mut self, may_continue: &dyn Fn() -> bool) -> bool {
        let last = self.variables();
        let mut free = vec![true; last];
        let patience = self.rows.len() + last;
        let (mut stalled, mut steps) = (0, 0);
        loop {
            let bland = stalled > patience;
            let Some(enters) = self.enters(&free, bland) else { return true };
            let Some(leaves) = self.leaves(enters, bland) else {
                // All is limited here; only rounding makes a variable look as if it were not.
                free[enters] = false;
                continue;
            };
            let gains = self.rows[leaves][last] > self.tiny;
            stalled = if gains { 0 } else { stalled + 1 };
            self.pivot(leaves, enters);
            steps += 1;
            // Rounding may lead floats round and round; no honest way is as long.
            if steps > 50 * patience || steps % 16 == 0 && !may_continue() {
                return false;
            }
        }
    }

    /// The variable that gains most, or by Bland's rule the first that gains.
    fn enters(&self, free: &[bool], bland: bool) -> Option<usize> {
        let least = N::zero() - self.tiny.clone();
        let gaining = (0..free.len()).filter(|&at| free[at] && self.costs[at] < least);
        match bland {
            true => { gaining }.next(),
            false => gaining.reduce(|a, b| if self.costs[b] < self.costs[a] { b } else { a }),
        }
    }

    /// The row that limits a variable most; of several the sturdiest, or by Bland's rule the first.
    fn leaves(&self, enters: usize, bland: bool) -> Option<usize> {
        let last = self.variables();
        let sturdy = (0..STURDY).fold(N::zero(), |sum, _| sum + self.tiny.clone());
        let mut best: Option<(usize, N)> = None;
        for (at, row) in self.rows.iter().enumerate().filter(|(_, row)| row[enters] > sturdy) {
            let ratio = row[last].clone() / row[enters].clone();
            let better = match &best {
                None => true,
                Some((other, least)) => {
                    let difference = ratio.clone() - least.clone();
                    let ties = difference.abs() <= self.tiny;
                    let before = match bland {
                        true => self.basis[at] < self.basis[*other],
                        false => row[enters] > self.rows[*other][enters],
                    };
                    difference < N::zero() && !ties || ties && before
                }
            };
            if better {
                best = Some((at, ratio));
            }
        }
        best.map(|(at, _)| at)
    }

    fn pivot(&mut self, leaves: usize, enters: usize) {
        let pivot = self.rows[leaves][enters].clone();
        for cell in self.rows[leaves].iter_mut().filter(|cell| !cell.is_zero()) {
            *cell = cell.clone() / pivot.clone();
        }
        let line = std::mem::take(&mut self.rows[leaves]);
        for row in self.rows.iter_mut().chain([&mut self.costs]).filter(|row| !row.is_empty()) {
            let factor = row[enters].clone();
            if factor.is_zero() {
                continue;
            }
            for (cell, by) in row.iter_mut().zip(&line).filter(|(_, by)| !by.is_zero()) {
                *cell = cell.clone() - by.clone() * factor.clone();
            }
            row[enters] = N::zero();
        }
        self.rows[leaves] = line;
        self.basis[leaves] = enters;
        let last = self.variables();
        for row in &mut self.rows {
            // Rounding below 0 would spread.
            if row[last] < N::zero() {
                row[last] = N::zero();
            }
        }
    }

    fn variables(&self) -> usize {
        self.costs.len() - 1
    }
}

/// Weights are guessed that are as near as this to what floats find.
const GUESSED: f64 = 1e-10;

/// Best strategies for both sides in fractions; `None` if the caller stops it. Both bounds of the value are the same
/// fraction, however the strategies were guessed.
pub(crate) fn exactly(
    table: &PayoffMatrix<Fraction>,
    may_continue: &dyn Fn() -> bool,
) -> Option<Mixed<Fraction>> {
    let (low, high) = table.range();
    let (rows, columns) = table.size();
    if low == high {
        return Some(even(table, low));
    }
    if rows == 1 || columns == 1 {
        return Some(pure(table, Fraction::zero()));
    }
    let range = &high - &low;
    let scaled = table.map(|cell| (cell - &low) / &range + Fraction::one());
    let about = nearly(&scaled.map(|cell| cell.to_f64().unwrap_or(1.0)), may_continue)?;
    // By corners, where nothing is quicker.
    let by_simplex = || {
        let mut tableau = Tableau::of(&scaled, Fraction::zero());
        tableau.solve(may_continue).then(|| tableau.mixed()).flatten()
    };
    let found = guessed(table, &about).or_else(|| balanced(table, &about, may_continue));
    let found = found.or_else(by_simplex)?;
    let (least, most) = table.certificate(&found.rows, &found.columns);
    (least == most).then_some(Mixed { value: least, ..found })
}

fn proven(
    table: &PayoffMatrix<Fraction>,
    rows: Vec<Fraction>,
    columns: Vec<Fraction>,
) -> Option<Mixed<Fraction>> {
    let (least, most) = table.certificate(&rows, &columns);
    (least == most).then_some(Mixed { rows, columns, value: least })
}

/// The simplest fractions beside the floats.
fn guessed(table: &PayoffMatrix<Fraction>, about: &Mixed<f64>) -> Option<Mixed<Fraction>> {
    let simple = |weights: &[f64]| -> Option<Vec<Fraction>> {
        let weights: Vec<Fraction> =
            weights.iter().map(|&weight| simplest(weight)).collect::<Option<_>>()?;
        weights.iter().sum::<Fraction>().is_one().then_some(weights)
    };
    proven(table, simple(&about.rows)?, simple(&about.columns)?)
}

fn simplest(number: f64) -> Option<Fraction> {
    let (number, off) = (Fraction::from_float(number)?, Fraction::from_float(GUESSED)?);
    Some(simplest_between(&(&number - &off), &(number + off)))
}

/// The strategies under which all options that are used do equally well, as equations: where there
/// is one such pair alone, and the floats say which options are used.
fn balanced(
    table: &PayoffMatrix<Fraction>,
    about: &Mixed<f64>,
    may_continue: &dyn Fn() -> bool,
) -> Option<Mixed<Fraction>> {
    let used = |weights: &[f64]| -> Vec<usize> {
        (0..weights.len()).filter(|&at| weights[at] > 1e-9).collect()
    };
    let (rows, columns) = (used(&about.rows), used(&about.columns));
    if rows.len() != columns.len() {
        return None;
    }
    let of_rows = equal(
        rows.len(),
        |weight, equation| table.at(rows[weight], columns[equation]),
        may_continue,
    )?;
    let of_columns = equal(
        rows.len(),
        |weight, equation| table.at(rows[equation], columns[weight]),
        may_continue,
    )?;
    let (all_rows, all_columns) = table.size();
    proven(table, spread(&of_rows, &rows, all_rows), spread(&of_columns, &columns, all_columns))
}

/// Whether there is one way alone to mix all rows of a square table so that all its columns do equally well: then there
/// is one way for the columns too, whose equations have the same determinant.
pub(crate) fn mixes_one_way(table: &[Vec<Fraction>]) -> bool {
    let count = table.len();
    table.iter().all(|row| row.len() == count)
        && equal(count, |weight, equation| &table[weight][equation], &|| true).is_some()
}

/// Weights of 0 or more that sum to 1, under which as many sums are all equal.
fn equal<'a>(
    count: usize,
    cell: impl Fn(usize, usize) -> &'a Fraction,
    may_continue: &dyn Fn() -> bool,
) -> Option<Vec<Fraction>> {
    let (weights, _) = level(count, cell, may_continue)?;
    (!weights.iter().any(Signed::is_negative)).then_some(weights)
}
