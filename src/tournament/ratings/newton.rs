//! Where is the maximum, and how sharp is it? Newton's method with halved steps.

use super::likelihood::Problem;
use super::matrix::Matrix;

/// More steps than any concave likelihood of counts needs.
const STEPS: usize = 200;
/// A step so small moves no printed digit.
const SMALL: f64 = 1e-11;

/// The parameters at the maximum, and their covariance. Within each group of agents the strengths
/// have mean 0: the games say nothing of what is added to all of them.
pub(super) fn maximum(problem: &Problem, groups: &[Vec<usize>]) -> (Vec<f64>, Matrix) {
    let mut at = vec![0.0; problem.parameters()];
    let mut value = problem.value(&at);
    for _ in 0..STEPS {
        let (slope, mut curvature) = problem.slope_and_curvature(&at);
        hold(&mut curvature, groups, 1.0);
        let step = curvature.solve(&slope);
        let mut share = 1.0;
        let moved = loop {
            let moved: Vec<f64> = at.iter().zip(&step).map(|(x, dx)| x + share * dx).collect();
            let reached = problem.value(&moved);
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
    let (_, mut curvature) = problem.slope_and_curvature(&at);
    hold(&mut curvature, groups, 1.0);
    let mut covariance = curvature.inverse();
    for group in groups {
        let size = group.len() as f64;
        add(&mut covariance, group, -1.0 / (size * size));
    }
    (at, covariance)
}

/// Holds the mean of each group: its sum gets a curvature where the likelihood has none.
fn hold(curvature: &mut Matrix, groups: &[Vec<usize>], strength: f64) {
    for group in groups {
        add(curvature, group, strength);
    }
}

fn add(to: &mut Matrix, group: &[usize], value: f64) {
    for &i in group {
        for &j in group {
            to.add(i, j, value);
        }
    }
}
