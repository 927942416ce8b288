//! Symmetric matrices: inverted, and equations solved, by Cholesky's method.

/// A square matrix, row by row; symmetric but for products.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Matrix {
    size: usize,
    values: Vec<f64>,
}

impl Matrix {
    pub(super) fn zero(size: usize) -> Matrix {
        Matrix { size, values: vec![0.0; size * size] }
    }

    pub(super) fn at(&self, row: usize, column: usize) -> f64 {
        self.values[row * self.size + column]
    }

    pub(super) fn add(&mut self, row: usize, column: usize, value: f64) {
        self.values[row * self.size + column] += value;
    }

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

    pub(super) fn times(&self, vector: &[f64]) -> Vec<f64> {
        let rows = self.values.chunks(self.size.max(1));
        rows.map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum()).collect()
    }

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
