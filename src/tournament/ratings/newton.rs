//! Finds the maximum of the likelihood by Newton's method with halved steps, and its covariances.

use super::Evidence;
use super::likelihood::{LogChances, Problem, TermSource};
use super::matrix::Matrix;

/// More steps than any concave likelihood of counts needs.
const STEPS: usize = 200;
/// More rounds than what is added needs to settle.
const ROUNDS: usize = 100;

/// How near to the maximum a fit comes, in natural units.
#[derive(Clone, Copy)]
pub(super) struct Precision {
    /// The last of Newton's steps is no longer than this.
    step: f64,
    /// The last round of what is added moves the parameters by no more than this.
    round: f64,
}

impl Precision {
    /// What is left moves no printed digit.
    pub(super) const FULL: Precision = Precision { step: 1e-9, round: 1e-7 };
    /// What is left is a fiftieth of an Elo point.
    pub(super) const DRAWN: Precision = Precision { step: 1e-4, round: 1e-4 };
}

pub(super) struct Maximum {
    /// The parameters. Within each group of agents the strengths have mean 0: the results say
    /// nothing of what is added to all of them.
    pub at: Vec<f64>,
    pub(crate) covariance: Matrix,
    /// By how much the added results moved them, to first order.
    pub pull: Vec<f64>,
    /// Whether the results alone tell them from each other: strengths and what first seats are worth are not where
    /// agents always sat alike.
    pub told: Vec<bool>,
}

/// A parameter whose variance grows by more than this through all others cannot be separated from them.
const UNTOLD: f64 = 1e9;

/// The parameters at the maximum, with what is added to the results until it settles. It begins at some parameters.
pub(super) fn maximum(
    problem: &Problem,
    evidence: &Evidence<'_>,
    groups: &[Vec<usize>],
    (mut at, precision): (Vec<f64>, Precision),
) -> Maximum {
    let mut logs = problem.log_chances(&at);
    let mut added: Vec<Vec<f64>> = Vec::new();
    let all_sampled = evidence.known.is_empty() && evidence.known_tables.is_empty();
    // The inverse of the whole curvature, and the part of it that comes from what was sampled.
    let curvatures = |logs: &[Vec<f64>]| {
        let mut whole = problem.curvature(logs, None, |_| true);
        let sampled = match all_sampled {
            true => whole.clone(),
            false => problem.curvature(logs, None, |source| source != TermSource::Known),
        };
        hold_group_means(&mut whole, groups);
        (whole.inverse(), sampled)
    };
    for _ in 0..ROUNDS {
        let (inverse, sampled) = curvatures(&logs);
        // Where nothing is known but by games, both products would only give the inverse again.
        let unsure = match all_sampled {
            true => inverse,
            false => sandwich(&inverse, &sampled),
        };
        added = problem.added(&logs, &unsure);
        let moved;
        (moved, logs) = climb(problem, &added, groups, (at.clone(), logs), precision.step);
        let largest = at.iter().zip(&moved).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        at = moved;
        if largest < precision.round {
            break;
        }
    }
    let (inverse, sampled) = curvatures(&logs);
    let mut whole = problem.curvature(&logs, Some(&added), |_| true);
    hold_group_means(&mut whole, groups);
    let covariance = sandwich(&whole.inverse(), &sampled);
    let pull = inverse.times(&problem.slope(&logs, &added, true));
    Maximum { at, covariance, pull, told: told(problem, groups) }
}

/// Which parameters the results tell, as if all outcomes were as likely as each other.
fn told(problem: &Problem, groups: &[Vec<usize>]) -> Vec<bool> {
    let logs = problem.log_chances(&vec![0.0; problem.parameters()]);
    let mut whole = problem.curvature(&logs, None, |source| source != TermSource::Assumed);
    hold_group_means(&mut whole, groups);
    let inverse = whole.inverse();
    (0..problem.parameters()).map(|at| whole.at(at, at) * inverse.at(at, at) < UNTOLD).collect()
}

/// The covariance of what solves equations of this inverse slope, whose noise has this variance.
fn sandwich(inverse: &Matrix, noise: &Matrix) -> Matrix {
    inverse.product(&noise.product(inverse))
}

/// Newton's steps to the maximum for what is added, from parameters with the chances there; returns both at the
/// maximum.
fn climb(
    problem: &Problem,
    added: &[Vec<f64>],
    groups: &[Vec<usize>],
    (mut at, mut logs): (Vec<f64>, LogChances),
    small: f64,
) -> (Vec<f64>, LogChances) {
    let mut value = problem.value(&logs, added);
    for _ in 0..STEPS {
        let slope = problem.slope(&logs, added, false);
        let mut curvature = problem.curvature(&logs, Some(added), |_| true);
        hold_group_means(&mut curvature, groups);
        let step = curvature.solve(&slope);
        let mut share = 1.0;
        let moved = loop {
            let moved: Vec<f64> = at.iter().zip(&step).map(|(x, dx)| x + share * dx).collect();
            logs = problem.log_chances(&moved);
            let reached = problem.value(&logs, added);
            // The likelihood is concave, so a step that is short enough never falls but by rounding.
            if reached >= value || share < 1e-6 {
                value = reached;
                break moved;
            }
            share /= 2.0;
        };
        let largest = step.iter().map(|dx| (dx * share).abs()).fold(0.0, f64::max);
        at = moved;
        if largest < small {
            break;
        }
    }
    (at, logs)
}

/// Holds the mean of each group: its sum gets a curvature where the likelihood has none.
fn hold_group_means(curvature: &mut Matrix, groups: &[Vec<usize>]) {
    for group in groups {
        for &i in group {
            for &j in group {
                curvature.add(i, j, 1.0);
            }
        }
    }
}
