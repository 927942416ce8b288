//! Exact distributions of sums of dice such as `3d6`, computed by adding one die after another.

use num_bigint::BigUint;
use num_traits::{One, Zero};
use rhai::Position;

use super::{Dist, fail, make};
use crate::game::Value;
use crate::script::sandbox::fuel::charge;
use crate::script::sandbox::limits::Fault;

/// More values or dice than this are refused; exact weights of such pools have no end.
const MOST: i64 = 2_000;

/// Weights of more bits than this are refused.
pub(in crate::script) const LONGEST_WEIGHT: i64 = 1 << 13;

/// About how many operations a product of two weights takes, with the sum that it is added to.
const PRODUCT: u64 = 4;

/// The most letters that a text of dice may have.
const LONGEST: usize = 100;

/// Weights of consecutive whole numbers from `lowest` on.
struct Sums {
    lowest: i64,
    weights: Vec<BigUint>,
    /// How many products it took to make them.
    work: u64,
}

impl Sums {
    fn zero() -> Sums {
        Sums { lowest: 0, weights: vec![BigUint::one()], work: 0 }
    }

    /// The distribution of the sum with one more independent number.
    fn plus(&self, other: &Sums) -> Sums {
        let mut weights = vec![BigUint::zero(); self.weights.len() + other.weights.len() - 1];
        for (i, a) in self.weights.iter().enumerate() {
            for (j, b) in other.weights.iter().enumerate() {
                weights[i + j] += a * b;
            }
        }
        let work = (self.weights.len() * other.weights.len()) as u64;
        Sums { lowest: self.lowest + other.lowest, weights, work: work + self.work + other.work }
    }

    fn negated(mut self) -> Sums {
        self.lowest = -(self.lowest + self.weights.len() as i64 - 1);
        self.weights.reverse();
        self
    }
}

/// Reads dice as players write them: `3d6`, `2d8+1`.
pub(in crate::script) fn parse_dice(text: &str) -> Result<Dist, Fault> {
    let wrong = |why: &str| {
        let how = "write it as `3d6` or `2d8+1`";
        fail(format!("dice: `{text}` is not dice ({why}); {how}"), Position::NONE)
    };
    let compact: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    if compact.is_empty() {
        return wrong("it is empty");
    }
    if compact.len() > LONGEST {
        return wrong("it is too long");
    }
    let mut sums = Sums::zero();
    let signed = compact.replace('-', "+-");
    for term in signed.strip_prefix('+').unwrap_or(&signed).split('+') {
        let (negative, term) = (term.starts_with('-'), term.strip_prefix('-').unwrap_or(term));
        let Some(term) = parse_term(term) else {
            return wrong(&format!("`{term}` is neither dice nor a number up to {MOST}"));
        };
        if sums.weights.len() + term.weights.len() > MOST as usize {
            return wrong(&format!("it has more than {MOST} sums"));
        }
        sums = sums.plus(&if negative { term.negated() } else { term });
    }
    charge(sums.work * PRODUCT);
    make("dice", Ok((sums.lowest..).map(Value::Int).zip(sums.weights).collect()))
}

/// `3d6`, `d8` or `4`.
fn parse_term(term: &str) -> Option<Sums> {
    let number = |text: &str| text.parse::<i64>().ok().filter(|n| (0..=MOST).contains(n));
    let Some((count, sides)) = term.split_once(['d', 'D']) else {
        return Some(Sums { lowest: number(term)?, ..Sums::zero() });
    };
    let count = if count.is_empty() { 1 } else { number(count)? };
    let sides = number(sides).filter(|&sides| sides > 0)?;
    if count * sides > MOST {
        return None;
    }
    let die = Sums { lowest: 1, weights: vec![BigUint::one(); sides as usize], work: 0 };
    Some((0..count).fold(Sums::zero(), |sums, _| sums.plus(&die)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(dist: &Dist) -> Vec<u64> {
        dist.0.weights().iter().map(|weight| u64::try_from(weight).unwrap()).collect()
    }

    #[test]
    fn three_dice_have_sixteen_sums_of_216() {
        let dist = parse_dice("3d6").unwrap();
        assert_eq!(dist.0.values().len(), 16);
        assert_eq!(*dist.0.total(), BigUint::from(216u8));
        assert_eq!(weights(&dist)[..4], [1, 3, 6, 10]);
    }

    #[test]
    fn terms_add_and_subtract() {
        let dist = parse_dice("d4 - d2 + 1").unwrap();
        // d4 - d2 is -1, 0, 0, 1, 1, 2, 2, 3 in eighths; one more for the 1.
        assert_eq!(dist.0.values(), [0, 1, 2, 3, 4].map(Value::Int));
        assert_eq!(weights(&dist), [1, 2, 2, 2, 1]);
    }

    #[test]
    fn what_is_no_dice_is_said() {
        for text in ["", "3x6", "d", "2d0", "999999d6", "1d6++", "3d6 or so"] {
            let error = parse_dice(text).unwrap_err().to_string();
            assert!(error.contains("dice"), "{text}: {error}");
        }
    }
}
