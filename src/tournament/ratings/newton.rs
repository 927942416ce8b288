//! Finds the maximum of the likelihood by Newton's method with halved steps, and its covariances; its symmetric
//! matrices are inverted, and equations solved, by Cholesky's method.

use super::Evidence;
use super::likelihood::{Problem, ResultCounts, TermSource};

/// More steps than any concave likelihood of counts needs.
const STEPS: usize = 200;
/// More rounds than what is added needs to settle.
const ROUNDS: usize = 100;
/// A step so small moves no printed digit.
const SMALL: f64 = 1e-9;
/// Nor does what is added, once the rounds move the parameters by no more than this.
const SETTLED: f64 = 1e-7;

/// Where the maximum is.
pub(super) struct Maximum {
    /// The parameters. Within each group of agents the strengths have mean 0: the results say
    /// nothing of what is added to all of them.
    pub at: Vec<f64>,
    /// Their covariance.
    pub(crate) covariance: Matrix,
    /// By how much the added results moved them, to first order.
    pub pull: Vec<f64>,
}

/// The parameters at the maximum, with what is added to the results until it settles.
pub(super) fn maximum(
    problem: &Problem,
    evidence: &Evidence<'_>,
    groups: &[Vec<usize>],
) -> Maximum {
    let mut at = vec![0.0; problem.parameters()];
    let mut added: Vec<ResultCounts> = Vec::new();
    for _ in 0..ROUNDS {
        let (inverse, sampled) = curvatures(problem, &at, groups);
        // Where nothing is known but by games, both products would only give the inverse again.
        let unsure = match evidence.known.is_empty() {
            true => inverse,
            false => between(&inverse, &sampled),
        };
        added = problem.added(&at, &unsure);
        let moved = climb(problem, &added, groups, at.clone());
        let largest = at.iter().zip(&moved).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        at = moved;
        if largest < SETTLED {
            break;
        }
    }
    let (inverse, mut sampled) = curvatures(problem, &at, groups);
    let shared = problem.shared(&at, evidence.tables);
    sampled.add_all(&shared.scaled(believable(&sampled, &shared, groups)));
    let covariance = between(&inverse, &sampled);
    let pull = inverse.times(&problem.slope(&at, &added, true));
    Maximum { at, covariance, pull }
}

/// Less of what pairs have in common than this share of all noise is not believed.
const LEAST: f64 = 0.1;

/// The share of what pairs have in common that can be believed: all of it, but for so few games
/// that they would know some ratings better than games between pairs could.
fn believable(noise: &Matrix, shared: &Matrix, groups: &[Vec<usize>]) -> f64 {
    let agents: Vec<usize> = groups.iter().flatten().copied().collect();
    let fits = |share: &f64| {
        let mut left = noise.scaled(1.0 - LEAST);
        left.add_all(&shared.scaled(*share));
        hold(&mut left, groups);
        left.among(&agents).is_positive()
    };
    [1.0, 0.5, 0.25, 0.125].into_iter().find(fits).unwrap_or_default()
}

/// The inverse of the whole curvature, and the part of it that comes from what was sampled.
fn curvatures(problem: &Problem, at: &[f64], groups: &[Vec<usize>]) -> (Matrix, Matrix) {
    let mut whole = problem.curvature(at, None, |_| true);
    hold(&mut whole, groups);
    (whole.inverse(), problem.curvature(at, None, |source| source != TermSource::Known))
}

/// The covariance of what solves equations of this inverse slope, whose noise has this variance.
fn between(inverse: &Matrix, noise: &Matrix) -> Matrix {
    inverse.product(&noise.product(inverse))
}

/// Newton's steps to the maximum for what is added.
fn climb(
    problem: &Problem,
    added: &[ResultCounts],
    groups: &[Vec<usize>],
    from: Vec<f64>,
) -> Vec<f64> {
    let mut at = from;
    let mut value = problem.value(&at, added);
    for _ in 0..STEPS {
        let slope = problem.slope(&at, added, false);
        let mut curvature = problem.curvature(&at, Some(added), |_| true);
        hold(&mut curvature, groups);
        let step = curvature.solve(&slope);
        let mut share = 1.0;
        let moved = loop {
            let moved: Vec<f64> = at.iter().zip(&step).map(|(x, dx)| x + share * dx).collect();
            let reached = problem.value(&moved, added);
            // The likelihood is concave, so a step that is short enough never falls but by rounding.
            if reached >= value || share < 1e-6 {
                value = reached;
                break moved;
            }
            share /= 2.0;
        };
        let largest = step.iter().map(|dx| (dx * share).abs()).fold(0.0, f64::max);
        at = moved;
        if largest < SMALL {
            break;
        }
    }
    at
}

/// Holds the mean of each group: its sum gets a curvature where the likelihood has none.
fn hold(curvature: &mut Matrix, groups: &[Vec<usize>]) {
    for group in groups {
        for &i in group {
            for &j in group {
                curvature.add(i, j, 1.0);
            }
        }
    }
}

/// A square matrix, row by row; symmetric but for products.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Matrix {
    size: usize,
    values: Vec<f64>,
}

impl Matrix {
    /// All zeros.
    pub(super) fn zero(size: usize) -> Matrix {
        Matrix { size, values: vec![0.0; size * size] }
    }

    pub(super) fn at(&self, row: usize, column: usize) -> f64 {
        self.values[row * self.size + column]
    }

