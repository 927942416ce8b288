//! The linear program of the sequence form: best weights of sequences for two sides that win from each other.
//!
//! Koller, Megiddo and von Stengel (Games and Economic Behavior 14, 1996). An interior point method
//! solves it: of several best strategies it finds the middle, so that equal options weigh alike,
//! and what is 0 in all of them it separates from what is not (Güler and Ye, Mathematical Programming 60,
//! 1993).

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, SupportedConeT};

use super::super::forms::board_number::BoardNumber;
use super::super::forms::sequences::Sequences;
use crate::script::Budget;

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
    pub(crate) fn solve<W: BoardNumber>(
        game: &Sequences<W>,
        budget: &Budget,
    ) -> Option<BestWeights> {
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
    rows: Vec<usize>,
    columns: Vec<usize>,
    cells: Vec<f64>,
    /// How many sequences each side has, and how many information sets.
    sequences: [usize; 2],
    points: [usize; 2],
}

impl Rows {
    fn of<W: BoardNumber>(game: &Sequences<W>) -> Rows {
        let of_seat = |seat: usize| game.points.values().filter(move |point| point.seat == seat);
        let sequences = [game.of[0].len(), game.of[1].len()];
        let points = [of_seat(0).count(), of_seat(1).count()];
        let mut all =
            Rows { rows: Vec::new(), columns: Vec::new(), cells: Vec::new(), sequences, points };
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
        let ends = || game.ends.iter().map(|(pair, [worth, _])| (pair, worth.about()));
        let size = ends().fold(0.0, |size: f64, (_, worth)| size.max(worth.abs()));
        let scale = if size > 0.0 { 1.0 / size } else { 1.0 };
        for ([own, other], worth) in ends() {
            all.push(from + other, *own, -worth * scale);
        }
        // Nothing weighs less than nothing.
        let from = from + sequences[1];
        (0..sequences[0]).for_each(|at| all.push(from + at, at, -1.0));
        all
    }

    fn push(&mut self, row: usize, column: usize, cell: f64) {
        self.rows.push(row);
        self.columns.push(column);
        self.cells.push(cell);
    }

    fn solve(self, budget: &Budget) -> Option<BestWeights> {
        let [own, other] = self.sequences;
        let equal = 1 + self.points[0];
        let (height, width) = (equal + other + own, own + self.points[1] + 1);
        let matrix =
            CscMatrix::new_from_triplets(height, width, self.rows, self.columns, self.cells);
        let nothing = CscMatrix::zeros((width, width));
        let mut goal = vec![0.0; width];
        goal[width - 1] = -1.0;
        let mut limits = vec![0.0; height];
        limits[0] = 1.0;
        let cones =
            [SupportedConeT::ZeroConeT(equal), SupportedConeT::NonnegativeConeT(other + own)];
        let settings = DefaultSettings {
            verbose: false,
            max_iter: 200,
            tol_gap_abs: NEAR,
            tol_gap_rel: NEAR,
            tol_feas: NEAR,
            max_threads: 1,
            ..DefaultSettings::default()
        };
        let solver = DefaultSolver::new(&nothing, &goal, &matrix, &limits, &cones, settings);
        let mut solver = solver.ok()?;
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
