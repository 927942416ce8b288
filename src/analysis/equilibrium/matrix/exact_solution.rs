//! Solves matrix games in exact fractions: guessed from floats and proven on the table, or by the
//! simplex method.

use num_traits::{One, Signed, ToPrimitive, Zero};

use super::tableau::Tableau;
use super::{Mixed, PayoffMatrix, even, linear, nearly, pure};
use crate::number::Fraction;

/// Denominators up to this are guessed.
const GUESSED: i64 = 1_000_000;

/// Best strategies for both sides in fractions; `None` if the caller stops it. Both bounds of the value are the same fraction, however the strategies were guessed.
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
    let found = guessed(table, &about)
        .or_else(|| balanced(table, &about, may_continue))
        .or_else(|| by_corners(&scaled, may_continue));
    let found = found?;
    let (least, most) = table.certificate(&found.rows, &found.columns);
    (least == most).then_some(Mixed { value: least, ..found })
}

/// Strategies whose bounds are equal, or `None`.
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
        let weights: Vec<Fraction> = weights.iter().map(|&weight| simplest(weight)).collect();
        weights.iter().sum::<Fraction>().is_one().then_some(weights)
    };
    proven(table, simple(&about.rows)?, simple(&about.columns)?)
}

/// The first convergent of the continued fraction that is as near as floats are.
fn simplest(number: f64) -> Fraction {
    let (mut before, mut last) = ((0i64, 1i64), (1i64, 0i64));
    let mut rest = number;
    for _ in 0..20 {
        let whole = rest.floor();
        let Some(part) = whole.to_i64() else { break };
        let next = |a: i64, b: i64| part.checked_mul(b).and_then(|product| product.checked_add(a));
        let (Some(above), Some(below)) = (next(before.0, last.0), next(before.1, last.1)) else {
            break;
        };
        if below > GUESSED {
            break;
        }
        (before, last) = (last, (above, below));
        let off = (above as f64 / below as f64 - number).abs();
        if off < 1e-10 || rest == whole {
            break;
        }
        rest = 1.0 / (rest - whole);
    }
    Fraction::new(last.0.into(), last.1.max(1).into())
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
    let spread = |weights: Vec<Fraction>, used: &[usize], all: usize| {
        let mut spread = vec![Fraction::zero(); all];
        for (weight, &at) in weights.into_iter().zip(used) {
            spread[at] = weight;
        }
        spread
    };
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
    proven(table, spread(of_rows, &rows, all_rows), spread(of_columns, &columns, all_columns))
}

/// Whether there is one way alone to mix all rows of a square table so that all its columns do equally well: then there
/// is one way for the columns too, whose equations have the same determinant.
pub(crate) fn mixes_one_way(table: &[Vec<Fraction>]) -> bool {
    let count = table.len();
    table.iter().all(|row| row.len() == count)
        && equal(count, |weight, equation| &table[weight][equation], &|| true).is_some()
}

/// Weights that sum to 1, under which as many sums are all equal.
fn equal<'a>(
    count: usize,
    cell: impl Fn(usize, usize) -> &'a Fraction,
    may_continue: &dyn Fn() -> bool,
) -> Option<Vec<Fraction>> {
    let minus = -Fraction::one();
    let mut lines: Vec<Vec<Fraction>> = (0..count)
        .map(|equation| {
            let cells = (0..count).map(|weight| cell(weight, equation).clone());
            cells.chain([minus.clone(), Fraction::zero()]).collect()
        })
        .collect();
    let mut sum = vec![Fraction::one(); count];
    sum.extend([Fraction::zero(), Fraction::one()]);
    lines.push(sum);
    let mut solution = linear::solve(lines, may_continue)?;
    solution.pop();
    (!solution.iter().any(Signed::is_negative)).then_some(solution)
}

/// Strategies by the simplex method in fractions.
fn by_corners(
    table: &PayoffMatrix<Fraction>,
    may_continue: &dyn Fn() -> bool,
) -> Option<Mixed<Fraction>> {
    let mut tableau = Tableau::of(table, Fraction::zero());
    tableau.solve(may_continue).then(|| tableau.mixed()).flatten()
}
