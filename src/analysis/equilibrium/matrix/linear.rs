//! Linear equations by elimination, linear programs, options of tables that others dominate, the simplex method for
//! matrix games, and the most even equilibrium of a game between equals.

use clarabel::algebra::CscMatrix;
use clarabel::solver::SupportedConeT::{ExponentialConeT, NonnegativeConeT, ZeroConeT};
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, SupportedConeT};
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::{Mixed, PayoffMatrix, Scalar, even, nearly, pure};
use crate::number::{Fraction, simplest_between};

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

// The simplex method for matrix games: finds the mix of columns that keeps every row lowest.
//
// For a table of positive numbers it finds the weights with the largest sum under which no row
// exceeds 1 (Dantzig, A proof of the equivalence of the programming problem and the game problem,
// 1951). One tableau gives both strategies: the weights, and for rows the prices of their limits.
// After many steps without a gain it follows Bland's rule, under which no tableau is repeated
// (Mathematics of Operations Research 2, 1977).

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

// The most even equilibrium of a game between equals: of all its equilibria the one of the greatest entropy.
//
// Balduzzi, Tuyls, Perolat and Graepel (2018, "Re-evaluating evaluation", NeurIPS 31) call it Nash averaging: it is
// the only one, and copies of an option share the weight that the option would have. An interior point method finds
// it, with a cone of exponentials for each weight (Chandrasekaran and Shah 2017, "Relative entropy optimization and
// its applications", Mathematical Programming 161).

/// An option that wins more than this part of the range against a mix shows that the mix is no equilibrium.
const NEAR: f64 = 1e-6;
/// So near is asked for; where floats do not come so near, the certificate says so.
const TOLERANCE: f64 = 1e-11;

/// The weights of the options of a game in which both sides have the same options, and what one wins the other loses:
/// a matrix that is its own negative when turned. Where floats do not find the most even equilibrium it is any.
pub fn most_even(table: &PayoffMatrix<f64>) -> Vec<f64> {
    let (low, high) = table.range();
    let (size, options) = (high.max(-low), table.size().0);
    if size <= 0.0 {
        return vec![1.0 / options as f64; options];
    }
    let scaled = table.map(|cell| cell / size);
    let certain = |weights: &Vec<f64>| scaled.certificate(weights, weights).0 > -NEAR;
    let found = of_most_entropy(&scaled, &vec![true; options]).and_then(|first| {
        // An option that loses more than it weighs is in no equilibrium. Without these the program has an inside.
        let lost = scaled.of_columns(&first);
        let used: Vec<bool> = first.iter().zip(lost).map(|(weight, lost)| *weight > lost).collect();
        of_most_entropy(&scaled, &used).filter(certain).or(Some(first).filter(certain))
    });
    found.unwrap_or_else(|| nearly(&scaled, &|| true).map_or_else(Vec::new, |mixed| mixed.rows))
}

/// The same from the program, where only some may weigh anything: the unknowns are their weights, then bounds of the
/// entropy of each.
fn of_most_entropy(table: &PayoffMatrix<f64>, used: &[bool]) -> Option<Vec<f64>> {
    let all = used.len();
    let own: Vec<usize> = (0..all).filter(|&at| used[at]).collect();
    let n = own.len();
    let mut program = LinearProgram::default();
    // The weights sum to 1, and no option wins against them.
    (0..n).for_each(|at| program.push(0, at, 1.0));
    for (at, &option) in own.iter().enumerate() {
        (0..all).for_each(|other| program.push(1 + other, at, -table.at(option, other)));
    }
    // weight · e^(bound / weight) is at most 1, so the bound is at most the weight's entropy.
    let first = 1 + all;
    for at in 0..n {
        program.push(first + 3 * at, n + at, -1.0);
        program.push(first + 1 + 3 * at, at, -1.0);
    }
    let mut limits = vec![0.0; first + 3 * n];
    limits[0] = 1.0;
    (0..n).for_each(|at| limits[first + 2 + 3 * at] = 1.0);
    let mut goal = vec![0.0; 2 * n];
    goal[n..].fill(-1.0);
    let mut cones = vec![ZeroConeT(1), NonnegativeConeT(all)];
    cones.resize(2 + n, ExponentialConeT());
    let mut solver = program.solver(&goal, &limits, &cones, TOLERANCE)?;
    solver.solve();
    let found = solver.solution.x.get(..n)?;
    let sum: f64 = found.iter().map(|weight| weight.max(0.0)).sum();
    let mut weights = vec![0.0; all];
    own.iter().zip(found).for_each(|(&at, weight)| weights[at] = weight.max(0.0) / sum);
    sum.is_finite().then_some(weights)
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

    fn near(rows: &[Vec<f64>], expected: &[f64]) {
        let found = most_even(&PayoffMatrix::of(rows));
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-6, "{found} for {expected}");
        }
        assert_eq!(found.len(), expected.len());
    }

    #[test]
    fn rock_paper_scissors_is_even_and_a_larger_stake_weighs_on_the_others() {
        near(&[vec![0.0, -1.0, 1.0], vec![1.0, 0.0, -1.0], vec![-1.0, 1.0, 0.0]], &[1.0 / 3.0; 3]);
        // Rock against scissors counts twice: p · A = 0 for weights (1, 2, 1) / 4 of rock, paper, scissors.
        near(
            &[vec![0.0, -1.0, 2.0], vec![1.0, 0.0, -1.0], vec![-2.0, 1.0, 0.0]],
            &[0.25, 0.5, 0.25],
        );
    }

    #[test]
    fn a_copy_shares_the_weight_of_what_it_copies() {
        // The example of the paper: a cycle of a, b and c, with c twice.
        let z = 4.6;
        near(
            &[
                vec![0.0, z, -z, -z],
                vec![-z, 0.0, z, z],
                vec![z, -z, 0.0, 0.0],
                vec![z, -z, 0.0, 0.0],
            ],
            &[1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0, 1.0 / 6.0],
        );
    }

    #[test]
    fn of_many_equilibria_it_is_the_most_even() {
        // Nobody beats anybody; then a fourth that loses to all.
        near(&vec![vec![0.0; 4]; 4], &[0.25; 4]);
        let mut weak = vec![vec![0.0, 0.0, 0.0, 1.0]; 3];
        weak.push(vec![-1.0, -1.0, -1.0, 0.0]);
        near(&weak, &[1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, 0.0]);
        near(&[vec![0.0, 0.1], vec![-0.1, 0.0]], &[1.0, 0.0]);
    }
}
