//! Whether one side always loses in proportion to what the other wins, so that a matrix game fits.

use num_traits::{Signed, Zero};

use crate::number::{Fraction, simplest_between};

/// Sums of utilities that are floats are the same if they differ by no more than this part of the
/// greatest utility: floats are rounded where rules add them up.
pub(crate) const TOLERANCE: f64 = 1e-12;

/// The greatest difference between sums that count as equal: 0 if all utilities are exact.
pub(crate) fn slack(worth: &[Vec<Fraction>], floats: bool) -> Fraction {
    let size = worth.iter().flatten().map(Signed::abs).max().unwrap_or_default();
    match Fraction::from_float(TOLERANCE) {
        Some(tolerance) if floats => tolerance * size,
        _ => Fraction::zero(),
    }
}

/// The common value of numbers that are no further apart than the slack: the simplest fraction
/// among them.
pub(crate) fn same(
    numbers: impl Iterator<Item = Fraction> + Clone,
    slack: &Fraction,
) -> Option<Fraction> {
    let (low, high) = (numbers.clone().min()?, numbers.max()?);
    (&high - &low <= *slack).then(|| simplest_between(&(high - slack), &(low + slack)))
}

/// One of two sides wins what the other loses, if not at par: the second gets `most` less `rate`
/// times the utility of the first, at all ends.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Opposed {
    /// The utility of the second side if the first gets nothing.
    pub most: Fraction,
    /// The loss of the second for each that the first wins; more than 0.
    pub rate: Fraction,
}

impl Opposed {
    /// The relation between the first two utilities, if the second falls in proportion as the first
    /// grows, within the slack.
    pub(crate) fn of(worth: &[Vec<Fraction>], slack: &Fraction) -> Option<Opposed> {
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
