//! `Exact`: exact fractions whose denominators keep small primes apart, so that sums and products stay cheap.

use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};

use super::{Amount, Fraction, Quantity, about};

/// The primes of dice and of decks of cards up to 64.
const PRIMES: [u32; 18] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61];

/// The exponent of each of [`PRIMES`] in a number.
type Powers = [u32; PRIMES.len()];
const NONE: Powers = [0; PRIMES.len()];

/// An exact fraction of 0 or more.
///
/// Fractions are slow because each sum and product needs a greatest common divisor. But the
/// denominators of dice and cards have small primes only, so here the denominator is kept as powers
/// of small primes times a rest, which is nearly always 1. Common denominators are then found by
/// comparing powers, and a divisor is looked for between rests alone, and only if neither divides
/// the other. Factors shared with the numerator are left until [`Amount::settle`].
#[derive(Clone, Debug)]
pub struct Exact {
    numerator: BigUint,
    /// The small primes of the denominator.
    powers: Powers,
    /// The rest of the denominator, without the small primes.
    rest: BigUint,
    /// Whether the rest may share something with the numerator.
    unsettled: bool,
}

impl Exact {
    /// The fraction in lowest terms.
    pub(crate) fn to_fraction(&self) -> Fraction {
        let mut settled = self.clone();
        settled.settle();
        let whole = times(settled.rest, &settled.powers);
        Fraction::new_raw(settled.numerator.into(), whole.into())
    }

    /// `part / whole`, unsettled.
    fn over(part: BigUint, whole: BigUint) -> Exact {
        if part.is_zero() {
            return Exact::zero();
        }
        let (powers, rest) = factored(whole);
        Exact { numerator: part, powers, rest, unsettled: true }
    }

    /// Cancels the factors that the numerator shares with the rest, or with that divisor of the
    /// rest.
    fn cancel(&mut self, divisor: Option<&BigUint>) {
        let shared = gcd(&self.numerator, divisor.unwrap_or(&self.rest));
        if !shared.is_one() {
            self.numerator /= &shared;
            self.rest /= &shared;
        }
    }
}

impl Amount for Exact {
    const CYCLE: usize = 120;

    fn zero() -> Exact {
        Exact { numerator: BigUint::ZERO, powers: NONE, rest: BigUint::one(), unsettled: false }
    }

    fn one() -> Exact {
        Exact { numerator: BigUint::one(), powers: NONE, rest: BigUint::one(), unsettled: false }
    }

    fn ratio(part: &BigUint, whole: &BigUint) -> Exact {
        let mut fraction = Exact::over(part.clone(), whole.clone());
        fraction.settle();
        fraction
    }

    fn add_assign(&mut self, other: &Exact) {
        if other.is_zero() {
            return;
        }
        if self.is_zero() {
            self.clone_from(other);
            return;
        }
        // Both get the common denominator of their small primes …
        let mut lacking = NONE;
        let mut others = NONE;
        for i in 0..PRIMES.len() {
            let (own, its) = (self.powers[i], other.powers[i]);
            lacking[i] = its.saturating_sub(own);
            others[i] = own.saturating_sub(its);
            self.powers[i] = own.max(its);
        }
        let own = std::mem::take(&mut self.numerator);
        self.numerator = times(own, &lacking);
        let addend = times(other.numerator.clone(), &others);
        // … and then of their rests.
        self.unsettled |= other.unsettled;
        if self.rest == other.rest {
            self.unsettled |= !self.rest.is_one();
            self.numerator += addend;
        } else if let Some(factor) = divided(&other.rest, &self.rest) {
            self.unsettled |= !self.rest.is_one();
            self.numerator = &self.numerator * factor + addend;
            self.rest.clone_from(&other.rest);
        } else if let Some(factor) = divided(&self.rest, &other.rest) {
            self.unsettled |= !other.rest.is_one();
            self.numerator += addend * factor;
        } else {
            // Only what the rests share can cancel against the sum of settled fractions
            // (Knuth, The Art of Computer Programming, volume 2, section 4.5.1).
            let shared = gcd(&self.rest, &other.rest);
            let factor = &other.rest / &shared;
            self.numerator = &self.numerator * &factor + addend * (&self.rest / &shared);
            self.rest *= factor;
            self.cancel(Some(&shared));
        }
    }

    fn mul(&self, other: &Exact) -> Exact {
        if self.is_zero() || other.is_zero() {
            return Exact::zero();
        }
        let mut powers = self.powers;
        powers.iter_mut().zip(other.powers).for_each(|(own, its)| *own += its);
        // A settled numerator shares nothing with its own rest, perhaps something with the other's.
        let (first, second_rest) = lowest(&self.numerator, &other.rest);
        let (second, first_rest) = lowest(&other.numerator, &self.rest);
        let unsettled = self.unsettled || other.unsettled;
        Exact { numerator: first * second, powers, rest: first_rest * second_rest, unsettled }
    }

    fn div(&self, other: &Exact) -> Exact {
        let (powers, rest) = factored(other.numerator.clone());
        // The inverse has the divisor's numerator below; its small primes above are multiplied in.
        let above = times(other.rest.clone(), &other.powers);
        let mut quotient =
            self.mul(&Exact { numerator: above, powers, rest, unsettled: other.unsettled });
        quotient.settle();
        quotient
    }

    fn is_zero(&self) -> bool {
        self.numerator.is_zero()
    }

    fn about(&self) -> f64 {
        about(&self.to_fraction())
    }

    fn quantity(&self) -> Quantity {
        Quantity::exact(self.to_fraction())
    }

