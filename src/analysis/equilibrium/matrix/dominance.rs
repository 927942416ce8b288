//! Dominated options of a table, and the iterated elimination of strictly dominated strategies.

use super::super::matrix::{PayoffMatrix, Scalar};

/// For each row of a table the row that dominates it, if there is one: never worse for the side
/// that picks rows, and better against some column. Rows want much. If the caller stops it, the
/// remaining rows have no dominating row.
pub(crate) fn dominated<N: Scalar>(
    table: &PayoffMatrix<N>,
    go_on: &dyn Fn() -> bool,
) -> Vec<Option<usize>> {
    let (rows, _) = table.size();
    let by = |row: usize, other: usize| {
        let pairs = || table.row(row).iter().zip(table.row(other));
        pairs().all(|(own, its)| its >= own) && pairs().any(|(own, its)| its > own)
    };
    let best = |row: usize| {
        if !go_on() {
            return None;
        }
        // One that is itself dominated by none tells more.
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
    go_on: &dyn Fn() -> bool,
) -> (Vec<usize>, Vec<usize>) {
    let (rows, columns) = own.size();
    let (mut rows, mut columns) = ((0..rows).collect::<Vec<_>>(), (0..columns).collect::<Vec<_>>());
    loop {
        let before = (rows.len(), columns.len());
        rows = beaten_by_none(own, rows, &columns, go_on);
        columns = beaten_by_none(other, columns, &rows, go_on);
        if (rows.len(), columns.len()) == before {
            return (rows, columns);
        }
    }
}

fn beaten_by_none<N: Scalar>(
    table: &PayoffMatrix<N>,
    rows: Vec<usize>,
    columns: &[usize],
    go_on: &dyn Fn() -> bool,
) -> Vec<usize> {
    let beats = |other: usize, row: usize| {
        columns.iter().all(|&column| table.at(other, column) > table.at(row, column))
    };
    let free = |row: &usize| !go_on() || !rows.iter().any(|&other| beats(other, *row));
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
