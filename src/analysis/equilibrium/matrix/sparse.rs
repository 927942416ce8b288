//! Linear equations solved in fractions, however long these grow: modulo a prime, then digit by digit.
//!
//! The equations are eliminated modulo a prime of one machine word; the solution is then lifted to a
//! power of the prime (Dixon, Numerische Mathematik 40, 1982) until its fractions can be read off, and
//! these are proven on the equations.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

use crate::analysis::Fraction;

/// A Mersenne prime.
const PRIME: u64 = (1 << 61) - 1;
/// No more unknowns than this: elimination takes up to the third power of their number.
pub(super) const UNKNOWNS: usize = 3_000;
const EQUATIONS: usize = 2 * UNKNOWNS;
/// No more digits than this, in base [`PRIME`].
const DIGITS: usize = 1 << 12;

/// Why equations have no solution here that is proven in fractions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Short {
    /// Somebody wanted it to stop.
    #[error("interrupted")]
    Stopped,
    /// Too many unknowns.
    #[error("the equations of a best strategy have {0} unknowns, more than {UNKNOWNS}")]
    Unknowns(usize),
    /// Too many equations.
    #[error("a best strategy has {0} equations, more than {EQUATIONS}")]
    Equations(usize),
    /// What unknowns were left free was rounded to this many parts of one, and none of that fits.
    #[error(
        "no best strategy is proven exactly: weights that are free were rounded, at the finest to steps of 1/{0}"
    )]
    Rounded(u32),
}

/// Equations that may leave unknowns free, or say things twice.
pub(crate) struct Equations {
    /// About what the first unknowns are; where equations leave them free, they are that. All
    /// further ones are solved for before them.
    near: Vec<f64>,
    unknowns: usize,
    rows: Vec<Equation>,
}

/// Factors of unknowns, and what they sum to.
struct Equation {
    cells: Vec<(usize, BigInt)>,
    sum: BigInt,
}

/// Equations, eliminated.
pub(crate) struct Eliminated<'a> {
    equations: &'a Equations,
    /// The unknown of each column, the first solved for first.
    columns: Vec<usize>,
    pivots: Vec<Pivot>,
}

struct Pivot {
    row: usize,
    column: usize,
    /// One over its number.
    inverse: u64,
    /// What was subtracted of earlier pivots, by their numbers.
    earlier: Vec<(usize, u64)>,
    /// What is left in its row of later columns.
    later: Vec<(usize, u64)>,
}

impl Equations {
    /// No equations yet, of this many unknowns; about what the first of them are.
    pub(crate) fn new(near: Vec<f64>, unknowns: usize) -> Equations {
        Equations { near, unknowns, rows: Vec::new() }
    }

    /// Adds an equation: factors of unknowns, each named once, and what they sum to.
    pub(crate) fn push(&mut self, cells: Vec<(usize, Fraction)>, sum: Fraction) {
        let all = cells.iter().map(|(_, cell)| cell).chain([&sum]);
        let common = all.fold(BigInt::one(), |common, cell| common.lcm(cell.denom()));
        let whole = |cell: &Fraction| cell.numer() * (&common / cell.denom());
        let cells = cells.iter().filter(|(_, cell)| !cell.is_zero());
        let cells = cells.map(|(unknown, cell)| (*unknown, whole(cell))).collect();
        self.rows.push(Equation { cells, sum: whole(&sum) });
    }

