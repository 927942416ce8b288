//! Linear equations by elimination, linear programs, and options of tables that others dominate.

use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, SupportedConeT};
use num_traits::{One, Zero};

use super::{PayoffMatrix, Scalar};
use crate::number::Fraction;

/// The solution of as many equations as unknowns, by elimination with the largest pivots; the last
/// number of each line is its right-hand side. `None` if there is not exactly one solution, or the
/// caller stops it.
pub(crate) fn solve<N: Scalar>(
    mut lines: Vec<Vec<N>>,
    may_continue: &dyn Fn() -> bool,
) -> Option<Vec<N>> {
    let count = lines.len();
    for at in 0..count {
        let largest = |a: usize, b: usize| {
            if lines[b][at].abs() > lines[a][at].abs() { b } else { a }
        };
        let pivot = (at..count).reduce(largest)?;
        if lines[pivot][at].is_zero() || !may_continue() {
            return None;
        }
        lines.swap(at, pivot);
        let line = std::mem::take(&mut lines[at]);
        for other in &mut lines[at + 1..] {
            let factor = other[at].clone() / line[at].clone();
            if factor.is_zero() {
                continue;
            }
            for (cell, by) in
                other[at..].iter_mut().zip(&line[at..]).filter(|(_, by)| !by.is_zero())
            {
                *cell = cell.clone() - by.clone() * factor.clone();
            }
        }
        lines[at] = line;
    }
    let mut solution = vec![N::zero(); count];
    for at in (0..count).rev() {
        let mut left = lines[at][count].clone();
        for later in at + 1..count {
            left = left - lines[at][later].clone() * solution[later].clone();
        }
        solution[at] = left / lines[at][at].clone();
    }
    Some(solution)
}

/// The weights that sum to 1 under which as many sums of weighted cells are all equal, and what these sums are; `None`
/// if there are not exactly one such.
pub(crate) fn level<'a>(
    count: usize,
    cell: impl Fn(usize, usize) -> &'a Fraction,
    may_continue: &dyn Fn() -> bool,
) -> Option<(Vec<Fraction>, Fraction)> {
    let equation = |equation: usize| {
        let cells = (0..count).map(|weight| cell(weight, equation).clone());
        cells.chain([-Fraction::one(), Fraction::zero()]).collect()
    };
    let mut lines: Vec<Vec<Fraction>> = (0..count).map(equation).collect();
    let mut sum = vec![Fraction::one(); count];
    sum.extend([Fraction::zero(), Fraction::one()]);
    lines.push(sum);
    let mut solution = solve(lines, may_continue)?;
    let sum = solution.pop()?;
    Some((solution, sum))
}

/// The weights of these options among all.
pub(crate) fn spread<N: Scalar>(weights: &[N], options: &[usize], all: usize) -> Vec<N> {
    let mut spread = vec![N::zero(); all];
    options.iter().zip(weights).for_each(|(&at, weight)| spread[at] = weight.clone());
    spread
}

/// The cells of a linear program, a row for each limit.
#[derive(Default)]
pub(crate) struct LinearProgram {
    rows: Vec<usize>,
    columns: Vec<usize>,
    cells: Vec<f64>,
}

impl LinearProgram {
    pub(crate) fn push(&mut self, row: usize, column: usize, cell: f64) {
        self.rows.push(row);
        self.columns.push(column);
        self.cells.push(cell);
    }

    /// What solves it by an interior point method, so near to what makes the goal least.
    pub(crate) fn solver(
        self,
        goal: &[f64],
        limits: &[f64],
        cones: &[SupportedConeT<f64>],
        near: f64,
    ) -> Option<DefaultSolver<f64>> {
        let (height, width) = (limits.len(), goal.len());
        let LinearProgram { rows, columns, cells } = self;
        let matrix = CscMatrix::new_from_triplets(height, width, rows, columns, cells);
        let settings = DefaultSettings {
            verbose: false,
            max_threads: 1,
            tol_gap_abs: near,
            tol_gap_rel: near,
            tol_feas: near,
            ..DefaultSettings::default()
        };
        let nothing = CscMatrix::zeros((width, width));
        DefaultSolver::new(&nothing, goal, &matrix, limits, cones, settings).ok()
    }
}

// Dominated options of a table, and the iterated elimination of strictly dominated strategies.

/// For each row of a table the row that dominates it, if there is one: never worse for the side
/// that picks rows, and better against some column. Rows want much. If the caller stops it, the
/// remaining rows have no dominating row.
pub(crate) fn dominated<N: Scalar>(
    table: &PayoffMatrix<N>,
    may_continue: &dyn Fn() -> bool,
) -> Vec<Option<usize>> {
    let (rows, _) = table.size();
    let by = |row: usize, other: usize| {
        let pairs = || table.row(row).iter().zip(table.row(other));
        pairs().all(|(own, its)| its >= own) && pairs().any(|(own, its)| its > own)
    };
    let best = |row: usize| {
        if !may_continue() {
            return None;
        }
        // One that is itself dominated by none says more.
        let those: Vec<usize> = (0..rows).filter(|&other| by(row, other)).collect();
        let free = |&other: &usize| !those.iter().any(|&third| by(other, third));
        those.iter().copied().find(free)
    };
    (0..rows).map(best).collect()
}

/// The rows and columns of a game of two sides that remain after those that another one always
/// beats are removed, again and again. Each table has its own side's options as rows. If the caller
/// stops it, the rest remains.
pub(crate) fn undominated<N: Scalar>(
    own: &PayoffMatrix<N>,
    other: &PayoffMatrix<N>,
    may_continue: &dyn Fn() -> bool,
) -> (Vec<usize>, Vec<usize>) {
    let (rows, columns) = own.size();
    let (mut rows, mut columns) = ((0..rows).collect::<Vec<_>>(), (0..columns).collect::<Vec<_>>());
    loop {
        let before = (rows.len(), columns.len());
        rows = beaten_by_none(own, rows, &columns, may_continue);
        columns = beaten_by_none(other, columns, &rows, may_continue);
        if (rows.len(), columns.len()) == before {
            return (rows, columns);
        }
    }
}

fn beaten_by_none<N: Scalar>(
    table: &PayoffMatrix<N>,
    rows: Vec<usize>,
    columns: &[usize],
    may_continue: &dyn Fn() -> bool,
) -> Vec<usize> {
    let beats = |other: usize, row: usize| {
        columns.iter().all(|&column| table.at(other, column) > table.at(row, column))
    };
    let free = |row: &usize| !may_continue() || !rows.iter().any(|&other| beats(other, *row));
    rows.iter().copied().filter(free).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_that_is_never_better_is_named_with_the_one_that_is() {
        // The second is as good as the first or worse; the third is worse than both; the fourth
        // equals the first: equals dominate nobody.
        let table =
            PayoffMatrix::of(&[vec![2.0, 1.0], vec![2.0, 0.0], vec![1.0, -1.0], vec![2.0, 1.0]]);
        assert_eq!(dominated(&table, &|| true), [None, Some(0), Some(0), None]);
    }

    #[test]
    fn what_is_always_beaten_goes_and_then_what_only_it_kept() {
        // The second row is always worse than the first; without it the first column always is.
        let own = PayoffMatrix::of(&[vec![3.0, 1.0], vec![2.0, 0.0]]);
        let other = PayoffMatrix::of(&[vec![0.0, 4.0], vec![1.0, 0.0]]);
        assert_eq!(undominated(&own, &other, &|| true), (vec![0], vec![1]));
    }
}
