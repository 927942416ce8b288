//! The differences of two portraits, measure by measure.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::certainty::{Certainty, Tested, p_value, sign_test};
use crate::analysis::Chances;
use crate::analysis::portrait::portrait_measure::Measure;
use crate::analysis::portrait::{Portrait, RESULT, place};
use crate::number::{FEW, Interval, Quantity, difference, p_value_between, tallied};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeasureChange {
    pub name: String,
    /// What it counts, or what 1 of it is.
    pub unit: String,
    /// The value as the rules are.
    pub base: f64,
    /// The value under the changed rules.
    pub house: f64,
    /// Changed less base.
    #[serde(flatten, with = "difference")]
    pub difference: Quantity,
    #[serde(flatten)]
    pub tested: Tested,
    /// How large the change is beside others: of shares the difference, else the difference over the
    /// larger value or, where that is more, over the deviation.
    pub size: f64,
}

/// What a seat can expect, by its name.
pub(crate) const UTILITY: &str = "fairness.utility.";

/// The differences of all measures that both sides have, in their order; what no end of a side has is 0 there.
pub(super) fn between(base: &Portrait, house: &Portrait) -> Vec<MeasureChange> {
    let mut pairs: BTreeMap<(usize, String), (Measure, Measure)> = BTreeMap::new();
    for measure in base.measures.iter().chain(&house.measures) {
        let name = &measure.name;
        if let (Some(first), Some(second)) = (found(base, measure), found(house, measure)) {
            pairs.insert((place(measure), name.clone()), (first, second));
        }
    }
    let scale = deviation(base).max(deviation(house));
    let change = |(first, second): (Measure, Measure)| {
        // Where no roll moves anything on either side there is no luck to compare; so with choices.
        let none = |one: &Measure| one.group() == "luck" && one.quantity.value == 0.0;
        if none(&first) && none(&second) {
            return None;
        }
        let (quantity, tested) = subtracted((&second, house), (&first, base))?;
        Some(MeasureChange {
            name: first.name.clone(),
            unit: first.unit.clone(),
            base: first.quantity.value,
            house: second.quantity.value,
            tested,
            size: size(&first, &second, quantity.value, scale),
            difference: quantity,
        })
    };
    pairs.into_values().filter_map(change).collect()
}

/// The differences of the odds of two sides, by the names of their measures; `tested` are those from playouts.
pub(crate) fn of_odds(
    [base, house, difference]: [&Chances; 3],
    tested: &BTreeMap<String, Tested>,
) -> Vec<MeasureChange> {
    let change = |name: String, sides: [Option<&Quantity>; 2], difference: &Quantity| {
        let [base, house] = sides.map(|side| side.map_or(0.0, |number| number.value));
        let surely = || proven(difference.clone(), base.abs().max(house.abs())).1;
        let tested = tested.get(&name).copied().unwrap_or_else(surely);
        let measure = |value: f64| Measure::new(&name, &Quantity::from(value));
        let size = size(&measure(base), &measure(house), difference.value, 0.0);
        let unit = measure(base).unit;
        let Interval { low, high } = difference.bounds();
        let difference = Quantity { low, high, ..difference.clone() };
        MeasureChange { unit, base, house, difference, tested, size, name }
    };
    let results = difference.results.iter().map(|(name, number)| {
        let sides = [base, house].map(|side| side.results.get(name));
        change(format!("{RESULT}.{name}"), sides, number)
    });
    let utility = difference.utility.iter().map(|(player, number)| {
        let sides = [base, house].map(|side| side.utility.get(player));
        change(format!("{UTILITY}{player}"), sides, number)
    });
    results.chain(utility).collect()
}

fn found(portrait: &Portrait, measure: &Measure) -> Option<Measure> {
    let name = &measure.name;
    let none = || portrait.is_without(name).then(|| Measure::new(name, &Quantity::zero()));
    portrait.measure(name).cloned().or_else(none)
}

/// How far utilities are apart: the largest deviation of a seat's.
fn deviation(portrait: &Portrait) -> f64 {
    let utilities = portrait.measures.iter().filter(|one| one.name.starts_with(UTILITY));
    let deviations = utilities.filter_map(|one| Some(one.spread.as_ref()?.deviation));
    deviations.fold(0.0, f64::max)
}

fn size(first: &Measure, second: &Measure, difference: f64, scale: f64) -> f64 {
    let spread = |measure: &Measure| measure.spread.as_ref().map_or(0.0, |one| one.deviation);
    let mut whole = first.quantity.value.abs().max(second.quantity.value.abs());
    whole = whole.max(spread(first)).max(spread(second));
    if first.unit == "utility" {
        whole = whole.max(scale);
    }
    match first.unit.as_str() {
        "share" => difference.abs(),
        _ if whole > 0.0 => (difference / whole).abs(),
        _ => 0.0,
    }
}

/// What one of several changes does without the others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Alone {
    /// The change: the house rule or the parameter.
    pub change: String,
    pub measures: Vec<MeasureChange>,
}

