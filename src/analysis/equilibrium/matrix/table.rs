//! A payoff table of two sides, and the value of mixed strategies on it.

use num_traits::{Num, Signed};

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

/// Numbers to compute with: floats, fractions.
pub trait Scalar: Num + Signed + PartialOrd + Clone {}

impl<N: Num + Signed + PartialOrd + Clone> Scalar for N {}

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

    /// The same conflict seen from the other side: the payoffs of columns, with their options as
    /// rows.
    pub fn turned(&self) -> PayoffMatrix<N> {
        let mut cells = Vec::with_capacity(self.cells.len());
        for column in 0..self.columns {
            cells.extend((0..self.rows).map(|row| N::zero() - self.at(row, column).clone()));
        }
        PayoffMatrix { rows: self.columns, columns: self.rows, cells }
    }

    /// The least and the greatest number.
    pub fn range(&self) -> (N, N) {
        let mut range = match self.cells.first() {
            Some(first) => (first.clone(), first.clone()),
            None => (N::zero(), N::zero()),
        };
        for cell in &self.cells {
            if *cell < range.0 {
                range.0 = cell.clone();
            }
            if *cell > range.1 {
                range.1 = cell.clone();
            }
        }
        range
    }

    /// The same table with each number changed.
    pub(crate) fn map<M: Scalar>(&self, change: impl FnMut(&N) -> M) -> PayoffMatrix<M> {
        PayoffMatrix {
            rows: self.rows,
            columns: self.columns,
            cells: self.cells.iter().map(change).collect(),
        }
    }

    /// The payoff of each row against a mix of columns.
    pub(crate) fn of_rows(&self, columns: &[N]) -> Vec<N> {
        (0..self.rows).map(|row| product(self.row(row), columns)).collect()
    }

    /// The payoff of each column against a mix of rows.
    pub(crate) fn of_columns(&self, rows: &[N]) -> Vec<N> {
        let mut sums = vec![N::zero(); self.columns];
        for (row, weight) in rows.iter().enumerate().filter(|(_, weight)| !weight.is_zero()) {
            for (sum, cell) in sums.iter_mut().zip(self.row(row)) {
                *sum = sum.clone() + cell.clone() * weight.clone();
            }
        }
        sums
    }

    /// The least that rows win by their strategy, and the most against that of columns: from the
    /// best pure answers alone, however the strategies were found. The value is between.
    pub fn certificate(&self, rows: &[N], columns: &[N]) -> (N, N) {
        let least = self.of_columns(rows).into_iter().reduce(|a, b| if b < a { b } else { a });
        let most = self.of_rows(columns).into_iter().reduce(|a, b| if b > a { b } else { a });
        (least.unwrap_or_else(N::zero), most.unwrap_or_else(N::zero))
    }
}

fn product<N: Scalar>(cells: &[N], weights: &[N]) -> N {
    let pairs = cells.iter().zip(weights).filter(|(_, weight)| !weight.is_zero());
    pairs.fold(N::zero(), |sum, (cell, weight)| sum + cell.clone() * weight.clone())
}
