//! Gaussian elimination: solves linear equations, and finds the directions that they leave free.

use super::table::Scalar;

/// The solution of as many equations as unknowns, by elimination with the largest pivots; the last
/// number of each line is its right-hand side. `None` if there is not exactly one solution, or the
/// caller stops it.
pub(crate) fn solve<N: Scalar>(mut lines: Vec<Vec<N>>, go_on: &dyn Fn() -> bool) -> Option<Vec<N>> {
    let count = lines.len();
    for at in 0..count {
        let largest = |a: usize, b: usize| {
            if lines[b][at].abs() > lines[a][at].abs() { b } else { a }
        };
        let pivot = (at..count).reduce(largest)?;
        if lines[pivot][at].is_zero() || !go_on() {
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
    go_on: &dyn Fn() -> bool,
) -> Option<Vec<(Vec<N>, usize)>> {
    let mut solved: Vec<(Vec<N>, usize)> = Vec::new();
    loop {
        if !go_on() {
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
    go_on: &dyn Fn() -> bool,
) -> Option<Vec<Vec<f64>>> {
    let solved = solved_for(lines, count, &ROUNDING, go_on)?;
    let mut ways: Vec<Vec<f64>> = Vec::new();
    for free in (0..count).filter(|free| solved.iter().all(|(_, unknown)| unknown != free)) {
        if !go_on() {
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
