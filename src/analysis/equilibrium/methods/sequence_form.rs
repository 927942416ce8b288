//! Solves zero-sum games of two sides with hidden information by the linear program of their
//! sequences.
//!
//! See [`program`](super::program) and [`sequence_weights`](super::sequence_weights).

use super::super::forms::place_values::Pass;
use super::super::forms::sequences::Sequences;
use super::super::solution::named_gains;
use super::super::{Solution, SolutionNumber, UnsolvedReason};
use super::normal::Normal;
use super::program::BestWeights;
use super::sequence_weights::SequenceNumber;

/// The most sequences of a side, and the most pairs of sequences that end the game: beyond these,
/// regret minimisation is faster.
const SEQUENCES: usize = 5_000;
const ENDS: usize = 200_000;

impl Normal<'_> {
    /// Solves a game in which one side wins what the other loses, by its sequences.
    ///
    /// # Errors
    /// [`UnsolvedReason::Strategies`] if there are too many sequences, the program does not converge, or no
    /// fractions are proven; [`UnsolvedReason::Stopped`].
    pub(crate) fn sequence_form<W: SequenceNumber>(
        &self,
        pass: &Pass<'_, W>,
        game: &Sequences<W>,
    ) -> Result<Solution, UnsolvedReason> {
        let sizes = [game.of[0].len(), game.of[1].len()];
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
            None if (pass.go_on)() => {
                let [own, other] = sizes;
                let beyond = format!(
                    "and the linear program of their {own} and {other} sequences of answers does not \
                     come near in floats"
                );
                return Err(self.too_many(game, beyond));
            }
            None => return Err(UnsolvedReason::Stopped),
        };
        let weights = match W::weighed(game, &found, pass.go_on) {
            Ok(weights) => weights,
            Err(short) if (pass.go_on)() => {
                return Err(self.too_many(game, format!("and {short}")));
            }
            Err(_) => return Err(UnsolvedReason::Stopped),
        };
        let gains = game.gains(&weights).map(|gain| gain.about());
        let names = self.board.seats.iter().map(|seat| seat.name.clone());
        let worth = game.all_worth(&weights);
        let value =
            names.zip(worth.into_iter().map(|worth| -> SolutionNumber { worth.into() })).collect();
        let graph = &self.seating.graph;
        let mut solution = Solution {
            method: format!("sequence form of {} and {} sequences", sizes[0], sizes[1]),
            exact: W::EXACT,
            value,
            exploitability: gains.into_iter().fold(0.0, f64::max),
            gains: named_gains(&self.board.seats, &gains),
            strategy: game.lines(pass, self.board, self.knowledge, graph, &weights),
            ..Solution::default()
        };
        solution.sort();
        Ok(solution)
    }
}