pub(super) fn alone(base: &Portrait, changes: &[String], each: &[Portrait]) -> Vec<Alone> {
    let one = |(change, portrait): (&String, &Portrait)| Alone {
        change: change.clone(),
        measures: between(base, portrait),
    };
    changes.iter().zip(each).map(one).collect()
}

/// Values are those of a mean that is no further from theirs, in relation to it.
const NEAR: f64 = 1e-6;
/// Proven numbers that are closer are the same but for rounding.
const ROUNDING: f64 = 1e-9;

/// A measure as far as it is known: its interval, and its value in each playout where it is a mean of them.
fn known(measure: &Measure) -> Option<Measure> {
    let quantity = measure.quantity.clone();
    let width = quantity.high - quantity.low;
    if !width.is_finite() && !quantity.is_unvaried() {
        return None;
    }
    if !quantity.is_sampled() {
        return Some(Measure { values: None, ..measure.clone() });
    }
    // What is a mean over several seatings is not that of one.
    let mean = |all: &[f64]| all.iter().sum::<f64>() / all.len().max(1) as f64;
    let near = NEAR * quantity.value.abs().max(1.0);
    let values = measure.values.clone();
    let values = values.filter(|all| (mean(all) - quantity.value).abs() <= near);
    let (low, high) = measure.reach();
    Some(Measure { quantity: Quantity { low, high, ..quantity }, values, ..measure.clone() })
}

/// The value in each of the first this many playouts, where it is known.
fn values(known: &Measure, n: usize) -> Option<Cow<'_, [f64]>> {
    match &known.values {
        Some(values) => values.get(..n).map(Cow::Borrowed),
        None => {
            let Interval { low, high } = known.quantity.bounds();
            (high - low <= ROUNDING).then(|| Cow::Owned(vec![low; n]))
        }
    }
}

/// A measure of one portrait less that of another, and what is known of it, from playouts before their tests are corrected
/// for others. Nothing where one lacks it.
fn subtracted(
    (second, house): (&Measure, &Portrait),
    (first, base): (&Measure, &Portrait),
) -> Option<(Quantity, Tested)> {
    let known = [known(second)?, known(first)?];
    let [own, other] = known.each_ref().map(|one| &one.quantity);
    let value = own.value - other.value;
    if own.is_sampled() || other.is_sampled() {
        let is_share = first.unit == "share" && second.unit == "share";
        let paired = paired(&known, is_share, value);
        let (estimate, tested) = paired.unwrap_or_else(|| apart(&known, value));
        // Too few playouts of any side say nothing, also where none of them differs from another. The number of rungs
        // is a count of tests: it has no certainty of its own.
        let few = [house, base].iter().any(|portrait| (1..FEW).contains(&portrait.n));
        let is_tested = !few && first.name != "skill.rungs";
        let same = tested.certainty == Certainty::Same;
        return Some((estimate, if is_tested { tested } else { Tested::sampled(1.0, same) }));
    }
    let (less, tested) = proven(own.minus(other), own.value.abs().max(other.value.abs()));
    let value = match tested.certainty {
        _ if less.fraction.is_some() => less.value,
        Certainty::Same => 0.0,
        _ => value,
    };
    let Interval { low, high } = less.bounds();
    Some((Quantity { value, low, high, ..less }, tested))
}

/// A difference of numbers up to this size that is exact or proven, with what is known of it.
pub(super) fn proven(less: Quantity, size: f64) -> (Quantity, Tested) {
    let near = ROUNDING * size.max(1.0);
    let certainty = match &less.fraction {
        Some(_) if !less.is_clear() => Certainty::Same,
        Some(_) => Certainty::Sure,
        None if less.low > near || less.high < -near => Certainty::Sure,
        None if less.low >= -near && less.high <= near => Certainty::Same,
        None => Certainty::Unknown,
    };
    (less, Tested::known(certainty))
}

/// Playout by playout, where both have the same playouts or are always the same. Where one has more, as of a side that
/// was not stopped, those that both have say how far off the difference of the means may be; where they are less than
/// half of the other's, these say more by themselves.
fn paired(known: &[Measure; 2], is_share: bool, difference: f64) -> Option<(Quantity, Tested)> {
    let listed = || known.iter().filter_map(|one| Some(one.values.as_ref()?.len()));
    let (n, most) = (listed().min()?, listed().max()?);
    if 2 * n < most {
        return None;
    }
    let (own, other) = (values(&known[0], n)?, values(&known[1], n)?);
    let apart: Vec<f64> = own.iter().zip(other.iter()).map(|(own, other)| own - other).collect();
    let (mut estimate, tested) = of_sums(&apart, is_share)?;
    if n < most {
        let off = difference - estimate.value;
        let Quantity { value, low, high, .. } = &mut estimate;
        [value, low, high].into_iter().for_each(|number| *number += off);
    }
    Some((estimate, tested))
}

/// The mean of one number a playout, with its interval and its test; for shares, that of the pairs that differ.
pub(super) fn of_sums(sums: &[f64], is_share: bool) -> Option<(Quantity, Tested)> {
    of_pairs(&tallied(sums), is_share, (0.0, 0.0))
}

