//! Matrix games: the value of a table of two sides that decide at once, and a best strategy for
//! each.
//!
//! Solved as a linear program (von Neumann, Mathematische Annalen 100, 1928). The quality of the
//! strategies is computed from the table alone: see [`PayoffMatrix::certificate`].

pub(super) mod linear;

use num_traits::{Num, Signed, ToPrimitive};

use linear::Tableau;
pub use linear::most_even;
pub(crate) use linear::solve as solve_equations;
pub(crate) use linear::{exactly, mixes_one_way};

use crate::number::{Fraction, Quantity};

/// Numbers up to this count as 0 in a table whose numbers are between 1 and 2.
const TINY: f64 = 1e-11;
/// A table whose strategies leave more than this part of its range between the bounds is tried
/// again: with another number that counts as 0, or from the other side.
const POOR: f64 = 1e-10;
const TRIES: [(f64, bool); 5] =
    [(TINY, false), (TINY, true), (1e-9, false), (1e-13, false), (1e-9, true)];

/// Best strategies for both sides; `None` if the caller stops it. Floats: the certificate of small tables is
/// within 1e-12 or so of the range.
pub fn nearly(table: &PayoffMatrix<f64>, may_continue: &dyn Fn() -> bool) -> Option<Mixed<f64>> {
    let (low, high) = table.range();
    let range = high - low;
    let (rows, columns) = table.size();
    if range <= 0.0 || !range.is_finite() {
        return Some(even(table, low));
    }
    if rows == 1 || columns == 1 {
        return Some(pure(table, TINY * range));
    }
    // Between 1 and 2, so that every value is positive and none is small beside the others.
    let scaled = table.map(|cell| (cell - low) / range + 1.0);
    let turned = scaled.turned().map(|cell| cell + 3.0);
    let mut best = even(&scaled, 1.0);
    let mut least = gap(&scaled, &best);
    // Another way through the corners rounds otherwise.
    for (tiny, turns) in TRIES {
        let found = match turns {
            false => solved(&scaled, tiny, may_continue),
            true => solved(&turned, tiny, may_continue).map(|found| Mixed {
                rows: found.columns,
                columns: found.rows,
                value: 3.0 - found.value,
            }),
        };
        if !may_continue() {
            return None;
        }
        if let Some(found) = found {
            let gap = gap(&scaled, &found);
            if gap < least {
                (best, least) = (found, gap);
            }
        }
        if least <= POOR {
            break;
        }
    }
    let (least, most) = table.certificate(&best.rows, &best.columns);
    Some(Mixed { value: (least + most) / 2.0, ..best })
}

/// The distance between the bounds of the value.
fn gap(table: &PayoffMatrix<f64>, mixed: &Mixed<f64>) -> f64 {
    let (least, most) = table.certificate(&mixed.rows, &mixed.columns);
    most - least
}

/// Best strategies of a table with numbers between 1 and 2; `None` if floats find none.
fn solved(
    table: &PayoffMatrix<f64>,
    tiny: f64,
    may_continue: &dyn Fn() -> bool,
) -> Option<Mixed<f64>> {
    let mut tableau = Tableau::of(table, tiny);
    tableau.solve(may_continue);
    let mut mixed = tableau.mixed()?;
    normalise(&mut mixed.rows);
    normalise(&mut mixed.columns);
    Some(mixed)
}

/// Divides weights by their sum; makes them alike where that is 0.
pub(super) fn normalise(weights: &mut [f64]) {
    let total: f64 = weights.iter().sum();
    match total > 0.0 {
        true => weights.iter_mut().for_each(|weight| *weight /= total),
        false => weights.fill(1.0 / weights.len() as f64),
    }
}

fn even<N: Scalar>(table: &PayoffMatrix<N>, value: N) -> Mixed<N> {
    let (rows, columns) = table.size();
    let all = vec![true; rows.max(columns)];
    Mixed { rows: among(&all[..rows]), columns: among(&all[..columns]), value }
}

