//! The weights of sequences from which nobody gains much, made from what a linear program found. Best responses
//! certify them.

use super::super::forms::sequences::Sequences;
use super::linear_program::BestWeights;

/// Weights in floats from which the chances of options are read: unused options have 0, and at each
/// information set the weights sum to that of the sequence that leads there.
pub(super) fn weights(game: &Sequences<f64>, found: &BestWeights) -> [Vec<f64>; 2] {
    let cleaned = [true, false].map(|cleans| {
        [0, 1].map(|seat| {
            let mut weights = vec![0.0; game.of[seat].len()];
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
#[cfg(test)]
mod tests {
    use super::super::backward::Pure;
    use super::*;
    use crate::analysis::equilibrium::forms::board_number::BoardNumber;
    use crate::analysis::equilibrium::forms::place_values::Pass;
    use crate::analysis::equilibrium::matrix;
    use crate::analysis::equilibrium::test_games::{board, kuhn, zero_sum};
    use crate::number::Fraction;
    use crate::script::Budget;

    #[test]
    fn sequences_are_worth_what_the_table_of_all_pure_strategies_is() {
        let mut tried = 0;
        let games = (0..60).map(|seed| zero_sum(seed, 6 + seed as usize % 12)).chain([kuhn()]);
        for (seed, tree) in games.enumerate() {
            let (board, knowledge) = board(&tree);
            let pass = Pass::<f64>::new(&board, false, &|| true);
            let game = Sequences::of(&pass, &board, &knowledge).unwrap();
            if game.strategies(0) * game.strategies(1) > 2_000.0 || game.points.len() < 2 {
                continue;
            }
            let found = BestWeights::solve(&game, &Budget::default()).unwrap();
            let weights = weights(&game, &found);
            assert!(game.gap(&weights) < 1e-7, "{seed}: {}", game.gap(&weights));
            let value = game.all_worth(&weights)[0];
            let exact = Pass::<Fraction>::new(&board, false, &|| true);
            let exact = Sequences::of(&exact, &board, &knowledge).unwrap();
            let pure = Pure::of(exact, &|| true).unwrap();
            let table = matrix::exactly(&pure.tables[0], &|| true).unwrap();
            assert!((value - table.value.about()).abs() < 1e-7, "{seed}: {value} {}", table.value);
            tried += 1;
        }
        assert!(tried > 20, "{tried}");
    }
}
