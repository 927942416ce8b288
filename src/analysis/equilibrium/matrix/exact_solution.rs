//! Solves matrix games in exact fractions: guessed from floats and proven on the table, or by the
//! simplex method.

use num_traits::{One, Signed, ToPrimitive, Zero};

use super::tableau::Tableau;
use super::{Mixed, PayoffMatrix, even, linear, nearly, pure};
use crate::analysis::Fraction;

/// Denominators up to this are guessed.
const GUESSED: i64 = 1_000_000;
/// Weights that no simple fraction fits are rounded to one of this many parts: the first at which all
/// fit.
const ROUNDED: [i64; 3] = [1_000, 100_000, 10_000_000];

/// Best strategies for both sides in fractions, as even as fractions can be; `None` if the caller
/// stops it. Both bounds of the value are the same fraction, however the strategies were guessed.
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
        .or_else(|| by_corners(&scaled, &about, may_continue));
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

/// The simplest fractions beside the floats. Of several best strategies these are the most even.
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
    about: &Mixed<f64>,
    may_continue: &dyn Fn() -> bool,
) -> Option<Mixed<Fraction>> {
    let columns = on_face(table, &about.columns, may_continue)?;
    let turned = table.turned().map(|cell| cell + Fraction::from_integer(3.into()));
    let rows = on_face(&turned, &about.rows, may_continue)?;
    proven(table, rows, columns)
}

/// A best mix of columns near the most even one, which need not consist of fractions: the weights
/// that are free are rounded, the others follow. If that leaves the best mixes, the mean of their
/// corners.
fn on_face(
    table: &PayoffMatrix<Fraction>,
    about: &[f64],
    may_continue: &dyn Fn() -> bool,
) -> Option<Vec<Fraction>> {
    let mut tableau = Tableau::of(table, Fraction::zero());
    if !tableau.solve(may_continue) {
        return None;
    }
    let value = tableau.mixed()?.value;
    let face = tableau.face(may_continue);
    let used: Vec<usize> =
        (0..about.len()).filter(|&column| !face.weights[column].is_zero()).collect();
    let line = |row: usize| {
        let cells = used.iter().map(|&column| table.at(row, column).clone());
        cells.chain([value.clone()]).collect::<Vec<Fraction>>()
    };
    let mut lines: Vec<Vec<Fraction>> =
        (0..face.met.len()).filter(|&row| face.met[row]).map(line).collect();
    lines.push(vec![Fraction::one(); used.len() + 1]);
    let solved = linear::solved_for(lines, used.len(), &Fraction::zero(), may_continue)?;
    let near = ROUNDED.iter().find_map(|&parts| {
        let mut mix: Vec<Fraction> = used
            .iter()
            .map(|&column| {
                let rounded = (about[column] * parts as f64).round().to_i64()?;
                Some(Fraction::new(rounded.into(), parts.into()))
            })
            .collect::<Option<_>>()?;
        for (_, unknown) in &solved {
            mix[*unknown] = Fraction::zero();
        }
        let free = mix.clone();
        for (line, unknown) in &solved {
            let others: Fraction = line.iter().zip(&free).map(|(part, weight)| part * weight).sum();
            mix[*unknown] = &line[used.len()] - others;
        }
        let mut weights = vec![Fraction::zero(); about.len()];
        used.iter().zip(mix).for_each(|(&column, weight)| weights[column] = weight);
        let fits = weights.iter().all(|weight| !weight.is_negative())
            && table.of_rows(&weights).iter().all(|given| *given <= value);
        fits.then_some(weights)
    });
    shared(table, near.unwrap_or(face.weights), may_continue)
}

/// Columns that are the same share what they have. `None` if the caller stops it.
fn shared(
    table: &PayoffMatrix<Fraction>,
    mut weights: Vec<Fraction>,
    may_continue: &dyn Fn() -> bool,
) -> Option<Vec<Fraction>> {
    let (rows, columns) = table.size();
    let same = |a: usize, b: usize| (0..rows).all(|row| table.at(row, a) == table.at(row, b));
    let mut done = vec![false; columns];
    for first in 0..columns {
        if done[first] {
            continue;
        }
        if !may_continue() {
            return None;
        }
        let alike: Vec<usize> = (first..columns).filter(|&other| same(first, other)).collect();
        let sum: Fraction = alike.iter().map(|&at| &weights[at]).sum();
        let each = sum / Fraction::from_integer(alike.len().into());
        for at in alike {
            done[at] = true;
            weights[at] = each.clone();
        }
    }
    Some(weights)
}
