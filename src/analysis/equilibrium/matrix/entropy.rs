//! Picks the mix of greatest entropy among several best mixes, so that equal options are treated
//! alike.
//!
//! The best mixes are a face of a polytope, on which the negative entropy is minimised: Newton's
//! method in the directions that the face leaves free, with a logarithmic barrier before the limits
//! that do not hold with equality everywhere (Boyd and Vandenberghe, Convex Optimization, 2004,
//! chapters 10 and 11).

use super::PayoffMatrix;
use super::linear::{free_directions, solve};
use super::tableau::Face;

/// The last weight of the barrier; its effect is below the last digits that count.
const LAST: f64 = 1e-14;
const STEPS: usize = 60;

/// The mix of columns of greatest entropy on a face of best mixes, on each of which rows get
/// `value` at most. The face's own mix if floats find none; `None` if the caller stops it.
pub(super) fn spread(
    table: &PayoffMatrix<f64>,
    face: &Face<f64>,
    value: f64,
    may_continue: &dyn Fn() -> bool,
) -> Option<Vec<f64>> {
    let used: Vec<usize> =
        (0..face.weights.len()).filter(|&column| face.weights[column] > 0.0).collect();
    let line = |row: usize| used.iter().map(|&column| *table.at(row, column)).collect::<Vec<f64>>();
    let (met, open): (Vec<usize>, Vec<usize>) = (0..face.met.len()).partition(|&row| face.met[row]);
    let mut fixed = vec![vec![1.0; used.len()]];
    fixed.extend(met.into_iter().map(line));
    let free = free_directions(fixed, used.len(), may_continue)?;
    let mut place = InteriorPoint {
        mix: used.iter().map(|&column| face.weights[column]).collect(),
        limits: open.into_iter().map(line).collect(),
        value,
    };
    if !free.is_empty() {
        let mut barrier = if place.limits.is_empty() { 0.0 } else { 1e-2 };
        loop {
            place.descend(&free, barrier, may_continue)?;
            if barrier <= LAST {
                break;
            }
            barrier /= 10.0;
        }
    }
    let total: f64 = place.mix.iter().sum();
    let mut weights = vec![0.0; face.weights.len()];
    for (column, weight) in used.into_iter().zip(place.mix) {
        weights[column] = weight / total;
    }
    Some(weights)
}

/// A mix within the face, and the limits at which there is slack.
struct InteriorPoint {
    mix: Vec<f64>,
    limits: Vec<Vec<f64>>,
    value: f64,
}

impl InteriorPoint {
    /// Newton's method until nothing is left to gain under this barrier; `None` if the caller stops
    /// it.
    fn descend(
        &mut self,
        free: &[Vec<f64>],
        barrier: f64,
        may_continue: &dyn Fn() -> bool,
    ) -> Option<()> {
        for _ in 0..STEPS {
            let (step, decrease) = match self.newton(free, barrier, may_continue) {
                Some(step) => step,
                None if may_continue() => return Some(()),
                None => return None,
            };
            if decrease < 1e-20 {
                return Some(());
            }
            let before = self.height(&self.mix, barrier);
            if !before.is_finite() {
                // Ties that are none to the last digit leave no room: the mix stays as it is.
                return Some(());
            }
            let mut length = 1.0;
            loop {
                let there: Vec<f64> =
                    self.mix.iter().zip(&step).map(|(at, step)| at + length * step).collect();
                let height = self.height(&there, barrier);
                // A float below the last digit of the height is no ground to turn back on.
                let slack = 1e-15 * (1.0 + before.abs());
                if height <= before - 1e-4 * length * decrease + slack {
                    self.mix = there;
                    break;
                }
                length /= 2.0;
                if length < 1e-12 {
                    return Some(());
                }
            }
        }
        Some(())
    }

    /// The negative entropy with the barrier; infinite outside.
    fn height(&self, mix: &[f64], barrier: f64) -> f64 {
        if mix.iter().any(|&weight| weight <= 0.0) {
            return f64::INFINITY;
        }
        let mut height: f64 = mix.iter().map(|weight| weight * weight.ln()).sum();
        if barrier > 0.0 {
            for limit in &self.limits {
                let room = self.value - dot(limit, mix);
                if room <= 0.0 {
                    return f64::INFINITY;
                }
                height -= barrier * room.ln();
            }
        }
        height
    }

    /// The step, and the slope of the height along it; `None` if floats find none, or the caller
    /// stops it.
    fn newton(
        &self,
        free: &[Vec<f64>],
        barrier: f64,
        may_continue: &dyn Fn() -> bool,
    ) -> Option<(Vec<f64>, f64)> {
        let mut slope: Vec<f64> = self.mix.iter().map(|weight| weight.ln() + 1.0).collect();
        let rooms: Vec<f64> =
            self.limits.iter().map(|limit| self.value - dot(limit, &self.mix)).collect();
        if barrier > 0.0 {
            for (limit, room) in self.limits.iter().zip(&rooms) {
                for (slope, by) in slope.iter_mut().zip(limit) {
                    *slope += barrier * by / room;
                }
            }
        }
        let count = free.len();
        let mut system = vec![vec![0.0; count + 1]; count];
        let along: Vec<Vec<f64>> = free
            .iter()
            .map(|way| self.limits.iter().map(|limit| dot(limit, way)).collect())
            .collect();
        for a in 0..count {
            if !may_continue() {
                return None;
            }
            for b in 0..=a {
                let mut bend: f64 =
                    free[a].iter().zip(&free[b]).zip(&self.mix).map(|((a, b), w)| a * b / w).sum();
                if barrier > 0.0 {
                    let pairs = along[a].iter().zip(&along[b]).zip(&rooms);
                    bend +=
                        barrier * pairs.map(|((a, b), room)| a * b / (room * room)).sum::<f64>();
                }
                system[a][b] = bend;
                system[b][a] = bend;
            }
            system[a][count] = -dot(&free[a], &slope);
        }
        let falls: Vec<f64> = system.iter().map(|line| line[count]).collect();
        let turns = solve(system, may_continue)?;
        let mut step = vec![0.0; self.mix.len()];
        for (turn, way) in turns.iter().zip(free) {
            for (step, by) in step.iter_mut().zip(way) {
                *step += turn * by;
            }
        }
        Some((step, dot(&turns, &falls)))
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
