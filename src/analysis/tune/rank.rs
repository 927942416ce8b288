//! Puts candidates into an order, finds those that no other is better than, and says how sure it is that
//! wishes hold.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use super::grid::Candidate;
use super::wish::Wishes;
use super::wish_value::WishValue;
use crate::analysis::portrait::holm;
use crate::number::FEW;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Measured {
    pub candidate: Candidate,
    /// How many playouts were made; 0 on the graph.
    pub n: u64,
    /// What is known of each wish.
    pub readings: Vec<WishValue>,
    /// Whether these are the numbers of dice without a last value that are cut off.
    pub cut_off: bool,
}

/// How sure it is that all wishes hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WishCertainty {
    /// They hold: that is exact, or proven.
    Sure,
    /// They hold, with an error of 5 % for all candidates together.
    Likely,
    /// There are too few playouts to decide it.
    #[serde(rename = "cannot tell")]
    Open,
    /// Some wish does not hold, with an error of 5 % for all candidates together.
    Unlikely,
    /// Some wish does not hold: that is exact, or proven.
    No,
}

/// The error of what is likely, for all candidates together.
const ERROR: f64 = 0.05;

impl Measured {
    /// Whether all wishes hold, as far as the values say.
    pub(super) fn holds(&self) -> bool {
        self.readings.iter().all(|reading| reading.holds)
    }

    /// Whether nothing of it was sampled; dice may be cut off.
    pub(super) fn is_exact(&self) -> bool {
        self.n == 0 && self.readings.iter().all(WishValue::is_settled)
    }

    fn missed(&self) -> f64 {
        self.readings.iter().map(|reading| reading.miss).sum()
    }

    /// Before others: what misses less; then what is further within the wishes that name a number to be
    /// near, then within the others; then what lays fewer house rules.
    pub(super) fn order(&self, other: &Measured, wishes: &Wishes) -> Ordering {
        let inside = |one: &Measured, nears: bool| -> f64 {
            let of = wishes.all.iter().zip(&one.readings);
            of.filter(|(wish, _)| wish.near.is_some() == nears)
                .map(|(_, reading)| reading.inside)
                .sum()
        };
        let further = |nears| inside(other, nears).total_cmp(&inside(self, nears));
        let house = |one: &Measured| one.candidate.house.len();
        (self.missed().total_cmp(&other.missed()))
            .then_with(|| further(true))
            .then_with(|| further(false))
            .then_with(|| house(self).cmp(&house(other)))
            .then_with(|| self.candidate.number.cmp(&other.candidate.number))
    }

    /// Whether it misses no wish by more than another, and some by less.
    fn dominates(&self, other: &Measured) -> bool {
        let pairs = || self.readings.iter().zip(&other.readings);
        pairs().all(|(own, its)| own.miss <= its.miss)
            && pairs().any(|(own, its)| own.miss < its.miss)
    }
}

/// Candidates in their order, and where wishes conflict those in front.
pub(super) struct Ranked {
    /// All, the best first; where wishes conflict first those on the Pareto front.
    pub all: Vec<Measured>,
    /// How many of them are on the Pareto front, where none holds all wishes and the best for one wish is
    /// not the best for another.
    pub front: Option<usize>,
}

impl Ranked {
    /// The best this many; where wishes conflict only those on the front.
    pub(super) fn first(&self, count: usize) -> &[Measured] {
        &self.all[..self.front.unwrap_or(self.all.len()).min(count)]
    }

    pub(super) fn of(mut all: Vec<Measured>, wishes: &Wishes) -> Ranked {
        all.sort_by(|one, other| one.order(other, wishes));
        if all.iter().any(Measured::holds) {
            return Ranked { all, front: None };
        }
        let is_behind = |one: &Measured| all.iter().any(|other| other.dominates(one));
        let behind: Vec<bool> = all.iter().map(is_behind).collect();
        let mut numbered = all.into_iter().zip(behind);
        let (mut front, mut rest) = (Vec::new(), Vec::new());
        numbered
            .by_ref()
            .for_each(|(one, behind)| if behind { rest.push(one) } else { front.push(one) });
        let misses = |one: &Measured| -> Vec<u64> {
            one.readings.iter().map(|reading| reading.miss.to_bits()).collect()
        };
        let conflicts = front.windows(2).any(|pair| misses(&pair[0]) != misses(&pair[1]));
        let count = front.len();
        let mut ranked = Ranked { all: front, front: conflicts.then_some(count) };
        ranked.all.append(&mut rest);
        if !conflicts {
            ranked.all.sort_by(|one, other| one.order(other, wishes));
        }
        ranked
    }
}

