//! The difference between two sides whose odds are known, in fractions or within proven bounds.

use std::collections::BTreeSet;

use indexmap::IndexSet;

use crate::analysis::{Chances, Fraction, Interval, Number};

/// The changed numbers less those of the base. A result that one side lacks never occurs there, and
/// a player without utility has none.
pub(super) fn between(base: &Chances, house: &Chances) -> Chances {
    let results: BTreeSet<&String> = base.results.keys().chain(house.results.keys()).collect();
    let players: IndexSet<&String> = base.utility.keys().chain(house.utility.keys()).collect();
    let result = |name: &String| less(house.results.get(name), base.results.get(name));
    let utility = |name: &String| less(house.utility.get(name), base.utility.get(name));
    Chances {
        results: results.into_iter().map(|name| (name.clone(), result(name))).collect(),
        utility: players.into_iter().map(|name| (name.clone(), utility(name))).collect(),
        unlisted: None,
        cut_off: base.cut_off + house.cut_off,
        floats: base.floats || house.floats,
    }
}

fn less(number: Option<&Number>, other: Option<&Number>) -> Number {
    let zero = Number::Exact(Fraction::default());
    let (number, other) = (number.unwrap_or(&zero), other.unwrap_or(&zero));
    match (number.exact(), other.exact()) {
        (Some(number), Some(other)) => Number::Exact(number - other),
        _ => Number::Enclosed(enclosing(number).minus(enclosing(other))),
    }
}

fn enclosing(number: &Number) -> Interval {
    match number {
        Number::Exact(fraction) => Interval::of_fraction(fraction),
        Number::Enclosed(interval) => *interval,
        Number::Sampled(estimate) => Interval { low: estimate.low, high: estimate.high },
    }
}
