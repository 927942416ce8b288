//! Solves zero-sum games of two sides with hidden information by the linear program of their sequences (Koller, Megiddo
//! and von Stengel, Games and Economic Behavior 14, 1996).
//!
//! An interior point method solves it: of several best strategies it finds the middle, so that equal options weigh
//! alike, and what is 0 in all of them it separates from what is not (Güler and Ye, Mathematical Programming 60, 1993).

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use clarabel::solver::{IPSolver, SupportedConeT};

use super::super::forms::extensive_form::ExtensiveForm;
use super::super::forms::sequences::Sequences;
use super::super::matrix::linear::LinearProgram;
use super::super::{Solution, UnsolvedReason};
use super::normal::Normal;
use crate::script::Budget;

/// The most sequences of a side, and the most pairs of sequences that end the game: beyond these,
/// regret minimisation is faster.
const SEQUENCES: usize = 5_000;
const ENDS: usize = 200_000;

impl Normal<'_> {
    pub(crate) fn sequence_form(
        &self,
        drawn: &ExtensiveForm,
        game: &Sequences<f64>,
    ) -> Result<Solution, UnsolvedReason> {
        let sizes = game.sizes;
        if sizes.iter().any(|size| *size > SEQUENCES) {
            let [own, other] = sizes;
            let beyond =
                format!("and {own} and {other} sequences of answers, more than {SEQUENCES}");
            return Err(self.too_many(game, beyond));
        }
        let ends = game.ends.len();
        if ends > ENDS {
            let beyond =
                format!("whose sequences of answers end in {ends} pairs, more than {ENDS}");
            return Err(self.too_many(game, beyond));
        }
        let found = match BestWeights::solve(game, self.seating.budget()) {
            Some(found) => found,
            None if self.seating.may_continue().is_ok() => {
                let [own, other] = sizes;
                let beyond = format!(
                    "and the linear program of their {own} and {other} sequences of answers does not \
                     come near in floats"
                );
                return Err(self.too_many(game, beyond));
            }
            None => return Err(UnsolvedReason::Stopped),
        };
        let weights = weights(game, &found);
        let gains = game.gains(&weights);
        let mut solution = self.weighted(drawn, game, (&weights, gains));
        solution.method = format!("sequence form of {} and {} sequences", sizes[0], sizes[1]);
        solution.sort();
        Ok(solution)
    }
}

/// Weights in floats from which the chances of options are read: unused options have 0, and at each
/// information set the weights sum to that of the sequence that leads there.
pub(super) fn weights(game: &Sequences<f64>, found: &BestWeights) -> [Vec<f64>; 2] {
    let cleaned = [true, false].map(|cleans| {
        [0, 1].map(|seat| {
            let mut weights = vec![0.0; game.sizes[seat]];
            weights[0] = 1.0;
            for point in game.later_first(seat).iter().rev() {
                let options = point.first..point.first + point.options;
                let raw = |at: usize| match !cleans || found.used[seat][at] {
                    true => found.weights[seat][at].max(0.0),
                    false => 0.0,
                };
                let sum: f64 = options.clone().map(raw).sum();
                let before = weights[point.before];
                for at in options {
                    let share = if sum > 0.0 { raw(at) / sum } else { 1.0 / point.options as f64 };
                    weights[at] = before * share;
                }
            }
            weights
        })
    });
    let [cleaned, raw] = cleaned;
    if game.gap(&cleaned) <= game.gap(&raw) + ROUNDING { cleaned } else { raw }
}

/// Gains below this are rounding.
const ROUNDING: f64 = 1e-9;

/// Best weights of both sides' sequences, as near as floats come.
#[derive(Clone, Debug)]
pub(crate) struct BestWeights {
    /// The weights of each side's sequences.
    pub weights: [Vec<f64>; 2],
    /// Whether a sequence of a side is played in some best strategy.
    pub used: [Vec<bool>; 2],
}

/// Somebody who wants it to stop waits no longer than this.
const PATIENCE: Duration = Duration::from_millis(20);

impl BestWeights {
    /// Solves the program of a game. Nothing where somebody wants it to stop, or floats do not do.
    pub(crate) fn solve(game: &Sequences<f64>, budget: &Budget) -> Option<BestWeights> {
        let rows = Rows::of(game);
        let (send, receive) = mpsc::channel();
        let own = budget.clone();
        // One step of the method cannot be stopped; who waits for it can.
        let spawned = thread::Builder::new().spawn(move || {
            let _charge = own.charge_thread();
            // Nobody may listen any more.
            _ = send.send(rows.solve(&own));
        });
        spawned.ok()?;
        loop {
            match receive.recv_timeout(PATIENCE) {
                Ok(found) => return found,
                Err(RecvTimeoutError::Timeout) if budget.may_continue().is_ok() => {}
                Err(_) => return None,
            }
        }
    }
}