/// How sure it is of each of these that all wishes hold; beside it the probability of numbers as good as
/// these if one did not, where it was sampled.
///
/// That all wishes hold is tested at once, as the union of the tests of each (Berger, Technometrics 24,
/// 1982), so no wish is corrected for the others; that some wish fails is corrected for their number
/// (Bonferroni). Of candidates there may be `all`, of which each but these counts as one that failed its
/// test: corrected by Holm (Scandinavian Journal of Statistics 6, 1979).
pub(super) fn certainties(
    shown: &[Measured],
    wishes: &Wishes,
    all: u64,
) -> Vec<(WishCertainty, Option<f64>)> {
    let doubts = |one: &Measured| {
        // Of so few playouts the normal approximation says nothing.
        if (1..FEW).contains(&one.n) && !one.readings.iter().all(|reading| reading.is_proven()) {
            return (1.0, 1.0);
        }
        let doubts =
            one.readings.iter().zip(&wishes.all).map(|(reading, wish)| reading.doubts(wish));
        let (against, for_it): (Vec<f64>, Vec<f64>) = doubts.unzip();
        let most = against.into_iter().fold(0.0, f64::max);
        let least = for_it.into_iter().fold(1.0, f64::min);
        (most, (least * wishes.all.len() as f64).min(1.0))
    };
    let doubts: Vec<(f64, f64)> = shown.iter().map(doubts).collect();
    let good = holm(&doubts.iter().map(|(good, _)| *good).collect::<Vec<_>>(), all);
    let bad = holm(&doubts.iter().map(|(_, bad)| *bad).collect::<Vec<_>>(), all);
    let row = |(at, one): (usize, &Measured)| {
        let proven = one.readings.iter().all(|reading| reading.is_proven());
        let misses =
            |reading: &WishValue, wish| reading.is_proven() && reading.doubts(wish).1 == 0.0;
        let no = one.readings.iter().zip(&wishes.all).any(|(reading, wish)| misses(reading, wish));
        match doubts[at] {
            _ if no => (WishCertainty::No, None),
            (good, _) if proven && good == 0.0 => (WishCertainty::Sure, None),
            _ if proven => (WishCertainty::Open, None),
            _ if good[at] <= ERROR => (WishCertainty::Likely, Some(good[at])),
            _ if bad[at] <= ERROR => (WishCertainty::Unlikely, Some(good[at])),
            _ => (WishCertainty::Open, Some(good[at])),
        }
    };
    shown.iter().enumerate().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::portrait::MeasureSelection;
    use crate::analysis::tune::wish_value::tests::wish;
    use crate::number::Quantity;

    #[test]
    fn a_few_playouts_show_nothing() {
        // `a <= 20`: playouts that all have 19, or all 21, are without spread, so they would be as sure
        // as can be; but below 30 of them nothing is said.
        let wishes = Wishes { all: vec![wish("a <= 20")], wanted: MeasureSelection::default() };
        let row = |value: f64, n: u64| {
            let candidate = Candidate { number: 1, values: Default::default(), house: Vec::new() };
            let quantity = Quantity::sampled(n, value, (value, value));
            let reading = WishValue { quantity, below: 0.0, ..WishValue::unknown() };
            let one = Measured { candidate, n, readings: vec![reading], cut_off: false };
            certainties(&[one], &wishes, 1)[0]
        };
        assert_eq!(row(19.0, 29), (WishCertainty::Open, Some(1.0)));
        assert_eq!(row(21.0, 29), (WishCertainty::Open, Some(1.0)));
        assert_eq!(row(19.0, 30), (WishCertainty::Likely, Some(0.0)));
        assert_eq!(row(21.0, 30), (WishCertainty::Unlikely, Some(1.0)));
    }
}