/// The best options of the only side that has a choice; options within `tiny` of the best are as
/// good.
fn pure<N: Scalar>(table: &PayoffMatrix<N>, tiny: N) -> Mixed<N> {
    let (rows, columns) = table.size();
    let cells = || (0..rows).flat_map(|row| table.row(row).iter().cloned());
    let best = if columns == 1 { cells().reduce(most) } else { cells().reduce(least) };
    let value = best.unwrap_or_else(N::zero);
    let good: Vec<bool> = cells().map(|cell| (cell - value.clone()).abs() <= tiny).collect();
    match columns {
        1 => Mixed { rows: among(&good), columns: vec![N::one()], value },
        _ => Mixed { rows: vec![N::one()], columns: among(&good), value },
    }
}

pub(super) fn least<N: PartialOrd>(a: N, b: N) -> N {
    if b < a { b } else { a }
}

pub(super) fn most<N: PartialOrd>(a: N, b: N) -> N {
    if b > a { b } else { a }
}

/// Equal weights for those options that are good.
pub(super) fn among<N: Scalar>(good: &[bool]) -> Vec<N> {
    let count = good.iter().filter(|good| **good).count();
    let each = if count > 0 { even_share(count) } else { N::zero() };
    good.iter().map(|good| if *good { each.clone() } else { N::zero() }).collect()
}

/// Equal weights for these of all options.
pub(super) fn evenly<N: Scalar>(options: &[u32], all: usize) -> Vec<N> {
    let mut weights = vec![N::zero(); all];
    let share: N = even_share(options.len());
    options.iter().for_each(|&at| weights[at as usize] = share.clone());
    weights
}

pub(super) fn even_share<N: Scalar>(of: usize) -> N {
    // One over a whole number is in lowest terms.
    N::of(&Fraction::new_raw(1.into(), of.into()))
}

#[cfg(test)]
mod tests;

/// The payoffs of two sides by their options. Rows belong to the side that wants much, columns to
/// the one that wants little.
#[derive(Clone, Debug, PartialEq)]
pub struct PayoffMatrix<N> {
    rows: usize,
    columns: usize,
    cells: Vec<N>,
}

/// A strategy for rows and one for columns, and about the value that they give.
#[derive(Clone, Debug, PartialEq)]
pub struct Mixed<N> {
    /// The probability of each row.
    pub rows: Vec<N>,
    /// The probability of each column.
    pub columns: Vec<N>,
    /// The average payoff of rows if both play so.
    pub value: N,
}

/// Numbers that games are solved in: floats, fractions.
pub trait Scalar: Num + Signed + PartialOrd + Clone + Into<Quantity> {
    /// Whether no number is ever rounded.
    const EXACT: bool;

    /// The number, or the nearest.
    fn of(fraction: &Fraction) -> Self;

    /// The nearest float.
    fn about(&self) -> f64;

    /// Differences up to this count as 0, among numbers of this range.
    fn tiny(range: f64) -> Self;

    /// Best strategies for both sides of a table; `None` if the caller stops it.
    fn equilibrium(
        table: &PayoffMatrix<Self>,
        may_continue: &dyn Fn() -> bool,
    ) -> Option<Mixed<Self>>;
}

impl Scalar for Fraction {
    const EXACT: bool = true;

    fn of(fraction: &Fraction) -> Fraction {
        fraction.clone()
    }

    fn about(&self) -> f64 {
        self.to_f64().unwrap_or(f64::NAN)
    }

    fn tiny(_: f64) -> Fraction {
        Fraction::default()
    }

    fn equilibrium(
        table: &PayoffMatrix<Fraction>,
        may_continue: &dyn Fn() -> bool,
    ) -> Option<Mixed<Fraction>> {
        exactly(table, may_continue)
    }
}

impl Scalar for f64 {
    const EXACT: bool = false;

    fn of(fraction: &Fraction) -> f64 {
        fraction.about()
    }

    fn about(&self) -> f64 {
        *self
    }

    fn tiny(range: f64) -> f64 {
        1e-12 * range
    }