    pub(super) fn add(&mut self, row: usize, column: usize, value: f64) {
        self.values[row * self.size + column] += value;
    }

    /// Adds another matrix of the same size.
    pub(super) fn add_all(&mut self, other: &Matrix) {
        self.values.iter_mut().zip(&other.values).for_each(|(own, other)| *own += other);
    }

    /// The same with every value times a factor.
    pub(super) fn scaled(&self, by: f64) -> Matrix {
        Matrix { size: self.size, values: self.values.iter().map(|value| value * by).collect() }
    }

    /// The part of some rows and the same columns, in their order.
    pub(super) fn among(&self, places: &[usize]) -> Matrix {
        let row = |&row: &usize| places.iter().map(move |&column| self.at(row, column));
        Matrix { size: places.len(), values: places.iter().flat_map(row).collect() }
    }

    /// Whether no direction has a negative value, but by rounding.
    pub(super) fn is_positive(&self) -> bool {
        let size = self.size;
        let lower = self.cholesky();
        (0..size).all(|i| {
            let left: f64 = lower[i * size..i * size + i].iter().map(|value| value * value).sum();
            left <= self.at(i, i) + 1e-9 * (1.0 + self.at(i, i).abs())
        })
    }

    /// The product with another matrix of the same size.
    pub(super) fn product(&self, other: &Matrix) -> Matrix {
        let size = self.size;
        let mut product = Matrix::zero(size);
        for (row, own) in
            product.values.chunks_mut(size.max(1)).zip(self.values.chunks(size.max(1)))
        {
            for (&factor, line) in own.iter().zip(other.values.chunks(size.max(1))) {
                if factor != 0.0 {
                    row.iter_mut().zip(line).for_each(|(sum, value)| *sum += factor * value);
                }
            }
        }
        product
    }

    /// The product with a vector.
    pub(super) fn times(&self, vector: &[f64]) -> Vec<f64> {
        let rows = self.values.chunks(self.size.max(1));
        rows.map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum()).collect()
    }

    /// The vector whose product with the matrix is this one.
    pub(super) fn solve(&self, vector: &[f64]) -> Vec<f64> {
        let size = self.size;
        let lower = self.cholesky();
        let mut found = vector.to_vec();
        for i in 0..size {
            let known: f64 = (0..i).map(|k| lower[i * size + k] * found[k]).sum();
            found[i] = (found[i] - known) / lower[i * size + i];
        }
        for i in (0..size).rev() {
            let known: f64 = (i + 1..size).map(|k| lower[k * size + i] * found[k]).sum();
            found[i] = (found[i] - known) / lower[i * size + i];
        }
        found
    }

    /// The inverse. What is not positive is taken for tiny: a parameter of which nothing is known
    /// has a variance beyond all others, and no step goes astray for it.
    pub(super) fn inverse(&self) -> Matrix {
        let size = self.size;
        let lower = self.cholesky();
        // The inverse of the triangle, column by column; then the product of its transpose with it.
        let mut inner = vec![0.0; size * size];
        for column in 0..size {
            inner[column * size + column] = 1.0 / lower[column * size + column];
            for row in column + 1..size {
                let sum: f64 =
                    (column..row).map(|k| lower[row * size + k] * inner[k * size + column]).sum();
                inner[row * size + column] = -sum / lower[row * size + row];
            }
        }
        let mut inverse = Matrix::zero(size);
        for k in 0..size {
            let row = &inner[k * size..k * size + k + 1];
            for (i, &a) in row.iter().enumerate() {
                for (j, &b) in row.iter().enumerate().take(i + 1) {
                    inverse.values[i * size + j] += a * b;
                }
            }
        }
        for i in 0..size {
            for j in 0..i {
                inverse.values[j * size + i] = inverse.values[i * size + j];
            }
        }
        inverse
    }

    /// The lower triangle whose product with its transpose is the matrix.
    fn cholesky(&self) -> Vec<f64> {
        let size = self.size;
        let mut lower = vec![0.0; size * size];
        for i in 0..size {
            for j in 0..=i {
                let (row, other) = (&lower[i * size..i * size + j], &lower[j * size..j * size + j]);
                let sum: f64 = row.iter().zip(other).map(|(a, b)| a * b).sum();
                let left = self.at(i, j) - sum;
                lower[i * size + j] = if i == j {
                    left.max(1e-12 * (1.0 + self.at(i, i).abs())).sqrt()
                } else {
                    left / lower[j * size + j]
                };
            }
        }
        lower
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_times_the_matrix_is_one() {
        // Worked out by hand: det 8, so the inverse of [[4, 2], [2, 3]] is [[3, -2], [-2, 4]] / 8.
        let mut matrix = Matrix::zero(2);
        for (i, j, value) in [(0, 0, 4.0), (0, 1, 2.0), (1, 0, 2.0), (1, 1, 3.0)] {
            matrix.add(i, j, value);
        }
        let inverse = matrix.inverse();
        for (i, j, value) in [(0, 0, 0.375), (0, 1, -0.25), (1, 0, -0.25), (1, 1, 0.5)] {
            assert!((inverse.at(i, j) - value).abs() < 1e-15);
        }
        // [[4, 2], [2, 3]] times [1, 2] is [8, 8].
        let solved = matrix.solve(&[8.0, 8.0]);
        assert!((solved[0] - 1.0).abs() < 1e-15 && (solved[1] - 2.0).abs() < 1e-15);
    }
}
