//! Does one side always lose in proportion to what the other wins? Then they play a game of matrices.

use crate::analysis::Fraction;

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
    /// How the first two utilities hang together, if the second falls as the first grows, always alike.
    pub fn of(worth: &[Vec<Fraction>]) -> Option<Opposed> {
        let first = worth.first()?;
        let (own, other) = (&first[0], &first[1]);
        let rate = match worth.iter().find(|worth| worth[0] != *own) {
            Some(worth) => (other - &worth[1]) / (&worth[0] - own),
            // Where the first always gets the same, so must the second.
            None => Fraction::from_integer(1.into()),
        };
        let most = other + &rate * own;
        let fits = |worth: &Vec<Fraction>| worth[1] == &most - &rate * &worth[0];
        (rate > Fraction::default() && worth.iter().all(fits)).then_some(Opposed { most, rate })
    }
}
