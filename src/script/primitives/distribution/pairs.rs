//! Opposed dice, highest against highest: the distribution of how many pairs the first side wins.
//!
//! Faces are taken from the highest down. With `a` and `b` dice above a face, and `i` and `j` that
//! show it, the first side's dice at the places from `a` to `a + i` beat those of the second side
//! that are lower: the ones at places from `b + j` on. The dice that show a face can be any of
//! those left, so each way has the weight `C(n − a, i) · C(m − b, j)`: whole numbers, nothing
//! rounded.

use num_bigint::BigUint;
use num_traits::{One, Zero};
use rhai::{FuncRegistration, INT, Module};

use super::{fail, make, words_of};
use crate::game::Value;
use crate::script::sandbox::fuel::charge;

/// More dice a side than this are refused.
const MOST_DICE: INT = 12;
/// More sides than this are refused.
const MOST_SIDES: INT = 100;

/// Puts `pairs_won` among the functions that make distributions.
pub(in crate::script) fn register(module: &mut Module) {
    FuncRegistration::new("pairs_won")
        .with_params_info(["first: int", "second: int", "sides: int", "Distribution"])
        .with_comments([
            "/// Two sides throw `first` and `second` dice with `sides` sides, and lay them highest against highest,",
            "/// next against next, as far as both have dice: how many of these pairs the first side wins.",
            "/// A pair of equal dice is the second side's; where it is to be the first's, swap the two.",
            "/// At most 12 dice a side, with at most 100 sides.",
            "///",
            "/// # Example",
            "/// `pairs_won(3, 2, 6).weights()` is `[2275, 2611, 2890]`",
        ])
        .set_into_module(module, |first: INT, second: INT, sides: INT| {
            match Pairs::new(first, second, sides) {
                Ok(pairs) => {
                    let (weights, products) = pairs.weigh();
                    let values = (0..).map(Value::Int);
                    let dist = make("pairs_won", Ok(values.zip(weights).collect()))?;
                    charge(products * words_of(dist.0.weights()));
                    Ok(dist)
                }
                Err(message) => fail(format!("pairs_won: {message}"), rhai::Position::NONE),
            }
        });
}

/// The dice of two sides. Two equal ones have one distribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Pairs {
    first: usize,
    second: usize,
    sides: INT,
}

/// Weights by how many dice of the first side are placed, how many of the second, and how many
/// pairs the first has won.
type PairWeights = Vec<Vec<Vec<BigUint>>>;

impl Pairs {
    fn new(first: INT, second: INT, sides: INT) -> Result<Pairs, String> {
        let dice = |count: INT| {
            let fits = (0..=MOST_DICE).contains(&count) && (1..=MOST_SIDES).contains(&sides);
            usize::try_from(count).ok().filter(|_| fits)
        };
        match (dice(first), dice(second)) {
            (Some(first), Some(second)) => Ok(Pairs { first, second, sides }),
            _ => Err(format!(
                "must be 0 to {MOST_DICE} dice a side with 1 to {MOST_SIDES} sides, got {first} \
                 against {second} with {sides}"
            )),
        }
    }

    /// The weights of 0 pairs won and so on, and how many products it took to find them.
    fn weigh(self) -> (Vec<BigUint>, u64) {
        let choose = choices(self.first.max(self.second));
        let mut products = 0;
        let mut table = self.empty();
        table[0][0][0] = BigUint::one();
        for _ in 0..self.sides {
            // The second side's dice that show the face come first: equal dice are its own.
            let mut laid = self.empty();
            for (a, b, won, weight) in ways(&table) {
                let left = self.second - b;
                for (j, count) in choose[left].iter().enumerate() {
                    laid[a][b + j][won] += weight * count;
                    products += 1;
                }
            }
            table = self.empty();
            for (a, b, won, weight) in ways(&laid) {
                let left = self.first - a;
                for (i, count) in choose[left].iter().enumerate() {
                    let beats = (a + i).min(self.second).saturating_sub(a.max(b));
                    table[a + i][b][won + beats] += weight * count;
                    products += 1;
                }
            }
        }
        (table.swap_remove(self.first).swap_remove(self.second), products)
    }

    fn empty(self) -> PairWeights {
        let won = vec![BigUint::zero(); self.first.min(self.second) + 1];
        vec![vec![won; self.second + 1]; self.first + 1]
    }
}

/// The entries of a table that can occur.
fn ways(table: &PairWeights) -> impl Iterator<Item = (usize, usize, usize, &BigUint)> {
    table.iter().enumerate().flat_map(|(a, row)| {
        row.iter().enumerate().flat_map(move |(b, cell)| {
            let weighed = cell.iter().enumerate().filter(|(_, weight)| !weight.is_zero());
            weighed.map(move |(won, weight)| (a, b, won, weight))
        })
    })
}

/// Pascal's triangle: the number of ways to choose i of n dice.
fn choices(most: usize) -> Vec<Vec<BigUint>> {
    let mut rows = vec![vec![BigUint::one()]];
    for n in 1..=most {
        let above = &rows[n - 1];
        let inner = above.windows(2).map(|two| &two[0] + &two[1]);
        let row = [BigUint::one()].into_iter().chain(inner).chain([BigUint::one()]).collect();
        rows.push(row);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(first: INT, second: INT, sides: INT) -> Vec<u64> {
        let weighed = Pairs::new(first, second, sides).unwrap().weigh().0;
        weighed.iter().map(|weight| u64::try_from(weight).unwrap()).collect()
    }

    /// By throwing every face of every die.
    fn thrown(first: usize, second: usize, sides: u64) -> Vec<u64> {
        let dice = (first + second) as u32;
        let mut counts = vec![0; first.min(second) + 1];
        for throw in 0..sides.pow(dice) {
            let faces: Vec<u64> = (0..dice).map(|die| throw / sides.pow(die) % sides).collect();
            let (mut ours, mut theirs) = (faces[..first].to_vec(), faces[first..].to_vec());
            ours.sort_by(|a, b| b.cmp(a));
            theirs.sort_by(|a, b| b.cmp(a));
            counts[ours.iter().zip(&theirs).filter(|(our, their)| our > their).count()] += 1;
        }
        counts
    }

    #[test]
    fn pairs_are_what_throwing_every_face_comes_to() {
        for (first, second) in [(0, 2), (1, 1), (1, 2), (2, 1), (2, 2), (3, 2), (1, 4), (3, 3)] {
            for sides in [1, 2, 3, 6] {
                let counted = thrown(first, second, sides);
                let found = weights(first as INT, second as INT, sides as INT);
                assert_eq!(found, counted, "{first} against {second} with {sides}");
            }
        }
    }

    #[test]
    fn the_largest_pools_have_all_their_throws() {
        let weighed = Pairs::new(12, 12, 100).unwrap().weigh().0;
        assert_eq!(weighed.iter().sum::<BigUint>(), BigUint::from(100u8).pow(24));
    }

    #[test]
    fn what_is_no_pool_is_refused() {
        for (first, second, sides) in [(-1, 2, 6), (2, 13, 6), (2, 2, 0), (2, 2, 101)] {
            let refused = Pairs::new(first, second, sides).unwrap_err();
            assert!(refused.starts_with("must be 0 to 12 dice"), "{refused}");
        }
    }
}