/// The same of differences of pairs, each with how often it was seen; others between these ends are possible.
pub(crate) fn of_pairs(
    pairs: &[(f64, u64)],
    is_share: bool,
    possible: (f64, f64),
) -> Option<(Quantity, Tested)> {
    let count = |is: &dyn Fn(f64) -> bool| -> u64 {
        pairs.iter().filter(|(value, _)| is(*value)).map(|(_, count)| count).sum()
    };
    let (n, more, less) = (count(&|_| true), count(&|one| one > 0.0), count(&|one| one < 0.0));
    let whole = pairs.iter().all(|(one, _)| [-1.0, 0.0, 1.0].contains(one));
    let signs = || sign_test(more, less);
    let (estimate, p, rare) = match is_share && whole {
        true => (Quantity::share_difference(more, less, n)?, signs(), 0.0),
        false => {
            let estimate = Quantity::mean(pairs)?;
            // Where no pair differs from another, it is the sign test's.
            let p = if estimate.low.is_finite() { p_value(&estimate) } else { signs() };
            (estimate, p, p_value_between(pairs, possible))
        }
    };
    let tested = match n < FEW {
        true => Tested::sampled(1.0, more + less == 0),
        false => Tested::of_pairs(more + less, p, rare),
    };
    Some((estimate, tested))
}

/// As of samples that have nothing to do with each other.
fn apart(known: &[Measure; 2], mean: f64) -> (Quantity, Tested) {
    let half = |one: &Measure| {
        let Interval { low, high } = one.quantity.bounds();
        (high - low) / 2.0
    };
    let half = f64::hypot(half(&known[0]), half(&known[1]));
    let estimate = Quantity::give_or_take(FEW, mean, half);
    let tested = Tested::sampled(p_value(&estimate), mean == 0.0 && half == 0.0);
    (estimate, tested)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A portrait of a number of decisions that is this many in each playout.
    fn playouts(values: &[f64]) -> Portrait {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let quantity = Quantity::give_or_take(0, mean, 1.0);
        let measure = Measure::new("length.decisions", &Quantity::zero());
        let measure = Measure { quantity, values: Some(values.into()), ..measure };
        Portrait::of_playouts(values.len() as u64, vec![measure])
    }

    #[test]
    fn a_side_that_was_stopped_is_paired_with_as_many_of_the_other() {
        // One more in each pair of 30, and ten more playouts of 1 on one side: the means are 1.5 and
        // 25/40, and no pair says that their difference may be off.
        let house = [1.0, 2.0].repeat(15);
        let base = [[0.0, 1.0].repeat(15), vec![1.0; 10]].concat();
        let checked = |house: &[f64], base: &[f64]| {
            let (house, base) = (playouts(house), playouts(base));
            subtracted((&house.measures[0], &house), (&base.measures[0], &base)).unwrap().0
        };
        let Quantity { value: mean, low, high, .. } = checked(&house, &base);
        assert!((mean - 0.875).abs() < 1e-12, "{mean}");
        assert_eq!([low, high], [f64::NEG_INFINITY, f64::INFINITY]);
        // Of less than half of the others each side speaks for itself: √(1 + 1) to either side.
        let Quantity { low, high, .. } = checked(&house, &base.repeat(2));
        assert!(((high - low) / 2.0 - 2f64.sqrt()).abs() < 1e-12, "{low} to {high}");
    }

    #[test]
    fn what_no_playout_of_a_side_has_is_0_in_each_of_them() {
        let none = vec![0.0; 40];
        for name in ["result.draw", "parts.red.ford"] {
            let [mut base, mut house] = [playouts(&[0.0, 1.0].repeat(20)), playouts(&none)];
            base.measures[0].name = name.to_owned();
            // As long as its ends were not read for it, nothing is known.
            assert_eq!(between(&base, &house), []);
            house.add_of_ends(name.split_once('.').unwrap().0, Vec::new());
            let changes = between(&base, &house);
            let [change] = &changes[..] else { panic!("{changes:?}") };
            assert_eq!((change.base, change.house, change.difference.value), (0.5, 0.0, -0.5));
            assert!(change.tested.is_clear_among(1.0));
        }
    }

    #[test]
    fn a_few_playouts_without_spread_show_nothing() {
        let p = |base: usize, house: usize| {
            let side = |n: usize, value: f64| {
                let mut side = playouts(&vec![value; n]);
                let measure = &mut side.measures[0];
                measure.quantity = Quantity::unbounded(n as u64, value);
                side
            };
            let (base, house) = (side(base, 3.0), side(house, 4.0));
            let sides = ((&house.measures[0], &house), (&base.measures[0], &base));
            let (quantity, Tested { p, .. }) = subtracted(sides.0, sides.1).unwrap();
            // That all pairs differ by 1 has no interval.
            assert_eq!(quantity, Quantity::unbounded(quantity.n(), 1.0));
            p.unwrap()
        };
        assert_eq!([p(29, 29), p(1, 5000), p(5000, 29)], [1.0; 3]);
        // Of 30 all go one way: 2 / 2^30.
        assert!((p(30, 30) - 2f64.powi(-29)).abs() < 1e-15);
    }
}
