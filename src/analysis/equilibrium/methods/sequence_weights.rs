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
    use crate::analysis::Fraction;
    use crate::analysis::equilibrium::forms::board::{Board, BoardNode};
    use crate::analysis::equilibrium::forms::board_number::{BoardNumber, Opposed};
    use crate::analysis::equilibrium::forms::game_kind::Knowledge;
    use crate::analysis::equilibrium::forms::place_values::Pass;
    use crate::analysis::equilibrium::forms::tree::{Role, Tree};
    use crate::analysis::equilibrium::matrix;
    use crate::analysis::equilibrium::test_games::{kuhn, zero_sum};
    use crate::conflict::Seat;
    use crate::graph::InformationSets;
    use crate::script::Budget;

    /// A random game as a board, in numbers that fractions hold.
    fn board(tree: &Tree) -> (Board, Knowledge) {
        let whole = |number: f64| Fraction::from_integer((number as i64).into());
        let seat = |name: &String| Seat { name: name.clone(), players: vec![name.clone()] };
        let mut board = Board {
            seats: tree.sides().iter().map(seat).collect(),
            sides: 2,
            opposed: Some(Opposed { most: whole(0.0), rate: whole(1.0) }),
            spots: Vec::new(),
            nodes: (0..tree.len() as u32).collect(),
            worth: Vec::new(),
            floats: false,
            odds: Vec::new(),
            crowded: None,
        };
        let mut of_places = Vec::new();
        for (node, role) in tree.roles().iter().enumerate() {
            let answers = tree.answers(node);
            let to = tree.to()[answers.clone()].to_vec();
            of_places.push(match role {
                Role::Set(set) => Some(*set as usize),
                _ => None,
            });
            board.spots.push(match role {
                Role::End(ending) => {
                    let worth = tree.payoffs(*ending);
                    board.worth.push(worth.iter().map(|worth| whole(*worth)).collect());
                    BoardNode::End(board.worth.len() - 1)
                }
                Role::Chance => {
                    // Weights of the random games are at most 4 each, of three that fall.
                    let shares = tree.chances()[answers].iter();
                    let parts: Vec<i64> =
                        shares.map(|share| (share * 27_720.0).round() as i64).collect();
                    let total: i64 = parts.iter().sum();
                    let share = |part: &i64| Fraction::new((*part).into(), total.into());
                    board.odds.push(parts.iter().map(share).collect());
                    BoardNode::Chance(board.odds.len() - 1, to)
                }
                Role::Set(set) => BoardNode::Turn(tree.sets()[*set as usize].side as usize, to),
            });
        }
        let information = InformationSets::default();
        (board, Knowledge { of_places, information })
    }

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