    fn settle(&mut self) {
        if std::mem::take(&mut self.unsettled) {
            self.cancel(None);
        }
        let two = self.numerator.trailing_zeros().unwrap_or(0).min(u64::from(self.powers[0]));
        self.numerator >>= two;
        self.powers[0] -= u32::try_from(two).unwrap_or(u32::MAX);
        for (prime, power) in PRIMES.iter().zip(&mut self.powers).skip(1) {
            *power -= divide_out(&mut self.numerator, *prime, *power);
        }
    }
}

impl PartialEq for Exact {
    fn eq(&self, other: &Exact) -> bool {
        self.to_fraction() == other.to_fraction()
    }
}

/// The powers of the small primes in a positive number, and the remaining factor.
fn factored(mut number: BigUint) -> (Powers, BigUint) {
    let mut powers = NONE;
    let two = number.trailing_zeros().unwrap_or(0);
    number >>= two;
    powers[0] = u32::try_from(two).unwrap_or(u32::MAX);
    for (prime, power) in PRIMES.iter().zip(&mut powers).skip(1) {
        if number.is_one() {
            break;
        }
        *power = divide_out(&mut number, *prime, u32::MAX);
    }
    (powers, number)
}

/// Divides by a prime as often as possible, at most `most` times; returns how many times.
fn divide_out(number: &mut BigUint, prime: u32, most: u32) -> u32 {
    let mut times = 0;
    if let Some(mut small) = number.to_u64() {
        while times < most && small != 0 && small % u64::from(prime) == 0 {
            small /= u64::from(prime);
            times += 1;
        }
        if times > 0 {
            *number = small.into();
        }
        return times;
    }
    while times < most {
        let (quotient, left) = number.div_rem(&prime.into());
        if !left.is_zero() {
            break;
        }
        *number = quotient;
        times += 1;
    }
    times
}

fn times(mut number: BigUint, powers: &Powers) -> BigUint {
    let mut small: u64 = 1;
    for (prime, power) in PRIMES.iter().zip(powers).skip(1).filter(|(_, power)| **power > 0) {
        let factor = u64::from(*prime).checked_pow(*power);
        match factor.and_then(|factor| small.checked_mul(factor)) {
            Some(product) => small = product,
            None => number *= BigUint::from(*prime).pow(*power),
        }
    }
    if small != 1 {
        number *= small;
    }
    if powers[0] > 0 {
        number <<= powers[0];
    }
    number
}

/// The quotient of two numbers, if it is whole.
fn divided(number: &BigUint, by: &BigUint) -> Option<BigUint> {
    if by.is_one() {
        return Some(number.clone());
    }
    if by.bits() > number.bits() {
        return None;
    }
    let (quotient, left) = number.div_rem(by);
    left.is_zero().then_some(quotient)
}

/// Two numbers without their common factors.
fn lowest(number: &BigUint, rest: &BigUint) -> (BigUint, BigUint) {
    if rest.is_one() || number.is_one() {
        return (number.clone(), rest.clone());
    }
    let shared = gcd(number, rest);
    (number / &shared, rest / &shared)
}

/// The greatest common divisor of two positive numbers.
fn gcd(a: &BigUint, b: &BigUint) -> BigUint {
    if a.is_one() || b.is_one() {
        return BigUint::one();
    }
    if let (Some(a), Some(b)) = (a.to_u64(), b.to_u64()) {
        return a.gcd(&b).into();
    }
    // Where one number is much longer, one division shortens it at once.
    match a.bits().abs_diff(b.bits()) > 64 {
        true if a > b => (a % b).gcd(b),
        true => (b % a).gcd(a),
        false => a.gcd(b),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(part: u64, whole: u64) -> (Exact, Fraction) {
        let (part, whole): (BigUint, BigUint) = (part.into(), whole.into());
        (Exact::ratio(&part, &whole), Fraction::new(part.into(), whole.into()))
    }

    #[test]
    fn fractions_come_out_in_lowest_terms() {
        // 1/6 + 1/3 = 1/2; 1/67 + 1/134 = 3/134, whose denominator is a prime above 64 twice over.
        let mut sum = of(1, 6).0;
        sum.add_assign(&of(1, 3).0);
        assert_eq!(sum.to_fraction().to_string(), "1/2");
        let mut sum = of(1, 67).0;
        sum.add_assign(&of(1, 134).0);
        assert_eq!(sum.to_fraction().to_string(), "3/134");
        assert_eq!(of(67 * 9, 134 * 3).0.to_fraction().to_string(), "3/2");
        assert_eq!(of(0, 5).0, Exact::zero());
        assert_eq!(of(7, 7).0, Exact::one());
    }

    proptest! {
        #[test]
        fn sums_products_and_quotients_are_those_of_plain_fractions(
            start in (0u64.., 1u64..),
            steps in prop::collection::vec((0u8..3, 1u64..1000, 1u64..), 0..12),
        ) {
            let (mut exact, mut plain) = of(start.0, start.1);
            for (operation, part, whole) in steps {
                // Some denominators are made of dice, some of anything.
                let whole = if whole % 2 == 0 { 6u64.pow((whole % 20) as u32) } else { whole };
                let (by, plain_by) = of(part, whole);
                match operation {
                    0 => { exact.add_assign(&by); plain += plain_by }
                    1 => { exact = exact.mul(&by); plain *= plain_by }
                    _ => { exact = exact.div(&by); plain /= plain_by }
                }
                prop_assert_eq!(&exact.to_fraction(), &plain);
            }
        }
    }
}