/// The program as a sparse matrix. Its unknowns are the weights of the first side's sequences, what
/// is left to win for each of the second side's information sets, and last the value.
struct Rows {
    program: LinearProgram,
    /// How many sequences each side has, and how many information sets.
    sequences: [usize; 2],
    points: [usize; 2],
}

impl Rows {
    fn of(game: &Sequences<f64>) -> Rows {
        let of_seat = |seat: usize| game.points.iter().filter(move |point| point.seat == seat);
        let sequences = game.sizes;
        let points = [of_seat(0).count(), of_seat(1).count()];
        let mut all = LinearProgram::default();
        // What is chosen at an information set is what leads there.
        all.push(0, 0, 1.0);
        for (row, point) in of_seat(0).enumerate() {
            all.push(1 + row, point.before, -1.0);
            (point.first..point.first + point.options).for_each(|at| all.push(1 + row, at, 1.0));
        }
        // The second side leaves no more than any of its sequences lets the first win.
        let from = 1 + points[0];
        let value = sequences[0] + points[1];
        all.push(from, value, 1.0);
        for (nth, point) in of_seat(1).enumerate() {
            all.push(from + point.before, sequences[0] + nth, -1.0);
            for at in point.first..point.first + point.options {
                all.push(from + at, sequences[0] + nth, 1.0);
            }
        }
        let ends = || game.ends.iter().map(|(pair, worth)| (pair, worth[0]));
        let size = ends().fold(0.0, |size: f64, (_, worth)| size.max(worth.abs()));
        let scale = if size > 0.0 { 1.0 / size } else { 1.0 };
        for ([own, other], worth) in ends() {
            all.push(from + other, *own, -worth * scale);
        }
        // Nothing weighs less than nothing.
        let from = from + sequences[1];
        (0..sequences[0]).for_each(|at| all.push(from + at, at, -1.0));
        Rows { program: all, sequences, points }
    }

    fn solve(self, budget: &Budget) -> Option<BestWeights> {
        let [own, other] = self.sequences;
        let equal = 1 + self.points[0];
        let (height, width) = (equal + other + own, own + self.points[1] + 1);
        let mut goal = vec![0.0; width];
        goal[width - 1] = -1.0;
        let mut limits = vec![0.0; height];
        limits[0] = 1.0;
        let cones =
            [SupportedConeT::ZeroConeT(equal), SupportedConeT::NonnegativeConeT(other + own)];
        let mut solver = self.program.solver(&goal, &limits, &cones, NEAR)?;
        let asked = budget.clone();
        solver.set_termination_callback(move |_| asked.may_continue().is_err());
        solver.solve();
        let found = &solver.solution;
        if found.x.len() != width || found.z.len() != height || found.s.len() != height {
            return None;
        }
        // A weight is 0 in all best strategies where what it would cost is greater than itself.
        let kept = |weights: &[f64], costs: &[f64]| -> Vec<bool> {
            weights.iter().zip(costs).map(|(weight, cost)| weight > cost).collect()
        };
        let (left, prices) = (&found.s[equal..], &found.z[equal..]);
        let used =
            [kept(&found.x[..own], &prices[other..]), kept(&prices[..other], &left[..other])];
        let weights = [found.x[..own].to_vec(), prices[..other].to_vec()];
        let all_finite = weights.iter().flatten().all(|weight| weight.is_finite());
        (all_finite && budget.may_continue().is_ok()).then_some(BestWeights { weights, used })
    }
}

/// So near is asked for; where floats do not come so near, how near they came is measured after.
const NEAR: f64 = 1e-12;

#[cfg(test)]
mod tests {
    use super::super::backward::Pure;
    use super::*;
    use crate::analysis::equilibrium::matrix::{self, Scalar};
    use crate::analysis::equilibrium::test_games::{fractions, kuhn, zero_sum};

    #[test]
    fn sequences_are_worth_what_the_table_of_all_pure_strategies_is() {
        let mut tried = 0;
        let games = (0..60).map(|seed| zero_sum(seed, 6 + seed as usize % 12)).chain([kuhn()]);
        for (seed, tree) in games.enumerate() {
            let game = Sequences::of(&tree, &|| true).unwrap();
            if game.strategies(0) * game.strategies(1) > 2_000.0 || game.points.len() < 2 {
                continue;
            }
            let found = BestWeights::solve(&game, &Budget::default()).unwrap();
            let weights = weights(&game, &found);
            assert!(game.gap(&weights) < 1e-7, "{seed}: {}", game.gap(&weights));
            let value = game.worth(&weights)[0];
            let exact = Sequences::of(&fractions(&tree), &|| true).unwrap();
            let pure = Pure::of(exact, &|| true).unwrap();
            let table = matrix::exactly(&pure.tables[0], &|| true).unwrap();
            assert!((value - table.value.about()).abs() < 1e-7, "{seed}: {value} {}", table.value);
            tried += 1;
        }
        assert!(tried > 20, "{tried}");
    }
}