    /// Eliminates.
    pub(crate) fn eliminated(
        &self,
        may_continue: &dyn Fn() -> bool,
    ) -> Result<Eliminated<'_>, Short> {
        let mut named = vec![false; self.unknowns];
        self.rows.iter().flat_map(|row| &row.cells).for_each(|(unknown, _)| named[*unknown] = true);
        let mut columns: Vec<usize> = (0..self.unknowns).filter(|&at| named[at]).collect();
        // What is left free is the least, and takes what rounding it costs from the greater.
        let weight = |at: usize| self.near.get(at).copied().unwrap_or(f64::INFINITY);
        columns.sort_by(|&a, &b| weight(b).total_cmp(&weight(a)));
        if columns.len() > UNKNOWNS {
            return Err(Short::Unknowns(columns.len()));
        }
        if self.rows.len() > EQUATIONS {
            return Err(Short::Equations(self.rows.len()));
        }
        let mut places = vec![0; self.unknowns];
        columns.iter().enumerate().for_each(|(place, &unknown)| places[unknown] = place);
        let line = |row: &Equation| {
            let mut line = vec![0; columns.len()];
            row.cells.iter().for_each(|(unknown, cell)| line[places[*unknown]] = modulo(cell));
            line
        };
        let mut lines: Vec<Vec<u64>> = self.rows.iter().map(line).collect();
        let mut earlier: Vec<Vec<(usize, u64)>> = vec![Vec::new(); lines.len()];
        let mut open: Vec<usize> = (0..lines.len()).collect();
        let mut pivots: Vec<Pivot> = Vec::new();
        for column in 0..columns.len() {
            if !may_continue() {
                return Err(Short::Stopped);
            }
            let filled =
                |row: usize| lines[row][column..].iter().filter(|cell| **cell != 0).count();
            let candidates = (0..open.len()).filter(|&at| lines[open[at]][column] != 0);
            let Some(at) = candidates.min_by_key(|&at| filled(open[at])) else { continue };
            let row = open.swap_remove(at);
            let line = std::mem::take(&mut lines[row]);
            let inverse = power(line[column], PRIME - 2);
            let rest = line.iter().enumerate().skip(column + 1).filter(|(_, cell)| **cell != 0);
            let later: Vec<(usize, u64)> = rest.map(|(at, cell)| (at, *cell)).collect();
            for &other in &open {
                let factor = times(lines[other][column], inverse);
                if factor == 0 {
                    continue;
                }
                for &(at, cell) in &later {
                    lines[other][at] = minus(lines[other][at], times(factor, cell));
                }
                lines[other][column] = 0;
                earlier[other].push((pivots.len(), factor));
            }
            let earlier = std::mem::take(&mut earlier[row]);
            pivots.push(Pivot { row, column, inverse, earlier, later });
        }
        Ok(Eliminated { equations: self, columns, pivots })
    }
}

impl Eliminated<'_> {
    /// A solution in which the unknowns that are left free are rounded to this many parts of one;
    /// nothing where none is found, or somebody wants it to stop. Equations that say what others
    /// said before are not looked at again.
    pub(crate) fn near(
        &self,
        parts: u32,
        may_continue: &dyn Fn() -> bool,
    ) -> Option<Vec<Fraction>> {
        let Equations { near, unknowns, rows } = self.equations;
        let parts = BigInt::from(parts);
        let mut solution = vec![BigInt::zero(); *unknowns];
        for (unknown, near) in near.iter().enumerate() {
            let rounded = (near * parts.to_f64()?).round();
            solution[unknown] = BigInt::from(rounded.to_i64()?);
        }
        // The number of the pivot by which each unknown is solved for.
        let mut solved = vec![usize::MAX; *unknowns];
        for (number, pivot) in self.pivots.iter().enumerate() {
            solved[self.columns[pivot.column]] = number;
        }
        let mut sums = Vec::with_capacity(self.pivots.len());
        let mut cells = Vec::with_capacity(self.pivots.len());
        for pivot in &self.pivots {
            let Equation { cells: all, sum } = &rows[pivot.row];
            let (bound, free): (Vec<_>, Vec<_>) =
                all.iter().partition(|(unknown, _)| solved[*unknown] != usize::MAX);
            let free = free.iter().map(|(unknown, cell)| cell * &solution[*unknown]);
            sums.push(sum * &parts - free.sum::<BigInt>());
            let bound = bound.iter().map(|(unknown, cell)| (solved[*unknown], cell));
            cells.push(bound.collect::<Vec<(usize, &BigInt)>>());
        }
        let (found, below) = self.lifted(&cells, &sums, may_continue)?;
        let mut all: Vec<Fraction> =
            solution.into_iter().map(|part| Fraction::new(part, parts.clone())).collect();
        for (unknown, number) in solved.iter().enumerate().filter(|(_, at)| **at != usize::MAX) {
            all[unknown] = Fraction::new(found[*number].clone(), &below * &parts);
        }
        Some(all)
    }

    /// The numerators of the solution of the pivots' equations, and their common denominator.
    fn lifted(
        &self,
        cells: &[Vec<(usize, &BigInt)>],
        sums: &[BigInt],
        may_continue: &dyn Fn() -> bool,
    ) -> Option<(Vec<BigInt>, BigInt)> {
        let prime = BigInt::from(PRIME);
        let mut left = sums.to_vec();
        let mut digits = vec![BigInt::zero(); sums.len()];
        let mut modulus = BigInt::one();
        let mut look = 2;
        for count in 1..=DIGITS {
            if !may_continue() {
                return None;
            }
            let next = self.solved(&left.iter().map(modulo).collect::<Vec<u64>>());
            for (left, cells) in left.iter_mut().zip(cells) {
                for (number, cell) in cells {
                    *left -= *cell * next[*number];
                }
                *left /= &prime;
            }
            for (digits, next) in digits.iter_mut().zip(&next) {
                *digits += &modulus * *next;
            }
            modulus *= &prime;
            let done = left.iter().all(Zero::is_zero);
            if count < look && !done {
                continue;
            }
            look = count + count / 2 + 1;
            let Some((found, below)) = fractions(&digits, &modulus) else { continue };
            let holds = cells.iter().zip(sums).all(|(cells, sum)| {
                let given: BigInt =
                    cells.iter().map(|(number, cell)| *cell * &found[*number]).sum();
                given == sum * &below
            });
            if holds {
                return Some((found, below));
            }
        }
        None
    }

    /// The solution of the pivots' equations modulo the prime.
    fn solved(&self, sums: &[u64]) -> Vec<u64> {
        let mut values = sums.to_vec();
        for (number, pivot) in self.pivots.iter().enumerate() {
            let earlier = pivot.earlier.iter();
            values[number] = earlier.fold(values[number], |value, (at, factor)| {
                minus(value, times(values[*at], *factor))
            });
        }
        let mut of_columns = vec![0; self.columns.len()];
        for (number, pivot) in self.pivots.iter().enumerate().rev() {
            let later = pivot.later.iter();
            let left = later.fold(values[number], |value, (column, cell)| {
                minus(value, times(of_columns[*column], *cell))
            });
            values[number] = times(left, pivot.inverse);
            of_columns[pivot.column] = values[number];
        }
        values
    }
}

