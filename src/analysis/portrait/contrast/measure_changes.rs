//! The differences of two portraits, measure by measure.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::certainty::{Certainty, corrected};
use super::measure_sums::{Combined, Sampled, combined};
use crate::analysis::portrait::portrait_measure::Measure;
use crate::analysis::portrait::{Portrait, place};
use crate::number::{Quantity, difference};

/// What became of a measure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeasureChange {
    /// Its name.
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
    /// From playouts, the p-value, corrected for the number of measures by Holm's method; null where the
    /// difference is exact or proven.
    pub p: Option<f64>,
    /// Whether there is a change.
    pub certainty: Certainty,
    /// How large the change is beside others: of shares the difference, else the difference over the
    /// larger value or, where that is more, over the deviation.
    pub size: f64,
}

/// The differences of all measures that both sides have, in their order.
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
        let parts = [(1, second.clone(), house), (-1, first.clone(), base)];
        let Combined { quantity, certainty, sampled } = combined(&parts)?;
        let change = MeasureChange {
            name: first.name.clone(),
            unit: first.unit.clone(),
            base: first.quantity.value,
            house: second.quantity.value,
            p: None,
            certainty,
            size: size(&first, &second, quantity.value, scale),
            difference: quantity,
        };
        Some((change, sampled))
    };
    correct(pairs.into_values().filter_map(change).collect())
}

pub(super) fn found(portrait: &Portrait, measure: &Measure) -> Option<Measure> {
    match portrait.measure(&measure.name) {
        Some(found) => Some(found.clone()),
        // A result that is not there never comes.
        None if measure.group() == "result" && !portrait.measures.is_empty() => {
            Some(Measure::new(measure.name.clone(), &Quantity::zero()))
        }
        None => None,
    }
}

/// How far utilities are apart: the largest deviation of a seat's.
fn deviation(portrait: &Portrait) -> f64 {
    let utilities = portrait.measures.iter().filter(|one| one.name.starts_with("fairness.utility"));
    let deviations = utilities.filter_map(|one| Some(one.spread.as_ref()?.deviation));
    deviations.fold(0.0, f64::max)
}

/// How large a change is beside others.
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

/// Corrects p-values for how many there are.
fn correct(found: Vec<(MeasureChange, Option<Sampled>)>) -> Vec<MeasureChange> {
    let p_values: Vec<Option<f64>> =
        found.iter().map(|(_, sampled)| Some(sampled.as_ref()?.p)).collect();
    let corrected = found.into_iter().zip(corrected(&p_values)).map(|((mut one, sampled), p)| {
        if let (Some(sampled), Some(p)) = (sampled, p) {
            one.p = Some(p);
            one.certainty = Certainty::of(p, sampled.same);
        }
        one
    });
    corrected.collect()
}

/// What one of several changes does without the others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Alone {
    /// The change: the house rule or the parameter.
    pub change: String,
    /// What became of each measure.
    pub measures: Vec<MeasureChange>,
}

pub(super) fn alone(base: &Portrait, changes: &[String], each: &[Portrait]) -> Vec<Alone> {
    let one = |(change, portrait): (&String, &Portrait)| Alone {
        change: change.clone(),
        measures: between(base, portrait),
    };
    changes.iter().zip(each).map(one).collect()
}
