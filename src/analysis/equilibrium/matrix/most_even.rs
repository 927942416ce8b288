//! The most even equilibrium of a game between equals: of all its equilibria the one of the greatest entropy.
//!
//! Balduzzi, Tuyls, Perolat and Graepel (2018, "Re-evaluating evaluation", NeurIPS 31) call it Nash averaging: it is
//! the only one, and copies of an option share the weight that the option would have. An interior point method finds
//! it, with a cone of exponentials for each weight (Chandrasekaran and Shah 2017, "Relative entropy optimization and
//! its applications", Mathematical Programming 161).

use clarabel::solver::IPSolver;
use clarabel::solver::SupportedConeT::{ExponentialConeT, NonnegativeConeT, ZeroConeT};

use super::linear::LinearProgram;
use super::{PayoffMatrix, nearly};

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
    let found = evenly(&scaled, &vec![true; options]).and_then(|first| {
        // An option that loses more than it weighs is in no equilibrium. Without these the program has an inside.
        let lost = scaled.of_columns(&first);
        let used: Vec<bool> = first.iter().zip(lost).map(|(weight, lost)| *weight > lost).collect();
        evenly(&scaled, &used).filter(certain).or(Some(first).filter(certain))
    });
    found.unwrap_or_else(|| nearly(&scaled, &|| true).map_or_else(Vec::new, |mixed| mixed.rows))
}

/// The same from the program, where only some may weigh anything: the unknowns are their weights, then bounds of the
/// entropy of each.
fn evenly(table: &PayoffMatrix<f64>, used: &[bool]) -> Option<Vec<f64>> {
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