    fn equilibrium(
        table: &PayoffMatrix<f64>,
        may_continue: &dyn Fn() -> bool,
    ) -> Option<Mixed<f64>> {
        nearly(table, may_continue)
    }
}

impl<N: Scalar> PayoffMatrix<N> {
    /// A table of this many rows and columns, row by row; where cells are missing they are 0.
    pub fn new(rows: usize, columns: usize, mut cells: Vec<N>) -> PayoffMatrix<N> {
        cells.resize(rows * columns, N::zero());
        PayoffMatrix { rows, columns, cells }
    }

    /// A table of lists of equal length.
    pub fn of(rows: &[Vec<N>]) -> PayoffMatrix<N> {
        let columns = rows.first().map_or(0, Vec::len);
        PayoffMatrix::new(rows.len(), columns, rows.iter().flatten().cloned().collect())
    }

    /// The number of rows and columns.
    pub fn size(&self) -> (usize, usize) {
        (self.rows, self.columns)
    }

    /// The payoff of a pair of options for rows.
    pub fn at(&self, row: usize, column: usize) -> &N {
        &self.cells[row * self.columns + column]
    }

    /// The payoff of each pair in a row.
    pub fn row(&self, row: usize) -> &[N] {
        &self.cells[row * self.columns..(row + 1) * self.columns]
    }

    /// The same payoffs with the options of columns as rows.
    pub(crate) fn transposed(&self) -> PayoffMatrix<N> {
        let column = |column: usize| (0..self.rows).map(move |row| self.at(row, column).clone());
        let cells = (0..self.columns).flat_map(column).collect();
        PayoffMatrix { rows: self.columns, columns: self.rows, cells }
    }

    /// The same conflict seen from the other side: the payoffs of columns, with their options as
    /// rows.
    pub fn turned(&self) -> PayoffMatrix<N> {
        self.transposed().map(|cell| N::zero() - cell.clone())
    }

    /// The least and the greatest number.
    pub fn range(&self) -> (N, N) {
        let end =
            |pick: fn(N, N) -> N| self.cells.iter().cloned().reduce(pick).unwrap_or_else(N::zero);
        (end(least), end(most))
    }

    pub(crate) fn map<M: Scalar>(&self, change: impl FnMut(&N) -> M) -> PayoffMatrix<M> {
        PayoffMatrix {
            rows: self.rows,
            columns: self.columns,
            cells: self.cells.iter().map(change).collect(),
        }
    }

    pub(crate) fn of_rows(&self, columns: &[N]) -> Vec<N> {
        (0..self.rows).map(|row| product(self.row(row), columns)).collect()
    }

    pub(crate) fn of_columns(&self, rows: &[N]) -> Vec<N> {
        let mut sums = vec![N::zero(); self.columns];
        for (row, weight) in rows.iter().enumerate().filter(|(_, weight)| !weight.is_zero()) {
            for (sum, cell) in sums.iter_mut().zip(self.row(row)) {
                *sum = sum.clone() + cell.clone() * weight.clone();
            }
        }
        sums
    }

    /// The payoffs of the options of one side, rows or columns, against a strategy of the other.
    pub(super) fn against(&self, side: usize, other: &[N]) -> Vec<N> {
        if side == 0 { self.of_rows(other) } else { self.of_columns(other) }
    }

    /// The least that rows win by their strategy, and the most against that of columns: from the
    /// best pure answers alone, however the strategies were found. The value is between.
    pub fn certificate(&self, rows: &[N], columns: &[N]) -> (N, N) {
        let (low, high) = (self.of_columns(rows), self.of_rows(columns));
        let (low, high) = (low.into_iter().reduce(least), high.into_iter().reduce(most));
        (low.unwrap_or_else(N::zero), high.unwrap_or_else(N::zero))
    }
}

fn product<N: Scalar>(cells: &[N], weights: &[N]) -> N {
    let pairs = cells.iter().zip(weights).filter(|(_, weight)| !weight.is_zero());
    pairs.fold(N::zero(), |sum, (cell, weight)| sum + cell.clone() * weight.clone())
}
