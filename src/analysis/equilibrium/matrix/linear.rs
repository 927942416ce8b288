//! Gaussian elimination: solves linear equations, and finds the directions that they leave free.

use super::{PayoffMatrix, Scalar};

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

/// A line that elimination leaves below this, of lines around 1, is rounding.
const ROUNDING: f64 = 1e-9;

/// Lines solved each for an unknown that no other line has any more, as many as are independent:
/// the largest remaining number is always the pivot, and numbers up to `tiny` count as 0. Entries
/// after the unknowns are transformed with their line. `None` if the caller stops it.
pub(super) fn solved_for<N: Scalar>(
    mut lines: Vec<Vec<N>>,
    unknowns: usize,
    tiny: &N,
    may_continue: &dyn Fn() -> bool,
) -> Option<Vec<(Vec<N>, usize)>> {
    let mut solved: Vec<(Vec<N>, usize)> = Vec::new();
    loop {
        if !may_continue() {
            return None;
        }
        let mut largest = (tiny.clone(), None);
        for (at, line) in lines.iter().enumerate() {
            for (unknown, cell) in line[..unknowns].iter().enumerate() {
                if cell.abs() > largest.0 {
                    largest = (cell.abs(), Some((at, unknown)));
                }
            }
        }
        let Some((at, unknown)) = largest.1 else { return Some(solved) };
        let mut line = lines.swap_remove(at);
        let pivot = line[unknown].clone();
        line.iter_mut().for_each(|cell| *cell = cell.clone() / pivot.clone());
        for other in lines.iter_mut().chain(solved.iter_mut().map(|(line, _)| line)) {
            let factor = other[unknown].clone();
            if factor.is_zero() {
                continue;
            }
            for (cell, by) in other.iter_mut().zip(&line).filter(|(_, by)| !by.is_zero()) {
                *cell = cell.clone() - by.clone() * factor.clone();
            }
            other[unknown] = N::zero();
        }
        solved.push((line, unknown));
    }
}

/// Directions at right angles to all lines and to each other, of length 1, as many as there are.
/// `None` if the caller stops it.
pub(super) fn free_directions(
    lines: Vec<Vec<f64>>,
    count: usize,
    may_continue: &dyn Fn() -> bool,
) -> Option<Vec<Vec<f64>>> {
    let solved = solved_for(lines, count, &ROUNDING, may_continue)?;
    let mut ways: Vec<Vec<f64>> = Vec::new();
    for free in (0..count).filter(|free| solved.iter().all(|(_, unknown)| unknown != free)) {
        if !may_continue() {
            return None;
        }
        let mut way = vec![0.0; count];
        way[free] = 1.0;
        for (line, unknown) in &solved {
            way[*unknown] = -line[free];
        }
        // Twice, since once leaves what rounding brought in (Gram and Schmidt).
        for _ in 0..2 {
            for other in &ways {
                let part: f64 = way.iter().zip(other).map(|(a, b)| a * b).sum();
                way.iter_mut().zip(other).for_each(|(cell, by)| *cell -= part * by);
            }
        }
        let length = way.iter().map(|cell| cell * cell).sum::<f64>().sqrt();
        way.iter_mut().for_each(|cell| *cell /= length);
        ways.push(way);
    }
    Some(ways)
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
        let table = PayoffMatrix::of(&[vec![2, 1], vec![2, 0], vec![1, -1], vec![2, 1]]);
        assert_eq!(dominated(&table, &|| true), [None, Some(0), Some(0), None]);
    }

    #[test]
    fn what_is_always_beaten_goes_and_then_what_only_it_kept() {
        // The second row is always worse than the first; without it the first column always is.
        let own = PayoffMatrix::of(&[vec![3, 1], vec![2, 0]]);
        let other = PayoffMatrix::of(&[vec![0, 4], vec![1, 0]]);
        assert_eq!(undominated(&own, &other, &|| true), (vec![0], vec![1]));
    }
}
