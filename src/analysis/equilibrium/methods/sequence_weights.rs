//! The weights of sequences from which nobody gains: as a linear program found them, in floats, or proven.
//!
//! Floats are certified by best responses. In fractions, the face of best strategies that the floats
//! point at is solved as equations, and the result is proven by best responses in fractions.

use super::super::forms::board_number::BoardNumber;
use super::super::forms::sequences::Sequences;
use super::super::matrix::sparse::{Equations, Short};
use super::linear_program::BestWeights;
use crate::analysis::Fraction;

/// Numbers in which the weights of sequences are made.
pub(crate) trait SequenceNumber: BoardNumber {
    /// Best weights of both sides' sequences, made from what a linear program found.
    ///
    /// # Errors
    /// [`Short`]: the reason why there are none.
    fn weighed(
        game: &Sequences<Self>,
        found: &BestWeights,
        may_continue: &dyn Fn() -> bool,
    ) -> Result<[Vec<Self>; 2], Short>;
}

impl SequenceNumber for Fraction {
    fn weighed(
        game: &Sequences<Fraction>,
        found: &BestWeights,
        may_continue: &dyn Fn() -> bool,
    ) -> Result<[Vec<Fraction>; 2], Short> {
        exactly(game, found, may_continue)
    }
}

impl SequenceNumber for f64 {
    fn weighed(
        game: &Sequences<f64>,
        found: &BestWeights,
        _: &dyn Fn() -> bool,
    ) -> Result<[Vec<f64>; 2], Short> {
        Ok(nearly(game, found))
    }
}

/// Weights in floats from which the chances of options are read: unused options have 0, and at each
/// information set the weights sum to that of the sequence that leads there.
fn nearly(game: &Sequences<f64>, found: &BestWeights) -> [Vec<f64>; 2] {
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
/// Weights that equations leave free are rounded to one of this many parts: the first at which all
/// fit.
const PARTS: [u32; 4] = [60, 5_040, 720_720, 1 << 30];

/// Weights in fractions that are proven to be best, near those of the program.
///
/// # Errors
/// [`Short`]: there are too many for that, or none was proven because floats did not find the
/// options that are used.
fn exactly(
    game: &Sequences<Fraction>,
    found: &BestWeights,
    may_continue: &dyn Fn() -> bool,
) -> Result<[Vec<Fraction>; 2], Short> {
    let [first, second] = [face(game, found, 0), face(game, found, 1)];
    let solved = [first.eliminated(may_continue)?, second.eliminated(may_continue)?];
    let proven = PARTS.iter().find_map(|&parts| {
        let own = |seat: usize| {
            let mut all = solved[seat].near(parts, may_continue)?;
            all.truncate(game.of[seat].len());
            all.iter().all(|weight| *weight >= Fraction::default()).then_some(all)
        };
        let weights = [own(0)?, own(1)?];
        // Rounded parts may leave the other side something better than all that it uses.
        let is_best = is_realized(game, &weights) && game.gap(&weights) == Fraction::default();
        is_best.then_some(weights)
    });
    proven.ok_or(Short::Rounded(PARTS[PARTS.len() - 1]))
}

/// Whether at each information set the weights sum to that of the sequence that leads there.
fn is_realized(game: &Sequences<Fraction>, weights: &[Vec<Fraction>; 2]) -> bool {
    let begins = |own: &Vec<Fraction>| own[0] == Fraction::from_integer(1.into());
    weights.iter().all(begins)
        && game.points.values().all(|point| {
            let own = &weights[point.seat];
            let sum: Fraction = own[point.first..point.first + point.options].iter().sum();
            sum == own[point.before]
        })
}

/// The equations of a side's best strategies: the weights that are used sum to that of the sequence
/// that leads there, and all used options of the other side leave the same remainder. The unknowns
/// are the weights of all sequences, then the remainder at each information set of the other side,
/// then the value.
fn face(game: &Sequences<Fraction>, found: &BestWeights, seat: usize) -> Equations {
    let one = || Fraction::from_integer(1.into());
    let (own, other) = (&found.used[seat], &found.used[1 - seat]);
    let count = game.of[seat].len();
    let others: Vec<_> = game.points.values().filter(|point| point.seat != seat).collect();
    let unknowns = count + others.len() + 1;
    let mut near = found.weights[seat].clone();
    near.iter_mut().zip(own).filter(|(_, used)| !**used).for_each(|(near, _)| *near = 0.0);
    let mut equations = Equations::new(near, unknowns);
    equations.push(vec![(0, one())], one());
    for point in game.points.values().filter(|point| point.seat == seat && own[point.before]) {
        let options = point.first..point.first + point.options;
        let used = options.filter(|&at| own[at]).map(|at| (at, one()));
        equations.push(used.chain([(point.before, -one())]).collect(), Fraction::default());
    }
    let mut leaves: Vec<Vec<(usize, Fraction)>> = vec![Vec::new(); game.of[1 - seat].len()];
    leaves[0].push((unknowns - 1, one()));
    for (nth, point) in others.iter().enumerate() {
        leaves[point.before].push((count + nth, -one()));
        for leaf in &mut leaves[point.first..point.first + point.options] {
            leaf.push((count + nth, one()));
        }
    }
    for (pair, worth) in &game.ends {
        if own[pair[seat]] {
            // Each side wants what the other loses of the first side's utility.
            leaves[pair[1 - seat]].push((pair[seat], -worth[0].clone()));
        }
    }
    for (leaves, _) in leaves.into_iter().zip(other).filter(|(_, used)| **used) {
        equations.push(leaves, Fraction::default());
    }
    equations
}

#[cfg(test)]
mod tests {
    use super::super::backward::Pure;
    use super::*;
    use crate::analysis::equilibrium::forms::board::{Board, BoardNode};
    use crate::analysis::equilibrium::forms::board_number::Opposed;
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
        (board, Knowledge { sets: Vec::new(), of_places, information })
    }

    #[test]
    fn sequences_are_worth_what_the_table_of_all_pure_strategies_is() {
        let mut tried = 0;
        let games = (0..60).map(|seed| zero_sum(seed, 6 + seed as usize % 12)).chain([kuhn()]);
        for (seed, tree) in games.enumerate() {
            let (board, knowledge) = board(&tree);
            let pass = Pass::<Fraction>::new(&board, false, &|| true);
            let game = Sequences::of(&pass, &board, &knowledge).unwrap();
            if game.strategies(0) * game.strategies(1) > 2_000.0 || game.points.len() < 2 {
                continue;
            }
            let found = BestWeights::solve(&game, &Budget::default()).unwrap();
            let weights = exactly(&game, &found, &|| true);
            let weights = weights.unwrap_or_else(|short| panic!("{seed}: {short} {found:?}"));
            let value = game.all_worth(&weights)[0].clone();
            let rough = Pass::<f64>::new(&board, false, &|| true);
            let floats = Sequences::of(&rough, &board, &knowledge).unwrap();
            let near = nearly(&floats, &found);
            assert!(floats.gap(&near) < 1e-7, "{seed}: {}", floats.gap(&near));
            let pure = Pure::of(game, &|| true).unwrap();
            let table = matrix::exactly(&pure.tables[0], &|| true).unwrap();
            assert_eq!(value, table.value, "{seed}");
            tried += 1;
        }
        assert!(tried > 20, "{tried}");
    }
}
