//! Does one side always lose in proportion to what the other wins? Then they play a game of matrices.

use num_traits::{Signed, Zero};

use crate::analysis::{Fraction, simplest_between};

/// Sums of utilities that are floats are the same if they differ by no more than this part of the
/// greatest utility: floats are rounded where rules add them up.
pub const TOLERANCE: f64 = 1e-12;

/// How far sums may be apart that are to be the same: not at all where all utilities are exact.
pub fn slack(worth: &[Vec<Fraction>], floats: bool) -> Fraction {
    let size = worth.iter().flatten().map(Signed::abs).max().unwrap_or_default();
    match Fraction::from_float(TOLERANCE) {
        Some(tolerance) if floats => tolerance * size,
        _ => Fraction::zero(),
    }
}

/// What numbers all are that are no further apart than the slack: the simplest fraction among them.
pub fn same(numbers: impl Iterator<Item = Fraction> + Clone, slack: &Fraction) -> Option<Fraction> {
    let (low, high) = (numbers.clone().min()?, numbers.max()?);
    (&high - &low <= *slack).then(|| simplest_between(&(high - slack), &(low + slack)))
}

/// What one of two sides wins the other loses, if not at par: the second gets `most` less `rate` times
/// what the first gets, at all ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Opposed {
    /// What the second side gets where the first gets nothing.
    pub most: Fraction,
    /// How much the second loses for each that the first wins; more than 0.
    pub rate: Fraction,
}

impl Opposed {
    /// How the first two utilities hang together, if the second falls as the first grows, always alike
    /// but for so much.
    pub fn of(worth: &[Vec<Fraction>], slack: &Fraction) -> Option<Opposed> {
        let least = worth.iter().min_by_key(|worth| &worth[0])?;
        let most = worth.iter().max_by_key(|worth| &worth[0])?;
        let apart = &most[0] - &least[0];
        let rate = match apart.is_zero() {
            false => {
                let (rate, off) = ((&least[1] - &most[1]) / &apart, slack / &apart);
                simplest_between(&(&rate - &off), &(&rate + &off))
            }
            // Where the first always gets the same, so must the second.
            true => Fraction::from_integer(1.into()),
        };
        let sums = worth.iter().map(|worth| &worth[1] + &rate * &worth[0]);
        let most = same(sums, &(slack * Fraction::from_integer(4.into())))?;
        (rate > Fraction::zero()).then_some(Opposed { most, rate })
    }
}