/// Fractions with one denominator that are these numbers by the modulus, if there are short ones
/// (Wang, Guy and Davenport, SIGSAM Bulletin 16, 1982).
fn fractions(numbers: &[BigInt], modulus: &BigInt) -> Option<(Vec<BigInt>, BigInt)> {
    let bound = (modulus / BigInt::from(2)).sqrt();
    let mut below = BigInt::one();
    let nearest = |number: &BigInt, below: &BigInt| {
        let least = (number * below).mod_floor(modulus);
        if &least * 2 > *modulus { least - modulus } else { least }
    };
    for number in numbers {
        let part = nearest(number, &below);
        if part.abs() <= bound {
            continue;
        }
        let (mut before, mut last) = (modulus.clone(), part.mod_floor(modulus));
        let (mut factor_before, mut factor) = (BigInt::zero(), BigInt::one());
        while last > bound {
            let (times, rest) = before.div_rem(&last);
            before = std::mem::replace(&mut last, rest);
            let next = &factor_before - times * &factor;
            factor_before = std::mem::replace(&mut factor, next);
        }
        if factor.is_zero() {
            return None;
        }
        below *= factor.abs();
        if below > bound {
            return None;
        }
    }
    let all: Vec<BigInt> = numbers.iter().map(|number| nearest(number, &below)).collect();
    all.iter().all(|part| part.abs() <= bound).then_some((all, below))
}

fn modulo(number: &BigInt) -> u64 {
    number.mod_floor(&BigInt::from(PRIME)).to_u64().unwrap_or_default()
}

#[inline]
fn times(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    let sum = (product as u64 & PRIME) + (product >> 61) as u64;
    if sum >= PRIME { sum - PRIME } else { sum }
}

#[inline]
fn minus(a: u64, b: u64) -> u64 {
    if a >= b { a - b } else { a + PRIME - b }
}

fn power(mut base: u64, mut exponent: u64) -> u64 {
    let mut result = 1;
    while exponent > 0 {
        if exponent % 2 == 1 {
            result = times(result, base);
        }
        base = times(base, base);
        exponent /= 2;
    }
    result
}
